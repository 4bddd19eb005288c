//! WebArena Verified as released, case by case.

pub mod host;
pub mod query;
pub mod url_normalise;
