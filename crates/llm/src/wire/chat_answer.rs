//! Answers of OpenAI's chat completions, whole and in pieces.

use serde_json::{Value, json};

use super::chat::write_call;
use super::conversation::{Answer, ToolCall};
use super::format::BadAnswer;
use super::reading::arguments;
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

pub(super) fn write_stream(answer: &Answer, model: &str, id: &str) -> Vec<SseEvent> {
    let chunk = |delta: Value, finish: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        json!({"id": id, "object": "chat.completion.chunk", "created": 0, "model": model, "choices": [choice]})
    };
    let said = if answer.finish == Finish::Refused { "refusal" } else { "content" };
    let mut chunks = vec![chunk(json!({"role": "assistant", "content": ""}), None)];
    if !answer.text.is_empty() {
        chunks.push(chunk(json!({said: answer.text}), None));
    }
    for (index, call) in answer.tool_calls.iter().enumerate() {
        let mut call = write_call(call);
        call["index"] = json!(index);
        chunks.push(chunk(json!({"tool_calls": [call]}), None));
    }
    chunks.push(chunk(json!({}), Some(finish_word(answer))));
    if let Some(usage) = &answer.usage {
        let mut last = chunk(json!({}), None);
        last["choices"] = json!([]);
        last["usage"] = to_chat(usage);
        chunks.push(last);
    }
    let events = chunks.into_iter().map(|chunk| SseEvent::new("", &chunk));
    events.chain([SseEvent::new("", DONE)]).collect()
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
    pub(super) fn push(&mut self, event: &SseEvent) -> Result<(), BadAnswer> {
        if event.data.trim() == DONE {
            self.done = true;
            return Ok(());
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
        self.text.push_str(choice["delta"]["content"].as_str().unwrap_or_default());
        self.refusal.push_str(choice["delta"]["refusal"].as_str().unwrap_or_default());
        for call in choice["delta"]["tool_calls"].as_array().into_iter().flatten() {
            self.push_call(call);
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            self.finish = Some(finish_of(reason));
        }
        Ok(())
    }

    /// The first piece of a call has its id and name, the others more of its arguments.
    fn push_call(&mut self, call: &Value) {
        let index = call["index"].as_u64().map_or(self.calls.len(), |index| index as usize);
        if index >= self.calls.len() {
            self.calls.push((call_of(call), String::new()));
        }
        let last = self.calls.len() - 1;
        let (_, arguments) = &mut self.calls[index.min(last)];
        arguments.push_str(call["function"]["arguments"].as_str().unwrap_or_default());
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
