//! Amounts of money: an exact amount and, if it is named, a currency.
//!
//! The text must be an amount and nothing else: a price range, a percentage or a sentence with a price in it is not
//! one. A dot before exactly three digits groups thousands here (`1.299 €`), since money is rarely written with three
//! decimals. Two amounts differ if both name a currency and it cannot be the same one; `$` may be any of the dollars.

use std::fmt;

use rust_decimal::Decimal;
use serde_json::Value;

use super::decimal::{self, LoneDot};
use super::folding::plain;

/// In bytes; far more than an amount with its currency has.
const LONGEST: usize = 400;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Money {
    amount: Decimal,
    /// The codes the named currency may stand for; none if no currency is named.
    codes: Vec<&'static str>,
}

impl Money {
    pub(super) fn same_as(&self, other: &Self) -> bool {
        let unnamed = self.codes.is_empty() || other.codes.is_empty();
        let one_currency = unnamed || self.codes.iter().any(|code| other.codes.contains(code));
        one_currency && decimal::same(self.amount, other.amount)
    }
}

pub(super) fn read(value: &Value) -> Option<Money> {
    match value {
        Value::Number(number) => Some(Money { amount: decimal::of_json(number)?, codes: Vec::new() }),
        Value::String(text) if text.len() <= LONGEST => read_text(&plain(text)),
        _ => None,
    }
}

/// True for a word or mark that names a currency.
pub(super) fn is_name(word: &str) -> bool {
    !word.is_empty() && named(word).is_some()
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.amount.normalize())?;
        match self.codes.as_slice() {
            [] => Ok(()),
            codes => write!(f, " {}", codes.join("/")),
        }
    }
}

fn read_text(text: &str) -> Option<Money> {
    if let Some(amount) = decimal::read_scientific(text) {
        return Some(Money { amount, codes: Vec::new() });
    }
    // Accountants put a negative amount in brackets.
    let (text, bracketed) = match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inside) => (inside.trim(), true),
        None => (text, false),
    };
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (before, number, after) = (&text[..start], &text[start..end], &text[end..]);
    // `.50` begins with its point; `Fr. 50` and `Rs.50` do not.
    let (before, number) = match before.strip_suffix('.') {
        Some(mark) if !mark.ends_with(char::is_alphabetic) => (mark, &text[start - 1..end]),
        _ => (before, number),
    };
    let (before, negative) = without_sign(before.trim());
    if negative && bracketed {
        return None;
    }
    let amount = decimal::read_grouped(number, LoneDot::Grouping)?;
    let codes = united(named(before)?, named(after.trim())?)?;
    Some(Money { amount: if negative || bracketed { -amount } else { amount }, codes })
}

/// The sign stands before or after the currency: `-$5`, `$-5`.
fn without_sign(before: &str) -> (&str, bool) {
    if let Some(rest) = before.strip_prefix('-').or_else(|| before.strip_suffix('-')) {
        return (rest.trim(), true);
    }
    (before.strip_prefix('+').unwrap_or(before).trim(), false)
}

/// The codes two marks agree on, or nothing if they contradict each other (`$5 EUR`).
fn united(before: &[&'static str], after: &[&'static str]) -> Option<Vec<&'static str>> {
    match (before, after) {
        ([], codes) | (codes, []) => Some(codes.to_vec()),
        (before, after) => {
            let common: Vec<_> = before.iter().copied().filter(|code| after.contains(code)).collect();
            (!common.is_empty()).then_some(common)
        }
    }
}

/// The codes a mark may stand for; empty for no mark, `None` for a word that is no currency.
fn named(mark: &str) -> Option<&'static [&'static str]> {
    let mark = mark.trim_end_matches('.');
    if mark.is_empty() {
        return Some(&[]);
    }
    let lower = mark.to_lowercase();
    let by_name = NAMES.iter().find(|(names, _)| names.contains(&lower.as_str())).map(|(_, codes)| *codes);
    by_name.or_else(|| {
        let at = CODES.iter().position(|code| code.eq_ignore_ascii_case(mark))?;
        Some(&CODES[at..=at])
    })
}

const CODES: &[&str] = &[
    "AED", "ARS", "AUD", "BGN", "BHD", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP", "EUR",
    "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JOD", "JPY", "KES", "KRW", "KWD", "MXN", "MYR", "NGN",
    "NOK", "NZD", "OMR", "PEN", "PHP", "PKR", "PLN", "RON", "RUB", "SAR", "SEK", "SGD", "THB", "TND", "TRY",
    "TWD", "UAH", "USD", "VND", "ZAR",
];

