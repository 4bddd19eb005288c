//! Answers of OpenAI's responses API, whole and in pieces.

use serde_json::{Value, json};
use umpire_model::Usage;

use super::conversation::{Answer, ToolCall};
use super::delta::{Delta, Teller};
use super::format::{BadAnswer, message_of};
use super::reading::{arguments, arguments_as_text, spoken};
use super::sse::SseEvent;
use super::usage::{of_responses, to_responses};
use crate::reply::Finish;

pub(super) fn write(answer: &Answer, model: &str, id: &str) -> Value {
    let (status, why) = match &answer.finish {
        Finish::Complete | Finish::Refused => ("completed", None),
        Finish::Length => ("incomplete", Some("max_output_tokens")),
        Finish::Other(other) => ("incomplete", Some(other.as_str())),
    };
    let kind = if answer.finish == Finish::Refused { ItemKind::Refusal } else { ItemKind::Text };
    let mut output = Vec::new();
    if !answer.text.is_empty() || answer.tool_calls.is_empty() {
        output.push(json!({
            "type": "message", "id": format!("{id}-message"), "status": status, "role": "assistant",
            "content": [part(kind, &answer.text)],
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
            Some("function_call") => answer.tool_calls.push(call_of(item)),
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

fn call_of(item: &Value) -> ToolCall {
    ToolCall {
        id: item["call_id"].as_str().unwrap_or_default().to_owned(),
        name: item["name"].as_str().unwrap_or_default().to_owned(),
        arguments: arguments(&item["arguments"]),
        signature: None,
    }
}

/// Tells an answer piece by piece: items, one after the other, each told whole again at its end.
pub(super) struct Telling {
    model: String,
    id: String,
    events: usize,
    /// Items that have ended.
    output: Vec<Value>,
    open: Option<Item>,
}

/// An item under way, as it will be at its end.
struct Item {
    kind: ItemKind,
    value: Value,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemKind {
    Text,
    Refusal,
    Call,
}

impl ItemKind {
    /// What its events are called, and the field that grows.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Text => ("output_text", "text"),
            Self::Refusal => ("refusal", "refusal"),
            Self::Call => ("function_call_arguments", "arguments"),
        }
    }
}

impl Telling {
    pub(super) fn new(model: &str, id: &str) -> Self {
        Self { model: model.to_owned(), id: id.to_owned(), events: 0, output: Vec::new(), open: None }
    }

    /// An event about the item under way.
    fn about(&self, kind: &str, item: &Item, mut more: Value) -> Value {
        more["type"] = json!(format!("response.{kind}"));
        more["item_id"] = item.value["id"].clone();
        more["output_index"] = json!(self.output.len());
        if item.kind != ItemKind::Call {
            more["content_index"] = json!(0);
        }
        more
    }

    fn item_event(&self, kind: &str, item: &Value) -> Value {
        json!({"type": format!("response.output_item.{kind}"), "output_index": self.output.len(), "item": item})
    }

    fn start(&mut self, kind: ItemKind, mut value: Value, events: &mut Vec<Value>) {
        self.stop("completed", events);
        value["id"] = json!(format!("{}-{}", self.id, self.output.len()));
        value["status"] = json!("in_progress");
        events.push(self.item_event("added", &value));
        let item = Item { kind, value, text: String::new() };
        if kind != ItemKind::Call {
            events.push(self.about("content_part.added", &item, json!({"part": part(kind, "")})));
        }
        self.open = Some(item);
    }

    fn stop(&mut self, status: &str, events: &mut Vec<Value>) {
        let Some(mut item) = self.open.take() else { return };
        let (word, field) = item.kind.words();
        let done = match item.kind {
            ItemKind::Call => json!({field: item.text, "name": item.value["name"]}),
            _ => json!({field: item.text, "logprobs": []}),
        };
        events.push(self.about(&format!("{word}.done"), &item, done));
        if item.kind == ItemKind::Call {
            item.value["arguments"] = json!(item.text);
        } else {
            let part = part(item.kind, &item.text);
            events.push(self.about("content_part.done", &item, json!({"part": part})));
            item.value["content"] = json!([part]);
        }
        item.value["status"] = json!(status);
        events.push(self.item_event("done", &item.value));
        self.output.push(item.value);
    }

    /// The text of a message, in the item that is under way if it is of this kind.
    fn say(&mut self, kind: ItemKind, text: &str, events: &mut Vec<Value>) {
        if self.open.as_ref().is_none_or(|item| item.kind != kind) {
            self.start(kind, json!({"type": "message", "role": "assistant", "content": []}), events);
        }
        self.grow(text, events);
    }

    fn grow(&mut self, text: &str, events: &mut Vec<Value>) {
        let Some(mut item) = self.open.take() else { return };
        item.text.push_str(text);
        let mut delta = json!({"delta": text});
        if item.kind != ItemKind::Call {
            delta["logprobs"] = json!([]);
        }
        events.push(self.about(&format!("{}.delta", item.kind.words().0), &item, delta));
        self.open = Some(item);
    }
}

fn part(kind: ItemKind, text: &str) -> Value {
    match kind {
        ItemKind::Refusal => json!({"type": "refusal", "refusal": text}),
        _ => json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []}),
    }
}

impl Teller for Telling {
    fn begin(&mut self, _: Option<Usage>) -> Vec<Value> {
        let mut beginning = write(&Answer::text(""), &self.model, &self.id);
        beginning["status"] = json!("in_progress");
        beginning["output"] = json!([]);
        ["response.created", "response.in_progress"]
            .map(|kind| json!({"type": kind, "response": beginning}))
            .into()
    }

    fn tell(&mut self, delta: &Delta) -> Vec<Value> {
        let mut events = Vec::new();
        match delta {
            Delta::Text(text) => self.say(ItemKind::Text, text, &mut events),
            Delta::Refusal(text) => self.say(ItemKind::Refusal, text, &mut events),
            Delta::Call { id, name, .. } => {
                let call = json!({"type": "function_call", "call_id": id, "name": name, "arguments": ""});
                self.start(ItemKind::Call, call, &mut events);
            }
            Delta::Arguments { text, .. } => self.grow(text, &mut events),
        }
        events
    }

    fn end(&mut self, answer: &Answer) -> Vec<Value> {
        let mut events = Vec::new();
        let mut whole = write(answer, &self.model, &self.id);
        let refusal = self.open.as_ref().is_some_and(|item| item.kind == ItemKind::Refusal);
        if answer.finish == Finish::Refused && !refusal {
            // What was told as ordinary text can be called a refusal only here.
            whole["status"] = json!("incomplete");
            whole["incomplete_details"] = json!({"reason": "content_filter"});
        }
        if self.output.is_empty() && self.open.is_none() {
            self.say(ItemKind::Text, "", &mut events);
        }
        let status = whole["status"].as_str().unwrap_or_default().to_owned();
        self.stop(&status, &mut events);
        whole["output"] = json!(self.output);
        events.push(json!({"type": format!("response.{status}"), "response": whole}));
        events
    }

    fn event(&mut self, mut value: Value) -> SseEvent {
        value["sequence_number"] = json!(self.events);
        self.events += 1;
        SseEvent::new(value["type"].as_str().unwrap_or_default(), &value)
    }
}

/// The last event holds the whole response; what comes before is for impatient eyes.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    whole: Option<Answer>,
    /// The places of the calls among the items.
    calls: Vec<u64>,
}

impl Pieces {
    pub(super) fn push(&mut self, event: &SseEvent) -> Result<Vec<Delta>, BadAnswer> {
        if event.data.trim() == "[DONE]" {
            return Ok(Vec::new());
        }
        let event: Value = serde_json::from_str(&event.data)
            .map_err(|error| BadAnswer(format!("a piece of the stream is no JSON: {error}")))?;
        let text = || spoken(&event["delta"]).map(str::to_owned);
        let place = event["output_index"].as_u64().unwrap_or_default();
        let delta = match event["type"].as_str() {
            Some("response.output_text.delta") => text().map(Delta::Text),
            Some("response.refusal.delta") => text().map(Delta::Refusal),
            Some("response.output_item.added") if event["item"]["type"] == "function_call" => {
                self.calls.push(place);
                Some(Delta::call(&call_of(&event["item"])))
            }
            Some("response.function_call_arguments.delta") => {
                let call = self.calls.iter().position(|call| *call == place);
                call.zip(text()).map(|(call, text)| Delta::Arguments { call, text })
            }
            Some("response.completed" | "response.incomplete") => {
                self.whole = Some(read(&event["response"])?);
                None
            }
            Some("response.failed") => {
                return Err(BadAnswer(format!("it failed: {}", message_of(&event["response"]["error"]))));
            }
            Some("error") => {
                return Err(BadAnswer(format!("the stream ends in an error: {}", message_of(&event))));
            }
            _ => None,
        };
        Ok(delta.into_iter().collect())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.whole.is_some()
    }

    pub(super) fn answer(&self) -> Option<Answer> {
        self.whole.clone()
    }
}
