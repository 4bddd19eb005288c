//! Amounts with units, as people write them: `1 hr 35 min`, `2 km 500 m`, `about 1 1/2 hours`, `half a mile`.
//!
//! The whole text must be such an amount. Units come from large to small, each once. A word for "about" is dropped: it
//! says nothing about the amount that its digits do not say. Ranges, limits (`over 5 km`) and bare numbers are not
//! amounts.

use std::sync::LazyLock;

use regex::Regex;
use rust_decimal::Decimal;

use super::decimal::{self, LoneDot};
use super::number_words;
use super::quantity::Quantity;

/// In bytes; longer than `approximately one hundred and twenty-three nautical miles and …` will ever be.
pub(super) const LONGEST: usize = 200;

/// Parts of an amount with the unit each is counted in, as written: largest first.
#[derive(Debug, PartialEq)]
pub(super) struct Measure<U> {
    pub(super) negative: bool,
    pub(super) parts: Vec<(Quantity, U)>,
}

/// Reads `text` (plain, case kept) with the units that `unit_named` knows.
pub(super) fn read<U>(text: &str, unit_named: impl Fn(&str) -> Option<U>) -> Option<Measure<U>> {
    if text.len() > LONGEST {
        return None;
    }
    let text = without_about(text).trim_end_matches(['.', '!']);
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut parts = Vec::new();
    while !rest.is_empty() {
        if !parts.is_empty() {
            rest = without_joint(rest);
        }
        let (amount, after) = amount(rest)?;
        let (unit, after) = unit(after.trim_start(), &unit_named)?;
        parts.push((amount, unit));
        rest = after.trim_start();
    }
    (!parts.is_empty()).then_some(Measure { negative, parts })
}

fn without_about(text: &str) -> &str {
    static ABOUT: LazyLock<Regex> = LazyLock::new(|| {
        constant(
            r"(?i)\A(?:(?:about|approximately|around|roughly|circa)\b|(?:approx|appr|ca|c)\b\.?|[~\u{2248}\u{2243}])\s*",
        )
    });
    ABOUT.find(text).map_or(text, |found| &text[found.end()..])
}

/// `and`, `&` or a comma between two parts.
fn without_joint(text: &str) -> &str {
    static JOINT: LazyLock<Regex> = LazyLock::new(|| constant(r"(?i)\A(?:, ?)?(?:and\b ?|& ?)?"));
    JOINT.find(text).map_or(text, |found| &text[found.end()..])
}

fn amount(text: &str) -> Option<(Quantity, &str)> {
    let (amount, rest) = amount_in_digits(text).or_else(|| amount_in_words(text))?;
    Some(match half_more(rest) {
        Some(rest) => (Quantity { value: amount.value.checked_add(HALF)?, step: TENTH }, rest),
        None => (amount, rest),
    })
}

const HALF: Decimal = Decimal::from_parts(5, 0, 0, false, 1);
const TENTH: Decimal = Decimal::from_parts(1, 0, 0, false, 1);

/// `2 and a half hours`
fn half_more(rest: &str) -> Option<&str> {
    static HALF_MORE: LazyLock<Regex> = LazyLock::new(|| constant(r"(?i)\A ?and a half\b"));
    HALF_MORE.find(rest).map(|found| &rest[found.end()..])
}

fn amount_in_digits(text: &str) -> Option<(Quantity, &str)> {
    static FRACTION: LazyLock<Regex> =
        LazyLock::new(|| constant(r"\A(?:(?P<whole>\d{1,9})[ -])?(?P<over>\d{1,9})/(?P<under>\d{1,9})"));
    static SPACED: LazyLock<Regex> = LazyLock::new(|| constant(r"\A\d{1,3}(?: \d{3})+(?:[.,]\d+)?"));
    static DIGITS: LazyLock<Regex> = LazyLock::new(|| constant(r"\A(?:\d+(?:[.,]\d+|'\d{3})*|[.,]\d+)"));
    let part = |found: &regex::Captures<'_>, name: &str| {
        found.name(name).map_or(Some(Decimal::ZERO), |digits| digits.as_str().parse().ok())
    };
    if let Some(found) = FRACTION.captures(text) {
        let under = part(&found, "under")?;
        let value = part(&found, "whole")?.checked_add(part(&found, "over")?.checked_div(under)?)?;
        return Some((Quantity { value, step: Decimal::ONE.checked_div(under)? }, &text[found[0].len()..]));
    }
    let spaced =
        SPACED.find(text).filter(|found| !text[found.end()..].starts_with(|c: char| c.is_ascii_digit()));
    let digits = spaced.or_else(|| DIGITS.find(text))?.as_str();
    let value = decimal::read_grouped(digits, LoneDot::Decimal)?;
    Some((Quantity::as_written(value), &text[digits.len()..]))
}