/// Marks and words, in lower case, with the codes they may stand for.
const NAMES: &[(&[&str], &[&str])] = &[
    (
        &["$", "dollar", "dollars"],
        &["USD", "ARS", "AUD", "CAD", "CLP", "COP", "HKD", "MXN", "NZD", "SGD", "TWD"],
    ),
    (&["us$", "usd$", "us dollar", "us dollars", "u.s. dollars"], &["USD"]),
    (&["a$", "au$", "aud$"], &["AUD"]),
    (&["c$", "ca$", "cad$"], &["CAD"]),
    (&["nz$", "nzd$"], &["NZD"]),
    (&["hk$"], &["HKD"]),
    (&["s$"], &["SGD"]),
    (&["mx$"], &["MXN"]),
    (&["nt$"], &["TWD"]),
    (&["r$", "reais"], &["BRL"]),
    (&["€", "euro", "euros"], &["EUR"]),
    (&["£", "pound", "pounds"], &["GBP", "EGP"]),
    (&["¥", "円", "元"], &["JPY", "CNY"]),
    (&["yen"], &["JPY"]),
    (&["yuan", "rmb"], &["CNY"]),
    (&["₹"], &["INR"]),
    (&["rs", "rupee", "rupees"], &["INR", "PKR"]),
    (&["₩", "won"], &["KRW"]),
    (&["₽", "руб"], &["RUB"]),
    (&["₺"], &["TRY"]),
    (&["₪"], &["ILS"]),
    (&["₫"], &["VND"]),
    (&["₴"], &["UAH"]),
    (&["฿"], &["THB"]),
    (&["zł", "zloty"], &["PLN"]),
    (&["kč"], &["CZK"]),
    (&["ft"], &["HUF"]),
    (&["kr"], &["SEK", "NOK", "DKK", "ISK"]),
    (&["fr", "sfr", "franc", "francs"], &["CHF"]),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::values::same_both_ways;

    fn same(a: &Value, b: &Value) -> bool {
        same_both_ways(read(a), read(b), Money::same_as)
    }

    #[test]
    fn amounts_that_are_the_same() {
        for (a, b) in [
            (json!("$1,299.00"), json!(1299)),
            (json!("1.299,00 €"), json!("EUR 1299")),
            (json!("CHF 1'299.50"), json!("1299.5")),
            (json!("CHF 1’299.50"), json!("Fr. 1299.50")),
            (json!("USD 12"), json!("$12.00")),
            (json!("$1,000"), json!("1000 USD")),
            (json!("$1,234,567"), json!(1_234_567)),
            (json!("1,23 €"), json!(1.23)),
            (json!("1.299 €"), json!("1299 euros")),
            (json!("-$36.39"), json!("$-36.39")),
            (json!("($36.39)"), json!(-36.39)),
            (json!("\u{2212}5 kr"), json!("-5 SEK")),
            (json!("$.50"), json!(0.5)),
            (json!("$5 USD"), json!("5 dollars")),
            (json!("CA$5"), json!("$5")),
            (json!("¥1200"), json!("1200 yen")),
            (json!("₹1,23,456.50"), json!("Rs.123456.50")),
            (json!("12 usd."), json!("US$12")),
            (json!(0.1 + 0.2), json!("$0.30")),
            (json!("1\u{202f}299,00 €"), json!("€1299")),
            (json!("1e+21"), json!(1e21)),
            (json!("＄５"), json!("5 USD")),
        ] {
            assert!(same(&a, &b), "{a} and {b}");
        }
    }

    #[test]
    fn amounts_that_differ() {
        for (a, b) in [
            (json!("$19.99"), json!("€19.99")),
            (json!("USD 5"), json!("CA$5")),
            (json!("$5"), json!("£5")),
            (json!("0.05"), json!("0.15")),
            (json!("$36.39"), json!("$-36.39")),
            (json!("$36.39"), json!("($36.39)")),
            (json!("$1,000"), json!(1)),
            (json!(5), json!({"amount": 5})),
            (json!(1), json!(true)),
            (json!(0), json!("")),
            (json!(0), json!("free")),
            (json!(1e21), json!(1)),
            (json!(1_234_567_890.01), json!(1_234_567_890.02)),
            (json!("10"), json!("10.10")),
        ] {
            assert!(!same(&a, &b), "{a} and {b}");
        }
    }

    #[test]
    fn texts_that_are_no_amount() {
        for text in [
            "$12.99 - $15.99",
            "2 items for $5",
            "50%",
            "about $5",
            "$5 EUR",
            "--5",
            "-$-5",
            "(-5)",
            "5 stars",
            "$",
            "",
            "1,2,3",
            "5 per month",
        ] {
            assert_eq!(read(&json!(text)), None, "{text:?}");
        }
    }

    #[test]
    fn every_code_of_a_name_is_known() {
        for (names, codes) in NAMES {
            assert!(codes.iter().all(|code| CODES.contains(code)), "{names:?}");
            assert!(
                names.iter().all(|name| *name == name.to_lowercase() && plain(name) == *name),
                "{names:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_cent_counts_in_every_country(cents in 0..100_000_000_i64) {
            let written = |cents: i64, point: &str| format!("{}{point}{:02}", cents / 100, cents % 100);
            let amount = json!(Decimal::new(cents, 2).to_string());
            for way in [
                format!("${}", written(cents, ".")),
                format!("{} €", written(cents, ",")),
                format!("USD {}", written(cents, ".")),
            ] {
                prop_assert!(same(&amount, &json!(way)), "{}", way);
                prop_assert!(!same(&json!(Decimal::new(cents + 1, 2).to_string()), &json!(way)), "{}", way);
                prop_assert!(cents == 0 || !same(&amount, &json!(format!("-{way}"))), "-{}", way);
            }
        }
    }
}
