//! One call that says success or failure: `autonomous`, `agenttrek`, `webvoyager`, and a user's own.

use serde_json::Value;

use super::Shown;
use super::form::{OUTCOME, OUTCOME_NAME, asked_for, read_outcome};
use crate::answer::reference::Mode;
use crate::asking::{NoOpinion, Parser};
use crate::definition::Definition;
use crate::judge::{Bench, Opinion};

pub(super) async fn opinion(definition: &Definition, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
    let shown = Shown::new(definition, bench, &[]);
    let parser = bench.asking.parser;
    let mode = mode_of(&definition.main);
    let schema = (parser == Parser::Strict).then_some((OUTCOME_NAME, &*OUTCOME));
    let question = shown.question("outcome", asked_for(parser), schema);
    let judged = bench.asking.ask(question, |answer| read_outcome(answer, parser, mode)).await?;
    Ok(Opinion {
        ruling: judged.ruling,
        reason: judged.reason,
        findings: Value::Null,
        images: shown.frames.len() as u32,
    })
}

/// Which of the released evaluators reads such an answer.
fn mode_of(template: &str) -> Mode {
    match template {
        "agenttrek.md" => Mode::AgentTrek,
        "webvoyager.md" => Mode::WebVoyager,
        _ => Mode::Autonomous,
    }
}
