//! When what a backend holds is what was expected.
//!
//! A backend's content is not an agent's wording: without a schema nothing is forgiven but the form of numbers, which
//! databases and many REST interfaces write as text to keep them exact. With a schema the types of results apply.

use std::str::FromStr as _;

use rust_decimal::Decimal;
use serde_json::{Map, Value};
use umpire_model::BackendCheck;

use crate::json_equality;
use crate::ruling::Undecided;
use crate::values::{Order, ValueType, best_partners, compare_lists};

pub(super) struct Comparison {
    /// Type of the value, or of each element of a list; `None` compares as JSON.
    value_type: Option<ValueType>,
    order: Order,
}

impl Comparison {
    pub(super) fn of(check: &BackendCheck) -> Result<Self, Undecided> {
        let value_type = match &check.schema {
            Value::Null => None,
            schema => Some(ValueType::of_schema(schema)?),
        };
        Ok(Self { value_type, order: if check.ordered { Order::Given } else { Order::Any } })
    }

    pub(super) fn equal(&self, expected: &Value, actual: &Value) -> Result<bool, Undecided> {
        match &self.value_type {
            None => Ok(equal(expected, actual)),
            Some(value_type) => Ok(value_type.expect(expected, self.order)?.accepts(actual)),
        }
    }

    pub(super) fn equal_lists(&self, expected: &[Value], actual: &[Value]) -> Result<bool, Undecided> {
        match &self.value_type {
            None => Ok(equal_lists(expected, actual, self.order)),
            Some(value_type) => {
                let expected: Vec<_> = expected
                    .iter()
                    .map(|value| value_type.expect(value, self.order))
                    .collect::<Result<_, _>>()?;
                Ok(compare_lists(&expected, actual, self.order).is_match())
            }
        }
    }

    /// True if an entry has at least the fields of `part`, or is it.
    pub(super) fn includes(&self, entry: &Value, part: &Value) -> Result<bool, Undecided> {
        match (&self.value_type, entry, part) {
            (None, entry, part) => Ok(includes(entry, part)),
            (Some(_), Value::Object(entry), Value::Object(fields)) => {
                let shared: Map<String, Value> = entry
                    .iter()
                    .filter(|(name, _)| fields.contains_key(*name))
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect();
                self.equal(part, &Value::Object(shared))
            }
            (Some(_), entry, part) => self.equal(part, entry),
        }
    }
}

fn includes(actual: &Value, part: &Value) -> bool {
    match (actual, part) {
        (Value::Object(actual), Value::Object(part)) => {
            part.iter().all(|(name, part)| actual.get(name).is_some_and(|actual| includes(actual, part)))
        }
        (actual, part) => equal(part, actual),
    }
}

fn equal(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::Number(expected), Value::String(actual)) => {
            is_plain_numeral(actual)
                && match (Decimal::from_str(&expected.to_string()), Decimal::from_str_exact(actual)) {
                    (Ok(expected), Ok(actual)) => expected == actual,
                    _ => false,
                }
        }
        (Value::Array(expected), Value::Array(actual)) => equal_lists(expected, actual, Order::Given),
        (Value::Object(expected), Value::Object(actual)) => {
            expected.len() == actual.len()
                && expected
                    .iter()
                    .all(|(name, value)| actual.get(name).is_some_and(|actual| equal(value, actual)))
        }
        (expected, actual) => json_equality::equal(expected, actual),
    }
}

/// Lists inside a value have an order of their own; only the outermost one may come in any.
fn equal_lists(expected: &[Value], actual: &[Value], order: Order) -> bool {
    if expected.len() != actual.len() {
        return false;
    }
    match order {
        Order::Given => expected.iter().zip(actual).all(|(expected, actual)| equal(expected, actual)),
        Order::Any => {
            let accepted: Vec<Vec<usize>> = expected
                .iter()
                .map(|expected| (0..actual.len()).filter(|&at| equal(expected, &actual[at])).collect())
                .collect();
            best_partners(&accepted, actual.len()).iter().all(Option::is_some)
        }
    }
}

/// Digits with at most a sign and a point, as `DECIMAL` columns arrive.
fn is_plain_numeral(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.ends_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_as_text_and_nothing_else_is_forgiven() {
        for (expected, actual, alike) in [
            (json!(19.9), json!("19.90"), true),
            (json!(19.9), json!("19.91"), false),
            (json!(-3), json!("-3.000"), true),
            (json!(5), json!("5"), true),
            (json!(5), json!("+5"), false),
            (json!(5), json!("5 "), false),
            (json!(5), json!("five"), false),
            (json!(5), json!("5_"), false),
            (json!(1000), json!("1,000"), false),
            (json!(0), json!(""), false),
            (json!("5"), json!(5), false),
            (json!("Fix"), json!("fix"), false),
            (json!(1), json!(true), false),
            (json!(null), json!(""), false),
            (json!({"a": 1, "b": [1, 2]}), json!({"b": ["1", "2.0"], "a": 1.0}), true),
            (json!({"a": [1, 2]}), json!({"a": [2, 1]}), false),
            (json!({"a": 1}), json!({"a": 1, "b": 2}), false),
        ] {
            assert_eq!(equal(&expected, &actual), alike, "{expected} {actual}");
        }
    }

    #[test]
    fn rows_have_an_order_only_if_it_is_asked_for() {
        let (expected, actual) = ([json!({"n": 1}), json!({"n": 2})], [json!({"n": 2}), json!({"n": 1})]);
        assert!(equal_lists(&expected, &actual, Order::Any));
        assert!(!equal_lists(&expected, &actual, Order::Given));
        assert!(!equal_lists(&expected, &[json!({"n": 1}), json!({"n": 1})], Order::Any));
        assert!(!equal_lists(&expected, &actual[..1], Order::Any));
        // The number takes either, the text only itself; taking the first that fits would leave the text alone.
        assert!(equal_lists(&[json!(5), json!("5")], &[json!("5"), json!(5)], Order::Any));
    }
}
