//! What a foreign agent is told when it gets no answer, in the shape of the API it speaks.

use bytes::Bytes;
use hyper::header::HeaderValue;
use hyper::{Response, StatusCode};

use crate::ask::AskError;
use crate::call::{CallError, Rejection};
use crate::exchange::NoAnswer;
use crate::serve::{Body, full, response};
use crate::wire::WireFormat;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) message: String,
    /// The provider's own words, where the client understands them.
    passed_on: Option<Bytes>,
}

impl Refusal {
    pub(super) fn new(status: u16, kind: &'static str, message: impl Into<String>) -> Self {
        Self { status, kind, message: message.into(), passed_on: None }
    }

    pub(super) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "invalid_request_error", message)
    }

    /// `same_format` tells whether the client speaks the provider's own format.
    pub(super) fn of(no_answer: NoAnswer, same_format: bool) -> Self {
        let message = AskError::from(no_answer.clone()).to_string();
        match no_answer {
            NoAnswer::Budget(_) => Self::new(402, "budget_exceeded", message),
            NoAnswer::NotOnCassette(_) => Self::new(503, "not_on_cassette", message),
            NoAnswer::Call(CallError::Deadline) => Self::new(504, "deadline_exceeded", message),
            NoAnswer::Call(CallError::Unavailable(_)) => Self::new(503, "model_unavailable", message),
            NoAnswer::Call(CallError::Rejected(rejection) | CallError::TooLong(rejection)) => {
                Self::passed_on(rejection, message, same_format)
            }
        }
    }

    fn passed_on(rejection: Rejection, message: String, same_format: bool) -> Self {
        match rejection.status {
            // It is our key that the provider does not like, not the agent's.
            401 | 403 => Self::new(403, "provider_refuses_key", message),
            400..=499 => {
                let passed_on = Some(rejection.body).filter(|_| same_format);
                Self { passed_on, ..Self::new(rejection.status, "invalid_request_error", message) }
            }
            _ => Self::new(502, "provider_refuses", message),
        }
    }

    pub(super) fn response(&self, format: WireFormat) -> Response<Body> {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_GATEWAY);
        let body = match &self.passed_on {
            Some(body) => body.clone(),
            None => format.error(self.status, self.kind, &self.message).to_string().into(),
        };
        let mut answer = response(status, "application/json", full(body));
        // Whatever is worth a second try has had it here.
        answer.headers_mut().insert("x-should-retry", HeaderValue::from_static("false"));
        answer
    }
}
