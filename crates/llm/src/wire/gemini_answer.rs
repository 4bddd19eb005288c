//! Answers of Gemini's `generateContent`, whole and in pieces: each piece has the shape of a whole.

use serde_json::{Value, json};
use umpire_model::Usage;

use super::conversation::{Answer, ToolCall};
use super::delta::{Delta, Teller};
use super::format::{BadAnswer, message_of};
use super::gemini::{signature_of, write_call};
use super::reading::{arguments, arguments_as_text, spoken};
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

/// Tells an answer piece by piece. The format has no words for half a call: it is told when its arguments are there.
pub(super) struct Telling {
    model: String,
    id: String,
    call: Option<(ToolCall, String)>,
}

impl Telling {
    pub(super) fn new(model: &str, id: &str) -> Self {
        Self { model: model.to_owned(), id: id.to_owned(), call: None }
    }

    fn piece(&self, part: &Value) -> Value {
        let candidate = json!({"content": {"role": "model", "parts": [part]}, "index": 0});
        json!({"candidates": [candidate], "modelVersion": self.model, "responseId": self.id})
    }

    fn finished_call(&mut self) -> Option<Value> {
        let (call, text) = self.call.take()?;
        let call = ToolCall { arguments: arguments(&Value::String(text)), ..call };
        Some(self.piece(&write_call(&call)))
    }
}

impl Teller for Telling {
    fn begin(&mut self, _: Option<Usage>) -> Vec<Value> {
        Vec::new()
    }

    fn tell(&mut self, delta: &Delta) -> Vec<Value> {
        match delta {
            Delta::Text(text) | Delta::Refusal(text) => {
                let call = self.finished_call();
                call.into_iter().chain([self.piece(&json!({"text": text}))]).collect()
            }
            Delta::Call { id, name, signature } => {
                let told = self.finished_call();
                let (id, name, signature) = (id.clone(), name.clone(), signature.clone());
                self.call = Some((ToolCall { id, name, arguments: Value::Null, signature }, String::new()));
                told.into_iter().collect()
            }
            Delta::Arguments { text, .. } => {
                if let Some((_, arguments)) = &mut self.call {
                    arguments.push_str(text);
                }
                Vec::new()
            }
        }
    }

    fn end(&mut self, answer: &Answer) -> Vec<Value> {
        let call = self.finished_call();
        let mut last = self.piece(&json!({"text": ""}));
        last["candidates"][0]["finishReason"] = json!(finish_word(&answer.finish));
        if let Some(usage) = &answer.usage {
            last["usageMetadata"] = to_gemini(usage);
        }
        call.into_iter().chain([last]).collect()
    }

    fn event(&mut self, value: Value) -> SseEvent {
        SseEvent::new("", &value)
    }
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
    pub(super) fn push(&mut self, event: &SseEvent) -> Result<Vec<Delta>, BadAnswer> {
        let piece: Value = serde_json::from_str(&event.data)
            .map_err(|error| BadAnswer(format!("a piece of the stream is no JSON: {error}")))?;
        if let Some(error) = piece.get("error").filter(|error| !error.is_null()) {
            return Err(BadAnswer(format!("the stream ends in an error: {}", message_of(error))));
        }
        Ok(self.add(&piece))
    }

    fn add(&mut self, piece: &Value) -> Vec<Delta> {
        let mut deltas = Vec::new();
        if piece["usageMetadata"].is_object() {
            self.usage = piece["usageMetadata"].clone();
        }
        // A prompt that is blocked gets no candidate.
        if piece["promptFeedback"]["blockReason"].is_string() {
            self.began = true;
            self.finish = Some(Finish::Refused);
        }
        let Some(candidate) = piece["candidates"].get(0) else { return deltas };
        self.began = true;
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            let call = &part["functionCall"];
            if call.is_object() {
                let name = call["name"].as_str().unwrap_or_default();
                let id = call["id"].as_str().unwrap_or(name).to_owned();
                let arguments = arguments(&call["args"]);
                let text = arguments_as_text(&arguments);
                let signature = signature_of(part);
                let call = ToolCall { id, name: name.to_owned(), arguments, signature };
                deltas.extend([Delta::call(&call), Delta::Arguments { call: self.calls.len(), text }]);
                self.calls.push(call);
            } else if part["thought"] != true
                && let Some(text) = spoken(&part["text"])
            {
                self.text.push_str(text);
                deltas.push(Delta::Text(text.to_owned()));
            }
        }
        if let Some(reason) = candidate["finishReason"].as_str() {
            self.finish = Some(finish_of(reason));
        }
        deltas
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
