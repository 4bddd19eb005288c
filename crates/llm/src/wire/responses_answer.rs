//! Answers of OpenAI's responses API, whole and in pieces.

use serde_json::{Value, json};

use super::conversation::{Answer, ToolCall};
use super::format::{BadAnswer, message_of};
use super::reading::{arguments, arguments_as_text};
use super::sse::SseEvent;
use super::usage::{of_responses, to_responses};
use crate::reply::Finish;

pub(super) fn write(answer: &Answer, model: &str, id: &str) -> Value {
    let (status, why) = match &answer.finish {
        Finish::Complete | Finish::Refused => ("completed", None),
        Finish::Length => ("incomplete", Some("max_output_tokens")),
        Finish::Other(other) => ("incomplete", Some(other.as_str())),
    };
    let mut output = Vec::new();
    if !answer.text.is_empty() || answer.tool_calls.is_empty() {
        output.push(json!({
            "type": "message", "id": format!("{id}-message"), "status": status, "role": "assistant",
            "content": [spoken(answer)],
        }));
    }
    output.extend(answer.tool_calls.iter().enumerate().map(|(index, call)| {
        json!({
            "type": "function_call", "id": format!("{id}-call-{index}"), "status": "completed", "call_id": call.id,
            "name": call.name, "arguments": arguments_as_text(&call.arguments),
        })
    }));
    json!({
        "id": id, "object": "response", "created_at": 0, "status": status, "model": model, "output": output,
        "error": null, "incomplete_details": why.map(|reason| json!({"reason": reason})), "instructions": null,
        "metadata": {}, "parallel_tool_calls": true, "temperature": null, "top_p": null, "tool_choice": "auto",
        "tools": [], "usage": answer.usage.as_ref().map(to_responses),
    })
}

fn spoken(answer: &Answer) -> Value {
    if answer.finish == Finish::Refused {
        json!({"type": "refusal", "refusal": answer.text})
    } else {
        json!({"type": "output_text", "text": answer.text, "annotations": [], "logprobs": []})
    }
}

pub(super) fn read(body: &Value) -> Result<Answer, BadAnswer> {
    let output = body["output"].as_array().ok_or_else(|| BadAnswer("the answer has no output".into()))?;
    let mut answer = Answer { usage: of_responses(&body["usage"]), ..Answer::text("") };
    for item in output {
        match item["type"].as_str() {
            Some("message") => {
                for part in item["content"].as_array().into_iter().flatten() {
                    answer.text.push_str(part["text"].as_str().unwrap_or_default());
                    if let Some(refusal) = part["refusal"].as_str() {
                        answer.text.push_str(refusal);
                        answer.finish = Finish::Refused;
                    }
                }
            }
            Some("function_call") => answer.tool_calls.push(ToolCall {
                id: item["call_id"].as_str().unwrap_or_default().to_owned(),
                name: item["name"].as_str().unwrap_or_default().to_owned(),
                arguments: arguments(&item["arguments"]),
                signature: None,
            }),
            // Reasoning, and tools the provider runs itself.
            _ => {}
        }
    }
    match body["status"].as_str() {
        Some("failed") => return Err(BadAnswer(format!("it failed: {}", message_of(&body["error"])))),
        Some("incomplete") => {
            answer.finish = match body["incomplete_details"]["reason"].as_str() {
                Some("max_output_tokens") | None => Finish::Length,
                Some("content_filter") => Finish::Refused,
                Some(other) => Finish::Other(other.to_owned()),
            }
        }
        _ => {}
    }
    Ok(answer)
}

pub(super) fn write_stream(answer: &Answer, model: &str, id: &str) -> Vec<SseEvent> {
    let whole = write(answer, model, id);
    let mut beginning = whole.clone();
    beginning["status"] = json!("in_progress");
    beginning["output"] = json!([]);
    beginning["usage"] = Value::Null;
    let mut events = vec![
        json!({"type": "response.created", "response": beginning}),
        json!({"type": "response.in_progress", "response": beginning}),
    ];
    for (index, item) in whole["output"].as_array().into_iter().flatten().enumerate() {
        write_item(index, item, &mut events);
    }
    let last = match answer.finish {
        Finish::Complete | Finish::Refused => "response.completed",
        Finish::Length | Finish::Other(_) => "response.incomplete",
    };
    events.push(json!({"type": last, "response": whole}));
    let numbered = events.into_iter().enumerate().map(|(number, mut event)| {
        event["sequence_number"] = json!(number);
        SseEvent::new(event["type"].as_str().unwrap_or_default(), &event)
    });
    numbered.collect()
}

fn write_item(index: usize, item: &Value, events: &mut Vec<Value>) {
    let mut begun = item.clone();
    begun["status"] = json!("in_progress");
    let place = json!({"item_id": item["id"], "output_index": index});
    let event = |kind: &str, more: Value| {
        let mut event = place.clone();
        event["type"] = json!(kind);
        for (field, value) in more.as_object().into_iter().flatten() {
            event[field] = value.clone();
        }
        event
    };
    let item_event = |kind: &str, item: &Value| json!({"type": kind, "output_index": index, "item": item});
    if item["type"] == "function_call" {
        begun["arguments"] = json!("");
        events.extend([
            item_event("response.output_item.added", &begun),
            event("response.function_call_arguments.delta", json!({"delta": item["arguments"]})),
            event(
                "response.function_call_arguments.done",
                json!({"arguments": item["arguments"], "name": item["name"]}),
            ),
        ]);
    } else {
        begun["content"] = json!([]);
        let part = &item["content"][0];
        let (kind, field) =
            if part["type"] == "refusal" { ("refusal", "refusal") } else { ("output_text", "text") };
        let mut empty = part.clone();
        empty[field] = json!("");
        events.extend([
            item_event("response.output_item.added", &begun),
            event("response.content_part.added", json!({"content_index": 0, "part": empty})),
            event(
                &format!("response.{kind}.delta"),
                json!({"content_index": 0, "delta": part[field], "logprobs": []}),
            ),
            event(
                &format!("response.{kind}.done"),
                json!({"content_index": 0, field: part[field], "logprobs": []}),
            ),
            event("response.content_part.done", json!({"content_index": 0, "part": part})),
        ]);
    }
    events.push(item_event("response.output_item.done", item));
}

/// The last event holds the whole response; what comes before is for impatient eyes.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    whole: Option<Answer>,
}

impl Pieces {
    pub(super) fn push(&mut self, event: &SseEvent) -> Result<(), BadAnswer> {
        if event.data.trim() == "[DONE]" {
            return Ok(());
        }
        let event: Value = serde_json::from_str(&event.data)
            .map_err(|error| BadAnswer(format!("a piece of the stream is no JSON: {error}")))?;
        match event["type"].as_str() {
            Some("response.completed" | "response.incomplete") => {
                self.whole = Some(read(&event["response"])?);
                Ok(())
            }
            Some("response.failed") => {
                Err(BadAnswer(format!("it failed: {}", message_of(&event["response"]["error"]))))
            }
            Some("error") => Err(BadAnswer(format!("the stream ends in an error: {}", message_of(&event)))),
            _ => Ok(()),
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.whole.is_some()
    }

    pub(super) fn answer(&self) -> Option<Answer> {
        self.whole.clone()
    }
}
