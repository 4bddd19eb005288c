//! Structured responses for clients that answer in plain words.

use serde_json::{Value, json};
use umpire_model::TaskKind;

/// The response that a plain text means. A text that is, or holds, a structured response stays as it is.
pub(crate) fn from_text(kind: TaskKind, text: &str) -> String {
    if is_structured(text) {
        return text.to_owned();
    }
    let results = match (kind, serde_json::from_str(text.trim())) {
        (TaskKind::Retrieve, Ok(Value::Array(values))) => Value::Array(values),
        (TaskKind::Retrieve, _) => json!([text.trim()]),
        _ => Value::Null,
    };
    structured(kind, "SUCCESS", &results, None)
}

/// The response of a client that says that it cannot be done. What kind of obstacle it met, only a structured response
/// can say; that what was asked for is not there is the usual one.
pub(crate) fn infeasible(kind: TaskKind, reason: &str) -> String {
    if is_structured(reason) {
        return reason.to_owned();
    }
    structured(kind, "NOT_FOUND_ERROR", &Value::Null, Some(reason))
}

pub(crate) fn structured(kind: TaskKind, status: &str, results: &Value, details: Option<&str>) -> String {
    json!({"action": kind, "status": status, "results": results, "error_details": details}).to_string()
}

fn is_structured(text: &str) -> bool {
    let has = |word: &str| text.contains(&format!("\"{word}\""));
    text.contains('{') && has("status") && ["action", "task_type", "performed_operation"].into_iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_become_a_response_and_a_response_stays_one() {
        let whole = r#"{"action": "retrieve", "status": "SUCCESS", "results": [1], "error_details": null}"#;
        let fenced = format!("Here it is:\n```json\n{whole}\n```");
        let success = |kind: &str, results: Value| {
            json!({"action": kind, "status": "SUCCESS", "results": results, "error_details": null})
                .to_string()
        };
        for (kind, text, expected) in [
            (TaskKind::Retrieve, " 24.99 ", success("retrieve", json!(["24.99"]))),
            (TaskKind::Retrieve, "[\"a\", 2]", success("retrieve", json!(["a", 2]))),
            (
                TaskKind::Retrieve,
                "the \"status\" is fine",
                success("retrieve", json!(["the \"status\" is fine"])),
            ),
            (TaskKind::Mutate, "done", success("mutate", Value::Null)),
            (TaskKind::Retrieve, whole, whole.to_owned()),
            (TaskKind::Retrieve, &fenced, fenced.clone()),
        ] {
            assert_eq!(from_text(kind, text), expected, "{text}");
        }
        let refused: Value =
            serde_json::from_str(&infeasible(TaskKind::Navigate, "no such page")).expect("JSON");
        assert_eq!(
            (&refused["status"], &refused["error_details"]),
            (&json!("NOT_FOUND_ERROR"), &json!("no such page"))
        );
    }
}
