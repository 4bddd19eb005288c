//! JSON documents: text that is JSON, or the value itself. Equal by meaning: numbers by value, members in any order,
//! lists in theirs. An object that names a key twice is refused, since readers disagree on which one counts.

use serde_json::Value;

use crate::strict_json::UniqueKeys;

pub(super) fn read(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            serde_json::from_str(text).ok().map(|UniqueKeys(value)| value)
        }
        other => Some(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::json_equality::equal;

    #[test]
    fn documents() {
        for (a, b, same) in [
            (json!(r#"{"a": 1, "b": [1, 2]}"#), json!(r#" {"b":[1,2.0],"a":1} "#), true),
            (json!(r#"{"a": 1}"#), json!({"a": 1}), true),
            (json!(r#""x-y""#), json!(r#""x y""#), false),
            (json!("[1, 2]"), json!("[2, 1]"), false),
            (json!("1"), json!("true"), false),
            (json!("null"), json!("0"), false),
            (json!(r#"{"a": "A"}"#), json!(r#"{"a": "a"}"#), false),
        ] {
            let (Some(a), Some(b)) = (read(&a), read(&b)) else { panic!("{a} {b}") };
            assert_eq!(equal(&a, &b), same, "{a} and {b}");
        }
        for text in ["", "{", "{a: 1}", "NaN", r#"{"a": 1, "a": 2}"#, "^.*$", &"[".repeat(10_000)] {
            assert_eq!(read(&json!(text)), None, "{text:.20}");
        }
    }

    proptest! {
        #[test]
        fn a_document_is_equal_to_its_text(value in crate::values::tests::any_json()) {
            let read = read(&json!(value.to_string()));
            prop_assert!(read.is_some_and(|read| equal(&read, &value)));
        }
    }
}
