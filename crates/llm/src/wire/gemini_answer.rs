//! Answers of Gemini's `generateContent`, whole and in pieces: each piece has the shape of a whole.

use serde_json::{Value, json};

use super::conversation::{Answer, ToolCall};
use super::format::{BadAnswer, message_of};
use super::gemini::{signature_of, write_call};
use super::reading::arguments;
use super::sse::SseEvent;
use super::usage::{of_gemini, to_gemini};
use crate::reply::Finish;

pub(super) fn write(answer: &Answer, model: &str, id: &str) -> Value {
    let mut parts = Vec::new();
    if !answer.text.is_empty() || answer.tool_calls.is_empty() {
        parts.push(json!({"text": answer.text}));
    }
    parts.extend(answer.tool_calls.iter().map(write_call));
    let candidate = json!({
        "content": {"role": "model", "parts": parts}, "finishReason": finish_word(&answer.finish), "index": 0,
    });
    let mut body = json!({"candidates": [candidate], "modelVersion": model, "responseId": id});
    if let Some(usage) = &answer.usage {
        body["usageMetadata"] = to_gemini(usage);
    }
    body
}

fn finish_word(finish: &Finish) -> &str {
    match finish {
        Finish::Complete => "STOP",
        Finish::Length => "MAX_TOKENS",
        Finish::Refused => "SAFETY",
        Finish::Other(other) => other,
    }
}

fn finish_of(reason: &str) -> Finish {
    match reason {
        "STOP" => Finish::Complete,
        "MAX_TOKENS" => Finish::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "IMAGE_SAFETY" => {
            Finish::Refused
        }
        other => Finish::Other(other.to_owned()),
    }
}

pub(super) fn read(body: &Value) -> Result<Answer, BadAnswer> {
    let mut pieces = Pieces::default();
    pieces.add(body);
    if !pieces.began {
        return Err(BadAnswer("the answer has no candidate".into()));
    }
    Ok(pieces.answer())
}

pub(super) fn write_stream(answer: &Answer, model: &str, id: &str) -> Vec<SseEvent> {
    let whole = write(answer, model, id);
    let mut first = whole.clone();
    if let Some(candidate) = first["candidates"][0].as_object_mut() {
        candidate.remove("finishReason");
    }
    if let Some(fields) = first.as_object_mut() {
        fields.remove("usageMetadata");
    }
    let mut last = whole;
    last["candidates"][0]["content"]["parts"] = json!([{"text": ""}]);
    vec![SseEvent::new("", &first), SseEvent::new("", &last)]
}

/// Puts the pieces of a stream together.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    began: bool,
    text: String,
    calls: Vec<ToolCall>,
    finish: Option<Finish>,
    usage: Value,
}

impl Pieces {
    pub(super) fn push(&mut self, event: &SseEvent) -> Result<(), BadAnswer> {
        let piece: Value = serde_json::from_str(&event.data)
            .map_err(|error| BadAnswer(format!("a piece of the stream is no JSON: {error}")))?;
        if let Some(error) = piece.get("error").filter(|error| !error.is_null()) {
            return Err(BadAnswer(format!("the stream ends in an error: {}", message_of(error))));
        }
        self.add(&piece);
        Ok(())
    }

    fn add(&mut self, piece: &Value) {
        if piece["usageMetadata"].is_object() {
            self.usage = piece["usageMetadata"].clone();
        }
        // A prompt that is blocked gets no candidate.
        if piece["promptFeedback"]["blockReason"].is_string() {
            self.began = true;
            self.finish = Some(Finish::Refused);
        }
        let Some(candidate) = piece["candidates"].get(0) else { return };
        self.began = true;
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            let call = &part["functionCall"];
            if call.is_object() {
                let name = call["name"].as_str().unwrap_or_default();
                let id = call["id"].as_str().unwrap_or(name).to_owned();
                let arguments = arguments(&call["args"]);
                let signature = signature_of(part);
                self.calls.push(ToolCall { id, name: name.to_owned(), arguments, signature });
            } else if part["thought"] != true {
                self.text.push_str(part["text"].as_str().unwrap_or_default());
            }
        }
        if let Some(reason) = candidate["finishReason"].as_str() {
            self.finish = Some(finish_of(reason));
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.finish.is_some()
    }

    pub(super) fn answer(&self) -> Answer {
        Answer {
            text: self.text.clone(),
            tool_calls: self.calls.clone(),
            finish: self.finish.clone().unwrap_or(Finish::Complete),
            usage: of_gemini(&self.usage),
        }
    }
}
