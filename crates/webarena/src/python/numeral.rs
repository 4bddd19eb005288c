//! The text Python's `float()` and `int()` accept.

use std::borrow::Cow;

use unicode_general_category::{GeneralCategory, get_general_category};

use super::text::strip;
use super::value::Int;

/// `float(text)`: outer whitespace, a sign, `_` between digits, an exponent, `inf`, `infinity`, `nan` in any case.
pub fn parse_float(text: &str) -> Option<f64> {
    without_digit_separators(strip(&to_ascii_digits(text)))?.parse().ok()
}

/// `int(text)`: outer whitespace, a sign, `_` between digits.
pub fn parse_int(text: &str) -> Option<Int> {
    let literal = without_digit_separators(strip(&to_ascii_digits(text)))?;
    let unsigned = literal.strip_prefix('+').unwrap_or(&literal);
    if unsigned.len() < literal.len() && unsigned.starts_with('-') {
        return None;
    }
    Int::from_decimal(unsigned)
}

/// Decimal digits of any script as ASCII ones.
pub fn to_ascii_digits(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars()
            .map(|c| digit_value(c).and_then(|value| char::from_digit(value, 10)).unwrap_or(c))
            .collect(),
    )
}

/// Unicode encodes the ten digits of a script in a row, so a digit's value is its place in its row.
fn digit_value(c: char) -> Option<u32> {
    let is_digit = |code: u32| {
        char::from_u32(code).is_some_and(|c| get_general_category(c) == GeneralCategory::DecimalNumber)
    };
    let code = u32::from(c);
    if !is_digit(code) {
        return None;
    }
    let before = (1..=code).take_while(|back| is_digit(code - back)).count();
    u32::try_from(before % 10).ok()
}

/// `None` if an underscore stands anywhere but between two digits.
fn without_digit_separators(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let well_placed = (0..bytes.len())
        .filter(|&at| bytes[at] == b'_')
        .all(|at| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)));
    well_placed.then(|| text.replace('_', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats() {
        for (text, value) in [
            ("5", 5.0),
            (" +1_000.5e-1\n", 100.05),
            (".5", 0.5),
            ("5.", 5.0),
            ("-INF", f64::NEG_INFINITY),
            ("1e400", f64::INFINITY),
        ] {
            assert_eq!(parse_float(text), Some(value), "{text:?}");
        }
        assert!(parse_float("NaN").is_some_and(f64::is_nan));
        for text in ["", "_1", "1_", "1__0", "1_.5", "1,5", "0x10", "--1", "1e", "."] {
            assert_eq!(parse_float(text), None, "{text:?}");
        }
    }

    #[test]
    fn ints() {
        for (text, value) in [("5", 5), (" -1_0 ", -10), ("+007", 7), ("٤２", 42)] {
            assert_eq!(parse_int(text), Some(Int::from(value)), "{text:?}");
        }
        for text in ["", "5.0", "+-5", "1e3", "_1", "+"] {
            assert_eq!(parse_int(text), None, "{text:?}");
        }
    }
}
