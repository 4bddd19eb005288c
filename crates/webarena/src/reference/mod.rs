//! WebArena Verified as released, case by case.

pub mod body;
pub mod host;
pub mod json_path;
pub mod query;
pub mod url_normalise;
