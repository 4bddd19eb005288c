//! No value: JSON null, or the words people write where there is none. Zero, `false` and empty lists are values.

use serde_json::Value;

use super::folding::{caseless, plain};

pub(super) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) if text.len() <= 40 => {
            let text = caseless(&plain(text)).replace(' ', "");
            matches!(text.as_str(), "" | "n/a" | "na" | "null" | "none" | "nil" | "-")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_for_nothing() {
        for value in
            [json!(null), json!(""), json!(" "), json!("N / A"), json!("None"), json!("null"), json!("—")]
        {
            assert!(is_nothing(&value), "{value}");
        }
        for value in [
            json!(0),
            json!(false),
            json!([]),
            json!({}),
            json!("nan"),
            json!("nothing found"),
            json!("^.*$"),
            json!([null]),
        ] {
            assert!(!is_nothing(&value), "{value}");
        }
    }
}
