//! The corner of Python that verdicts depend on.
//!
//! The released evaluator leans on Python's own ideas of JSON, truth, text and patterns, and a score can turn on each of
//! them. This room gives them names: [`Value`] and its equality, [`parse_json`], [`str_of`] and [`repr_of`],
//! [`parse_float`] and [`parse_int`], [`Pattern`], and [`urllib`]. All of it is bounded in time, because agents write the input.

mod json;
mod numeral;
mod pattern;
mod serde_value;
mod text;
pub mod urllib;
mod value;

pub use json::{JsonError, parse_json};
pub use numeral::{parse_float, parse_int, to_ascii_digits};
pub use pattern::{InvalidPattern, Pattern, PatternFlags, is_regex_literal};
pub use text::{is_space, repr_of, str_of, strip};
pub use value::{Dict, Int, Value};
