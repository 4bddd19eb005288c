//! The one JSON object of an answer.
//!
//! Code fences, prose around it and a byte order mark are tolerated, because models add them whatever they are told.
//! Inside, it is JSON to the letter: a trailing comma or a key given twice makes the answer unread, since every repair
//! would be a guess about what was meant.

use std::fmt;
use std::ops::Range;

use jsonschema::Validator;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::quoted;

/// More would be a wall of text to the model that has to repair them.
const ERRORS_TOLD: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonProblem {
    #[error("there is no JSON object in the answer")]
    NoObject,
    #[error("there are {0} JSON objects in the answer, where one was asked for")]
    Several(usize),
    #[error("the JSON object is not well-formed: {0}")]
    Broken(String),
    #[error("the JSON object is not as asked for: {}", .0.join("; "))]
    Schema(Vec<String>),
}

impl JsonProblem {
    /// What to tell the model, once, so that it can do better.
    pub fn repair_request(&self) -> String {
        format!(
            "Your answer could not be read: {self}. Answer again with exactly one JSON object of the form asked for, \
             and nothing else."
        )
    }
}

/// A JSON Schema an answer is held to.
#[derive(Debug)]
pub struct Shape(Validator);

impl Shape {
    /// # Errors
    /// What is wrong with the schema: it comes from a template that a user may have written.
    pub fn new(schema: &Value) -> Result<Self, String> {
        jsonschema::validator_for(schema).map(Self).map_err(|error| error.to_string())
    }

    /// The one object of the answer, if it has this shape.
    pub fn read(&self, answer: &str) -> Result<Value, JsonProblem> {
        let object = Value::Object(the_object(answer)?);
        let mut errors: Vec<String> = self.0.iter_errors(&object).map(|error| in_words(&error)).collect();
        if errors.is_empty() {
            return Ok(object);
        }
        // The order in which a validator works is its own affair; what we say is the same every time.
        errors.sort();
        errors.dedup();
        errors.truncate(ERRORS_TOLD);
        Err(JsonProblem::Schema(errors))
    }
}

fn in_words(error: &jsonschema::ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let problem = error.to_string();
    if place.is_empty() { quoted_long(&problem) } else { format!("at `{place}`: {}", quoted_long(&problem)) }
}

/// A value as long as the answer itself would otherwise be told back whole.
fn quoted_long(problem: &str) -> String {
    if problem.chars().count() <= 200 {
        return problem.to_owned();
    }
    let tail: String = problem.chars().skip(problem.chars().count() - 100).collect();
    format!("{} {tail}", quoted(problem))
}

/// The one object of an answer.
pub fn the_object(answer: &str) -> Result<Map<String, Value>, JsonProblem> {
    let mut objects = objects(answer)?;
    match objects.len() {
        0 => Err(JsonProblem::NoObject),
        1 => Ok(objects.remove(0).1),
        several => Err(JsonProblem::Several(several)),
    }
}

/// An object, and where in the text it stands.
type Placed = (Range<usize>, Map<String, Value>);

/// Every outermost object, with its place in the text. Something that begins like an object and is none is a problem
/// and not skipped: an object inside it would be taken for the whole.
pub(super) fn objects(text: &str) -> Result<Vec<Placed>, JsonProblem> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find('{').map(|offset| from + offset) {
        from = at + 1;
        if !begins_object(&text[from..]) {
            continue;
        }
        let mut reader = serde_json::Deserializer::from_str(&text[at..]).into_iter::<StrictValue>();
        match reader.next() {
            Some(Ok(StrictValue(Value::Object(object)))) => {
                from = at + reader.byte_offset();
                found.push((at..from, object));
            }
            Some(Err(error)) => return Err(JsonProblem::Broken(error.to_string())),
            _ => {}
        }
    }
    Ok(found)
}

