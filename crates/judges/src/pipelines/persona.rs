//! Points for what an agent learnt of a person and what it made of it. The model says yes or no; the points are computed
//! from that.

use serde_json::{Value, json};
use umpire_model::{Persona, Ruling};
use umpire_persona::scoring::{Hidden, Judged, Pair, Rubric, score};

use super::Shown;
use crate::answer::json::Shape;
use crate::asking::NoOpinion;
use crate::definition::Definition;
use crate::judge::{Bench, Opinion};

const FORM: &str = "Answer with one JSON object and nothing else, in this form: {\"thoughts\": …, \"website\": {\"retrieval\": \
true or false, \"utilization\": …, \"evidence\": [steps]}, \"preferences\": [the same with \"key\", one for each preference in \
the order given], \"location\": the same or null, \"intent\": {\"points\": 0, 5 or 10, \"blocked_by\": … or null}, \"redundant\": true or false, \
\"invented\": [{\"key\": …, \"value\": …}]}.";

pub(super) async fn opinion(definition: &Definition, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
    let case = &bench.side.exhibit.case;
    let nobody = || NoOpinion::NoEvidence("the task is nobody's: it has no persona".to_owned());
    let persona = case.persona.as_ref().ok_or_else(nobody)?;
    let shown = Shown::new(definition, bench, &[("wish", &told(persona))]);
    let schema = schema(persona);
    let shape = Shape::new(&schema).map_err(NoOpinion::NoEvidence)?;
    let question = shown.question("rubric", FORM, Some(("rubric", &schema)));
    let read = |answer: &str| shape.read(answer).map_err(|problem| problem.to_string());
    let said = bench.asking.ask(question, read).await?;
    let judged = Judged {
        rubric: rubric(&said, Hidden::at_level(case.level)),
        redundant: said["redundant"] == true,
        invented: serde_json::from_value(said["invented"].clone()).unwrap_or_default(),
    };
    let score = score(&judged.rubric);
    let errors = judged.errors(persona);
    Ok(Opinion {
        ruling: if score.success { Ruling::Pass } else { Ruling::Fail },
        reason: said["thoughts"].as_str().unwrap_or_default().to_owned(),
        findings: json!({
            "score": score,
            "rubric": judged.rubric,
            "redundant": judged.redundant,
            "invented": judged.invented,
            "errors": errors,
            "blocked_by": said["intent"]["blocked_by"],
        }),
        images: shown.frames.len() as u32,
    })
}

fn told(persona: &Persona) -> String {
    let mut lines = vec![format!("- website: {} ({})", persona.website.name, persona.website.host)];
    lines.extend(
        persona.preferences.iter().map(|preference| format!("- {}: {}", preference.key, preference.value)),
    );
    lines.extend(
        persona
            .location
            .as_ref()
            .map(|location| format!("- location: {}, {}", location.address, location.city)),
    );
    lines.join("\n")
}

fn schema(persona: &Persona) -> Value {
    let steps = json!({ "type": "array", "items": { "type": "integer" } });
    let yes_no = json!({ "type": "boolean" });
    let pair = json!({
        "type": "object",
        "properties": { "retrieval": yes_no, "utilization": yes_no, "evidence": steps },
        "required": ["retrieval", "utilization"],
    });
    let preference = json!({
        "type": "object",
        "properties": { "key": { "type": "string" }, "retrieval": yes_no, "utilization": yes_no, "evidence": steps },
        "required": ["key", "retrieval", "utilization"],
    });
    let location = if persona.location.is_some() { pair.clone() } else { json!({ "type": "null" }) };
    let count = persona.preferences.len();
    json!({
        "type": "object",
        "properties": {
            "thoughts": { "type": "string" },
            "website": pair,
            "preferences": { "type": "array", "items": preference, "minItems": count, "maxItems": count },
            "location": location,
            "intent": {
                "type": "object",
                "properties": { "points": { "enum": [0, 5, 10] }, "blocked_by": { "type": ["string", "null"] } },
                "required": ["points"],
            },
            "redundant": yes_no,
            "invented": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": { "key": { "type": "string" }, "value": { "type": "string" } },
                    "required": ["key", "value"],
                    "additionalProperties": false,
                },
            },
        },
        "required": ["thoughts", "website", "preferences", "location", "intent"],
    })
}

fn rubric(said: &Value, hidden: Hidden) -> Rubric {
    let pair = |value: &Value| Pair {
        retrieval: value["retrieval"] == true,
        utilization: value["utilization"] == true,
    };
    Rubric {
        website: pair(&said["website"]),
        preferences: said["preferences"]
            .as_array()
            .map(|all| all.iter().map(pair).collect())
            .unwrap_or_default(),
        location: said["location"].is_object().then(|| pair(&said["location"])),
        intent: said["intent"]["points"].as_u64().unwrap_or_default() as u32,
        hidden,
    }
}
