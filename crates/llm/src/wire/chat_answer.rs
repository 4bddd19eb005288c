//! Answers of OpenAI's chat completions, whole and in pieces.

use serde_json::{Value, json};
use umpire_model::Usage;

use super::chat::write_call;
use super::conversation::{Answer, ToolCall};
use super::delta::{Delta, Teller};
use super::format::BadAnswer;
use super::reading::{arguments, spoken};
use super::sse::SseEvent;
use super::usage::{of_chat, to_chat};
use crate::reply::Finish;

const DONE: &str = "[DONE]";

pub(super) fn write(answer: &Answer, model: &str, id: &str) -> Value {
    let mut message = json!({"role": "assistant", "content": answer.text, "refusal": null});
    if answer.finish == Finish::Refused {
        message = json!({"role": "assistant", "content": null, "refusal": answer.text});
    }
    if !answer.tool_calls.is_empty() {
        message["tool_calls"] = answer.tool_calls.iter().map(write_call).collect();
    }
    let choice =
        json!({"index": 0, "message": message, "logprobs": null, "finish_reason": finish_word(answer)});
    let mut body =
        json!({"id": id, "object": "chat.completion", "created": 0, "model": model, "choices": [choice]});
    if let Some(usage) = &answer.usage {
        body["usage"] = to_chat(usage);
    }
    body
}

fn finish_word(answer: &Answer) -> &str {
    match &answer.finish {
        Finish::Complete if !answer.tool_calls.is_empty() => "tool_calls",
        // A refusal by the model itself ends like any reply and is told by its field.
        Finish::Complete | Finish::Refused => "stop",
        Finish::Length => "length",
        Finish::Other(other) => other,
    }
}

fn finish_of(reason: &str) -> Finish {
    match reason {
        "stop" | "tool_calls" | "function_call" | "eos" | "end_turn" => Finish::Complete,
        "length" => Finish::Length,
        "content_filter" | "refusal" => Finish::Refused,
        other => Finish::Other(other.to_owned()),
    }
}

pub(super) fn read(body: &Value) -> Result<Answer, BadAnswer> {
    let choice = body["choices"].get(0).ok_or_else(|| BadAnswer("the answer has no choice".into()))?;
    let message = &choice["message"];
    if !message.is_object() {
        return Err(BadAnswer("the answer has no message".into()));
    }
    let calls = message["tool_calls"].as_array().map_or(&[][..], Vec::as_slice);
    let mut answer = Answer {
        text: text_of(&message["content"]),
        tool_calls: calls.iter().map(call_of).collect(),
        finish: finish_of(choice["finish_reason"].as_str().unwrap_or("stop")),
        usage: of_chat(&body["usage"]),
    };
    if let Some(refusal) = message["refusal"].as_str().filter(|refusal| !refusal.is_empty()) {
        refusal.clone_into(&mut answer.text);
        answer.finish = Finish::Refused;
    }
    Ok(answer)
}

/// Embeddings say nothing but cost something; what they are is the client's business.
pub(crate) fn read_embeddings(body: &Value) -> Result<Answer, BadAnswer> {
    if !body["data"].is_array() {
        return Err(BadAnswer("the answer has no embeddings".into()));
    }
    Ok(Answer { usage: of_chat(&body["usage"]), ..Answer::text("") })
}

fn call_of(call: &Value) -> ToolCall {
    ToolCall {
        id: call["id"].as_str().unwrap_or_default().to_owned(),
        name: call["function"]["name"].as_str().unwrap_or_default().to_owned(),
        arguments: arguments(&call["function"]["arguments"]),
        signature: None,
    }
}

/// Some servers answer in parts, as requests may be.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// Tells an answer piece by piece.
pub(super) struct Telling {
    model: String,
    id: String,
    calls: usize,
    refused: bool,
}

impl Telling {
    pub(super) fn new(model: &str, id: &str) -> Self {
        Self { model: model.to_owned(), id: id.to_owned(), calls: 0, refused: false }
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> Value {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": 0, "model": self.model, "choices": [choice],
        })
    }
}

impl Teller for Telling {
    fn begin(&mut self, _: Option<Usage>) -> Vec<Value> {
        vec![self.chunk(&json!({"role": "assistant", "content": ""}), None)]
    }

