//! What pages say on their console, as text.

use super::protocol::{ConsoleApiCalled, ExceptionThrown, LogEntryAdded, RemoteObject};

/// Longest line that is kept.
const LINE: usize = 2000;

/// Level and text of a console call.
pub(super) fn of_call(event: &ConsoleApiCalled) -> (String, String) {
    let level = match event.r#type.as_str() {
        "error" | "assert" => "error",
        "warning" => "warning",
        "debug" => "debug",
        _ => "info",
    };
    let words: Vec<String> = event.args.iter().map(spoken).collect();
    (level.to_owned(), cut(&words.join(" ")))
}

pub(super) fn of_exception(event: &ExceptionThrown) -> (String, String) {
    let details = &event.exception_details;
    let thrown = details.exception.as_ref().map(spoken).unwrap_or_default();
    ("error".to_owned(), cut(format!("{} {thrown}", details.text).trim()))
}

pub(super) fn of_log(event: &LogEntryAdded) -> (String, String) {
    let entry = &event.entry;
    let place = entry.url.as_deref().map(|url| format!(" ({url})")).unwrap_or_default();
    (entry.level.clone(), cut(&format!("{}{place}", entry.text)))
}

fn spoken(object: &RemoteObject) -> String {
    let value =
        object.value.as_ref().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    value
        .or_else(|| object.unserializable_value.clone())
        .or_else(|| object.description.clone())
        .unwrap_or_else(|| object.r#type.clone())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LINE) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_joined_as_a_person_would_read_them() {
        let call = |value| of_call(&serde_json::from_value(value).expect("well-formed"));
        let said = call(json!({"type": "log", "args": [
            {"type": "string", "value": "total"}, {"type": "number", "value": 3},
            {"type": "number", "unserializableValue": "NaN"}, {"type": "object", "description": "Array(2)"},
            {"type": "undefined"},
        ]}));
        assert_eq!(said, ("info".to_owned(), "total 3 NaN Array(2) undefined".to_owned()));
        let long =
            call(json!({"type": "error", "args": [{"type": "string", "value": "é".repeat(LINE + 5)}]}));
        assert_eq!((long.0.as_str(), long.1.chars().count()), ("error", LINE + 1));
    }
}
