//! One call that answers a list of questions with yes or no: failure modes, and whatever a user wants to know.

use serde_json::{Map, Value, json};
use umpire_model::Ruling;

use super::Shown;
use crate::answer::json::Shape;
use crate::asking::NoOpinion;
use crate::definition::Definition;
use crate::judge::{Bench, Opinion};

const FORM: &str = "Answer with one JSON object and nothing else: first \"thoughts\" (a sentence or two), then every \
question's name with true or false.";

pub(super) async fn opinion(definition: &Definition, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
    let asked: Vec<String> =
        definition.questions.iter().map(|question| format!("- {}: {}", question.id, question.ask)).collect();
    let shown = Shown::new(definition, bench, &[("questions", &asked.join("\n"))]);
    let schema = schema(definition);
    let shape = Shape::new(&schema).map_err(NoOpinion::NoEvidence)?;
    let question = shown.question("questions", FORM, Some(("answers", &schema)));
    let read = |answer: &str| shape.read(answer).map_err(|problem| problem.to_string());
    let mut answers = bench.asking.ask(question, read).await?;
    let reason = answers.as_object_mut().and_then(|answers| answers.shift_remove("thoughts"));
    Ok(Opinion {
        ruling: ruling(definition, &answers),
        reason: reason.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(),
        findings: answers,
        images: shown.frames.len() as u32,
    })
}

fn schema(definition: &Definition) -> Value {
    let mut properties = Map::from_iter([("thoughts".to_owned(), json!({ "type": "string" }))]);
    let questions = definition.questions.iter();
    properties.extend(questions.map(|question| (question.id.clone(), json!({ "type": "boolean" }))));
    let required: Vec<String> = properties.keys().cloned().collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn ruling(definition: &Definition, answers: &Value) -> Ruling {
    let Some(pass) = &definition.pass else { return Ruling::Noted };
    let (id, wanted) = pass.strip_prefix("not ").map_or((pass.as_str(), true), |id| (id, false));
    match answers[id].as_bool() {
        Some(said) if said == wanted => Ruling::Pass,
        Some(_) => Ruling::Fail,
        None => Ruling::Error,
    }
}
