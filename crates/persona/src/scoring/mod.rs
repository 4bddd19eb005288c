//! What an attempt made of a person's history: the rubric in points, and kinds of error.

mod by_rule;
mod errors;
mod judged;
mod rubric;

pub use by_rule::{Access, Applied, Attempted, Decided, Flags, Hit, decide};
pub use errors::{Error, ErrorKind, Part};
pub use judged::Judged;
pub use rubric::{Hidden, Pair, PersonaResult, PersonaScore, Rubric, score};
