use serde::Serialize;
use serde_json::Value;
use umpire_model::{Action, TaskKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Status {
    Success,
    NotFoundError,
    UnknownError,
}

/// The structured response, as far as our own agents use it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Response {
    action: TaskKind,
    status: Status,
    results: Option<Vec<Value>>,
    error_details: Option<String>,
}

impl Response {
    pub fn success(kind: TaskKind, results: Option<Vec<Value>>) -> Self {
        Self { action: kind, status: Status::Success, results, error_details: None }
    }

    pub fn not_found(kind: TaskKind, details: impl Into<String>) -> Self {
        Self::error(kind, Status::NotFoundError, details.into())
    }

    pub fn unknown_error(kind: TaskKind, details: impl Into<String>) -> Self {
        Self::error(kind, Status::UnknownError, details.into())
    }

    fn error(kind: TaskKind, status: Status, details: String) -> Self {
        Self { action: kind, status, results: None, error_details: Some(details) }
    }

    pub fn into_text(self) -> String {
        serde_json::to_string(&self).unwrap_or_default()
    }

    pub fn into_answer(self) -> Action {
        Action::Answer(self.into_text())
    }
}
