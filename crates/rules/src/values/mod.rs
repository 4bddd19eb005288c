//! Typed values: what an agent reports, compared by meaning within a type and never across types.
//!
//! One file per type, each with the same two questions: how is it read, when are two equal. A type is added by its
//! file and its lines in `leaf`, which knows all types by name.
//!
//! The two sides are not alike. The expected side comes from the task: what cannot be read there is a broken task, a
//! list stands for accepted alternatives, and a text from `^` to `$` is a pattern. The actual side comes from the agent:
//! what cannot be read there is simply not equal, a list is a list, and a pattern is text.

mod address;
mod base64_text;
mod boolean;
mod coordinates;
mod currency;
mod date;
mod decimal;
mod distance;
mod duration;
mod email;
mod folding;
mod json;
mod leaf;
mod list;
mod location_name;
mod markdown;
mod matching;
mod measure;
mod month;
mod near_miss;
mod nothing;
mod number;
mod number_words;
mod object;
mod place_words;
mod quantity;
mod string;
mod string_list;
mod trial;
mod web_address;

use std::collections::BTreeMap;

use serde_json::Value;

use leaf::{Leaf, LeafType};
pub(crate) use list::{ListComparison, compare_lists};
pub(crate) use matching::best_partners;
pub(crate) use near_miss::{mean_the_same, near_misses, of_json as near_misses_of_json};
pub use trial::{Broken, Comparison, try_value, value_types};

use crate::pattern::Pattern;
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
    Leaf(LeafType),
    Object(BTreeMap<String, ValueType>),
    List(Box<ValueType>),
    /// No schema: the JSON type of the expected value decides.
    Inferred,
}

/// An expected value, read and ready to be compared with many actual ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expected {
    Null,
    Leaf(LeafType, Leaf),
    Pattern(LeafType, Pattern),
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
        match name {
            Some("object") => Ok(Self::Object(object::property_types(schema)?)),
            Some("array") => {
                Ok(Self::List(Box::new(Self::of_schema(schema.get("items").unwrap_or(&Value::Null))?)))
            }
            name => name.and_then(LeafType::named).map(Self::Leaf).ok_or_else(|| {
                Undecided::Broken(format!("the schema {} names no known type", words::value(schema)))
            }),
        }
    }

    pub(crate) fn expect(&self, value: &Value, order: Order) -> Result<Expected, Undecided> {
        let unreadable = || {
            Undecided::Broken(format!("the expected value {} is not {}", words::value(value), self.noun()))
        };
        match (self, value) {
            (Self::Leaf(LeafType::Null), Value::Null) => Ok(Expected::Leaf(LeafType::Null, Leaf::Nothing)),
            (_, Value::Null) => Ok(Expected::Null),
            (Self::List(item), Value::Array(items)) => {
                let items: Result<_, _> = items.iter().map(|value| item.expect(value, order)).collect();
                Ok(Expected::List(items?, order))
            }
            (_, Value::Array(alternatives)) if alternatives.is_empty() => {
                Err(Undecided::Broken("an expected value has an empty list of alternatives".to_owned()))
            }
            (Self::Leaf(LeafType::Coordinates), pair) if coordinates::read_pair(pair).is_some() => {
                expect_leaf(LeafType::Coordinates, pair)?.ok_or_else(unreadable)
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
            (Self::Leaf(leaf_type), value) => expect_leaf(*leaf_type, value)?.ok_or_else(unreadable),
        }
    }

    fn inferred_from(value: &Value) -> Self {
        Self::Leaf(match value {
            Value::Number(_) => LeafType::Number,
            Value::Bool(_) => LeafType::Boolean,
            Value::Object(_) => return Self::Object(BTreeMap::new()),
            Value::Null | Value::String(_) | Value::Array(_) => LeafType::String,
        })
    }

    fn noun(&self) -> &'static str {
        match self {
            Self::Leaf(leaf_type) => leaf_type.noun(),
            Self::Inferred => LeafType::String.noun(),
            Self::Object(_) => "an object",
            Self::List(_) => "a list",
        }
    }
}

