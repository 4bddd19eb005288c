//! Numbers: JSON numbers, or text that is nothing but a number, in digits or in words. `1.234` is a little more than
//! one; `1,234` is a thousand and more; `5,5` is five and a half.
//!
//! What is counted may follow (`5 stars`, `3 open issues`), as long as it cannot change the number: units of measure,
//! currencies, scales other than thousand, million and billion, and words like `or`, `of`, `plus` make it unreadable.
//! Numbers are the same if they differ by nothing but the noise of binary arithmetic.

use rust_decimal::Decimal;
use serde_json::Value;

use super::decimal::{self, LoneDot};
use super::folding::{caseless, plain};
use super::{currency, distance, duration, number_words};

/// Longer texts are no numbers; the digits of the largest one fit many times over.
const LONGEST: usize = 200;

/// `3 open issues` has two words behind the number.
const MOST_WORDS: usize = 2;

pub(super) fn read(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => decimal::of_json(number),
        Value::String(text) if text.len() <= LONGEST => read_text(&caseless(&plain(text))),
        _ => None,
    }
}

fn read_text(text: &str) -> Option<Decimal> {
    let text = text.strip_prefix('#').unwrap_or(text);
    let (unsigned, negative) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text.strip_prefix('+').unwrap_or(text), false),
    };
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || ".,".contains(c)) {
        return number_words::read(text.trim_end_matches('.'));
    }
    if let Some(number) = decimal::read_scientific(text) {
        return Some(number);
    }
    let end = unsigned.find(char::is_alphabetic).unwrap_or(unsigned.len());
    let (digits, words) = unsigned.split_at(end);
    let factor = factor_of(words.trim_end_matches(['.', '!']))?;
    let digits = if words.is_empty() { digits.trim_end_matches(['.', '!']) } else { digits };
    let number = decimal::read_grouped(digits.trim_end(), LoneDot::Decimal)?.checked_mul(factor)?;
    Some(if negative { -number } else { number })
}

/// What the words behind the digits make of them; `None` if that cannot be said.
fn factor_of(words: &str) -> Option<Decimal> {
    let mut words: Vec<&str> = words.split_whitespace().collect();
    let scale = match words.first() {
        Some(&"k") => Some(1_000),
        Some(word) => number_words::scale(word),
        None => None,
    };
    if scale.is_some() {
        words.remove(0);
    }
    let counted = words.len() <= MOST_WORDS && words.iter().all(|word| can_be_counted(word));
    counted.then(|| Decimal::from(scale.unwrap_or(1)))
}

fn can_be_counted(word: &str) -> bool {
    word.chars().count() > 1
        && word.chars().all(|c| c.is_alphabetic() || c == '-')
        && !NOT_COUNTED.split(' ').any(|known| known == word)
        && !number_words::is_number_word(word)
        && !duration::is_unit(word)
        && !distance::is_unit(word)
        && !currency::is_name(word)
}

/// Words that relate the number to something else, or to another number.
const NOT_COUNTED: &str = "about above almost and another approximately at below between but by dozen dozens each either equals \
    except fewer for from half halves hundreds in instead least less maybe millions minus more most nd \
    nearly no nor not of off on or out over per percent perhaps plus quarter quarters rd roughly st th \
    than third thirds thousands through till times to under unless until up versus vs with without";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_and_what_is_not_one() {
        for (value, expected) in [
            (json!(5), Some("5")),
            (json!(-0.5), Some("-0.5")),
            (json!(1e3), Some("1000")),
            (json!(1e21), Some("1000000000000000000000")),
            (json!(u64::MAX), Some("18446744073709551615")),
            (json!("1,234.5"), Some("1234.5")),
            (json!("1.234,5"), Some("1234.5")),
            (json!("1 234,5"), Some("1234.5")),
            (json!("1\u{202f}234"), Some("1234")),
            (json!("1'234"), Some("1234")),
            (json!("5,5"), Some("5.5")),
            (json!(" 42 "), Some("42")),
            (json!("42."), Some("42")),
            (json!("05"), Some("5")),
            (json!("#170"), Some("170")),
            (json!("\u{2212}7"), Some("-7")),
            (json!("+7"), Some("7")),
            (json!("４２"), Some("42")),
            (json!("٤٢"), Some("42")),
            (json!("४२"), Some("42")),
            (json!("5.0"), Some("5")),
            (json!("1e3"), Some("1000")),
            (json!("1E+21"), Some("1000000000000000000000")),
            (json!("five"), Some("5")),
            (json!("Forty-Two."), Some("42")),
            (json!("minus five"), Some("-5")),
            (json!("5 stars"), Some("5")),
            (json!("1,234 open issues"), Some("1234")),
            (json!("3.5 million"), Some("3500000")),
            (json!("1.2k"), Some("1200")),
            (json!("2 thousand users"), Some("2000")),
        ] {
            let expected = expected.map(|text| Decimal::from_str_exact(text).expect(text));
            assert_eq!(read(&value), expected, "{value}");
        }
    }

    #[test]
    fn what_is_no_number() {
        for value in [
            json!("5%"),
            json!("5 percent"),
            json!("--5"),
            json!("- 5 -"),
            json!("NaN"),
            json!("inf"),
            json!("0x10"),
            json!("1_000"),
            json!(""),
            json!("-"),
            json!("."),
            json!(true),
            json!(null),
            json!(1e300),
            json!([5]),
            json!({"amount": 5}),
            json!("5 km"),
            json!("5 minutes"),
            json!("5 USD"),
            json!("5 of 10"),
            json!("5 or 6"),
            json!("5 or more"),
            json!("5-6"),
            json!("5 dozen"),
            json!("5m"),
            json!("5th"),
            json!("2nd place"),
            json!("about 5"),
            json!("one two three four five"),
            json!("^5$"),
            json!("rating 5"),
            json!("5 a b c"),
        ] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn a_number_is_read_back_from_every_locale(whole in 1_000..1_000_000_000_u64, cents in 0..100_u32) {
            let expected = Decimal::from(whole) + Decimal::new(i64::from(cents), 2);
            for (group, point) in [(",", "."), (".", ","), (" ", ","), ("'", "."), ("\u{202f}", ","), ("", ".")] {
                let text = format!("{}{point}{cents:02}", grouped(whole, group));
                prop_assert_eq!(read(&json!(text)), Some(expected), "{}", text);
            }
        }
    }

    fn grouped(number: u64, separator: &str) -> String {
        if number < 1000 {
            return number.to_string();
        }
        format!("{}{separator}{:03}", grouped(number / 1000, separator), number % 1000)
    }
}
