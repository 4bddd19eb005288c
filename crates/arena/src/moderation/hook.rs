use serde::Deserialize;
use thiserror::Error;

use super::{Refusal, Review};

/// What an operator's own moderation said: `{"allow": true}`, or `{"allow": false, "reason": "…"}` for the visitor to read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct HookAnswer {
    pub allow: bool,
    #[serde(default)]
    pub reason: String,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum HookProblem {
    #[error("the moderation hook did not answer in time")]
    Late,
    #[error("the moderation hook failed: {0}")]
    Failed(String),
    #[error("the moderation hook's answer is no {{\"allow\": true|false, \"reason\": …}}: {0}")]
    Unreadable(String),
}

/// Longer reasons than a visitor would read are cut.
const LONGEST_REASON: usize = 300;

impl HookAnswer {
    /// From the last line that a command wrote, or the body that an endpoint answered with. Other fields may be there.
    pub fn parse(output: &str) -> Result<Self, HookProblem> {
        let text = output.trim();
        let whole = serde_json::from_str(text);
        let last_line = || serde_json::from_str(text.lines().last().unwrap_or_default());
        whole.or_else(|_| last_line()).map_err(|error| HookProblem::Unreadable(error.to_string()))
    }

    pub fn review(&self) -> Review {
        if self.allow {
            return Review::allowed();
        }
        let plain = self.reason.chars().map(|c| if c.is_control() { ' ' } else { c });
        let why: String = plain.take(LONGEST_REASON).collect();
        let why = if why.trim().is_empty() { "no reason was given".to_owned() } else { why };
        Review::refused(Refusal::Hook { why })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_nothing_else_is_taken_for_one() {
        for (output, wanted) in [
            (r#"{"allow": true}"#, Some((true, ""))),
            (
                "loading rules…\n{\"allow\": false, \"reason\": \"spam\", \"score\": 0.9}\n",
                Some((false, "spam")),
            ),
            ("{\n \"allow\": true\n}", Some((true, ""))),
            ("", None),
            ("yes", None),
            ("true", None),
            (r#"{"allow": "true"}"#, None),
            (r#"{"reason": "spam"}"#, None),
        ] {
            let got = HookAnswer::parse(output).ok();
            assert_eq!(got.as_ref().map(|answer| (answer.allow, answer.reason.as_str())), wanted, "{output}");
        }
    }

    #[test]
    fn a_reason_is_cut_and_cannot_move_the_cursor() {
        let long = HookAnswer { allow: false, reason: "a\u{1b}".repeat(400) };
        let Refusal::Hook { why } = &long.review().refusals[0] else { panic!("a refusal by the hook") };
        assert!(why.chars().count() == 300 && !why.contains('\u{1b}'));
    }
}
