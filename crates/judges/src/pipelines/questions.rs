//! One call that answers a list of questions with yes or no: failure modes, and whatever a user wants to know.

use serde_json::{Map, Value, json};
use umpire_model::{Digest, Ruling};

use super::{chosen, with_pictures};
use crate::answer::json::Shape;
use crate::asking::{NoOpinion, Question};
use crate::definition::Definition;
use crate::evidence::EvidencePolicy;
use crate::judge::{Bench, Effort, Judge, Judging, Opinion};

pub struct Questions(pub Definition);

impl Judge for Questions {
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

impl Questions {
    async fn opinion(&self, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
        let definition = &self.0;
        let frames = chosen(&bench.exhibit.frames.frames, definition.evidence.most_screenshots);
        let asked: Vec<String> = definition
            .questions
            .iter()
            .map(|question| format!("- {}: {}", question.id, question.ask))
            .collect();
        let (count, asked) = (frames.len().to_string(), asked.join("\n"));
        let mut values = bench.exhibit.texts.values().to_vec();
        values.extend([("count", count.as_str()), ("questions", asked.as_str())]);
        let (system, user) = definition.prompt(&definition.main, &values);
        let schema = self.schema();
        let shape = Shape::new(&schema).map_err(NoOpinion::NoEvidence)?;
        let form = "Answer with one JSON object and nothing else: first \"thoughts\" (a sentence or two), then every \
                    question's name with true or false.";
        let question = Question {
            part: "questions".to_owned(),
            system,
            messages: vec![with_pictures(format!("{user}\n\n{form}"), frames.iter().copied())],
            schema: Some(("answers", &schema)),
        };
        let read = |answer: &str| shape.read(answer).map_err(|problem| problem.to_string());
        let mut answers = bench.asking.ask(question, read).await?;
        let reason = answers.as_object_mut().and_then(|answers| answers.shift_remove("thoughts"));
        Ok(Opinion {
            ruling: self.ruling(&answers),
            reason: reason.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(),
            findings: answers,
            images: frames.len() as u32,
        })
    }

    fn schema(&self) -> Value {
        let mut properties = Map::from_iter([("thoughts".to_owned(), json!({ "type": "string" }))]);
        properties.extend(
            self.0.questions.iter().map(|question| (question.id.clone(), json!({ "type": "boolean" }))),
        );
        let required: Vec<String> = properties.keys().cloned().collect();
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }

    fn ruling(&self, answers: &Value) -> Ruling {
        let Some(pass) = &self.0.pass else { return Ruling::Noted };
        let (id, wanted) = pass.strip_prefix("not ").map_or((pass.as_str(), true), |id| (id, false));
        match answers[id].as_bool() {
            Some(said) if said == wanted => Ruling::Pass,
            Some(_) => Ruling::Fail,
            None => Ruling::Error,
        }
    }
}
