//! Reading requests of foreign agents field by field, with words for what is not understood.

use serde_json::{Map, Value};

use super::Untranslatable;

pub(super) type Read<T> = Result<T, Untranslatable>;

pub(super) fn no(message: impl Into<String>) -> Untranslatable {
    Untranslatable(message.into())
}

pub(super) fn object<'a>(value: &'a Value, place: &str) -> Read<&'a Map<String, Value>> {
    value.as_object().ok_or_else(|| no(format!("{place} is not an object")))
}

pub(super) fn array<'a>(value: &'a Value, place: &str) -> Read<&'a [Value]> {
    match value {
        Value::Null => Ok(&[]),
        Value::Array(items) => Ok(items),
        _ => Err(no(format!("{place} is not a list"))),
    }
}

pub(super) fn text<'a>(value: &'a Value, place: &str) -> Read<&'a str> {
    value.as_str().ok_or_else(|| no(format!("{place} is not a text")))
}

/// A number if there is one.
pub(super) fn number(value: &Value, place: &str) -> Read<Option<f64>> {
    match value {
        Value::Null => Ok(None),
        value => value.as_f64().map(Some).ok_or_else(|| no(format!("{place} is not a number"))),
    }
}

/// A count if there is one.
pub(super) fn count(value: &Value, place: &str) -> Read<Option<u32>> {
    match value {
        Value::Null => Ok(None),
        value => {
            let count = value.as_u64().and_then(|count| u32::try_from(count).ok());
            count.map(Some).ok_or_else(|| no(format!("{place} is not a count")))
        }
    }
}

/// One text or a list of them.
pub(super) fn texts(value: &Value, place: &str) -> Read<Vec<String>> {
    match value {
        Value::String(one) => Ok(vec![one.clone()]),
        value => array(value, place)?.iter().map(|item| Ok(text(item, place)?.to_owned())).collect(),
    }
}

/// Refuses every field that is neither translated nor without effect on the reply.
pub(super) fn only(object: &Map<String, Value>, known: &[&str], harmless: &[&str], place: &str) -> Read<()> {
    for (field, value) in object {
        let is_known = known.contains(&field.as_str()) || harmless.contains(&field.as_str());
        if !is_known && !is_nothing(value) {
            return Err(no(format!("`{field}` of {place} cannot be translated for this model's provider")));
        }
    }
    Ok(())
}

/// Values that say the same as leaving the field out.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// The arguments of a tool call, which some formats send as text. What is no JSON stays the text it is.
pub(super) fn arguments(value: &Value) -> Value {
    match value {
        Value::String(text) if text.trim().is_empty() => Value::Object(Map::new()),
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| value.clone()),
        Value::Null => Value::Object(Map::new()),
        value => value.clone(),
    }
}

/// A piece of text that says something.
pub(super) fn spoken(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

/// Text as it would be sent for arguments.
pub(super) fn arguments_as_text(arguments: &Value) -> String {
    match arguments {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
