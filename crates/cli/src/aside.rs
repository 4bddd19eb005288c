//! What a person is told beside a command's output: on standard error, in words; where that is a log, as a line of the log,
//! so that whoever reads it finds nothing else there.

use std::sync::OnceLock;

use serde_json::json;

use crate::failure::Failure;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StandardError {
    Words,
    Log,
    JsonLog,
}

static IS_FOR: OnceLock<StandardError> = OnceLock::new();

/// Says once, at the beginning, what standard error is for.
pub fn is_for(what: StandardError) {
    let _ = IS_FOR.set(what);
}

fn what() -> StandardError {
    IS_FOR.get().copied().unwrap_or(StandardError::Words)
}

pub fn remark(text: &str) {
    match what() {
        StandardError::Words => eprintln!("{text}"),
        StandardError::Log | StandardError::JsonLog => tracing::warn!("{}", text.trim_start()),
    }
}

/// The last word of a command that failed. Nobody logs any more.
pub fn failed(failure: Failure) {
    if what() == StandardError::JsonLog {
        let (timestamp, message) = (umpire_runner::now(), failure.to_string());
        eprintln!(
            "{}",
            json!({ "timestamp": timestamp, "level": "ERROR", "message": message, "target": "umpire" })
        );
    } else {
        eprintln!("{:?}", miette::Report::new(failure));
    }
}
