//! JSON-RPC 2.0, as far as MCP uses it: requests in, responses out, notifications taken note of.

use serde_json::{Value, json};

pub(super) const PARSE_ERROR: i64 = -32700;
pub(super) const INVALID_REQUEST: i64 = -32600;
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
pub(super) const INVALID_PARAMS: i64 = -32602;

/// A message of the client's that is well-formed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    /// A notification, or a response to something we never asked.
    NothingToAnswer,
}

/// Reads a message; `Err` is the answer to one that is none.
pub(super) fn read(bytes: &[u8]) -> Result<Incoming, Value> {
    let message: Value = serde_json::from_slice(bytes)
        .map_err(|error| failure(&Value::Null, PARSE_ERROR, &format!("the message is not JSON: {error}")))?;
    let id = message.get("id").cloned().unwrap_or(Value::Null);
    let invalid = |reason: &str| Err(failure(&id, INVALID_REQUEST, reason));
    if message.is_array() {
        return invalid("messages come one by one");
    }
    if message.get("jsonrpc") != Some(&json!("2.0")) {
        return invalid("it is no message of JSON-RPC 2.0");
    }
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        let is_response = message.get("result").is_some() || message.get("error").is_some();
        return if is_response { Ok(Incoming::NothingToAnswer) } else { invalid("`method` is missing") };
    };
    match &id {
        Value::Null => Ok(Incoming::NothingToAnswer),
        Value::String(_) | Value::Number(_) => Ok(Incoming::Request {
            method: method.to_owned(),
            params: message.get("params").cloned().unwrap_or_else(|| json!({})),
            id,
        }),
        _ => invalid("`id` is a text or a number"),
    }
}

pub(super) fn success(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

pub(super) fn failure(id: &Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_from_what_is_none() {
        for (text, code) in [
            ("", PARSE_ERROR),
            ("{", PARSE_ERROR),
            ("[]", INVALID_REQUEST),
            ("{}", INVALID_REQUEST),
            (r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"x"}"#, INVALID_REQUEST),
        ] {
            let refused = read(text.as_bytes()).expect_err(text);
            assert_eq!(refused["error"]["code"], code, "{text}");
        }
        for text in [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":4,"result":{}}"#,
        ] {
            assert_eq!(read(text.as_bytes()), Ok(Incoming::NothingToAnswer), "{text}");
        }
        let asked = read(br#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#);
        assert_eq!(
            asked,
            Ok(Incoming::Request { id: json!("a"), method: "ping".to_owned(), params: json!({}) })
        );
    }
}