/// Braces in prose (`{name}`, `{ … }`) are no objects; a quote, an end or a bare key after the brace are meant as one.
fn begins_object(after_brace: &str) -> bool {
    let rest = after_brace.trim_start();
    if rest.starts_with(['"', '\'', '}']) {
        return true;
    }
    let key = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    key > 0 && rest[key..].trim_start().starts_with(':')
}

/// A value in which no object names a key twice: the last one would win silently, and a verdict could hide there.
struct StrictValue(Value);

impl<'de> serde::Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Strict.deserialize(deserializer).map(Self)
    }
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(Strict)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Strict)?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key `{}` is given twice", quoted(&key))));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_object_is_found_where_models_put_it() {
        let wanted = json!({"status": "success", "n": [1, 2.5, null, true, {"a": "}"}]});
        let text = wanted.to_string();
        for answer in [
            text.clone(),
            format!("\u{feff}{text}\n"),
            format!("```json\n{text}\n```"),
            format!("Here it is, as {{asked}}:\n\n{text}\nI hope {{ … }} helps."),
        ] {
            assert_eq!(the_object(&answer).map(Value::Object), Ok(wanted.clone()), "{answer}");
        }
    }

    #[test]
    fn what_is_not_json_is_not_repaired() {
        for (answer, words) in [
            ("", "no JSON object"),
            ("Status: success", "no JSON object"),
            ("[1, 2]", "no JSON object"),
            (r#"{"a": 1} and {"a": 1}"#, "2 JSON objects"),
            (r#"{"a": 1,}"#, "trailing comma"),
            (r#"{"a": {"status": "success"}, "b": 1,}"#, "trailing comma"),
            (r#"{"status": "failure", "status": "success"}"#, "`status` is given twice"),
            (r#"{"a": {"b": 1, "b": 1}}"#, "`b` is given twice"),
            (r#"{status: "success", "x": {"status": "failure"}}"#, "key must be a string"),
            (r"{'status': 'success'}", "key must be a string"),
            (r#"{"status": "succ"#, "EOF"),
        ] {
            let problem = the_object(answer).expect_err(answer).to_string();
            assert!(problem.contains(words), "{answer}: {problem}");
        }
    }

    #[test]
    fn a_shape_tells_what_is_wrong_in_words_for_the_model() {
        let shape = Shape::new(&json!({
            "type": "object", "required": ["status", "score"], "additionalProperties": false,
            "properties": {"status": {"enum": ["success", "failure"]}, "score": {"type": "integer", "maximum": 5}}
        }))
        .expect("a schema");
        assert!(shape.read(r#"{"status": "success", "score": 4}"#).is_ok());
        let problem = shape.read(r#"So: {"status": "maybe", "score": 7, "more": 1}"#).expect_err("wrong");
        let JsonProblem::Schema(errors) = &problem else { panic!("{problem}") };
        assert_eq!(errors.len(), 3, "{errors:?}");
        assert!(
            problem.repair_request().contains("at `/score`: 7 is greater than the maximum of 5"),
            "{problem}"
        );
        assert!(
            shape
                .read(r#"{"score": 4}"#)
                .expect_err("short")
                .to_string()
                .contains("\"status\" is a required")
        );
        assert!(Shape::new(&json!({"type": "no such type"})).is_err());
    }

    #[test]
    fn depth_is_bounded() {
        let deep = "{\"a\":".repeat(100_000);
        assert!(matches!(the_object(&deep), Err(JsonProblem::Broken(_))));
    }

    proptest! {
        #[test]
        fn no_text_upsets_it(text in r#"(\PC|[{}\[\]":,\n])*"#) {
            let _ = the_object(&text);
        }

        #[test]
        fn what_is_printed_is_read_back(before in "[^{}]*", key in "\\PC*", value in "\\PC*", after in "[^{}]*") {
            let object = json!({ key: value });
            let read = the_object(&format!("{before}{object}{after}"));
            prop_assert_eq!(read.map(Value::Object), Ok(object));
        }
    }
}
