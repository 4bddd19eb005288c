//! Trying a type out, for authors of tasks: what is made of the two sides, and why they differ.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Expected, Order, ValueType, leaf};
use crate::ruling::Undecided;
use crate::words;

/// What became of an expected and an actual value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    pub equal: bool,
    /// The expected value in normal form.
    pub expected: String,
    /// The actual value in normal form; as it was written if it cannot be read as the type.
    pub actual: String,
    /// Why they differ, in one line; none if they are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// An expected value, a pattern or a type that no check could use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Broken(String);

/// The types of values by name, each with an example.
pub fn value_types() -> &'static [(&'static str, &'static str)] {
    leaf::NAMES
}

/// Compares two values of a type as a check would. `type_name` is one of [`value_types`], `object` or `array`; as in a
/// check, an expected list holds alternatives, and an expected text from `^` to `$` is a pattern.
pub fn try_value(type_name: &str, expected: &Value, actual: &Value) -> Result<Comparison, Broken> {
    let broken = |problem: Undecided| match problem {
        Undecided::Broken(problem) | Undecided::NoEvidence(problem) => Broken(problem),
    };
    let value_type = ValueType::of_schema(&json!({"type": type_name}))
        .map_err(|_| Broken(format!("there is no type `{}`", words::shorten(type_name))))?;
    let read = value_type.expect(expected, Order::Any).map_err(broken)?;
    let equal = read.accepts(actual);
    let readable = normal_actual(&value_type, actual);
    let expected = words::shorten(&normal_expected(&read));
    let reason = match &readable {
        _ if equal => None,
        Some(actual) => Some(format!("expected {expected}, got {actual}")),
        None => Some(format!("{} is not {}", words::value(actual), value_type.noun())),
    };
    Ok(Comparison { equal, expected, actual: readable.unwrap_or_else(|| words::value(actual)), reason })
}

fn normal_actual(value_type: &ValueType, actual: &Value) -> Option<String> {
    match (value_type, actual) {
        (ValueType::Leaf(leaf_type), actual) => {
            leaf_type.read(actual).map(|leaf| words::shorten(&leaf.to_string()))
        }
        (ValueType::Object(_), Value::Object(_)) | (ValueType::List(_), Value::Array(_)) => {
            Some(words::value(actual))
        }
        _ => None,
    }
}

fn normal_expected(expected: &Expected) -> String {
    let joined = |list: &[Expected], between| words::joined(list.iter().map(normal_expected), between);
    match expected {
        Expected::Null => "null".to_owned(),
        Expected::Leaf(_, leaf) => leaf.to_string(),
        Expected::Pattern(_, pattern) => pattern.as_str().to_owned(),
        Expected::AnyOf(alternatives) => joined(alternatives, " or "),
        Expected::List(items, _) => format!("[{}]", joined(items, ", ")),
        Expected::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{name}: {}", normal_expected(value)));
            format!("{{{}}}", words::joined(members, ", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn normal_forms_and_reasons() {
        for (type_name, expected, actual, normal_expected, normal_actual, reason) in [
            ("currency", json!("$1,000"), json!("1000 USD"), None, "1000 USD", None),
            ("duration", json!("90 min"), json!("PT1H30M"), Some("1 h 30 min"), "1 h 30 min", None),
            (
                "duration",
                json!("90 min"),
                json!("2 h"),
                Some("1 h 30 min"),
                "2 h",
                Some("expected 1 h 30 min, got 2 h"),
            ),
            (
                "duration",
                json!("90 min"),
                json!("a while"),
                Some("1 h 30 min"),
                "\"a while\"",
                Some("\"a while\" is not a duration with its unit"),
            ),
            ("number", json!([1, 2]), json!("two"), Some("1 or 2"), "2", None),
            ("string", json!("^a+$"), json!("AA"), Some("^a+$"), "aa", None),
            ("array", json!([1, "b"]), json!(["B", 1]), Some("[1, b]"), "[\"B\",1]", None),
            (
                "object",
                json!({"n": 1}),
                json!({"n": 2}),
                Some("{n: 1}"),
                "{\"n\":2}",
                Some("expected {n: 1}, got {\"n\":2}"),
            ),
            ("date", json!("March 2026"), json!("2026-03"), Some("2026-03-??"), "2026-03-??", None),
        ] {
            let comparison = try_value(type_name, &expected, &actual).expect("readable");
            assert_eq!(comparison.equal, reason.is_none(), "{type_name} {expected} {actual}");
            if let Some(normal) = normal_expected {
                assert_eq!(comparison.expected, normal);
            }
            assert_eq!(comparison.actual, normal_actual);
            assert_eq!(comparison.reason.as_deref(), reason);
        }
    }

    #[test]
    fn what_cannot_be_tried() {
        for (type_name, expected, problem) in [
            ("colour", json!("red"), "there is no type `colour`"),
            ("number", json!("many"), "the expected value \"many\" is not a number"),
            ("string", json!("^($"), "`^($` is not a pattern that can be read"),
            ("number", json!([]), "an expected value has an empty list of alternatives"),
        ] {
            let broken = try_value(type_name, &expected, &json!(1)).expect_err("broken");
            assert_eq!(broken.to_string(), problem);
        }
    }

    proptest! {
        #[test]
        fn a_reason_is_given_exactly_if_they_differ(
            (type_name, _) in prop::sample::select(value_types()),
            expected in crate::values::tests::any_json(),
            actual in crate::values::tests::any_json(),
        ) {
            if let Ok(comparison) = try_value(type_name, &expected, &actual) {
                prop_assert_eq!(comparison.equal, comparison.reason.is_none());
            }
        }
    }
}
