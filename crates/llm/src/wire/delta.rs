//! A reply on its way, piece by piece, in no provider's words.

use serde_json::Value;
use umpire_model::Usage;

use super::conversation::{Answer, ToolCall};
use super::format::BadAnswer;
use super::reading::arguments_as_text;
use super::sse::SseEvent;
use super::{WireFormat, chat_answer, gemini_answer, messages_answer, responses_answer};
use crate::reply::Finish;

/// A piece of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Delta {
    Text(String),
    /// Text of a refusal, where the provider tells it apart.
    Refusal(String),
    /// A call of a tool begins; its arguments follow.
    Call {
        id: String,
        name: String,
        signature: Option<String>,
    },
    /// More of the arguments of a call, as text. Calls are counted from 0.
    Arguments {
        call: usize,
        text: String,
    },
}

impl Delta {
    pub(super) fn call(call: &ToolCall) -> Self {
        Self::Call { id: call.id.clone(), name: call.name.clone(), signature: call.signature.clone() }
    }
}

/// Pieces of an answer that is there already.
fn pieces_of(answer: &Answer) -> Vec<Delta> {
    let mut pieces = Vec::new();
    if !answer.text.is_empty() {
        let told = if answer.finish == Finish::Refused { Delta::Refusal } else { Delta::Text };
        pieces.push(told(answer.text.clone()));
    }
    for (number, call) in answer.tool_calls.iter().enumerate() {
        let text = arguments_as_text(&call.arguments);
        pieces.extend([Delta::call(call), Delta::Arguments { call: number, text }]);
    }
    pieces
}

/// Tells pieces in one format. Texts and calls come one after the other: what follows the next cannot be added to.
pub(super) trait Teller: Send + Sync {
    /// What stands before the first piece; `usage` if it is known so early.
    fn begin(&mut self, usage: Option<Usage>) -> Vec<Value>;
    fn tell(&mut self, delta: &Delta) -> Vec<Value>;
    /// What stands after the last: how it ended and what it took.
    fn end(&mut self, answer: &Answer) -> Vec<Value>;
    /// As an event of the stream.
    fn event(&mut self, value: Value) -> SseEvent {
        SseEvent::new(value["type"].as_str().unwrap_or_default(), &value)
    }
    /// A mark after everything else.
    fn mark(&self) -> Option<SseEvent> {
        None
    }
}

/// A reply told in one format while it comes in another.
pub(crate) struct StreamWriter {
    teller: Box<dyn Teller>,
    began: bool,
    calls: usize,
    /// The last call has not been given anything yet.
    is_bare: bool,
}

impl StreamWriter {
    pub(crate) fn new(format: WireFormat, model: &str, id: &str) -> Self {
        let teller: Box<dyn Teller> = match format {
            WireFormat::Chat => Box::new(chat_answer::Telling::new(model, id)),
            WireFormat::Responses => Box::new(responses_answer::Telling::new(model, id)),
            WireFormat::Messages => Box::new(messages_answer::Telling::new(model, id)),
            WireFormat::Gemini => Box::new(gemini_answer::Telling::new(model, id)),
        };
        Self { teller, began: false, calls: 0, is_bare: false }
    }

    /// The same answer, as the events of a stream.
    pub(super) fn whole(&mut self, answer: &Answer) -> Vec<SseEvent> {
        let mut events = self.begin(answer.usage);
        for delta in pieces_of(answer) {
            self.say(&delta, &mut events);
        }
        events.extend(self.end(answer));
        events
    }

    /// `Err` where pieces of several calls are mixed, which most formats have no words for.
    pub(crate) fn tell(&mut self, deltas: &[Delta]) -> Result<Vec<SseEvent>, BadAnswer> {
        let mut events = self.begin(None);
        for delta in deltas {
            if matches!(delta, Delta::Arguments { call, .. } if call + 1 != self.calls) {
                return Err(BadAnswer("the stream mixes the pieces of several tool calls".into()));
            }
            self.say(delta, &mut events);
        }
        Ok(events)
    }

    /// The events after the last piece; all of them, if nothing was told before.
    pub(crate) fn end(&mut self, answer: &Answer) -> Vec<SseEvent> {
        if !self.began {
            return self.whole(answer);
        }
        let mut events = Vec::new();
        self.complete_call(&mut events);
        let ending = self.teller.end(answer);
        events.extend(ending.into_iter().map(|value| self.teller.event(value)));
        events.extend(self.teller.mark());
        events
    }

    fn begin(&mut self, usage: Option<Usage>) -> Vec<SseEvent> {
        if std::mem::replace(&mut self.began, true) {
            return Vec::new();
        }
        let beginning = self.teller.begin(usage);
        beginning.into_iter().map(|value| self.teller.event(value)).collect()
    }

    fn say(&mut self, delta: &Delta, events: &mut Vec<SseEvent>) {
        if let Delta::Arguments { .. } = delta {
            self.is_bare = false;
        } else {
            self.complete_call(events);
        }
        if let Delta::Call { .. } = delta {
            self.calls += 1;
            self.is_bare = true;
        }
        let told = self.teller.tell(delta);
        events.extend(told.into_iter().map(|value| self.teller.event(value)));
    }

    /// Clients parse what a call was given, and nothing at all is no JSON.
    fn complete_call(&mut self, events: &mut Vec<SseEvent>) {
        if self.is_bare {
            let nothing = Delta::Arguments { call: self.calls - 1, text: "{}".to_owned() };
            self.say(&nothing, events);
        }
    }
}
