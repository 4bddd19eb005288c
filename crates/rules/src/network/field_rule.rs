//! What a check expects of one field of a body.

use std::borrow::Cow;

use rust_decimal::Decimal;
use serde_json::Value;
use umpire_model::Comparison;

use super::body::{Fields, values_of};
use super::selector::Selector;
use crate::json_equality;
use crate::ruling::Undecided;
use crate::text_rule::TextRule;
use crate::values::{Expected, Order, ValueType};
use crate::words;

pub(super) struct FieldRule<'a> {
    name: &'a str,
    written: &'a Value,
    selector: Selector<'a>,
    expectation: Expectation<'a>,
}

enum Expectation<'a> {
    /// Null: the field is not there, or is null.
    Missing,
    One(ExactValue<'a>),
    /// A JSON list, or all values of a repeated form field, in order.
    Many(Vec<ExactValue<'a>>),
    Meaning {
        expected: Expected,
        /// The schema calls for a list: all values of a repeated form field, or a list spelled as JSON.
        list: bool,
    },
}

impl<'a> FieldRule<'a> {
    /// `schema` is that of the whole body.
    pub(super) fn new(
        name: &'a str,
        written: &'a Value,
        comparison: Comparison,
        schema: &Value,
    ) -> Result<Self, Undecided> {
        let expectation = match (written, comparison) {
            (Value::Null, _) => Expectation::Missing,
            (Value::Array(list), Comparison::Exact) => {
                Expectation::Many(list.iter().map(ExactValue::new).collect::<Result<_, _>>()?)
            }
            (one, Comparison::Exact) => Expectation::One(ExactValue::new(one)?),
            (written, Comparison::Meaning) => {
                let schema = schema.get("properties").and_then(|properties| properties.get(name));
                let value_type = ValueType::of_schema(schema.unwrap_or(&Value::Null))?;
                Expectation::Meaning {
                    expected: value_type.expect(written, Order::Any)?,
                    list: schema.and_then(|schema| schema.get("type")).is_some_and(|kind| kind == "array"),
                }
            }
        };
        Ok(Self { name, written, selector: Selector::new(name)?, expectation })
    }

    /// What is wrong with the field, in one line. `json` is the fields as JSON, made once for all rules.
    pub(super) fn difference(&self, fields: &Fields, json: &Value) -> Option<String> {
        let found = self.selector.find(json);
        if self.accepts(fields, found.as_deref()) {
            return None;
        }
        let found = match (&self.selector, fields) {
            (Selector::Name(name), Fields::Form(pairs)) => {
                words::joined(values_of(pairs, name).map(|value| Value::from(value).to_string()), ", ")
            }
            _ => found.as_deref().map(words::value).unwrap_or_default(),
        };
        let found = if found.is_empty() { "missing" } else { &found };
        Some(format!("field `{}` is {found}, expected {}", self.name, words::value(self.written)))
    }

    fn accepts(&self, fields: &Fields, found: Option<&Value>) -> bool {
        let repeated: Option<Vec<&str>> = match (&self.selector, fields) {
            (Selector::Name(name), Fields::Form(pairs)) => Some(values_of(pairs, name).collect()),
            _ => None,
        };
        match (&self.expectation, repeated) {
            (Expectation::Missing, _) => found.is_none_or(Value::is_null),
            (Expectation::One(rule), Some(sent)) => sent.len() == 1 && rule.accepts_text(sent[0]),
            (Expectation::One(rule), None) => found.is_some_and(|found| rule.accepts_json(found)),
            (Expectation::Many(rules), Some(sent)) => {
                rules.len() == sent.len()
                    && rules.iter().zip(sent).all(|(rule, sent)| rule.accepts_text(sent))
            }
            (Expectation::Many(rules), None) => found.and_then(Value::as_array).is_some_and(|found| {
                rules.len() == found.len()
                    && rules.iter().zip(found).all(|(rule, found)| rule.accepts_json(found))
            }),
            (Expectation::Meaning { expected, list: true }, Some(sent)) if sent.len() > 1 => {
                expected.accepts(&sent.into_iter().map(Value::from).collect())
            }
            (Expectation::Meaning { expected, list: true }, _) => {
                found.is_some_and(|found| expected.accepts(&as_list(found)))
            }
            (Expectation::Meaning { expected, list: false }, _) => {
                found.is_some_and(|found| expected.accepts(found))
            }
        }
    }
}

/// A list, also if it came as text: forms carry lists as JSON.
fn as_list(found: &Value) -> Cow<'_, Value> {
    let spelled = found.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    match spelled.filter(Value::is_array) {
        Some(list) => Cow::Owned(list),
        None => Cow::Borrowed(found),
    }
}

/// One expected value, letter by letter; a string may be a pattern.
enum ExactValue<'a> {
    Text(TextRule),
    Value(&'a Value),
}

impl<'a> ExactValue<'a> {
    fn new(expected: &'a Value) -> Result<Self, Undecided> {
        Ok(match expected {
            Value::String(text) => Self::Text(TextRule::new(text)?),
            other => Self::Value(other),
        })
    }

