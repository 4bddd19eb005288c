//! Numbers: JSON numbers, or text that is nothing but a number. `1.234` is a little more than one; `1,234` is a
//! thousand and more.

use rust_decimal::Decimal;
use serde_json::Value;

use super::decimal::{self, LoneDot};
use super::folding::plain;

pub(super) fn read(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => decimal::of_json(number),
        Value::String(text) => read_text(&plain(text)),
        _ => None,
    }
}

fn read_text(text: &str) -> Option<Decimal> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let number = decimal::read_grouped(unsigned, LoneDot::Decimal)?;
    Some(if text.starts_with('-') { -number } else { number })
}

#[cfg(test)]
mod tests {
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
            (json!(" 42 "), Some("42")),
            (json!("\u{2212}7"), Some("-7")),
            (json!("+7"), Some("7")),
            (json!("４２"), Some("42")),
            (json!("5.0"), Some("5")),
            (json!("five"), None),
            (json!("5 stars"), None),
            (json!("5%"), None),
            (json!("--5"), None),
            (json!("NaN"), None),
            (json!("inf"), None),
            (json!("0x10"), None),
            (json!("1_000"), None),
            (json!(""), None),
            (json!("-"), None),
            (json!(true), None),
            (json!(null), None),
            (json!(1e300), None),
            (json!([5]), None),
        ] {
            let expected = expected.map(|text| Decimal::from_str_exact(text).expect(text));
            assert_eq!(read(&value), expected, "{value}");
        }
    }
}
