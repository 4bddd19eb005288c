//! What several sites need: time as they print it, catalogues shared between worlds, small forms of text.

pub mod by_seed;
pub mod calendar;
pub mod moment;
pub mod text;
