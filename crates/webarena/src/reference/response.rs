//! What an agent answered, against what the task expects.

use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::Regex;

use super::compare::{Assertion, CompareOptions, compare};
use super::error::EvaluatorError;
use super::normalise;
use super::schema::Schema;
use super::values::{Context, STRING, Typed, read_or_keep};
use crate::config::Strictness;
use crate::python::{Dict, JsonError, Value, parse_json, strip};

/// The expectation of one task.
#[derive(Debug, Clone)]
pub struct ResponseCheck {
    /// As the task file has it, in upper case.
    pub task_type: String,
    pub status: String,
    /// `None` if the task file leaves the key out, which no response can satisfy.
    pub retrieved_data: Option<Value>,
    pub schema: Schema,
    pub ordered: bool,
}

/// A response as it was handed in.
#[derive(Debug, Clone)]
pub enum AgentResponse {
    Text(String),
    Value(Value),
}

/// The outcome of the check, with both sides as result files show them.
#[derive(Debug)]
pub struct ResponseFinding {
    pub expected: Value,
    pub actual: Value,
    pub assertions: Vec<Assertion>,
}

impl ResponseCheck {
    /// Judges a response. The context's strictness does not matter: expected values are read strictly, the agent's
    /// leniently.
    pub fn evaluate(
        &self,
        response: &AgentResponse,
        context: &Context,
    ) -> Result<ResponseFinding, EvaluatorError> {
        // Placeholders in retrieved data are never turned into addresses.
        let strict = Context { strictness: Strictness::Strict, render: None, ..context.clone() };
        let lenient = Context { strictness: Strictness::Lenient, ..strict.clone() };
        let given = read_response(response)?;
        if !self.retrieved_data.as_ref().is_none_or(is_expected_data) {
            return Err(EvaluatorError::ExpectedData);
        }

        let expected_data = self.read_data(self.retrieved_data.as_ref(), &strict)?;
        let expected = Fields {
            task_type: Some(text(&self.task_type, &strict)?),
            status: Some(text(&self.status, &strict)?),
            retrieved_data: Some(expected_data),
        };
        let Value::Dict(entries) = &given else {
            let assertion = if given.is_none() {
                Assertion::new("agent_response_none_mismatch", "there is no response")
            } else {
                Assertion::new("agent_response_invalid_format", "the response is not an object")
            };
            return Ok(ResponseFinding {
                expected: expected.report(),
                actual: given,
                assertions: vec![assertion],
            });
        };

        let task_type_key =
            if entries.contains_key("task_type") { "task_type" } else { "performed_operation" };
        let actual = Fields {
            task_type: text_field(entries, task_type_key, &lenient)?,
            status: text_field(entries, "status", &lenient)?,
            retrieved_data: match &self.retrieved_data {
                Some(_) if self.retrieves() => Some(self.read_data(entries.get("retrieved_data"), &lenient)?),
                Some(_) => Some(Typed::NULL),
                None => None,
            },
        };
        let (expected_report, actual_report) = (expected.report(), actual.report());
        Ok(ResponseFinding {
            expected: expected_report,
            actual: actual_report,
            assertions: self.compare(expected, actual)?,
        })
    }

    fn retrieves(&self) -> bool {
        self.task_type == "RETRIEVE"
    }

    /// An absent or empty value is no data, but zero and false are.
    fn read_data(&self, data: Option<&Value>, context: &Context) -> Result<Typed, EvaluatorError> {
        match data {
            None => Ok(Typed::NULL),
            Some(data) if !data.truthy() && !data.is_number() => Ok(Typed::NULL),
            Some(list @ Value::List(_)) => normalise::list(list, &self.schema, context),
            Some(single) => normalise::list(&Value::List(vec![single.clone()]), &self.schema, context),
        }
    }

    fn compare(&self, expected: Fields, actual: Fields) -> Result<Vec<Assertion>, EvaluatorError> {
        let (expected, expected_data) = expected.into_object();
        let (actual, actual_data) = actual.into_object();
        let mut assertions = compare(&expected, &actual, "agent_response", CompareOptions::default())?;
        if self.retrieves() {
            let options = CompareOptions { ordered: self.ordered, ..CompareOptions::default() };
            assertions.extend(match (expected_data.is_null(), actual_data.is_null()) {
                (true, true) => Vec::new(),
                (true, false) => vec![Assertion::new("retrieved_data_unexpected", "no data was expected")],
                (false, true) => vec![Assertion::new("retrieved_data_missing_or_null", "data was expected")],
                (false, false) => compare(&expected_data, &actual_data, "retrieved_data", options)?,
            });
        }
        Ok(assertions)
    }
}

/// The normalised fields of one side; `None` where the field is absent.
struct Fields {
    task_type: Option<Typed>,
    status: Option<Typed>,
    retrieved_data: Option<Typed>,
}

impl Fields {
    fn report(&self) -> Value {
        let fields = [
            ("task_type", &self.task_type),
            ("status", &self.status),
            ("retrieved_data", &self.retrieved_data),
        ];
        let present =
            fields.into_iter().filter_map(|(key, field)| Some((key.to_owned(), field.as_ref()?.report())));
        Value::Dict(present.collect::<Dict>())
    }

    /// The object whose keys count, with the data taken out: that is compared apart.
    fn into_object(self) -> (Typed, Typed) {
        let mut object = IndexMap::new();
        if let Some(task_type) = self.task_type {
            object.insert("task_type".to_owned(), task_type);
        }
        if let Some(status) = self.status {
            object.insert("status".to_owned(), status);
        }
        let Some(data) = self.retrieved_data else { return (Typed::Object(object), Typed::NULL) };
        object.insert("retrieved_data".to_owned(), Typed::NULL);
        (Typed::Object(object), data)
    }
}

