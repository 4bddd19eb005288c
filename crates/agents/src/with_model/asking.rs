use std::sync::Arc;

use umpire_llm::{Ask, AskError, Finish, Prompt};
use umpire_model::Deadline;

use crate::NoDecision;

/// The model of one attempt, as its agent asks it.
pub(super) struct Model {
    ask: Arc<dyn Ask>,
    temperature: Option<f64>,
}

/// Why there is nothing to read.
#[derive(Debug)]
pub(super) enum NoReply {
    /// The prompt did not fit; a shorter one may.
    TooLong(String),
    Other(NoDecision),
}

impl From<NoReply> for NoDecision {
    fn from(none: NoReply) -> Self {
        match none {
            NoReply::TooLong(reason) => {
                Self::Stopped(format!("the prompt is too long for the model: {reason}"))
            }
            NoReply::Other(none) => none,
        }
    }
}

impl Model {
    pub fn new(ask: Arc<dyn Ask>, temperature: Option<f64>) -> Self {
        Self { ask, temperature }
    }

    pub fn sees_images(&self) -> bool {
        self.ask.sees_images()
    }

    /// The reply's text, if it is whole and there is any.
    pub async fn ask(&self, mut prompt: Prompt, deadline: Deadline) -> Result<String, NoReply> {
        prompt.temperature = prompt.temperature.or(self.temperature);
        let reply = self.ask.ask(&prompt, deadline).await.map_err(no_reply)?;
        let lost = |reason: String| Err(NoReply::Other(NoDecision::Lost(reason)));
        match reply.finish {
            Finish::Refused => lost(format!("the model declined: {}", first_line(&reply.text))),
            Finish::Length => lost("the reply was cut off at the limit of tokens; be brief".to_owned()),
            _ if reply.text.trim().is_empty() => lost("the reply was empty".to_owned()),
            Finish::Complete | Finish::Other(_) => Ok(reply.text),
        }
    }
}

fn no_reply(error: AskError) -> NoReply {
    NoReply::Other(match error {
        AskError::TooLong(reason) => return NoReply::TooLong(reason),
        AskError::Budget(_) => NoDecision::Money(error.to_string()),
        AskError::Unavailable(_)
        | AskError::Rejected(_)
        | AskError::NotOnCassette(_)
        | AskError::Deadline => NoDecision::Infra(error.to_string()),
    })
}

/// How long a thought may be in a reply that is held to a form, and how long what an action says: a text that is typed or
/// an answer needs more.
pub(super) fn lengths(thought_chars: Option<usize>, longest: usize) -> (usize, usize) {
    let thought = thought_chars.map_or(longest, |chars| chars.clamp(1, longest));
    (thought, (4 * thought).min(longest))
}

/// Enough of a text to recognize it by.
pub(super) fn first_line(text: &str) -> String {
    const SHOWN: usize = 160;
    let line = text.trim().lines().next().unwrap_or_default();
    if line.len() <= SHOWN {
        return line.to_owned();
    }
    format!("{}…", &line[..line.floor_char_boundary(SHOWN)])
}