/// `an hour`, `half an hour`, `thirty-five minutes`.
fn amount_in_words(text: &str) -> Option<(Quantity, &str)> {
    static WORDS: LazyLock<Regex> = LazyLock::new(|| constant(r"\A[A-Za-z]+(?:[ -][A-Za-z]+)*"));
    let run = WORDS.find(text)?.as_str();
    let lower = run.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("half a ").or_else(|| lower.strip_prefix("half an ")) {
        return Some((Quantity { value: HALF, step: TENTH }, &text[run.len() - rest.len()..]));
    }
    let words: Vec<&str> = lower.split([' ', '-']).collect();
    let (value, used) = match words.first() {
        Some(&("a" | "an")) if number_words::read_start(&words).is_none() => (Decimal::ONE, 1),
        _ => number_words::read_start(&words)?,
    };
    // Words are separated by one character each.
    let length = words[..used].iter().map(|word| word.len()).sum::<usize>() + used - 1;
    Some((Quantity::as_written(value), &text[length..]))
}

/// A unit of one or two words, or a mark like `'`.
fn unit<'t, U>(text: &'t str, unit_named: &impl Fn(&str) -> Option<U>) -> Option<(U, &'t str)> {
    static NAMES: LazyLock<[Regex; 3]> = LazyLock::new(|| {
        [r"\A\p{L}+ \p{L}+", r"\A\p{L}+", r#"\A(?:''|\u{2032}{2}|['"\u{2032}])"#].map(constant)
    });
    NAMES.iter().find_map(|name| {
        let name = name.find(text)?.as_str();
        let rest = &text[name.len()..];
        Some((unit_named(name)?, rest.strip_prefix('.').unwrap_or(rest)))
    })
}

fn constant(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant, and tests use it")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn letters(name: &str) -> Option<char> {
        match name.to_lowercase().as_str() {
            "hours" | "hour" | "h" => Some('h'),
            "nautical miles" => Some('n'),
            "miles" | "mile" => Some('m'),
            "'" => Some('f'),
            "\"" => Some('i'),
            _ => None,
        }
    }

    fn values(text: &str) -> Option<Vec<(String, char)>> {
        let measure = read(text, letters)?;
        let sign = if measure.negative { "-" } else { "" };
        Some(
            measure
                .parts
                .iter()
                .map(|(amount, unit)| (format!("{sign}{}", amount.value.normalize()), *unit))
                .collect(),
        )
    }

    #[test]
    fn amounts_and_units() {
        for (text, expected) in [
            ("5 hours", vec![("5", 'h')]),
            ("5h", vec![("5", 'h')]),
            ("-5 h.", vec![("-5", 'h')]),
            ("+5 h", vec![("5", 'h')]),
            ("about 1.5 Hours", vec![("1.5", 'h')]),
            ("~ 1,5 hours", vec![("1.5", 'h')]),
            ("approx. 1,500 miles", vec![("1500", 'm')]),
            ("1 500 miles", vec![("1500", 'm')]),
            ("1 1/2 hours", vec![("1.5", 'h')]),
            ("3/4 mile", vec![("0.75", 'm')]),
            ("2 and a half hours", vec![("2.5", 'h')]),
            ("two and a half hours", vec![("2.5", 'h')]),
            ("half an hour", vec![("0.5", 'h')]),
            ("an hour", vec![("1", 'h')]),
            ("a hundred miles", vec![("100", 'm')]),
            ("Twenty-five hours and one mile", vec![("25", 'h'), ("1", 'm')]),
            ("5 nautical miles, 3 h", vec![("5", 'n'), ("3", 'h')]),
            ("5' 3\"", vec![("5", 'f'), ("3", 'i')]),
            ("5'3\"", vec![("5", 'f'), ("3", 'i')]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|(n, unit)| (n.to_owned(), unit)).collect();
            assert_eq!(values(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_amount() {
        for text in [
            "",
            "5",
            "h",
            "hours",
            "5 parsecs",
            "5 h 3",
            "5-6 h",
            "5 to 6 h",
            "over 5 h",
            "5 h away",
            "1/0 h",
            "and 5 h",
            "5 h and",
            "5 h,",
            "about",
            "about about 5 h",
            "half hour",
            "--5 h",
            "1 2 h",
            "5 h - 6 h",
        ] {
            assert_eq!(values(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in any::<String>(), near in "[0-9/.,' a-h&~-]{0,30}") {
            values(&text);
            values(&near);
        }
    }
}