/// Null, or an array of values, alternatives among them but no alternatives of alternatives.
fn is_expected_data(data: &Value) -> bool {
    let is_flat = |value: &Value| !matches!(value, Value::List(_));
    match data {
        Value::None => true,
        Value::List(items) => items
            .iter()
            .all(|item| item.as_list().is_none_or(|alternatives| alternatives.iter().all(is_flat))),
        _ => false,
    }
}

fn text(text: &str, context: &Context) -> Result<Typed, EvaluatorError> {
    read_or_keep("string", STRING, &Value::from(text), context)
}

fn text_field(entries: &Dict, key: &str, context: &Context) -> Result<Option<Typed>, EvaluatorError> {
    match entries.get(key) {
        None => Ok(None),
        Some(Value::Str(field)) if strip(field).is_empty() => Ok(Some(Typed::NULL)),
        Some(Value::Str(field)) => text(strip(field), context).map(Some),
        Some(_) => Err(EvaluatorError::FieldNotText { key: key.to_owned() }),
    }
}

/// The object in a response; text that holds none stays text, and everything empty becomes null.
fn read_response(response: &AgentResponse) -> Result<Value, EvaluatorError> {
    static FENCED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?s)```(?:json)?\s*(.*?)```").expect("a constant pattern"));
    let value = match response {
        AgentResponse::Value(value) => value.clone(),
        AgentResponse::Text(text) => {
            let body = FENCED
                .captures(text)
                .and_then(|captures| captures.get(1))
                .map_or(text.as_str(), |body| body.as_str());
            match parse_json(strip(body)) {
                Ok(value) => value,
                Err(JsonError::Syntax { .. }) => Value::from(strip(body)),
                Err(error @ JsonError::TooDeep) => return Err(error.into()),
            }
        }
    };
    Ok(if value.truthy() { value } else { Value::None })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn names(check: &ResponseCheck, response: &str) -> Result<Vec<String>, EvaluatorError> {
        let context = Context {
            strictness: Strictness::Strict,
            today: date(2026, 11, 15),
            derender: None,
            render: None,
        };
        let finding = check.evaluate(&AgentResponse::Text(response.to_owned()), &context)?;
        Ok(finding.assertions.into_iter().map(|assertion| assertion.name).collect())
    }

    fn check(task_type: &str, retrieved_data: Option<&str>) -> ResponseCheck {
        ResponseCheck {
            task_type: task_type.to_owned(),
            status: "SUCCESS".to_owned(),
            retrieved_data: retrieved_data.map(|data| parse_json(data).expect("JSON")),
            schema: Schema::from_value(
                &parse_json(r#"{"type":"array","items":{"type":"string"}}"#).expect("JSON"),
            ),
            ordered: false,
        }
    }

    #[test]
    fn the_first_fenced_block_is_the_response() {
        let check = check("NAVIGATE", Some("null"));
        for response in [
            r#"{"task_type":"navigate","status":" Success. "}"#,
            "Done:\n```json\n{\"performed_operation\":\"NAVIGATE\",\"status\":\"SUCCESS\",\"retrieved_data\":[1]}\n```\nbye ```{}```",
            "```{\"task_type\":\"NAVIGATE\",\"status\":\"SUCCESS\",\"more\":1}```",
        ] {
            assert_eq!(names(&check, response).expect("no error"), [""; 0], "{response}");
        }
        for (response, name) in [
            ("", "agent_response_none_mismatch"),
            ("{}", "agent_response_none_mismatch"),
            ("[1]", "agent_response_invalid_format"),
            ("```JSON\n{}\n```", "agent_response_invalid_format"),
            (r#"{"task_type":"NAVIGATE"}"#, "agent_response_keys_mismatch"),
            (r#"{"task_type":"NAVIGATE","status":" "}"#, "agent_response.status_none_mismatch"),
            (r#"{"task_type":"mutate","status":"success"}"#, "agent_response.task_type_mismatch"),
        ] {
            assert_eq!(names(&check, response).expect("no error"), [name], "{response}");
        }
    }

    #[test]
    fn data_counts_for_retrieval_only() {
        let respond =
            |data: &str| format!(r#"{{"task_type":"RETRIEVE","status":"SUCCESS","retrieved_data":{data}}}"#);
        let some = check("RETRIEVE", Some(r#"["a"]"#));
        assert_eq!(names(&some, &respond(r#""A""#)).expect("no error"), [""; 0]);
        assert_eq!(names(&some, &respond("[]")).expect("no error"), ["retrieved_data_missing_or_null"]);
        assert_eq!(
            names(&some, &respond("false")).expect("no error"),
            ["retrieved_data_array_values_mismatch"]
        );
        let none = check("RETRIEVE", Some("[]"));
        assert_eq!(names(&none, &respond("null")).expect("no error"), [""; 0]);
        assert_eq!(names(&none, &respond("0")).expect("no error"), ["retrieved_data_unexpected"]);
        let left_out = check("RETRIEVE", None);
        assert_eq!(names(&left_out, &respond("null")).expect("no error"), ["agent_response_keys_mismatch"]);
    }

    #[test]
    fn a_status_that_is_no_text_is_an_error() {
        let check = check("MUTATE", Some("null"));
        let error = names(&check, r#"{"task_type":"MUTATE","status":null}"#).expect_err("an error");
        assert_eq!(error, EvaluatorError::FieldNotText { key: "status".to_owned() });
        assert!(matches!(
            names(&check, &"[".repeat(5000)),
            Err(EvaluatorError::Response(JsonError::TooDeep))
        ));
    }
}
