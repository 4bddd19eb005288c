//! Words for people. What an agent or a page wrote is cut and put on one line before it enters a verdict.

use std::fmt::{self, Write};

use serde_json::Value;

const LONGEST: usize = 160;

/// One line of at most [`LONGEST`] characters.
pub(crate) fn shorten(text: &str) -> String {
    let mut line: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

pub(crate) fn value(value: &Value) -> String {
    shorten(&start_of(value))
}

/// The JSON of a value, or as much of a long one as anybody will see: an agent may have written a megabyte.
fn start_of(value: &Value) -> String {
    struct Start(String);
    impl Write for Start {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let room = SHOWN_BYTES.saturating_sub(self.0.len());
            self.0.push_str(&text[..text.floor_char_boundary(room)]);
            if text.len() > room { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut start = Start(String::new());
    // An error only says that there is more than the start.
    let _ = write!(start, "{value}");
    start.0
}

/// More than [`LONGEST`] characters of any script.
const SHOWN_BYTES: usize = (LONGEST + 1) * 4;

/// Several values with commas between them.
pub(crate) fn values<'a>(list: impl IntoIterator<Item = &'a Value>) -> String {
    joined(list.into_iter().map(start_of), ", ")
}

/// Accepted alternatives of an expected value.
pub(crate) fn alternatives(expected: &Value) -> String {
    match expected {
        Value::Array(accepted) if !accepted.is_empty() => joined(accepted.iter().map(start_of), " or "),
        other => value(other),
    }
}

pub(crate) fn joined(parts: impl IntoIterator<Item = String>, between: &str) -> String {
    let mut line = String::new();
    for part in parts {
        if line.len() > LONGEST * 4 {
            break;
        }
        if !line.is_empty() {
            line.push_str(between);
        }
        line.push_str(&part);
    }
    shorten(&line)
}

/// `1 result`, `2 results`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_long_value_reads_like_the_value_itself() {
        for long in [
            Value::from("é\"\n".repeat(10_000)),
            serde_json::json!({"a": vec!["😀"; 10_000]}),
            Value::from(vec![1; 10_000]),
        ] {
            assert_eq!(value(&long), shorten(&long.to_string()));
            assert!(start_of(&long).len() <= SHOWN_BYTES);
        }
        assert_eq!(value(&serde_json::json!({"a": [1, "b"]})), "{\"a\":[1,\"b\"]}");
    }

    #[test]
    fn hostile_text_becomes_one_short_line() {
        assert_eq!(shorten("a\nb\u{7}c\u{2028}d"), "a b c d");
        let long = shorten(&"é".repeat(10_000));
        assert_eq!(long.chars().count(), LONGEST + 1);
        assert!(long.ends_with('…'));
        assert_eq!(shorten(&"x".repeat(LONGEST)), "x".repeat(LONGEST));
    }
}
