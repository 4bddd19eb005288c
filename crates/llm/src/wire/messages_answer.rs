//! Answers of Anthropic's messages API, whole and in pieces.

use serde_json::{Value, json};
use umpire_model::Usage;

use super::conversation::{Answer, ToolCall};
use super::delta::{Delta, Teller};
use super::format::{BadAnswer, message_of};
use super::reading::{arguments, spoken};
use super::sse::SseEvent;
use super::usage::{of_messages, to_messages};
use crate::reply::Finish;

pub(super) fn write(answer: &Answer, model: &str, id: &str) -> Value {
    let mut content = Vec::new();
    if !answer.text.is_empty() {
        content.push(json!({"type": "text", "text": answer.text}));
    }
    content.extend(answer.tool_calls.iter().map(write_call));
    json!({
        "id": id, "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": finish_word(answer), "stop_sequence": null,
        // The format always counts; its clients do not start without.
        "usage": to_messages(&answer.usage.unwrap_or_default()),
    })
}

fn write_call(call: &ToolCall) -> Value {
    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments})
}

fn finish_word(answer: &Answer) -> &str {
    match &answer.finish {
        Finish::Complete if !answer.tool_calls.is_empty() => "tool_use",
        Finish::Complete => "end_turn",
        Finish::Length => "max_tokens",
        Finish::Refused => "refusal",
        Finish::Other(other) => other,
    }
}

fn finish_of(reason: &str) -> Finish {
    match reason {
        "end_turn" | "stop_sequence" | "tool_use" => Finish::Complete,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Refused,
        other => Finish::Other(other.to_owned()),
    }
}

pub(super) fn read(body: &Value) -> Result<Answer, BadAnswer> {
    let content = body["content"].as_array().ok_or_else(|| BadAnswer("the answer has no content".into()))?;
    let mut answer = Answer {
        finish: finish_of(body["stop_reason"].as_str().unwrap_or("end_turn")),
        usage: of_messages(&body["usage"]),
        ..Answer::text("")
    };
    for block in content {
        match block["type"].as_str() {
            Some("text") => answer.text.push_str(block["text"].as_str().unwrap_or_default()),
            Some("tool_use") => answer.tool_calls.push(call_of(block)),
            // Thoughts, and tools the provider runs itself.
            _ => {}
        }
    }
    Ok(answer)
}

fn call_of(block: &Value) -> ToolCall {
    ToolCall {
        id: block["id"].as_str().unwrap_or_default().to_owned(),
        name: block["name"].as_str().unwrap_or_default().to_owned(),
        arguments: arguments(&block["input"]),
        signature: None,
    }
}

/// Tells an answer piece by piece: blocks, one after the other.
pub(super) struct Telling {
    model: String,
    id: String,
    blocks: usize,
    open: Option<Block>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Text,
    Call,
}

impl Telling {
    pub(super) fn new(model: &str, id: &str) -> Self {
        Self { model: model.to_owned(), id: id.to_owned(), blocks: 0, open: None }
    }

    fn start(&mut self, block: Block, content: &Value, events: &mut Vec<Value>) {
        self.stop(events);
        self.open = Some(block);
        events.push(json!({"type": "content_block_start", "index": self.blocks, "content_block": content}));
    }

    fn stop(&mut self, events: &mut Vec<Value>) {
        if self.open.take().is_some() {
            events.push(json!({"type": "content_block_stop", "index": self.blocks}));
            self.blocks += 1;
        }
    }

    fn delta(&self, delta: &Value) -> Value {
        json!({"type": "content_block_delta", "index": self.blocks, "delta": delta})
    }
}

impl Teller for Telling {
    fn begin(&mut self, usage: Option<Usage>) -> Vec<Value> {
        let mut message = write(&Answer { usage, ..Answer::text("") }, &self.model, &self.id);
        message["stop_reason"] = Value::Null;
        message["usage"]["output_tokens"] = json!(0);
        vec![json!({"type": "message_start", "message": message})]
    }