    fn accepts_json(&self, found: &Value) -> bool {
        match self {
            Self::Text(rule) => found.as_str().is_some_and(|found| rule.accepts(found)),
            Self::Value(expected) => json_equality::equal(expected, found),
        }
    }

    /// Form fields are text: a number is compared by value, anything else with the JSON in the text.
    fn accepts_text(&self, found: &str) -> bool {
        match self {
            Self::Text(rule) => rule.accepts(found),
            Self::Value(Value::Number(number)) => {
                let (expected, found) =
                    (Decimal::from_str_exact(&number.to_string()), Decimal::from_str_exact(found));
                expected.is_ok() && expected == found
            }
            Self::Value(expected) => {
                serde_json::from_str::<Value>(found).is_ok_and(|found| json_equality::equal(expected, &found))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn form(query: &str) -> Fields {
        Fields::Form(url::form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    fn exact(name: &str, expected: &Value, fields: &Fields) -> bool {
        let rule = FieldRule::new(name, expected, Comparison::Exact, &Value::Null).expect("a good rule");
        rule.difference(fields, &fields.as_json()).is_none()
    }

    fn meaning(name: &str, expected: &Value, schema: &Value, fields: &Fields) -> bool {
        let schema = json!({"type": "object", "properties": {name: schema}});
        let rule = FieldRule::new(name, expected, Comparison::Meaning, &schema).expect("a good rule");
        rule.difference(fields, &fields.as_json()).is_none()
    }

    #[test]
    fn form_fields() {
        let form = form("q=c%2B%2B+lamp&n=2&tag=a&tag=b&on=true&x={%22a%22:1}&e=");
        for (name, expected, accepted) in [
            ("q", json!("c++ lamp"), true),
            ("q", json!("c lamp"), false),
            ("q", json!("^c.*$"), true),
            ("n", json!(2), true),
            ("n", json!(2.0), true),
            ("n", json!("2"), true),
            ("n", json!(3), false),
            ("tag", json!(["a", "b"]), true),
            ("tag", json!(["b", "a"]), false),
            ("tag", json!("a"), false),
            ("on", json!(true), true),
            ("on", json!(false), false),
            ("x", json!({"a": 1.0}), true),
            ("$.x.a", json!(1), true),
            ("e", json!(""), true),
            ("e", json!(null), false),
            ("missing", json!(null), true),
            ("missing", json!(""), false),
        ] {
            assert_eq!(exact(name, &expected, &form), accepted, "{name} {expected}");
        }
    }

    #[test]
    fn json_fields() {
        let json = Fields::Json(
            json!({"n": 2.0, "q": "lamp", "tags": ["a", "b"], "gone": null, "o": {"k": [1], "s": "x"}}),
        );
        for (name, expected, accepted) in [
            ("n", json!(2), true),
            ("n", json!("2"), false),
            ("q", json!("^l.*$"), true),
            ("tags", json!(["a", "^b$"]), true),
            ("tags", json!(["b", "a"]), false),
            ("tags", json!("a"), false),
            ("gone", json!(null), true),
            ("absent", json!(null), true),
            ("absent", json!(1), false),
            ("o", json!({"k": [1.0], "s": "x"}), true),
            ("$.o.s", json!("x"), true),
            ("$.o.s", json!("X"), false),
            ("$.o.k[0]", json!(1), true),
            ("q", json!(["lamp"]), false),
        ] {
            assert_eq!(exact(name, &expected, &json), accepted, "{name} {expected}");
        }
        assert!(exact("a", &json!(null), &Fields::None) && !exact("a", &json!(""), &Fields::None));
    }

    #[test]
    fn fields_by_meaning() {
        let untyped = json!(null);
        let numbers = json!({"type": "array", "items": {"type": "number"}});
        let form = form("title=Hello++World&id=0&id=79&tag=a&tag=b&list=[1,2]&state=^.*$&body=MIT%0ALicense");
        for (name, expected, schema, accepted) in [
            ("title", json!("hello world"), &untyped, true),
            ("title", json!(["Bye", "Hello World"]), &untyped, true),
            ("title", json!(["Bye", "Hi"]), &untyped, false),
            ("title", json!("hello"), &untyped, false),
            ("id", json!(79), &untyped, true),
            ("id", json!("79"), &untyped, true),
            ("id", json!(0), &untyped, false),
            ("list", json!([2, 1]), &numbers, true),
            ("list", json!([1]), &numbers, false),
            ("state", json!("open"), &untyped, false),
            ("body", json!("^.*mit.*license.*$"), &untyped, true),
            ("body", json!("^mit$"), &untyped, false),
            ("none", json!(null), &untyped, true),
            ("none", json!("x"), &untyped, false),
        ] {
            assert_eq!(meaning(name, &expected, schema, &form), accepted, "{name} {expected}");
        }
        let strings = json!({"type": "array", "items": {"type": "string"}});
        assert!(meaning("tag", &json!(["b", "A"]), &strings, &form));
        let json = Fields::Json(json!({"issue": {"assignee_ids": [2264]}, "title": ["a", "b"]}));
        assert!(meaning("$.issue.assignee_ids", &json!([2264]), &numbers, &json));
        assert!(!meaning("title", &json!("a"), &untyped, &json), "a list is a list on the actual side");
    }
}
