//! What several sites need: time as they print it, amounts of money, catalogues shared between worlds, lists in pages,
//! messages, small forms of text.

pub mod by_seed;
pub mod calendar;
pub mod flash;
pub mod lists;
pub mod moment;
pub mod money;
pub mod suggest;
#[cfg(test)]
pub mod task_file;
pub mod text;
#[cfg(test)]
pub mod visitor;
