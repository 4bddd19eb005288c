//! Booleans: `true`/`false`, or the words people use for them. Numbers are not booleans.

use serde_json::Value;

use super::string;

pub(super) fn read(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::String(text) if text.len() < 40 => match string::read(value)?.as_str() {
            "true" | "yes" | "y" | "on" => Some(true),
            "false" | "no" | "n" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_and_what_is_not_one() {
        for (value, expected) in [
            (json!(true), Some(true)),
            (json!(false), Some(false)),
            (json!("True"), Some(true)),
            (json!(" YES. "), Some(true)),
            (json!("off"), Some(false)),
            (json!("Y"), Some(true)),
            (json!("^.*$"), None),
            (json!([true, false]), None),
            (json!("null"), None),
            (json!(1), None),
            (json!("1"), None),
            (json!(""), None),
            (json!("yes and no"), None),
            (json!([true]), None),
            (json!(null), None),
        ] {
            assert_eq!(read(&value), expected, "{value}");
        }
    }
}