/// A pattern or a value; `None` if it is neither.
fn expect_leaf(leaf_type: LeafType, value: &Value) -> Result<Option<Expected>, Undecided> {
    if let (Some(case), Some(text)) = (leaf_type.pattern_case(), value.as_str())
        && let Some(pattern) = Pattern::of(text, case)?
    {
        return Ok(Some(Expected::Pattern(leaf_type, pattern)));
    }
    Ok(leaf_type.read(value).map(|leaf| Expected::Leaf(leaf_type, leaf)))
}

impl Expected {
    pub(crate) fn accepts(&self, actual: &Value) -> bool {
        match self {
            Self::Null => actual.is_null(),
            Self::Leaf(leaf_type, expected) => {
                leaf_type.read(actual).is_some_and(|actual| expected.same_as(&actual))
            }
            Self::Pattern(leaf_type, pattern) => {
                leaf_type.pattern_texts(actual).iter().any(|text| pattern.is_match(text))
            }
            Self::Object(expected) => object::accepts(expected, actual),
            Self::List(expected, order) => {
                actual.as_array().is_some_and(|actual| compare_lists(expected, actual, *order).is_match())
            }
            Self::AnyOf(alternatives) => alternatives.iter().any(|expected| expected.accepts(actual)),
        }
    }
}

/// For the types' own tests: whether both are readable and the same, which must not depend on who is asked.
#[cfg(test)]
fn same_both_ways<T>(a: Option<T>, b: Option<T>, same: impl Fn(&T, &T) -> bool) -> bool {
    a.zip(b).is_some_and(|(a, b)| {
        assert_eq!(same(&a, &b), same(&b, &a), "sameness has no direction");
        same(&a, &b)
    })
}

#[cfg(test)]
pub(crate) mod tests {
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
        assert!(accepts(&json!({"type": "currency"}), &json!(["$1", "$2"]), &json!("2 USD")));
        assert!(accepts(&json!({"type": "coordinates"}), &json!([[1, 2], [3, 4]]), &json!("3, 4")));
        assert!(accepts(&json!({"type": "coordinates"}), &json!([1, 2]), &json!([1, 2])));
    }

    #[test]
    fn patterns_count_on_the_expected_side_only() {
        let string = json!({"type": "string"});
        for (expected, actual, accepted) in [
            ("^#?\\s*0*170$", json!("# 000170"), true),
            ("^#?\\s*0*170$", json!(170), true),
            ("^#?\\s*0*170$", json!("1170"), false),
            ("^RED$", json!(" “red”. "), true),
            ("^red$", json!("^.*$"), false),
            ("red", json!("^.*$"), false),
            ("^(?!blue).*$", json!("red"), true),
            ("^(?!blue).*$", json!("blue"), false),
        ] {
            assert_eq!(accepts(&string, &json!(expected), &actual), accepted, "{expected} {actual}");
        }
        let base64 = json!({"type": "base64"});
        assert!(accepts(&base64, &json!("^hel+o$"), &json!("aGVsbG8=")));
        assert!(!accepts(&base64, &json!("^HEL+O$"), &json!("aGVsbG8=")));
        assert!(!accepts(&base64, &json!("aGVsbG8="), &json!("^hel+o$")));
        let url = json!({"type": "url"});
        assert!(accepts(&url, &json!("^http://shop\\.example/p/\\d+$"), &json!("http://SHOP.example/p/17")));
    }

    #[test]
    fn null_is_only_null() {
        let leaves = leaf::NAMES.iter().map(|(name, _)| *name).filter(|name| *name != "null");
        for format in leaves.chain(["object"]) {
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
            (json!({"type": "string"}), json!("^($")),
            (json!({"type": "number"}), json!("^5$")),
            (json!({"type": "duration"}), json!("90")),
            (json!({"type": "url"}), json!("__SHOPPING__/x")),
        ] {
            let outcome = ValueType::of_schema(&schema).and_then(|t| t.expect(&expected, Order::Any));
            assert!(matches!(outcome, Err(Undecided::Broken(_))), "{schema} {expected}: {outcome:?}");
        }
    }

    pub(crate) fn any_json() -> impl Strategy<Value = Value> {
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
        let leaf = prop::sample::select(leaf::NAMES).prop_map(|(name, _)| json!({"type": name}));
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
