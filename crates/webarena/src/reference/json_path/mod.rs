//! Keys that stand for a place deep in a body: `JSONPath`s, and patterns over the names of its fields.
//!
//! The dialect is that of the library the reference uses, as far as task files go: members, positions, slices,
//! wildcards, descendants, unions and filters.

mod find;
mod syntax;

use std::borrow::Cow;

pub use self::find::FindError;
use self::syntax::Path;
pub use self::syntax::PathError;
use crate::python::{
    Dict, InvalidPattern, JsonError, Pattern, PatternFlags, Value, is_regex_literal, parse_json,
};

/// A key of an expected body, ready to be looked up in recorded ones.
#[derive(Debug)]
pub enum Key {
    /// The name of a field.
    Plain,
    /// A pattern every field name is held against.
    NamePattern(Result<Pattern, InvalidPattern>),
    /// A place in the body.
    Path { path: Result<JsonPath, PathError>, has_filter: bool },
}

/// A parsed path.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonPath(Path);

/// What a key found.
#[derive(Debug, Clone, PartialEq)]
pub enum Extraction {
    Nothing,
    One(Value),
    /// Several values, or those a filter let through, however many.
    Several(Vec<Value>),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Find(#[from] FindError),
    #[error("a field cannot be read: {0}")]
    Json(JsonError),
}

impl Extraction {
    /// What the reference puts in the place of the key.
    pub fn into_value(self) -> Value {
        match self {
            Self::Nothing => Value::None,
            Self::One(value) => value,
            Self::Several(values) => Value::Tuple(values),
        }
    }
}

impl Key {
    /// Special keys start with `$` or are patterns.
    pub fn parse(key: &str) -> Self {
        if let Some(pattern) =
            key.strip_prefix("$.").filter(|rest| rest.starts_with('^') && key.ends_with('$'))
        {
            return Self::NamePattern(Pattern::matching_start(pattern, PatternFlags::default()));
        }
        if is_regex_literal(key) {
            return Self::NamePattern(Pattern::matching_start(key, PatternFlags::default()));
        }
        if key.starts_with('$') {
            return Self::Path { path: syntax::parse(key).map(JsonPath), has_filter: key.contains("?(") };
        }
        Self::Plain
    }

