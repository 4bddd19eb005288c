//! Trying a type out, for authors of tasks: what the released evaluator makes of the two sides of a comparison.

use jiff::civil::Date;
use serde_json::json;
use umpire_rules::Comparison;

use super::response::{AgentResponse, ResponseCheck};
use super::values::Context;
use super::{EvaluatorError, Schema};
use crate::config::Strictness;
use crate::python::Value;

/// Compares two values of a type as a task that retrieves them would. An expected list holds alternatives, or, for the
/// type `array`, what is to be retrieved. `today` completes dates.
pub fn try_value(
    type_name: &str,
    expected: &serde_json::Value,
    actual: &serde_json::Value,
    today: Date,
) -> Result<Comparison, EvaluatorError> {
    let is_whole = type_name == "array";
    let retrieved = |value: &serde_json::Value| if is_whole { value.clone() } else { json!([value]) };
    let schema = if is_whole {
        json!({"type": "array"})
    } else {
        json!({"type": "array", "items": {"type": type_name}})
    };
    let check = ResponseCheck {
        task_type: "RETRIEVE".to_owned(),
        status: "SUCCESS".to_owned(),
        retrieved_data: Some(Value::from(&retrieved(expected))),
        schema: Schema::from_value(&Value::from(&schema)),
        ordered: false,
    };
    let response = json!({"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": retrieved(actual)});
    let context = Context { strictness: Strictness::Strict, today, derender: None, render: None };
    let finding = check.evaluate(&AgentResponse::Value(Value::from(&response)), &context)?;
    let shown = |side: &Value| shown(side, is_whole);
    let (expected, actual) = (shown(&finding.expected), shown(&finding.actual));
    let equal = finding.assertions.is_empty();
    let reason = (!equal).then(|| format!("expected {expected}, got {actual}"));
    Ok(Comparison { equal, expected, actual, reason })
}

/// The retrieved value of one side in normal form; text as it is, everything else as JSON.
fn shown(side: &Value, is_whole: bool) -> String {
    let retrieved = side.as_dict().and_then(|fields| fields.get("retrieved_data"));
    let single = retrieved.and_then(Value::as_list).and_then(<[Value]>::first);
    match if is_whole { retrieved } else { single } {
        Some(Value::Str(text)) => text.clone(),
        Some(value) => serde_json::to_string(value).unwrap_or_default(),
        None => "null".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn values_are_compared_as_released() {
        for (type_name, expected, actual, equal) in [
            // A comma is a decimal one here.
            ("currency", json!("$1,000"), json!("1 dollar"), true),
            ("currency", json!("$1000"), json!("$1001"), false),
            ("string", json!("Café"), json!("cafe"), true),
            ("string", json!(["a", "b"]), json!("B"), true),
            ("string", json!("^a+$"), json!("AA"), true),
            ("number", json!(2), json!("two"), true),
            ("array", json!(["a", "b"]), json!(["b", "a"]), true),
            ("array", json!(["a", "b"]), json!(["b"]), false),
        ] {
            let comparison = try_value(type_name, &expected, &actual, date(2026, 11, 15));
            let comparison = comparison.unwrap_or_else(|error| panic!("{type_name} {expected}: {error}"));
            assert_eq!(comparison.equal, equal, "{type_name} {expected} and {actual}: {comparison:?}");
            assert_eq!(comparison.reason.is_none(), equal);
        }
    }

    #[test]
    fn what_no_task_could_expect_is_an_error() {
        for (type_name, expected) in
            [("colour", json!("red")), ("date", json!("no day")), ("array", json!(5))]
        {
            assert!(try_value(type_name, &expected, &json!("x"), date(2026, 11, 15)).is_err(), "{type_name}");
        }
    }
}
