//! JSON paths (RFC 9535) in checks: on bodies of requests and responses, and on what a backend said.

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

#[derive(Debug)]
pub(crate) struct Path {
    path: JsonPath,
    is_singular: bool,
}

/// What a path leads to.
#[derive(Debug, PartialEq)]
pub(crate) enum Place {
    /// Of a path of names and positions.
    One(Option<Value>),
    /// Of any other path; there may be none.
    Many(Vec<Value>),
}

impl Path {
    pub(crate) fn parse(text: &str) -> Result<Self, Undecided> {
        let path = JsonPath::parse(text).map_err(|error| {
            Undecided::Broken(format!("`{}` is not a JSON path: {error}", words::shorten(text)))
        })?;
        Ok(Self { path, is_singular: SINGULAR.is_match(text) })
    }

    pub(crate) fn follow(&self, json: &Value) -> Place {
        let mut found = self.path.query(json).all().into_iter().cloned();
        if self.is_singular { Place::One(found.next()) } else { Place::Many(found.collect()) }
    }

    /// What stands where there is nothing to look into.
    pub(crate) fn nothing(&self) -> Place {
        if self.is_singular { Place::One(None) } else { Place::Many(Vec::new()) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_singular_path_gives_its_value_any_other_the_list_of_matches() {
        let json =
            json!({"a": {"b c": [10, 20, {"k": 1, "n": "x"}], "b": 5}, "é": 1, "list": [[]], "why: a*?": 7});
        let one = |value: Value| Place::One(Some(value));
        let many = |values: &[Value]| Place::Many(values.to_vec());
        for (path, expected) in [
            ("$", one(json.clone())),
            ("$.a.b", one(json!(5))),
            ("$['a']['b c'][0]", one(json!(10))),
            ("$.a[\"b c\"][-1].n", one(json!("x"))),
            ("$ .a [ 'b' ]", one(json!(5))),
            ("$.é", one(json!(1))),
            ("$.list[0]", one(json!([]))),
            // Signs of a choice inside a name are part of the name.
            ("$['why: a*?']", one(json!(7))),
            ("$.a.zzz", Place::One(None)),
            ("$.a['b c'][7]", Place::One(None)),
            ("$.a['b c'][*].k", many(&[json!(1)])),
            ("$..b", many(&[json!(5)])),
            ("$..zzz", many(&[])),
            ("$.a['b c'][?@.k == 1].n", many(&[json!("x")])),
            ("$.a['b c'][?(@.k == 1)].n", many(&[json!("x")])),
            ("$.a['b c'][0:2]", many(&[json!(10), json!(20)])),
            ("$.a['b c'][0,1]", many(&[json!(10), json!(20)])),
        ] {
            assert_eq!(Path::parse(path).expect(path).follow(&json), expected, "{path}");
        }
    }

    #[test]
    fn what_does_not_parse_is_a_broken_check() {
        for path in ["a.b", "$.", "$[", "$.a[?", "$['x]", "$..", "$.a b"] {
            assert!(matches!(Path::parse(path), Err(Undecided::Broken(_))), "{path}");
        }
    }
}