    fn tell(&mut self, delta: &Delta) -> Vec<Value> {
        let mut events = Vec::new();
        match delta {
            Delta::Text(text) | Delta::Refusal(text) => {
                if self.open != Some(Block::Text) {
                    self.start(Block::Text, &json!({"type": "text", "text": ""}), &mut events);
                }
                events.push(self.delta(&json!({"type": "text_delta", "text": text})));
            }
            Delta::Call { id, name, .. } => {
                let call = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
                self.start(Block::Call, &call, &mut events);
            }
            Delta::Arguments { text, .. } => {
                events.push(self.delta(&json!({"type": "input_json_delta", "partial_json": text})));
            }
        }
        events
    }

    fn end(&mut self, answer: &Answer) -> Vec<Value> {
        let mut events = Vec::new();
        self.stop(&mut events);
        let ending = json!({"stop_reason": finish_word(answer), "stop_sequence": null});
        // The format always counts; its clients do not end without.
        let usage = to_messages(&answer.usage.unwrap_or_default());
        events.extend([
            json!({"type": "message_delta", "delta": ending, "usage": usage}),
            json!({"type": "message_stop"}),
        ]);
        events
    }
}

/// Puts the pieces of a stream together.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    text: String,
    calls: Vec<(ToolCall, String)>,
    finish: Option<Finish>,
    usage: Value,
    stopped: bool,
}

impl Pieces {
    pub(super) fn push(&mut self, event: &SseEvent) -> Result<Vec<Delta>, BadAnswer> {
        let mut deltas = Vec::new();
        let event: Value = serde_json::from_str(&event.data)
            .map_err(|error| BadAnswer(format!("a piece of the stream is no JSON: {error}")))?;
        match event["type"].as_str() {
            Some("message_start") => self.usage = event["message"]["usage"].clone(),
            Some("content_block_start") => {
                let block = &event["content_block"];
                self.push_text(&block["text"], &mut deltas);
                if block["type"] == "tool_use" {
                    let call = call_of(block);
                    deltas.push(Delta::call(&call));
                    self.calls.push((call, String::new()));
                }
            }
            Some("content_block_delta") => {
                let delta = &event["delta"];
                self.push_text(&delta["text"], &mut deltas);
                // Blocks come one after the other, so a piece belongs to the last.
                let last = self.calls.len().checked_sub(1);
                if let (Some(call), Some(text)) = (last, spoken(&delta["partial_json"])) {
                    self.calls[call].1.push_str(text);
                    deltas.push(Delta::Arguments { call, text: text.to_owned() });
                }
            }
            Some("message_delta") => {
                if let Some(reason) = event["delta"]["stop_reason"].as_str() {
                    self.finish = Some(finish_of(reason));
                }
                // The counts here replace the first ones, as far as they are given.
                for (field, count) in event["usage"].as_object().into_iter().flatten() {
                    if !count.is_null() && (self.usage.is_object() || self.usage.is_null()) {
                        self.usage[field.as_str()] = count.clone();
                    }
                }
            }
            Some("message_stop") => self.stopped = true,
            Some("error") => {
                return Err(BadAnswer(format!(
                    "the stream ends in an error: {}",
                    message_of(&event["error"])
                )));
            }
            _ => {}
        }
        Ok(deltas)
    }

    fn push_text(&mut self, text: &Value, deltas: &mut Vec<Delta>) {
        if let Some(text) = spoken(text) {
            self.text.push_str(text);
            deltas.push(Delta::Text(text.to_owned()));
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.stopped || self.finish.is_some()
    }

    pub(super) fn answer(&self) -> Answer {
        let calls = self.calls.iter().map(|(call, text)| {
            let is_given = !text.is_empty();
            let arguments = if is_given { arguments(&json!(text)) } else { call.arguments.clone() };
            ToolCall { arguments, ..call.clone() }
        });
        Answer {
            text: self.text.clone(),
            tool_calls: calls.collect(),
            finish: self.finish.clone().unwrap_or(Finish::Complete),
            usage: of_messages(&self.usage),
        }
    }
}
