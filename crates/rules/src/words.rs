//! Words for people. What an agent or a page wrote is cut and put on one line before it enters a verdict.

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
    shorten(&value.to_string())
}

/// Several values with commas between them.
pub(crate) fn values<'a>(list: impl IntoIterator<Item = &'a Value>) -> String {
    joined(list.into_iter().map(Value::to_string), ", ")
}

/// Accepted alternatives of an expected value.
pub(crate) fn alternatives(expected: &Value) -> String {
    match expected {
        Value::Array(accepted) if !accepted.is_empty() => {
            joined(accepted.iter().map(Value::to_string), " or ")
        }
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
    fn hostile_text_becomes_one_short_line() {
        assert_eq!(shorten("a\nb\u{7}c\u{2028}d"), "a b c d");
        let long = shorten(&"é".repeat(10_000));
        assert_eq!(long.chars().count(), LONGEST + 1);
        assert!(long.ends_with('…'));
        assert_eq!(shorten(&"x".repeat(LONGEST)), "x".repeat(LONGEST));
    }
}
