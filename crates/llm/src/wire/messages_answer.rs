//! Answers of Anthropic's messages API, whole and in pieces.

use serde_json::{Value, json};

use super::conversation::{Answer, ToolCall};
use super::format::{BadAnswer, message_of};
use super::reading::{arguments, arguments_as_text};
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

pub(super) fn write_stream(answer: &Answer, model: &str, id: &str) -> Vec<SseEvent> {
    let whole = write(answer, model, id);
    let mut beginning = whole.clone();
    beginning["content"] = json!([]);
    beginning["stop_reason"] = Value::Null;
    beginning["usage"]["output_tokens"] = json!(0);
    let mut events = vec![json!({"type": "message_start", "message": beginning})];
    for (index, block) in whole["content"].as_array().into_iter().flatten().enumerate() {
        let (begun, delta) = if block["type"] == "tool_use" {
            let mut begun = block.clone();
            begun["input"] = json!({});
            (begun, json!({"type": "input_json_delta", "partial_json": arguments_as_text(&block["input"])}))
        } else {
            (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": block["text"]}))
        };
        events.extend([
            json!({"type": "content_block_start", "index": index, "content_block": begun}),
            json!({"type": "content_block_delta", "index": index, "delta": delta}),
            json!({"type": "content_block_stop", "index": index}),
        ]);
    }
    let ending = json!({"stop_reason": whole["stop_reason"], "stop_sequence": null});
    events.extend([
        json!({"type": "message_delta", "delta": ending, "usage": whole["usage"]}),
        json!({"type": "message_stop"}),
    ]);
    let named = events.iter().map(|event| SseEvent::new(event["type"].as_str().unwrap_or_default(), event));
    named.collect()
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
    pub(super) fn push(&mut self, event: &SseEvent) -> Result<(), BadAnswer> {
        let event: Value = serde_json::from_str(&event.data)
            .map_err(|error| BadAnswer(format!("a piece of the stream is no JSON: {error}")))?;
        match event["type"].as_str() {
            Some("message_start") => self.usage = event["message"]["usage"].clone(),
            Some("content_block_start") => {
                let block = &event["content_block"];
                self.text.push_str(block["text"].as_str().unwrap_or_default());
                if block["type"] == "tool_use" {
                    self.calls.push((call_of(block), String::new()));
                }
            }
            Some("content_block_delta") => {
                let delta = &event["delta"];
                self.text.push_str(delta["text"].as_str().unwrap_or_default());
                // Blocks come one after the other, so a piece belongs to the last.
                if let Some((_, arguments)) = self.calls.last_mut() {
                    arguments.push_str(delta["partial_json"].as_str().unwrap_or_default());
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
        Ok(())
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
