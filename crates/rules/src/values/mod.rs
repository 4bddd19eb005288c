//! Typed values: what an agent reports, compared by meaning within a type and never across types.
//!
//! One file per type, each with the same two questions: how is it read, when are two equal. A type is added by its
//! file, a name in [`ValueType::of_schema`] and an arm in [`ValueType::expect`] and [`Expected::accepts`].
//!
//! The two sides are not alike. The expected side comes from the task: what cannot be read there is a broken task,
//! and a list stands for accepted alternatives. The actual side comes from the agent: what cannot be read there is
//! simply not equal, and a list is a list.

mod boolean;
mod currency;
mod date;
mod decimal;
mod folding;
mod list;
mod matching;
mod number;
mod object;
mod string;

use std::collections::BTreeMap;

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::Value;

pub(crate) use list::{ListComparison, compare_lists};
pub(crate) use matching::best_partners;

use crate::pattern::{Case, Pattern};
use crate::ruling::Undecided;
use crate::words;

/// Whether the elements of lists must come in the expected order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Any,
    Given,
}

/// The type of one result, from the check's schema.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueType {
    String,
    Number,
    Boolean,
    Currency,
    Date,
    Object(BTreeMap<String, ValueType>),
    List(Box<ValueType>),
    /// No schema: the JSON type of the expected value decides.
    Inferred,
}

/// An expected value, read and ready to be compared with many actual ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expected {
    Null,
    String(String),
    /// A string that a pattern describes, whatever its case and spacing.
    Pattern(Pattern),
    Number(Decimal),
    Boolean(bool),
    Currency(currency::Money),
    Date(Date),
    Object(BTreeMap<String, Expected>),
    List(Vec<Expected>, Order),
    AnyOf(Vec<Expected>),
}

impl ValueType {
    pub(crate) fn of_schema(schema: &Value) -> Result<Self, Undecided> {
        if schema.is_null() {
            return Ok(Self::Inferred);
        }
        // A format is the narrower statement, so it wins over the JSON type that carries it.
        let name = schema.get("format").or_else(|| schema.get("type")).and_then(Value::as_str);
        Ok(match name {
            Some("string") => Self::String,
            Some("number" | "integer") => Self::Number,
            Some("boolean") => Self::Boolean,
            Some("currency") => Self::Currency,
            Some("date") => Self::Date,
            Some("object") => Self::Object(object::property_types(schema)?),
            Some("array") => {
                Self::List(Box::new(Self::of_schema(schema.get("items").unwrap_or(&Value::Null))?))
            }
            _ => {
                return Err(Undecided::Broken(format!(
                    "the schema {} names no known type",
                    words::value(schema)
                )));
            }
        })
    }

    pub(crate) fn expect(&self, value: &Value, order: Order) -> Result<Expected, Undecided> {
        let unreadable = || {
            Undecided::Broken(format!("the expected value {} is not a {}", words::value(value), self.name()))
        };
        match (self, value) {
            (_, Value::Null) => Ok(Expected::Null),
            (Self::List(item), Value::Array(items)) => {
                let items: Result<_, _> = items.iter().map(|value| item.expect(value, order)).collect();
                Ok(Expected::List(items?, order))
            }
            (_, Value::Array(alternatives)) if alternatives.is_empty() => {
                Err(Undecided::Broken("an expected value has an empty list of alternatives".to_owned()))
            }
            (_, Value::Array(alternatives)) => {
                let accepted: Result<_, _> =
                    alternatives.iter().map(|value| self.expect(value, order)).collect();
                Ok(Expected::AnyOf(accepted?))
            }
            (Self::Object(properties), value) => {
                object::expect(properties, value.as_object().ok_or_else(unreadable)?, order)
                    .map(Expected::Object)
            }
            (Self::Inferred, value) => Self::inferred_from(value).expect(value, order),
            (Self::List(_), _) => Err(unreadable()),
            (Self::String, Value::String(text)) if let Some(pattern) = Pattern::of(text, Case::Ignored)? => {
                Ok(Expected::Pattern(pattern))
            }
            (Self::String, value) => string::read(value).map(Expected::String).ok_or_else(unreadable),
            (Self::Number, value) => number::read(value).map(Expected::Number).ok_or_else(unreadable),
            (Self::Boolean, value) => boolean::read(value).map(Expected::Boolean).ok_or_else(unreadable),
            (Self::Currency, value) => currency::read(value).map(Expected::Currency).ok_or_else(unreadable),
            (Self::Date, value) => date::read(value).map(Expected::Date).ok_or_else(unreadable),
        }
    }

    fn inferred_from(value: &Value) -> Self {
        match value {
            Value::Number(_) => Self::Number,
            Value::Bool(_) => Self::Boolean,
            Value::Object(_) => Self::Object(BTreeMap::new()),
            Value::Null | Value::String(_) | Value::Array(_) => Self::String,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::String | Self::Inferred => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Currency => "currency amount",
            Self::Date => "date",
            Self::Object(_) => "object",
            Self::List(_) => "list",
        }
    }
}

