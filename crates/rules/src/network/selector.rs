//! Which part of a body a name in a check means: a field by its name, a JSON path, or a pattern on field names.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::json_path::{Path, Place};
use crate::pattern::{Case, Pattern};
use crate::ruling::Undecided;

/// How deep JSON inside the strings of JSON is unpacked. Real forms nest it once.
const DEEPEST_UNPACKING: u8 = 4;

#[derive(Debug)]
pub(super) enum Selector<'a> {
    Name(&'a str),
    /// One that can lead to several places stands for the list of what is there.
    Path(Box<Path>),
    NamePattern(Pattern),
}

impl<'a> Selector<'a> {
    pub(super) fn new(written: &'a str) -> Result<Self, Undecided> {
        let name = written.trim();
        if let Some(pattern) = Pattern::of(name.strip_prefix("$.").unwrap_or(name), Case::Exact)? {
            return Ok(Self::NamePattern(pattern));
        }
        if !name.starts_with('$') {
            return Ok(Self::Name(written));
        }
        Ok(Self::Path(Box::new(Path::parse(name)?)))
    }

    /// What stands there, if anything does. Where a path leads into a string that holds JSON it goes on inside.
    pub(super) fn find<'v>(&self, json: &'v Value) -> Option<Cow<'v, Value>> {
        match self {
            Self::Name(name) => json.get(*name).map(Cow::Borrowed),
            Self::NamePattern(pattern) => {
                let fields = json.as_object()?.iter().filter(|(name, _)| pattern.is_match(name));
                match fields.map(|(_, value)| value).collect::<Vec<_>>().as_slice() {
                    [] => None,
                    [one] => Some(Cow::Borrowed(*one)),
                    several => Some(Cow::Owned(several.iter().copied().cloned().collect())),
                }
            }
            Self::Path(path) => follow(path, json)
                .or_else(|| follow(path, &unpacked(json, DEEPEST_UNPACKING)))
                .map(Cow::Owned),
        }
    }
}

fn follow(path: &Path, json: &Value) -> Option<Value> {
    match path.follow(json) {
        Place::One(value) => value,
        Place::Many(values) => (!values.is_empty()).then_some(Value::Array(values)),
    }
}

/// The same value with JSON objects and lists in place of the strings that spell them.
fn unpacked(json: &Value, depth: u8) -> Value {
    match json {
        Value::Object(fields) if depth > 0 => {
            let unpack = |(name, value): (&String, &Value)| (name.clone(), unpacked(value, depth - 1));
            Value::Object(fields.iter().map(unpack).collect::<Map<_, _>>())
        }
        Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
            serde_json::from_str(text).unwrap_or_else(|_| json.clone())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn find(written: &str, json: &Value) -> Value {
        let selector = Selector::new(written).expect("readable");
        selector.find(json).map_or(Value::Null, Cow::into_owned)
    }

    #[test]
    fn names_paths_and_patterns() {
        let body = json!({
            "name": "lamp", "a.b": 1, "note": {"text": "hi", "on": [{"id": 7}]}, "reply_to_42[comment]": "good",
            "x y": [{"k": 1, "leaf": "one"}, {"k": 2, "leaf": "two"}, {"k": 1, "leaf": "three"}],
            "packed": "{\"rows\":[{\"new\":1,\"size\":\"s\"},{\"new\":0,\"size\":\"m\"}]}", "file_name": "LICENSE",
            "why: a*?": "said",
        });
        for (written, found) in [
            ("name", json!("lamp")),
            ("a.b", json!(1)),
            ("none", json!(null)),
            ("$.note.text", json!("hi")),
            ("$.note.on[0].id", json!(7)),
            ("$.note.on[1].id", json!(null)),
            ("$['x y'][?(@.k == 1)].leaf", json!(["one", "three"])),
            ("$['x y'][?(@.k == 2)].leaf", json!(["two"])),
            ("$['x y'][?(@.k == 3)].leaf", json!(null)),
            ("$['why: a*?']", json!("said")),
            ("$.packed.rows[0].size", json!("s")),
            ("$['packed'].rows[?(@.new == 1)].size", json!(["s"])),
            (r"$.^reply_to_\d+\[comment\]$", json!("good")),
            (r"^reply_to_\d+\[comment\]$", json!("good")),
            ("$.^file_path|file_name$", json!("LICENSE")),
            ("^na.*$", json!("lamp")),
            ("^n.*$", json!(["lamp", {"text": "hi", "on": [{"id": 7}]}])),
        ] {
            assert_eq!(find(written, &body), found, "{written}");
        }
    }

    #[test]
    fn a_position_in_something_that_has_none_finds_nothing() {
        for json in [json!({"a": {"0": 1}}), json!({"a": 5}), json!({"a": "text"}), json!([]), json!(null)] {
            assert_eq!(find("$.a[0]", &json), json!(null), "{json}");
        }
        for broken in ["$.a[", "$['a", "$.a[?(]", "$.^($"] {
            assert!(matches!(Selector::new(broken), Err(Undecided::Broken(_))), "{broken}");
        }
    }
}
