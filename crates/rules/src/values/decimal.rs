//! Exact decimal numbers as people write them: with thousands separators of several countries.

use rust_decimal::Decimal;
use serde_json::Number;

use super::quantity::Quantity;

/// What a single dot before exactly three digits means, as in `1.299`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LoneDot {
    Decimal,
    Grouping,
}

/// Longer digit runs fit no decimal; cutting them off early keeps hostile input cheap.
const LONGEST: usize = 64;

/// What binary arithmetic may leave of a sum of decimal fractions.
const NOISE: Decimal = Decimal::from_parts(1, 0, 0, false, 9);

pub(super) fn of_json(number: &Number) -> Option<Decimal> {
    let text = number.to_string();
    if text.contains(['e', 'E']) { Decimal::from_scientific(&text).ok() } else { exact(&text) }
}

/// Equal, or apart only by the noise of binary arithmetic: `0.1 + 0.2` is `0.3`. A digit that was written counts, so
/// whole numbers, which may be identifiers, must be equal to the last one.
pub(super) fn same(a: Decimal, b: Decimal) -> bool {
    Quantity::as_written(a).same_as(&Quantity::as_written(b), NOISE)
}

/// `1e21`, `2.5E-3`.
pub(super) fn read_scientific(text: &str) -> Option<Decimal> {
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let plain = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.len() <= LONGEST;
    let unsigned = |text| str::strip_prefix(text, ['-', '+']).unwrap_or(text);
    (plain(unsigned(mantissa)) && plain(unsigned(exponent)))
        .then(|| Decimal::from_scientific(&format!("{mantissa}e{}", exponent.trim_start_matches('+'))).ok())
        .flatten()
}

/// Reads digits with separators, without a sign. Where both `.` and `,` appear the later one is the decimal point. A
/// lone comma before exactly three digits groups thousands (`1,299`), elsewhere it is a decimal point (`5,5`).
pub(super) fn read_grouped(text: &str, lone_dot: LoneDot) -> Option<Decimal> {
    if text.len() > LONGEST || !text.chars().all(|c| c.is_ascii_digit() || ".,' ".contains(c)) {
        return None;
    }
    let (whole, fraction) = match decimal_point(text, lone_dot) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let whole = ungrouped(whole)?;
    match fraction {
        None => exact(&whole),
        Some(fraction) if !fraction.is_empty() && is_digits(fraction) => {
            exact(&format!("{}.{fraction}", if whole.is_empty() { "0" } else { &whole }))
        }
        Some(_) => None,
    }
}

fn decimal_point(text: &str, lone_dot: LoneDot) -> Option<usize> {
    let last = text.rfind(['.', ','])?;
    let mark = &text[last..=last];
    if text[..last].contains(mark) {
        return None;
    }
    let other_separators = text[..last].contains(|c: char| !c.is_ascii_digit());
    let could_group = text.len() - last - 1 == 3 && is_first_group(&text[..last]) && !other_separators;
    let groups = could_group && (mark == "," || lone_dot == LoneDot::Grouping);
    (!groups).then_some(last)
}

/// The digits of a whole part, if it has no separators or has them where they belong: every three digits, or in the
/// Indian way two by two before the last three.
fn ungrouped(whole: &str) -> Option<String> {
    let Some(separator) = whole.chars().find(|c| !c.is_ascii_digit()) else {
        return Some(whole.to_owned());
    };
    let groups: Vec<&str> = whole.split(separator).collect();
    let [first, middle @ .., last] = groups.as_slice() else { return None };
    let indian = separator == ',' && first.len() <= 2 && middle.iter().all(|group| group.len() == 2);
    let by_three = middle.iter().all(|group| group.len() == 3);
    let well_placed = is_first_group(first) && last.len() == 3 && (by_three || indian);
    (well_placed && groups.iter().all(|group| is_digits(group))).then(|| groups.concat())
}

fn is_first_group(text: &str) -> bool {
    (1..=3).contains(&text.len()) && is_digits(text) && !text.starts_with('0')
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn exact(text: &str) -> Option<Decimal> {
    Decimal::from_str_exact(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        exact(text).expect(text)
    }

    #[test]
    fn separators() {
        for (text, expected) in [
            ("1234.5", Some("1234.5")),
            ("1,234.5", Some("1234.5")),
            ("1.234,5", Some("1234.5")),
            ("1,234", Some("1234")),
            ("1,234,567", Some("1234567")),
            ("1.234.567", Some("1234567")),
            ("1'234.50", Some("1234.5")),
            ("1 234,500", Some("1234.5")),
            ("12,34,567.8", Some("1234567.8")),
            ("5,5", Some("5.5")),
            ("0,125", Some("0.125")),
            (".5", Some("0.5")),
            ("007", Some("7")),
            ("1.234", Some("1.234")),
            ("1,23,4", None),
            ("1,2345,678", None),
            ("1,234.567,8", None),
            ("12.", None),
            (".", None),
            ("", None),
            (" ", None),
            ("1 2", None),
            ("1,,234", None),
            ("1,234 567", None),
            ("99999999999999999999999999999999", None),
        ] {
            assert_eq!(read_grouped(text, LoneDot::Decimal), expected.map(decimal), "{text:?}");
        }
        assert_eq!(read_grouped("1.234", LoneDot::Grouping), Some(decimal("1234")));
        assert_eq!(read_grouped("0.125", LoneDot::Grouping), Some(decimal("0.125")));
    }

    #[test]
    fn scientific_notation() {
        for (text, expected) in [
            ("1e3", Some("1000")),
            ("-2.5E-3", Some("-0.0025")),
            ("1e+21", Some("1000000000000000000000")),
            ("1e99", None),
            ("e3", None),
            ("1e", None),
            ("one", None),
            ("1e2e3", None),
        ] {
            assert_eq!(read_scientific(text), expected.map(decimal), "{text}");
        }
    }

    #[test]
    fn noise_of_doubles_is_forgiven_but_not_a_digit() {
        for (a, b, expected) in [
            ("0.30000000000000004", "0.3", true),
            ("59.970000000000006", "59.97", true),
            ("2.9999999999999996", "3", true),
            ("19.99", "19.990", true),
            ("19.99", "19.991", false),
            ("1234567890123456789", "1234567890123456788", false),
            ("0", "0.0000001", false),
            ("0.333333333", "0.3333333333333333", true),
            ("1234567890.01", "1234567890.02", false),
            ("-5", "5", false),
        ] {
            assert_eq!(same(decimal(a), decimal(b)), expected, "{a} {b}");
        }
    }
}
