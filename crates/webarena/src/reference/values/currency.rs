//! Amounts of money; the currency itself is not looked at.

use std::sync::LazyLock;

use regex::Regex;
use rust_decimal::Decimal;

use super::decimal::DecimalNumber;
use super::{Context, Unreadable, ValueType};
use crate::python::{Value, str_of, to_ascii_digits};
use crate::reference::text::fold;

#[derive(Debug, Clone, PartialEq)]
pub struct CurrencyValue(DecimalNumber);

impl ValueType for CurrencyValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let text = match value {
            Value::Str(text) => fold(text, Some(context)),
            other if !other.truthy() && !other.is_number() => return Err(Unreadable("no amount")),
            other => str_of(other),
        };
        // Only a leading minus makes an amount negative.
        let (sign, unsigned) =
            if text.starts_with('-') { (-1.0, text.replace('-', "")) } else { (1.0, text) };
        let separator = match (unsigned.rfind('.'), unsigned.rfind(',')) {
            (Some(point), comma) if comma.is_none_or(|comma| comma < point) => DecimalSeparator::Point,
            _ => DecimalSeparator::Comma,
        };
        let amount = price_amount(&unsigned, separator).and_then(|amount| amount.parse::<f64>().ok());
        // Adding zero turns a negative zero into a plain one.
        amount
            .map(|amount| Self(DecimalNumber::from_float(sign * amount + 0.0)))
            .ok_or(Unreadable("no amount"))
    }

    fn same(&self, other: &Self) -> bool {
        self.0.is_near(&other.0, Decimal::new(1, 1), Decimal::ZERO)
    }

    /// Further alternatives are read but not looked at.
    fn any_same(expected: &[Self], actual: &[Self]) -> bool {
        matches!((expected, actual), ([expected, ..], [actual, ..]) if expected.same(actual))
    }

    fn report(&self) -> Value {
        Value::from(self.0.text())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalSeparator {
    Point,
    Comma,
}

/// The first amount in a text, as plain decimal digits.
pub fn price_amount(text: &str, separator: DecimalSeparator) -> Option<String> {
    static AMOUNT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(\.?\d[\d\s.,']*)\s*?(?:[^%\d]|$)").expect("a constant pattern"));
    // The sign in the place of a decimal separator, which no explicit separator can then read.
    static EURO_INSIDE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\d\s*€(?:\s*\d\d|\d+)(?:$|\D)").expect("a constant pattern"));
    let text = to_ascii_digits(text).split_whitespace().collect::<Vec<_>>().join(" ");
    if text.matches('€').count() == 1 && EURO_INSIDE.is_match(&text) {
        return None;
    }
    let Some(found) = AMOUNT.captures(&text) else {
        return text.to_lowercase().contains("free").then(|| "0".to_owned());
    };
    let run = found[1].trim_end_matches([',', '.']).replace('\'', "");
    let run = if run.matches('.').count() == 1 { run.as_str() } else { run.trim_start_matches([',', '.']) };
    let digits = run.replace(' ', "");
    let plain = match separator {
        DecimalSeparator::Point => digits.replace(',', ""),
        DecimalSeparator::Comma => digits.replace('.', "").replace(',', "."),
    };
    let well_formed = plain.matches('.').count() <= 1 && plain.bytes().any(|byte| byte.is_ascii_digit());
    if !well_formed {
        return None;
    }
    let significant = plain.trim_start_matches('0').trim_end_matches('.');
    Some(if significant.is_empty() || significant.starts_with('.') {
        format!("0{significant}")
    } else {
        significant.to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_amount_counts() {
        use DecimalSeparator::{Comma, Point};
        for (text, separator, amount) in [
            ("$12.99 - $15.99", Point, Some("12.99")),
            ("1,000", Comma, Some("1.000")),
            ("$1,234,567", Comma, None),
            ("1 298,00 kr", Comma, Some("1298.00")),
            (".75", Point, Some("0.75")),
            ("50%", Comma, None),
            ("Free!", Comma, Some("0")),
            ("35€99", Comma, None),
            ("1'000.5", Point, Some("1000.5")),
            ("nothing", Point, None),
            ("1299. net", Point, Some("1299")),
            ("007.50", Point, Some("7.50")),
            ("٣٤٥", Point, Some("345")),
        ] {
            assert_eq!(price_amount(text, separator).as_deref(), amount, "{text}");
        }
    }
}
