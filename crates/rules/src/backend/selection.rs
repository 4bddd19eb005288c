//! Which part of an answer a check looks at.

use std::fmt;

use serde_json::Value;

use crate::json_path::{Path, Place};
use crate::ruling::Undecided;
use crate::words;

/// `None` for the whole answer.
pub(super) struct Selection(Option<Path>);

impl Selection {
    pub(super) fn parse(text: &str) -> Result<Self, Undecided> {
        if text.is_empty() { Ok(Self(None)) } else { Path::parse(text).map(|path| Self(Some(path))) }
    }

    /// `None` is a place where the backend has nothing.
    pub(super) fn apply(&self, answer: Option<Value>) -> Found {
        let Some(path) = &self.0 else {
            return Found(answer);
        };
        match answer.as_ref().map_or_else(|| path.nothing(), |answer| path.follow(answer)) {
            Place::One(value) => Found(value),
            Place::Many(values) => Found(Some(Value::Array(values))),
        }
    }
}

/// What a check looks at: the whole answer, the one value a singular path leads to, or the list of all that a path
/// matched.
#[derive(Debug, PartialEq)]
pub(super) struct Found(pub(super) Option<Value>);

impl Found {
    /// True for null and for an empty list too: a query without rows and a path without matches found nothing.
    pub(super) fn is_nothing(&self) -> bool {
        match &self.0 {
            None | Some(Value::Null) => true,
            Some(Value::Array(list)) => list.is_empty(),
            Some(_) => false,
        }
    }

    /// The entries of a list or map.
    pub(super) fn entries(&self) -> Option<Vec<&Value>> {
        match &self.0 {
            Some(Value::Array(list)) => Some(list.iter().collect()),
            Some(Value::Object(map)) => Some(map.values().collect()),
            _ => None,
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str("nothing there"),
            Some(value) => f.write_str(&words::value(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_value_or_a_list_of_all() {
        let answer = json!([{"n": 1}, {"n": 2}]);
        for (path, found) in [("", answer.clone()), ("$[1].n", json!(2)), ("$[*].n", json!([1, 2]))] {
            let selection = Selection::parse(path).expect(path);
            assert_eq!(selection.apply(Some(answer.clone())), Found(Some(found)), "{path}");
        }
    }

    #[test]
    fn where_the_backend_has_nothing_a_path_finds_nothing() {
        for path in ["", "$.a", "$..a"] {
            assert!(Selection::parse(path).expect(path).apply(None).is_nothing(), "{path}");
        }
    }
}
