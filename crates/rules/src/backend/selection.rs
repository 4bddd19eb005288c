//! JSONPath (RFC 9535) on an answer.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use serde_json_path::JsonPath;

use crate::ruling::Undecided;
use crate::words;

/// A singular query of the RFC: names and positions only, so that it finds one value or none.
static SINGULAR: LazyLock<Regex> = LazyLock::new(|| {
    let name = r"\.[A-Za-z_\u{80}-\u{10FFFF}][0-9A-Za-z_\u{80}-\u{10FFFF}]*";
    let quoted = r#"'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*""#;
    Regex::new(&format!(r"^\$(?:\s*(?:{name}|\[\s*(?:{quoted}|-?[0-9]+)\s*\]))*$"))
        .expect("a constant pattern")
});

pub(super) struct Selection {
    /// `None` for the whole answer.
    path: Option<JsonPath>,
    is_singular: bool,
}

impl Selection {
    pub(super) fn parse(text: &str) -> Result<Self, Undecided> {
        if text.is_empty() {
            return Ok(Self { path: None, is_singular: true });
        }
        let path = JsonPath::parse(text).map_err(|error| {
            Undecided::Broken(format!("`{}` is no JSONPath: {error}", words::shorten(text)))
        })?;
        let is_singular = SINGULAR.is_match(text);
        Ok(Self { path: Some(path), is_singular })
    }

    /// `None` is a place where the backend has nothing.
    pub(super) fn apply(&self, answer: Option<Value>) -> Found {
        let Some(path) = &self.path else {
            return Found(answer);
        };
        let nodes = answer.as_ref().map(|answer| path.query(answer).all()).unwrap_or_default();
        Found(if self.is_singular {
            nodes.first().map(|node| (*node).clone())
        } else {
            Some(nodes.into_iter().cloned().collect())
        })
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

    fn select(path: &str, answer: &Value) -> Option<Value> {
        Selection::parse(path).expect(path).apply(Some(answer.clone())).0
    }

    #[test]
    fn a_singular_path_gives_its_value_any_other_the_list_of_matches() {
        let answer = json!({"a": {"b c": [10, 20, {"k": 1, "n": "x"}], "b": 5}, "é": 1, "list": [[]]});
        for (path, expected) in [
            ("", Some(answer.clone())),
            ("$", Some(answer.clone())),
            ("$.a.b", Some(json!(5))),
            ("$['a']['b c'][0]", Some(json!(10))),
            ("$.a[\"b c\"][-1].n", Some(json!("x"))),
            ("$ .a [ 'b' ]", Some(json!(5))),
            ("$.é", Some(json!(1))),
            ("$.list[0]", Some(json!([]))),
            ("$.a.zzz", None),
            ("$.a['b c'][7]", None),
            ("$.a['b c'][*].k", Some(json!([1]))),
            ("$..b", Some(json!([5]))),
            ("$..zzz", Some(json!([]))),
            ("$.a['b c'][?@.k == 1].n", Some(json!(["x"]))),
            ("$.a['b c'][?(@.k == 1)].n", Some(json!(["x"]))),
            ("$.a['b c'][0:2]", Some(json!([10, 20]))),
            ("$.a['b c'][0,1]", Some(json!([10, 20]))),
        ] {
            assert_eq!(select(path, &answer), expected, "{path}");
        }
    }

    #[test]
    fn what_does_not_parse_is_a_broken_check() {
        for path in ["a.b", "$.", "$[", "$.a[?", "$['x]", "$..", "$.a b"] {
            assert!(matches!(Selection::parse(path), Err(Undecided::Broken(_))), "{path}");
        }
    }

    #[test]
    fn where_the_backend_has_nothing_a_path_finds_nothing() {
        for path in ["", "$.a", "$..a"] {
            assert!(Selection::parse(path).expect(path).apply(None).is_nothing(), "{path}");
        }
    }
}