    fn tell(&mut self, delta: &Delta) -> Vec<Value> {
        let delta = match delta {
            Delta::Text(text) => json!({"content": text}),
            Delta::Refusal(text) => {
                self.refused = true;
                json!({"refusal": text})
            }
            Delta::Call { id, name, .. } => {
                self.calls += 1;
                let function = json!({"name": name, "arguments": ""});
                let call =
                    json!({"index": self.calls - 1, "id": id, "type": "function", "function": function});
                json!({"tool_calls": [call]})
            }
            Delta::Arguments { call, text } => {
                json!({"tool_calls": [{"index": call, "function": {"arguments": text}}]})
            }
        };
        vec![self.chunk(&delta, None)]
    }

    fn end(&mut self, answer: &Answer) -> Vec<Value> {
        // What was told as ordinary text can be called a refusal only here.
        let is_late = answer.finish == Finish::Refused && !self.refused;
        let word = if is_late { "content_filter" } else { finish_word(answer) };
        let mut chunks = vec![self.chunk(&json!({}), Some(word))];
        if let Some(usage) = &answer.usage {
            let mut last = self.chunk(&json!({}), None);
            last["choices"] = json!([]);
            last["usage"] = to_chat(usage);
            chunks.push(last);
        }
        chunks
    }

    fn event(&mut self, value: Value) -> SseEvent {
        SseEvent::new("", &value)
    }

    fn mark(&self) -> Option<SseEvent> {
        Some(SseEvent::new("", DONE))
    }
}

/// Puts the pieces of a stream together.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    text: String,
    refusal: String,
    calls: Vec<(ToolCall, String)>,
    finish: Option<Finish>,
    usage: Value,
    done: bool,
}

impl Pieces {
    pub(super) fn push(&mut self, event: &SseEvent) -> Result<Vec<Delta>, BadAnswer> {
        if event.data.trim() == DONE {
            self.done = true;
            return Ok(Vec::new());
        }
        let chunk: Value = serde_json::from_str(&event.data)
            .map_err(|error| BadAnswer(format!("a piece of the stream is no JSON: {error}")))?;
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(BadAnswer(format!(
                "the stream ends in an error: {}",
                super::format::message_of(error)
            )));
        }
        if chunk["usage"].is_object() {
            self.usage = chunk["usage"].clone();
        }
        let choice = &chunk["choices"][0];
        let delta = &choice["delta"];
        let mut deltas = Vec::new();
        if let Some(text) = spoken(&delta["content"]) {
            self.text.push_str(text);
            deltas.push(Delta::Text(text.to_owned()));
        }
        if let Some(text) = spoken(&delta["refusal"]) {
            self.refusal.push_str(text);
            deltas.push(Delta::Refusal(text.to_owned()));
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.push_call(call, &mut deltas);
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            self.finish = Some(finish_of(reason));
        }
        Ok(deltas)
    }

    /// The first piece of a call has its id and name, the others more of its arguments.
    fn push_call(&mut self, call: &Value, deltas: &mut Vec<Delta>) {
        let index = call["index"].as_u64().map_or(self.calls.len(), |index| index as usize);
        if index >= self.calls.len() {
            let begun = call_of(call);
            deltas.push(Delta::call(&begun));
            self.calls.push((begun, String::new()));
        }
        let index = index.min(self.calls.len() - 1);
        if let Some(text) = spoken(&call["function"]["arguments"]) {
            self.calls[index].1.push_str(text);
            deltas.push(Delta::Arguments { call: index, text: text.to_owned() });
        }
    }

    /// Ended properly: with its mark, or, as some servers do, after giving a reason.
    pub(super) fn is_complete(&self) -> bool {
        self.done || self.finish.is_some()
    }

    pub(super) fn answer(&self) -> Answer {
        let calls = self.calls.iter().map(|(call, text)| ToolCall {
            arguments: arguments(&Value::String(text.clone())),
            ..call.clone()
        });
        let refused = !self.refusal.is_empty();
        Answer {
            text: if refused { self.refusal.clone() } else { self.text.clone() },
            tool_calls: calls.collect(),
            finish: if refused { Finish::Refused } else { self.finish.clone().unwrap_or(Finish::Complete) },
            usage: of_chat(&self.usage),
        }
    }
}
