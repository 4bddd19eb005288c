//! How Umpire reads an answer: from lines and fields of the form that was asked for, or not at all.
//!
//! Pages and agents can put any words into an answer by being quoted in it. So a value counts only where a line begins
//! with its name, where the answer ends with it as a sentence of its own, or in the field of a JSON object; among several
//! the last one counts; and what is contradictory, hedged or out of range is unread, never a failure or a zero.

mod key_points;
mod labelled;
mod score;
mod status;
mod word;

pub use key_points::key_points;
pub use score::{Scored, score};
pub use status::status;
pub use word::verdict_word;