impl Expected {
    pub(crate) fn accepts(&self, actual: &Value) -> bool {
        match self {
            Self::Null => actual.is_null(),
            Self::String(expected) => string::read(actual).as_ref() == Some(expected),
            Self::Pattern(expected) => string::text(actual).is_some_and(|text| expected.is_match(&text)),
            Self::Number(expected) => {
                number::read(actual).is_some_and(|actual| decimal::same(*expected, actual))
            }
            Self::Boolean(expected) => boolean::read(actual) == Some(*expected),
            Self::Currency(expected) => {
                currency::read(actual).is_some_and(|actual| expected.same_as(&actual))
            }
            Self::Date(expected) => date::read(actual) == Some(*expected),
            Self::Object(expected) => object::accepts(expected, actual),
            Self::List(expected, order) => {
                actual.as_array().is_some_and(|actual| compare_lists(expected, actual, *order).is_match())
            }
            Self::AnyOf(alternatives) => alternatives.iter().any(|expected| expected.accepts(actual)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn accepts(schema: &Value, expected: &Value, actual: &Value) -> bool {
        let value_type = ValueType::of_schema(schema).expect("a known type");
        value_type.expect(expected, Order::Any).expect("readable").accepts(actual)
    }

    #[test]
    fn alternatives_count_on_the_expected_side_only() {
        let number = json!({"type": "number"});
        assert!(accepts(&number, &json!([1, 2]), &json!(2)));
        assert!(!accepts(&number, &json!([1, 2]), &json!(3)));
        assert!(!accepts(&number, &json!(1), &json!([1, 2])));
        assert!(!accepts(&number, &json!([1, 2]), &json!([1, 2])));
        assert!(!accepts(&json!({"type": "string"}), &json!("red"), &json!("^.*$")));
    }

    #[test]
    fn null_is_only_null() {
        for format in ["string", "number", "boolean", "currency", "date", "object"] {
            let schema = json!({"type": format});
            assert!(accepts(&schema, &json!(null), &json!(null)), "{format}");
            for other in [json!(0), json!(false), json!(""), json!("null"), json!([]), json!({})] {
                assert!(!accepts(&schema, &json!(null), &other), "{format} {other}");
            }
        }
    }

    #[test]
    fn without_a_schema_the_expected_value_decides() {
        for (expected, actual, accepted) in [
            (json!(5), json!("5"), true),
            (json!("5"), json!("5."), true),
            (json!(true), json!("true"), true),
            (json!(1), json!(true), false),
            (json!(["a", 3]), json!(3), true),
            (json!({"n": 1}), json!({"n": "1"}), true),
        ] {
            assert_eq!(accepts(&Value::Null, &expected, &actual), accepted, "{expected} {actual}");
        }
    }

    #[test]
    fn a_task_that_cannot_be_read_is_broken() {
        for (schema, expected) in [
            (json!({"type": "colour"}), json!("red")),
            (json!({}), json!("red")),
            (json!({"type": "number"}), json!("many")),
            (json!({"type": "number"}), json!([])),
            (json!({"type": "string", "format": "date"}), json!("2026-02-30")),
            (json!({"type": "object", "properties": {"n": {"type": "number"}}}), json!({"n": "x"})),
            (json!({"type": "array", "items": {"type": "number"}}), json!(3)),
            (json!({"type": "object", "properties": 3}), json!({})),
        ] {
            let outcome = ValueType::of_schema(&schema).and_then(|t| t.expect(&expected, Order::Any));
            assert!(matches!(outcome, Err(Undecided::Broken(_))), "{schema} {expected}: {outcome:?}");
        }
    }

    pub(super) fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            "[-+($€£]{0,2}[0-9.,' ]{0,12}[A-Z%)€]{0,3}".prop_map(Value::from),
            "[0-9a-zA-Z/., -]{0,20}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-c]", inner, 0..3)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    fn any_schema() -> impl Strategy<Value = Value> {
        let leaf = prop::sample::select(vec!["string", "number", "boolean", "currency", "date"])
            .prop_map(|name| json!({"type": name}));
        prop_oneof![
            Just(Value::Null),
            leaf.clone(),
            leaf.clone().prop_map(|items| json!({"type": "array", "items": items})),
            (leaf.clone(), leaf).prop_map(|(a, b)| json!({"type": "object", "properties": {"a": a, "b": b}})),
        ]
    }

    proptest! {
        #[test]
        fn no_value_of_any_type_breaks_the_reader(schema in any_schema(), expected in any_json(), actual in any_json()) {
            let value_type = ValueType::of_schema(&schema).expect("a known type");
            if let Ok(expected) = value_type.expect(&expected, Order::Any) {
                expected.accepts(&actual);
            }
        }

        #[test]
        fn a_readable_value_without_lists_accepts_itself(schema in any_schema(), value in any_json()) {
            let value_type = ValueType::of_schema(&schema).expect("a known type");
            if !value.to_string().contains('[') && let Ok(expected) = value_type.expect(&value, Order::Any) {
                prop_assert!(expected.accepts(&value));
            }
        }
    }
}
