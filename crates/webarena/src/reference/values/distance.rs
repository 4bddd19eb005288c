//! Distances, in any unit of length.

use std::sync::LazyLock;

use regex::Regex;
use rust_decimal::Decimal;

use super::decimal::DecimalNumber;
use super::distance_expression::evaluate;
use super::distance_quantity::Number;
use super::{Context, Unreadable, ValueType};
use crate::python::{Value, parse_float, str_of};
use crate::reference::text::fold;

/// In metres.
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceValue(DecimalNumber);

impl ValueType for DistanceValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let text = match value {
            Value::Str(text) => fold(text, Some(context)),
            other if !other.truthy() && !other.is_number() => return Err(Unreadable("no distance")),
            other => str_of(other),
        };
        let text = kilometres(&text);
        if parse_float(&text).is_some() {
            return Err(Unreadable("a distance needs a unit"));
        }
        match evaluate(&text) {
            Some(Number::Int(metres)) => Ok(Self(DecimalNumber::from_int(metres))),
            Some(Number::Float(metres)) => Ok(Self(DecimalNumber::from_float(metres))),
            None => Err(Unreadable("no distance")),
        }
    }

    /// Within ten metres or two percent of the longer one.
    fn same(&self, other: &Self) -> bool {
        self.0.is_near(&other.0, Decimal::TEN, Decimal::new(2, 2))
    }

    fn report(&self) -> Value {
        Value::from(self.0.text())
    }
}

/// A bare `k` after a number stands for kilometres.
fn kilometres(text: &str) -> String {
    static BARE_K: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(\d+(?:\.\d+)?)\s*k(\s|$)").expect("a constant pattern"));
    BARE_K.replace_all(text, "$1 km$2").into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::cases::{assert_accepts, assert_reads};

    #[test]
    fn units_are_needed_and_nearness_is_enough() {
        assert_reads(
            "distance",
            &[
                (r#""914,000 m""#, Some(r#""914000""#)),
                (r#""914km""#, Some(r#""914000.0""#)),
                (r#""5k""#, Some(r#""5000.0""#)),
                (r#""109 yd""#, Some(r#""99.6696""#)),
                ("5", None),
                (r#""5 kg""#, None),
            ],
        );
        assert_accepts(
            "distance",
            &[
                (r#""100 m""#, r#""110 m""#, true),
                (r#""100 m""#, r#""111 m""#, false),
                (r#""5 km""#, r#""5.1 km""#, true),
            ],
        );
    }
}
