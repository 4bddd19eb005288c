use std::time::Duration;

use hyper::http::request::Parts;
use serde_json::{Value, json};

use crate::reply::Finish;
use crate::wire::{Answer, Conversation, Dialect, Piece, WireFormat};

/// What the provider does with a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Says this, and counts a token for every four bytes.
    Say(String),
    /// Answers exactly so.
    Answer(Answer),
    /// Says this and does not say what it took.
    SayUncounted(String),
    /// Says this and counts in a way that cannot be.
    SayMiscounted(String),
    Status {
        status: u16,
        retry_after: Option<String>,
        body: String,
    },
    /// Takes the request and never answers.
    Hang,
    /// Closes the connection without an answer.
    Drop,
    /// Breaks off in the middle of saying this.
    BreakOff(String),
    /// Answers 200 with what is no JSON.
    Babble,
    /// Answers 200 with nothing.
    Nothing,
    /// Goes on for so many bytes.
    Flood(usize),
    Wait(Duration, Box<Act>),
}

impl Act {
    pub fn say(text: impl Into<String>) -> Self {
        Self::Say(text.into())
    }

    pub fn refuse(text: impl Into<String>) -> Self {
        Self::Answer(Answer { finish: Finish::Refused, ..Answer::text(text) })
    }

    pub fn status(status: u16) -> Self {
        let body = format!(r#"{{"error":{{"message":"scripted status {status}","type":"scripted"}}}}"#);
        Self::Status { status, retry_after: None, body }
    }

    /// 400, with what is wrong with the request.
    pub fn bad_request(reason: &str) -> Self {
        let body = json!({"error": {"message": reason, "type": "invalid_request_error"}}).to_string();
        Self::Status { status: 400, retry_after: None, body }
    }

    /// 429 with the wait in its header: seconds or a date.
    pub fn busy(retry_after: impl Into<String>) -> Self {
        let body = r#"{"error":{"message":"too many requests","type":"rate_limit_error"}}"#.to_owned();
        Self::Status { status: 429, retry_after: Some(retry_after.into()), body }
    }

    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self::Wait(wait, Box::new(self))
    }
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Asked {
    /// From 0.
    pub number: usize,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Value,
    /// None for what is no request to a model.
    pub format: Option<WireFormat>,
    pub streams: bool,
}

impl Asked {
    pub(super) fn new(number: usize, parts: &Parts, body: Value) -> Self {
        let path = parts.uri.path_and_query().map_or_else(String::new, ToString::to_string);
        let bare = parts.uri.path();
        let format = match bare {
            _ if bare.ends_with("/chat/completions") => Some(WireFormat::Chat),
            _ if bare.ends_with("/responses") => Some(WireFormat::Responses),
            _ if bare.ends_with("/messages") => Some(WireFormat::Messages),
            _ if bare.ends_with("enerateContent") => Some(WireFormat::Gemini),
            _ => None,
        };
        let streams = body["stream"] == true || bare.ends_with(":streamGenerateContent");
        let text =
            |value: &hyper::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = parts.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
        Self { number, path, headers, body, format, streams }
    }

    /// Why the vendor of this format would answer 400 to the schema that the reply is to follow.
    pub(super) fn refused_schema(&self) -> Option<String> {
        let (dialect, format) = match self.format? {
            WireFormat::Chat if self.path.starts_with("/compatible/") => return None,
            WireFormat::Chat => (Dialect::OpenAi, &self.body["response_format"]["json_schema"]),
            WireFormat::Responses => (Dialect::OpenAi, &self.body["text"]["format"]),
            WireFormat::Messages => (Dialect::Anthropic, &self.body["output_config"]["format"]),
            WireFormat::Gemini => return None,
        };
        let is_loose = dialect == Dialect::OpenAi && format["strict"] != true;
        if is_loose { None } else { dialect.refusal(&format["schema"]) }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// The request as a conversation; none if it holds what only its own format can say.
    pub fn conversation(&self) -> Option<Conversation> {
        self.format?.read_request(&self.body).ok()
    }

    /// Everything that was said so far, by whomever.
    pub fn text(&self) -> String {
        let Some(conversation) = self.conversation() else { return self.body.to_string() };
        let pieces = conversation.turns.iter().flat_map(|turn| &turn.pieces);
        let texts = pieces.filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::ToolResult(result) => Some(result.text.as_str()),
            Piece::Image(_) | Piece::ToolCall(_) => None,
        });
        conversation.system.as_deref().into_iter().chain(texts).collect::<Vec<_>>().join("\n")
    }
}

/// Decides what to do with each request.
pub struct Script(Box<dyn Fn(&Asked) -> Act + Send + Sync>);

impl Script {
    pub fn new(decide: impl Fn(&Asked) -> Act + Send + Sync + 'static) -> Self {
        Self(Box::new(decide))
    }

    pub(super) fn act(&self, asked: &Asked) -> Act {
        (self.0)(asked)
    }
}

/// One act for each request in turn; the last goes on.
impl From<Vec<Act>> for Script {
    fn from(acts: Vec<Act>) -> Self {
        Self::new(move |asked| acts.get(asked.number).or(acts.last()).cloned().unwrap_or(Act::Nothing))
    }
}

/// The same for every request.
impl From<Act> for Script {
    fn from(act: Act) -> Self {
        vec![act].into()
    }
}

impl std::fmt::Debug for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Script(…)")
    }
}
