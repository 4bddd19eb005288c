//! One call that says success or failure: `autonomous`, `agenttrek`, `webvoyager`, and a user's own.

use serde_json::Value;
use umpire_model::Digest;

use super::form::{OUTCOME, OUTCOME_NAME, asked_for, read_outcome};
use super::{chosen, with_pictures};
use crate::answer::reference::Mode;
use crate::asking::{NoOpinion, Parser, Question};
use crate::definition::Definition;
use crate::evidence::EvidencePolicy;
use crate::judge::{Bench, Effort, Judge, Judging, Opinion};

pub struct Outcome(pub Definition);

impl Judge for Outcome {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn digest(&self) -> Digest {
        self.0.digest()
    }

    fn evidence(&self) -> &EvidencePolicy {
        &self.0.evidence
    }

    fn judge<'a>(&'a self, bench: &'a Bench<'a>) -> Judging<'a> {
        Box::pin(self.opinion(bench))
    }

    fn effort(&self, frames: usize) -> Effort {
        Effort { calls: 1, images: frames.min(self.0.evidence.most_screenshots) }
    }
}

impl Outcome {
    async fn opinion(&self, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
        let definition = &self.0;
        let frames = chosen(&bench.exhibit.frames.frames, definition.evidence.most_screenshots);
        let count = frames.len().to_string();
        let mut values = bench.exhibit.texts.values().to_vec();
        values.push(("count", &count));
        let (system, user) = definition.prompt(&definition.main, &values);
        let parser = bench.asking.parser;
        let mode = mode_of(&definition.main);
        let text = format!("{user}\n\n{}", asked_for(parser));
        let question = Question {
            part: "outcome".to_owned(),
            system,
            messages: vec![with_pictures(text, frames.iter().copied())],
            schema: (parser == Parser::Strict).then_some((OUTCOME_NAME, &*OUTCOME)),
        };
        let judged = bench.asking.ask(question, |answer| read_outcome(answer, parser, mode)).await?;
        Ok(Opinion {
            ruling: judged.ruling,
            reason: judged.reason,
            findings: Value::Null,
            images: frames.len() as u32,
        })
    }
}

/// Which of the released evaluators reads such an answer.
fn mode_of(template: &str) -> Mode {
    match template {
        "agenttrek.md" => Mode::AgentTrek,
        "webvoyager.md" => Mode::WebVoyager,
        _ => Mode::Autonomous,
    }
}
