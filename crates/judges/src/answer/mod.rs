//! How a model's answer is read.
//!
//! [`strict`] is how Umpire reads: success, failure, or [`Unread`] with the reason why, never a guess. [`reference`] reads
//! as the released `WebJudge` and its rivals do, mistakes included, so that published figures can be reproduced. [`json`]
//! finds and checks the one JSON object of an answer. All of it is pure: text in, value out.

pub mod json;
pub mod reference;
pub mod strict;

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a judge says about an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Success,
    Failure,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
        }
    }

    /// The word itself, in any case.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Success, Self::Failure].into_iter().find(|status| word.eq_ignore_ascii_case(status.as_str()))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why an answer could not be read. The words can be sent back to the model with the request to answer again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    #[error("the answer is empty")]
    Empty,
    /// Nothing in the answer is of the form that was asked for.
    #[error("the answer has no {0}")]
    Missing(&'static str),
    /// There is a line of that form, but what it says is not one of the values.
    #[error("`{said}` is not {wanted}")]
    NotAValue { said: String, wanted: &'static str },
    #[error("the answer says both {one} and {other}")]
    Contradiction { one: String, other: String },
    #[error(transparent)]
    Json(#[from] json::JsonProblem),
}

/// Long enough to recognise a line by, short enough for a table.
const QUOTED_CHARS: usize = 80;

fn quoted(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(QUOTED_CHARS) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
