//! Numbers, in digits or in words. There is no tolerance.

use super::word_number::word_number;
use super::{Context, Unreadable, ValueType};
use crate::python::{Value, parse_float};
use crate::reference::text::fold;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberValue(f64);

impl ValueType for NumberValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let number = match value {
            Value::Str(text) => {
                let folded = fold(text, Some(context));
                parse_float(&folded.replace([',', ' '], "")).or_else(|| word_number(&folded))
            }
            other => as_float(other),
        };
        number.map(Self).ok_or(Unreadable("not a number"))
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }

    fn report(&self) -> Value {
        // Result files are JSON, which has no other numbers.
        if self.0.is_finite() { Value::Float(self.0) } else { Value::None }
    }
}

/// `float()` of a number or boolean.
pub(super) fn as_float(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Int(int) => int.to_f64(),
        Value::Float(float) => Some(*float),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{assert_accepts, assert_reads};

    #[test]
    fn digits_and_words() {
        assert_reads(
            "number",
            &[
                (r#""1,234.5""#, Some("1234.5")),
                (r#""5 000""#, Some("5000.0")),
                (r#""twenty-one""#, Some("21.0")),
                ("true", Some("1.0")),
                (r#""5 stars""#, None),
                ("null", None),
                (r#""""#, None),
            ],
        );
        assert_accepts(
            "number",
            &[
                ("5", r#""five""#, true),
                ("0.3", "0.30000000000000004", false),
                (r#""nan""#, r#""nan""#, false),
            ],
        );
    }
}
