//! What a request has its provider read without holding it. It costs like the rest, and how much is not known before.

use serde_json::Value;

/// Where the conversation is, in one format or another.
const CONVERSATIONS: [&str; 5] = ["messages", "input", "contents", "systemInstruction", "system_instruction"];
/// Names of conversations, prompts and caches that the provider keeps.
const KEPT_THERE: [&str; 5] =
    ["previous_response_id", "conversation", "prompt", "cachedContent", "cached_content"];
/// A file by its address or by the name the provider has for it.
const FILES: [&str; 4] = ["file_id", "file_url", "fileUri", "file_uri"];
/// Arguments and results of tools, which may look like anything.
const OPAQUE: [&str; 4] = ["input", "arguments", "args", "response"];

/// The first thing of this kind in a request.
pub(super) fn unseen_input(body: &Value) -> Option<&'static str> {
    let kept = KEPT_THERE.into_iter().find(|name| !body[*name].is_null());
    kept.or_else(|| CONVERSATIONS.into_iter().find_map(|name| pointer_in(&body[name])))
}

fn pointer_in(value: &Value) -> Option<&'static str> {
    let fields = match value {
        Value::Array(items) => return items.iter().find_map(pointer_in),
        Value::Object(fields) => fields,
        _ => return None,
    };
    let image = fields.get("image_url").map(|image| image.get("url").unwrap_or(image));
    if image.and_then(Value::as_str).is_some_and(|url| !url.starts_with("data:")) {
        return Some("image_url");
    }
    let is_elsewhere = |source: &Value| matches!(source["type"].as_str(), Some("url" | "file"));
    if fields.get("source").is_some_and(is_elsewhere) {
        return Some("source");
    }
    if let Some(file) = FILES.into_iter().find(|name| fields.get(*name).is_some_and(Value::is_string)) {
        return Some(file);
    }
    if fields.get("type").is_some_and(|kind| kind == "item_reference") {
        return Some("item_reference");
    }
    let mut inner = fields.iter().filter(|(name, _)| !OPAQUE.contains(&name.as_str()));
    inner.find_map(|(_, value)| pointer_in(value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_request_only_points_to_is_found_in_every_format() {
        let message = |part: Value| json!([{"role": "user", "content": [part]}]);
        let chat = |part: Value| json!({"messages": message(part)});
        let responses = |part: Value| json!({"input": message(part)});
        let gemini = |part: Value| json!({"contents": [{"parts": [part]}]});
        let address = "https://example.org/a.png";
        for (body, expected) in [
            (chat(json!({"type": "image_url", "image_url": {"url": address}})), Some("image_url")),
            (chat(json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}})), None),
            (chat(json!({"type": "file", "file": {"file_id": "f-1"}})), Some("file_id")),
            (chat(json!({"type": "file", "file": {"file_data": "AA"}})), None),
            (responses(json!({"type": "input_image", "image_url": address})), Some("image_url")),
            (responses(json!({"type": "input_file", "file_url": address})), Some("file_url")),
            (json!({"input": [{"type": "item_reference", "id": "i"}]}), Some("item_reference")),
            (json!({"input": "a", "previous_response_id": "r"}), Some("previous_response_id")),
            (json!({"input": "a", "previous_response_id": null}), None),
            (chat(json!({"type": "image", "source": {"type": "url", "url": address}})), Some("source")),
            (chat(json!({"type": "image", "source": {"type": "base64", "data": "AA"}})), None),
            (
                chat(
                    json!({"type": "tool_result", "content": [{"source": {"type": "file", "file_id": "f"}}]}),
                ),
                Some("source"),
            ),
            (chat(json!({"type": "tool_use", "input": {"file_id": "made up", "image_url": address}})), None),
            (chat(json!({"type": "text", "text": address})), None),
            (gemini(json!({"fileData": {"fileUri": address}})), Some("fileUri")),
            (gemini(json!({"functionCall": {"args": {"file_id": "made up"}}})), None),
            (json!({"contents": [], "cachedContent": "cachedContents/1"}), Some("cachedContent")),
            (json!([]), None),
        ] {
            assert_eq!(unseen_input(&body), expected, "{body}");
        }
    }
}