    /// Looks a special key up. A plain key finds nothing this way: it is a field's name.
    pub fn extract(&self, body: &Dict) -> Result<Extraction, ExtractError> {
        match self {
            Self::Plain | Self::NamePattern(Err(_)) | Self::Path { path: Err(PathError::Grammar), .. } => {
                Ok(Extraction::Nothing)
            }
            Self::NamePattern(Ok(pattern)) => {
                let found: Vec<Value> = body
                    .iter()
                    .filter(|(name, _)| pattern.is_match(name))
                    .map(|(_, value)| value.clone())
                    .collect();
                Ok(extraction(found, false))
            }
            Self::Path { path: Err(error), .. } => Err((*error).into()),
            Self::Path { path: Ok(JsonPath(path)), has_filter } => {
                let body = Value::Dict(body.clone());
                let mut found = values(path, &body)?;
                if found.is_empty() {
                    found = values(path, &with_nested_json(&body)?)?;
                }
                Ok(extraction(found, *has_filter))
            }
        }
    }
}

fn extraction(mut found: Vec<Value>, has_filter: bool) -> Extraction {
    if found.is_empty() {
        return Extraction::Nothing;
    }
    if found.len() == 1 && !has_filter {
        return Extraction::One(found.swap_remove(0));
    }
    Extraction::Several(found)
}

fn values(path: &Path, body: &Value) -> Result<Vec<Value>, FindError> {
    Ok(find::find(path, Cow::Borrowed(body), body)?.into_iter().map(Cow::into_owned).collect())
}

/// The value with every field whose text is JSON read, one level deep.
fn with_nested_json(value: &Value) -> Result<Value, ExtractError> {
    match value {
        Value::Dict(entries) => {
            let read = entries.iter().map(|(name, value)| {
                let value = match value {
                    Value::Str(text) => match parse_json(text) {
                        Ok(read) => read,
                        Err(JsonError::Syntax { .. }) => value.clone(),
                        Err(too_deep @ JsonError::TooDeep) => return Err(ExtractError::Json(too_deep)),
                    },
                    other => with_nested_json(other)?,
                };
                Ok((name.clone(), value))
            });
            Ok(Value::Dict(read.collect::<Result<Dict, ExtractError>>()?))
        }
        Value::List(items) => Ok(Value::List(items.iter().map(with_nested_json).collect::<Result<_, _>>()?)),
        other => Ok(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::python::repr_of;

    fn extracted(key: &str, body: &str) -> Result<String, ExtractError> {
        let Ok(Value::Dict(body)) = parse_json(body) else { panic!("{body} is no object") };
        Key::parse(key).extract(&body).map(|extraction| repr_of(&extraction.into_value()))
    }

    #[test]
    fn keys_find_their_places() {
        for (key, body, expected) in [
            ("$.a.b", r#"{"a": {"b": 1}}"#, "1"),
            ("$.a[1].b", r#"{"a": [{}, {"b": 2}]}"#, "2"),
            ("$.a[-1]", r#"{"a": [1, 2]}"#, "2"),
            ("$.a[0]", r#"{"a": "xyz"}"#, "'x'"),
            ("$..b", r#"{"a": [{"b": 1}, {"b": 2}]}"#, "(1, 2)"),
            ("$.a[::-2]", r#"{"a": [1, 2, 3]}"#, "(3, 1)"),
            ("$.a[*]", r#"{"a": 5}"#, "5"),
            ("$.a,b", r#"{"b": 2, "a": 1}"#, "(1, 2)"),
            ("$['x y'][?(@.n == 1)].v", r#"{"x y": [{"n": "1", "v": 3}, {"n": 2, "v": 4}]}"#, "(3,)"),
            ("$.a[?(@.n > 1 & @.m)].n", r#"{"a": [{"n": 2}, {"n": 3, "m": 0}]}"#, "(3,)"),
            ("$.a[?(@.v =~ 'b+')].v", r#"{"a": {"x": {"v": "abc"}, "y": {"v": "a"}}}"#, "('abc',)"),
            ("$.a.b", r#"{"a": "{\"b\": \"q\"}"}"#, "'q'"),
            ("$.^k_\\d+$", r#"{"k_1": "1", "k_x": 2}"#, "'1'"),
            ("^a|b$", r#"{"b": 1, "a": 2}"#, "(1, 2)"),
            ("$.bad[", r#"{"a": 1}"#, "None"),
            ("^(bad$", r#"{"a": 1}"#, "None"),
            ("$", "{}", "{}"),
        ] {
            assert_eq!(extracted(key, body).as_deref(), Ok(expected), "{key} in {body}");
        }
    }

    #[test]
    fn what_raises_in_the_library_is_an_error() {
        for (key, body, expected) in [
            ("$.a[0]", r#"{"a": {"b": 1}}"#, FindError::IndexIntoObject),
            ("$.a[0]", r#"{"a": 5}"#, FindError::NoPositions),
            ("$.a[-3]", r#"{"a": [1]}"#, FindError::BeforeBeginning),
            ("$.a[?(@.n == 1)]", r#"{"a": [{"n": null}]}"#, FindError::NotComparable),
            ("$.a[?(@.n < 'x')]", r#"{"a": [{"n": 1}]}"#, FindError::NotComparable),
        ] {
            assert_eq!(extracted(key, body), Err(expected.into()), "{key} in {body}");
        }
    }

    proptest! {
        #[test]
        fn no_key_panics(key in r"[$^]?[$@a-c.\[\]()*,:|&?'=<>~!0-9 \-é]{0,24}\$?") {
            let Ok(Value::Dict(body)) = parse_json(r#"{"a": [{"b": 1}, "x", null], "b": {"c": "[1]"}, "c": 2.5}"#) else {
                panic!("an object")
            };
            let _ = Key::parse(&key).extract(&body);
        }
    }
}
