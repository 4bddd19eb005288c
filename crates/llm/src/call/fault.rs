//! What a failed try means: ask again, shorten, or give up.

use std::fmt;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use hyper::{HeaderMap, StatusCode};
use serde_json::Value;
use umpire_model::Redactor;

use super::backoff::retry_after;
use crate::ask::AskError;
use crate::wire::BadAnswer;

const SHOWN: usize = 600;

/// Words by which providers say that a prompt is too long: OpenAI and its like, Anthropic, Gemini, vllm, llama.cpp.
const TOO_LONG: [&str; 7] = [
    "context_length_exceeded",
    "maximum context length",
    "prompt is too long",
    "exceeds the maximum number of tokens",
    "exceed_context_size",
    "longer than the maximum model length",
    "input is too long",
];

/// Why one try gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Worth another try, after a wait if the provider asked for one.
    Passing {
        why: String,
        wait: Option<Duration>,
    },
    Rejected(Rejection),
    TooLong(Rejection),
}

/// A provider's refusal, with its own words for a client that understands them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rejection {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
    pub(crate) why: String,
}

/// Why a call gave no answer, after all its tries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallError {
    Unavailable(String),
    Rejected(Rejection),
    TooLong(Rejection),
    Deadline,
}

impl From<CallError> for AskError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Unavailable(why) => Self::Unavailable(why),
            CallError::Rejected(rejection) => Self::Rejected(rejection.why),
            CallError::TooLong(rejection) => Self::TooLong(rejection.why),
            CallError::Deadline => Self::Deadline,
        }
    }
}

impl Fault {
    pub(crate) fn passing(why: impl Into<String>) -> Self {
        Self::Passing { why: why.into(), wait: None }
    }

    /// Without secrets in what the provider said.
    pub(crate) fn redacted(self, redactor: &Redactor) -> Self {
        let clean = |rejection: Rejection| Rejection {
            status: rejection.status,
            body: Bytes::from(redactor.bytes(&rejection.body).into_owned()),
            why: redactor.text(&rejection.why).into_owned(),
        };
        match self {
            Self::Passing { why, wait } => Self::Passing { why: redactor.text(&why).into_owned(), wait },
            Self::Rejected(rejection) => Self::Rejected(clean(rejection)),
            Self::TooLong(rejection) => Self::TooLong(clean(rejection)),
        }
    }

    /// What a status other than success means.
    pub(crate) fn of_status(status: StatusCode, headers: &HeaderMap, body: &Bytes) -> Self {
        let said = words_of(body);
        let why = format!("status {}: {said}", status.as_u16());
        let text = String::from_utf8_lossy(body).to_ascii_lowercase();
        let rejection = |why: String| Rejection { status: status.as_u16(), body: body.clone(), why };
        match status.as_u16() {
            400 | 413 | 422 | 500 if TOO_LONG.iter().any(|words| text.contains(words)) => {
                Self::TooLong(rejection(why))
            }
            413 => Self::TooLong(rejection(why)),
            // Out of credit looks like too many requests, and no wait helps.
            429 if text.contains("insufficient_quota") => Self::Rejected(rejection(why)),
            408 | 409 | 425 | 429 | 500..=599 => {
                Self::Passing { why, wait: retry_after(headers, SystemTime::now()) }
            }
            300..=399 => Self::Rejected(rejection(format!(
                "status {}: it redirects elsewhere, and the key is not taken there; set base_url to where the API is",
                status.as_u16()
            ))),
            _ => Self::Rejected(rejection(why)),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passing { why, .. } => f.write_str(why),
            Self::Rejected(rejection) | Self::TooLong(rejection) => f.write_str(&rejection.why),
        }
    }
}

impl From<BadAnswer> for Fault {
    fn from(bad: BadAnswer) -> Self {
        Self::passing(bad.0)
    }
}

/// The message of an error's body, as far as a reader needs it.
fn words_of(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    let message = parsed.as_ref().and_then(|value| {
        let error = if value["error"].is_null() { value } else { &value["error"] };
        error["message"].as_str().or_else(|| error.as_str()).map(str::to_owned)
    });
    let said = message.unwrap_or_else(|| text.into_owned());
    let said = said.trim();
    match said.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &said[..end]),
        None if said.is_empty() => "it says nothing".to_owned(),
        None => said.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(status: u16, body: &'static str) -> Fault {
        let status = StatusCode::from_u16(status).expect("a status");
        Fault::of_status(status, &HeaderMap::new(), &Bytes::from_static(body.as_bytes()))
    }

    #[test]
    fn statuses_say_what_to_do() {
        for status in [408, 409, 425, 429, 500, 502, 503, 504, 529] {
            assert!(matches!(fault(status, "busy"), Fault::Passing { .. }), "{status}");
        }
        for status in [400, 401, 402, 403, 404, 405, 422, 301, 307] {
            assert!(matches!(fault(status, "no"), Fault::Rejected(_)), "{status}");
        }
        let quota = r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#;
        assert!(matches!(fault(429, quota), Fault::Rejected(_)));
    }

    /// Bodies as the servers send them.
    #[test]
    fn each_providers_words_for_a_long_prompt_are_known() {
        for (status, body) in [
            (
                400,
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}"#,
            ),
            (
                413,
                r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
            ),
        ] {
            assert!(matches!(fault(status, body), Fault::TooLong(_)), "{body}");
        }
    }

    #[test]
    fn what_the_provider_says_is_quoted_and_bounded() {
        let Fault::Rejected(rejection) = fault(401, r#"{"error":{"message":"Incorrect API key provided"}}"#)
        else {
            panic!("rejected")
        };
        assert_eq!(rejection.why, "status 401: Incorrect API key provided");
        let long: &'static str = Box::leak("é".repeat(5000).into_boxed_str());
        let Fault::Passing { why, .. } = fault(500, long) else { panic!("passing") };
        assert!(why.chars().count() < SHOWN + 20, "{}", why.len());
        assert!(matches!(fault(502, ""), Fault::Passing { why, .. } if why.ends_with("it says nothing")));
    }
}
