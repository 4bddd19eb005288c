//! One name for each format, and the way to its reader and writer.

use serde_json::{Value, json};

use super::delta::StreamWriter;
use super::sse::SseEvent;
use super::{
    Answer, Conversation, Shape, chat, chat_answer, gemini, gemini_answer, messages, messages_answer,
};
use super::{responses, responses_answer};
use crate::spec::ModelSpec;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WireFormat {
    /// OpenAI's chat completions.
    Chat,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Messages,
    /// Gemini's `generateContent`.
    Gemini,
}

/// A request that says what another format has no words for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Untranslatable(pub(crate) String);

/// An answer that is none: not what the format says, or an error in its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct BadAnswer(pub(crate) String);

impl WireFormat {
    pub const ALL: [Self; 4] = [Self::Chat, Self::Responses, Self::Messages, Self::Gemini];

    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat completions",
            Self::Responses => "responses",
            Self::Messages => "messages",
            Self::Gemini => "generateContent",
        }
    }

    /// The body of a request, as the model's configuration wants it.
    pub(crate) fn request(self, conversation: &Conversation, spec: &ModelSpec) -> Value {
        let mut body = match self {
            Self::Chat => chat::request(conversation, spec),
            Self::Responses => responses::request(conversation, spec),
            Self::Messages => messages::request(conversation, spec),
            Self::Gemini => gemini::request(conversation),
        };
        merge(&mut body, &spec.extra);
        body
    }

    pub(crate) fn read_request(self, body: &Value) -> Result<Conversation, Untranslatable> {
        match self {
            Self::Chat => chat::read_request(body),
            Self::Responses => responses::read_request(body),
            Self::Messages => messages::read_request(body),
            Self::Gemini => gemini::read_request(body),
        }
    }

    pub(crate) fn answer(self, answer: &Answer, model: &str, id: &str) -> Value {
        match self {
            Self::Chat => chat_answer::write(answer, model, id),
            Self::Responses => responses_answer::write(answer, model, id),
            Self::Messages => messages_answer::write(answer, model, id),
            Self::Gemini => gemini_answer::write(answer, model, id),
        }
    }

    pub(crate) fn read_answer(self, body: &Value) -> Result<Answer, BadAnswer> {
        if let Some(problem) = body.get("error").filter(|error| !error.is_null()) {
            return Err(BadAnswer(format!("it answers with an error: {}", message_of(problem))));
        }
        match self {
            Self::Chat => chat_answer::read(body),
            Self::Responses => responses_answer::read(body),
            Self::Messages => messages_answer::read(body),
            Self::Gemini => gemini_answer::read(body),
        }
    }

    /// What this format has no words for in a conversation that was read in another.
    pub(crate) fn cannot_say(self, conversation: &Conversation) -> Option<&'static str> {
        match (self, &conversation.shape) {
            (Self::Responses | Self::Messages | Self::Gemini, Shape::Grammar(_)) => Some("a grammar"),
            (Self::Messages, Shape::Json) => Some("JSON without a schema"),
            (Self::Responses, _) if !conversation.stop.is_empty() => Some("a stop sequence"),
            _ => None,
        }
    }

    /// The same answer, as the events of a stream.
    pub(crate) fn stream(self, answer: &Answer, model: &str, id: &str) -> Vec<SseEvent> {
        StreamWriter::new(self, model, id).whole(answer)
    }

    /// Whether a client that sent this expects a stream to end with its count. OpenAI's chat does so only if asked, and
    /// its clients may rely on every other piece having a choice.
    pub(crate) fn counts_in_streams(self, request: &Value) -> bool {
        self != Self::Chat || request["stream_options"]["include_usage"] == true
    }

    /// An error in the shape of the API, so that its clients show what we say.
    pub(crate) fn error(self, status: u16, kind: &str, message: &str) -> Value {
        match self {
            Self::Chat | Self::Responses => {
                json!({"error": {"message": message, "type": kind, "param": null, "code": kind}})
            }
            Self::Messages => json!({"type": "error", "error": {"type": kind, "message": message}}),
            Self::Gemini => json!({"error": {"code": status, "message": message, "status": kind}}),
        }
    }
}

/// What an error's body says, in whichever shape.
pub(crate) fn message_of(error: &Value) -> String {
    let spoken = error.get("message").and_then(Value::as_str).or_else(|| error.as_str());
    spoken.map_or_else(|| error.to_string(), str::to_owned)
}

/// Tables are merged, everything else is replaced.
fn merge(body: &mut Value, extra: &serde_json::Map<String, Value>) {
    for (field, value) in extra {
        match (&mut body[field.as_str()], value) {
            (slot @ Value::Object(_), Value::Object(inner)) => merge(slot, inner),
            (slot, value) => *slot = value.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extra_fields_go_into_tables_and_over_values() {
        let mut body = json!({"model": "m", "options": {"a": 1, "b": 2}, "stream": false});
        let extra = json!({"options": {"b": 3, "c": {"d": 4}}, "stream": true, "seed": 7});
        merge(&mut body, extra.as_object().expect("a table"));
        assert_eq!(
            body,
            json!({"model": "m", "options": {"a": 1, "b": 3, "c": {"d": 4}}, "stream": true, "seed": 7})
        );
    }
}
