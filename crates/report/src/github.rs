//! Annotations for GitHub Actions: workflow commands, which the runner reads from what a step prints.

use std::fmt::Write as _;

use umpire_model::Outcome;

use crate::wording::{clipped, count};
use crate::{AttemptSummary, Summary};

/// The runner shows ten of each kind a step and drops the rest without a word.
const MOST: usize = 10;
const REASON_SHOWN: usize = 400;

/// What did not pass as errors, what the harness lost as warnings, and one notice of all that has no place.
pub fn github_annotations(summary: &Summary) -> String {
    let (mut lost, mut failed) = (Vec::new(), Vec::new());
    for attempt in &summary.attempts {
        match attempt.outcome {
            None | Some(Outcome::Pass) => {}
            Some(Outcome::Infra | Outcome::Invalid) => lost.push(attempt),
            Some(_) => failed.push(attempt),
        }
    }
    let mut out = String::new();
    for (command, attempts) in [("error", &failed), ("warning", &lost)] {
        for attempt in attempts.iter().take(MOST) {
            out.push_str(&line(command, attempt));
        }
    }
    let left_out = failed.len().saturating_sub(MOST) + lost.len().saturating_sub(MOST);
    if left_out > 0 {
        let words = format!("{} did not pass and have no place here", count(left_out, "further attempt"));
        let _ = writeln!(out, "::notice title=Umpire::{}", value(&words));
    }
    out
}

fn line(command: &str, attempt: &AttemptSummary) -> String {
    let word = attempt.outcome.map_or("open", Outcome::as_str);
    let title = format!("{word} {}", attempt.id);
    let reason = clipped(&attempt.reason, REASON_SHOWN);
    format!("::{command} title={}::{}\n", property(&title), value(&reason))
}

/// A line break would begin another command, with words that a page or an agent chose.
fn value(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    value(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_begins_a_command_of_its_own() {
        // The escapes of `@actions/core`: percent first, then what ends a line; colons and commas in properties.
        assert_eq!(value("100%\r\n::set-env name=A::b"), "100%25%0D%0A::set-env name=A::b");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
    }
}
