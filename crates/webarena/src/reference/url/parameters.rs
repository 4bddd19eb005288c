//! The query parameters of an address.

use indexmap::IndexMap;

use super::QueryOptions;
use crate::python::{Dict, Pattern, PatternFlags, Value, is_regex_literal, str_of, strip};
use crate::reference::values::{Context, Typed, Unreadable};
use crate::reference::{EvaluatorError, normalise};

/// Names with their values, which are lists unless a schema made them something else.
pub(super) type Parameters = IndexMap<String, Typed>;

/// Lower-cases, trims and sorts the values of the parameters that are not ignored, then types them.
pub(super) fn read(
    parameters: Dict,
    options: QueryOptions<'_>,
    context: &Context,
) -> Result<Parameters, Unreadable> {
    let is_ignored = |name: &String| {
        options.ignored_names.contains(name)
            || options.ignored_patterns.iter().any(|pattern| pattern.is_match(name))
    };
    let mut normal = Dict::new();
    for (name, values) in parameters {
        if !is_ignored(&name) {
            normal.insert(name, Value::Tuple(sorted_values(values)?));
        }
    }
    let Some(schema) = options.schema else {
        return Ok(normal.into_iter().map(|(name, values)| (name, Typed::raw(&values))).collect());
    };
    let untouched = Context { derender: None, render: None, ..context.clone() };
    match normalise::root(&Value::Dict(normal), schema, &untouched) {
        Ok(Typed::Object(typed)) => Ok(typed),
        Ok(typed) if typed.is_null() => Ok(IndexMap::new()),
        Ok(_) | Err(_) => Err(Unreadable("its query parameters do not fit their schema")),
    }
}

/// A text in the place of a list is a list of its characters, as everywhere in Python.
fn sorted_values(values: Value) -> Result<Vec<Value>, Unreadable> {
    let mut values = match values {
        Value::List(items) | Value::Tuple(items) => items,
        Value::Str(text) => text.chars().map(|c| Value::Str(c.to_string())).collect(),
        Value::Dict(entries) => entries.into_keys().map(Value::Str).collect(),
        _ => return Err(Unreadable("the values of a query parameter have to be a list")),
    };
    for value in &mut values {
        if let Value::Str(text) = value {
            strip(&text.to_lowercase()).clone_into(text);
        }
    }
    if values.len() > 1 {
        let texts: Option<Vec<&str>> = values.iter().map(Value::as_str).collect();
        let mut texts = texts.ok_or(Unreadable("the values of a query parameter cannot be sorted"))?;
        texts.sort_unstable();
        return Ok(texts.into_iter().map(Value::from).collect());
    }
    Ok(values)
}

/// Only the first value of each parameter counts, and no value is the same as an empty one.
pub(super) fn accept(expected: &Parameters, actual: &Parameters) -> Result<bool, EvaluatorError> {
    // The reference goes through the names in the order of their hashes, which is random but for the empty name:
    // that one comes first. It matters where one parameter differs and another raises.
    let others = actual.keys().filter(|name| !expected.contains_key(*name));
    let mut names: Vec<&String> = expected.keys().chain(others).collect();
    names.sort_by_key(|name| !name.is_empty());
    for name in names {
        let wanted = first_value(expected.get(name))?;
        let given = first_value(actual.get(name))?;
        if !value_accepts(wanted, given)? {
            return Ok(false);
        }
    }
    Ok(true)
}

static EMPTY: Typed = Typed::Raw(Value::Str(String::new()));

fn first_value(values: Option<&Typed>) -> Result<&Typed, EvaluatorError> {
    let first = match values {
        None => None,
        Some(Typed::Tuple(items) | Typed::List(items)) => items.first(),
        Some(Typed::Raw(value)) if !value.truthy() => None,
        Some(_) => return Err(EvaluatorError::ParameterNotAList),
    };
    Ok(first.filter(|value| !value.is_null()).unwrap_or(&EMPTY))
}

fn value_accepts(expected: &Typed, actual: &Typed) -> Result<bool, EvaluatorError> {
    if let Value::Str(text) = expected.report()
        && is_regex_literal(&text)
    {
        let pattern =
            Pattern::matching_start(&text, PatternFlags::default()).map_err(EvaluatorError::Pattern)?;
        return Ok(pattern.is_match(&str_of(&actual.report())));
    }
    match (is_empty(expected)?, is_empty(actual)?) {
        (true, true) => return Ok(true),
        (false, false) => {}
        _ => return Ok(false),
    }
    match (expected, actual) {
        (Typed::Leaf(expected), actual) => expected.accepts(actual),
        (expected, Typed::Leaf(actual)) => actual.accepts(expected),
        (Typed::Raw(expected), Typed::Raw(actual)) => Ok(expected == actual),
        _ => Ok(false),
    }
}

fn is_empty(value: &Typed) -> Result<bool, EvaluatorError> {
    match value {
        Typed::Leaf(leaf) => leaf.accepts(&EMPTY),
        Typed::Raw(Value::Str(text)) => Ok(text.is_empty()),
        other => Ok(other.is_null()),
    }
}
