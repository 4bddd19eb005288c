//! From JSON to typed values, along a schema.
//!
//! The three entries differ in what they take for granted: [`list`] is for retrieved data, [`object`] for its
//! elements, [`root`] for request bodies and query parameters, which may be anything.

use super::error::EvaluatorError;
use super::schema::Schema;
use super::values::{Context, STRING, Typed, constructor, read_or_keep};
use crate::config::Strictness;
use crate::python::{Dict, Value, parse_json, repr_of};

/// An array of leaves or of objects.
pub fn list(value: &Value, schema: &Schema, context: &Context) -> Result<Typed, EvaluatorError> {
    if let Some(kind) = schema.kind().filter(|kind| *kind != "array") {
        return Err(EvaluatorError::SchemaNotArray(kind.to_owned()));
    }
    let (Value::List(items) | Value::Tuple(items)) = value else {
        return misshapen(value, "an array", context);
    };
    let empty = Schema::default();
    let item_schema = schema.items().unwrap_or(&empty);
    let item = |item: &Value| match item {
        Value::List(objects) | Value::Tuple(objects) if item_schema.kind() == Some("object") => objects
            .iter()
            .map(|value| object(value, item_schema, context))
            .collect::<Result<_, _>>()
            .map(Typed::Tuple),
        value if item_schema.kind() == Some("object") => object(value, item_schema, context),
        value => leaf(value, item_schema, context),
    };
    items.iter().map(item).collect::<Result<_, _>>().map(Typed::Tuple)
}

/// An object, or a text that holds one. The value's keys count, not the schema's.
pub fn object(value: &Value, schema: &Schema, context: &Context) -> Result<Typed, EvaluatorError> {
    let decoded;
    let entries: &Dict = match value {
        Value::Dict(entries) => entries,
        Value::Str(text) => match parse_json(text) {
            Ok(Value::Dict(entries)) => {
                decoded = entries;
                &decoded
            }
            _ => return misshapen(value, "an object", context),
        },
        _ => return misshapen(value, "an object", context),
    };
    let typed =
        entries.iter().map(|(key, value)| Ok((key.clone(), property(value, schema.property(key), context)?)));
    typed.collect::<Result<_, _>>().map(Typed::Object)
}

/// Whatever the schema says; an empty schema follows the value.
pub fn root(value: &Value, schema: &Schema, context: &Context) -> Result<Typed, EvaluatorError> {
    if !value.truthy() {
        return Ok(Typed::NULL);
    }
    match (schema.kind(), value) {
        (Some("object"), _) => object(value, schema, context),
        (None, Value::Dict(_)) if schema.is_empty() => object(value, schema, context),
        (Some("array"), _) => array(value, schema, context),
        (None, Value::List(_) | Value::Tuple(_)) if schema.is_empty() => array(value, schema, context),
        _ => leaf(value, schema, context),
    }
}

fn property(value: &Value, schema: Option<&Schema>, context: &Context) -> Result<Typed, EvaluatorError> {
    if value.is_none() {
        return Ok(Typed::NULL);
    }
    let Some(schema) = schema else { return string(value, context) };
    if schema.kind() == Some("array") {
        return array(value, schema, context);
    }
    match constructor(schema.leaf_name()) {
        Some(construct) => read_or_keep(schema.leaf_name(), construct, value, context),
        None if schema.kind() == Some("object") => object(value, schema, context),
        None => string(value, context),
    }
}

/// An array, or a text that holds one, whose elements are leaves.
fn array(value: &Value, schema: &Schema, context: &Context) -> Result<Typed, EvaluatorError> {
    let decoded;
    let items: &[Value] = match value {
        Value::List(items) | Value::Tuple(items) => items,
        Value::Str(text) => match parse_json(text) {
            Ok(Value::List(items)) => {
                decoded = items;
                &decoded
            }
            _ => return misshapen(value, "an array", context),
        },
        _ => return misshapen(value, "an array", context),
    };
    let empty = Schema::default();
    let item_schema = schema.items().unwrap_or(&empty);
    items.iter().map(|item| leaf(item, item_schema, context)).collect::<Result<_, _>>().map(Typed::Tuple)
}

fn leaf(value: &Value, schema: &Schema, context: &Context) -> Result<Typed, EvaluatorError> {
    let name = schema.leaf_name();
    let construct = constructor(name).ok_or_else(|| EvaluatorError::UnknownType(name.to_owned()))?;
    read_or_keep(name, construct, value, context)
}

fn string(value: &Value, context: &Context) -> Result<Typed, EvaluatorError> {
    read_or_keep("string", STRING, value, context)
}

fn misshapen(value: &Value, expected: &'static str, context: &Context) -> Result<Typed, EvaluatorError> {
    match context.strictness {
        Strictness::Lenient => Ok(Typed::raw(value)),
        Strictness::Strict => {
            Err(EvaluatorError::WrongShape { path: "expected".to_owned(), expected, value: repr_of(value) })
        }
    }
}
