//! The part of a recorded body an expectation speaks of.

use crate::python::{Dict, Value, strip};
use crate::reference::EvaluatorError;
use crate::reference::json_path::Key;
use crate::reference::values::Typed;

/// The keys an expectation has, by the part of the request they belong to. `None` where it has none.
#[derive(Debug)]
pub(super) struct Projection {
    pub post_data: Option<Keys>,
    pub response_content: Option<Keys>,
}

/// Keys as they are looked up, which is without surrounding white space.
#[derive(Debug)]
pub(super) struct Keys(Vec<(String, Key)>);

impl Projection {
    /// Takes the keys from a normalised expectation.
    pub fn onto(expected: &Typed) -> Result<Self, EvaluatorError> {
        let Typed::Object(parts) = expected else {
            return Ok(Self { post_data: None, response_content: None });
        };
        let keys = |part: &str| match parts.get(part) {
            Some(Typed::Object(entries)) if !entries.is_empty() => {
                let keys = entries.keys().map(|key| strip(key)).map(|key| (key.to_owned(), Key::parse(key)));
                Ok(Some(Keys(keys.collect())))
            }
            Some(Typed::Leaf(_)) => Err(EvaluatorError::BodyWithoutKeys),
            Some(Typed::Tuple(items) | Typed::List(items)) if !items.is_empty() => {
                Err(EvaluatorError::BodyWithoutKeys)
            }
            _ => Ok(None),
        };
        Ok(Self { post_data: keys("post_data")?, response_content: keys("response_content")? })
    }
}

/// What a plain key stands for if the body has no such field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absent {
    Null,
    LeftOut,
}

impl Keys {
    pub fn project(&self, body: &Dict, absent: Absent) -> Result<Dict, EvaluatorError> {
        let mut projected = Dict::new();
        for (name, key) in &self.0 {
            if matches!(key, Key::Plain) {
                match body.get(name) {
                    Some(value) => drop(projected.insert(name.clone(), value.clone())),
                    None if absent == Absent::Null => drop(projected.insert(name.clone(), Value::None)),
                    None => {}
                }
            }
        }
        for (name, key) in &self.0 {
            if !matches!(key, Key::Plain) {
                projected.insert(name.clone(), key.extract(body)?.into_value());
            }
        }
        Ok(projected)
    }
}
