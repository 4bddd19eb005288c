//! The form in which an outcome is asked for, and how it is read.

use std::sync::LazyLock;

use serde_json::{Value, json};
use umpire_model::Ruling;

use crate::answer::json::{JsonProblem, Shape};
use crate::answer::{Status, reference, strict};
use crate::asking::Parser;

pub const OUTCOME_NAME: &str = "outcome";

pub static OUTCOME: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": {
            "thoughts": { "type": "string", "description": "what the evidence shows, point by point" },
            "status": { "enum": ["success", "failure"] },
        },
        "required": ["thoughts", "status"],
        "additionalProperties": false,
    })
});

static OUTCOME_SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::new(&OUTCOME).expect("a schema"));

/// What a prompt ends with.
pub fn asked_for(parser: Parser) -> &'static str {
    match parser {
        Parser::Strict => {
            "Answer with one JSON object and nothing else: {\"thoughts\": what the evidence shows, point by point, \
             \"status\": \"success\" or \"failure\"}."
        }
        Parser::Reference => {
            "Answer in two parts:\nThoughts: what the evidence shows, point by point\nStatus: \"success\" or \"failure\""
        }
    }
}

/// Whether the attempt succeeded, and why the judge thinks so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    pub ruling: Ruling,
    pub reason: String,
}

/// Reads an outcome: the JSON object, or where there is none a line that is a verdict.
pub fn read_outcome(answer: &str, parser: Parser, mode: reference::Mode) -> Result<Judged, String> {
    if parser == Parser::Reference {
        let success = reference::status(mode, Some(answer)).map_err(|crash| crash.to_string())?;
        return Ok(Judged { ruling: ruling(success), reason: answer.trim().to_owned() });
    }
    match OUTCOME_SHAPE.read(answer) {
        Ok(object) => {
            let said = |key: &str| object[key].as_str().unwrap_or_default().trim().to_owned();
            Ok(Judged { ruling: ruling(said("status") == "success"), reason: said("thoughts") })
        }
        Err(JsonProblem::NoObject) => {
            let status = strict::status(answer).map_err(|unread| unread.to_string())?;
            Ok(Judged { ruling: ruling(status == Status::Success), reason: thoughts(answer) })
        }
        Err(problem) => Err(problem.to_string()),
    }
}

fn ruling(success: bool) -> Ruling {
    if success { Ruling::Pass } else { Ruling::Fail }
}

/// What stands before the verdict.
fn thoughts(answer: &str) -> String {
    let last = answer.to_lowercase().rfind("status").filter(|at| answer.is_char_boundary(*at));
    let before = last.map_or(answer, |at| &answer[..at]);
    before.trim().trim_start_matches("Thoughts:").trim_matches(['*', ' ', '\n']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strictly(answer: &str) -> Result<(Ruling, String), String> {
        read_outcome(answer, Parser::Strict, reference::Mode::Autonomous)
            .map(|judged| (judged.ruling, judged.reason))
    }

    #[test]
    fn outcomes_are_read_by_shape_or_by_a_line() {
        for (answer, ruling, reason) in [
            (r#"{"thoughts": "All there.", "status": "success"}"#, Ruling::Pass, "All there."),
            ("```json\n{\"thoughts\": \"No.\", \"status\": \"failure\"}\n```", Ruling::Fail, "No."),
            (
                "Thoughts: the page says Status: Processing.\nStatus: failure",
                Ruling::Fail,
                "the page says Status: Processing.",
            ),
        ] {
            assert_eq!(strictly(answer), Ok((ruling, reason.to_owned())), "{answer}");
        }
        for answer in [
            "",
            "I am not sure.",
            r#"{"thoughts": "x", "status": "partial success"}"#,
            r#"{"status": "success"}"#,
        ] {
            assert!(strictly(answer).is_err(), "{answer}");
        }
    }
}
