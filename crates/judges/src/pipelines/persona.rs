//! Points for what an agent learnt of a person and what it made of it. The model says yes or no; the points are computed
//! here.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use umpire_model::{Persona, Ruling};

use super::Shown;
use crate::answer::json::Shape;
use crate::asking::NoOpinion;
use crate::definition::Definition;
use crate::judge::{Bench, Opinion};

const FORM: &str = "Answer with one JSON object and nothing else, in this form: {\"thoughts\": …, \"website\": {\"retrieval\": \
true or false, \"utilization\": …, \"evidence\": [steps]}, \"preferences\": [the same with \"key\", one for each preference in \
the order given], \"location\": the same or null, \"intent\": {\"points\": 0, 5 or 10, \"blocked_by\": … or null}}.";

/// Halves of what a website is worth, of what a preference is, and of what the location is.
const WEBSITE_PART: f64 = 5.0;
const PART: f64 = 2.5;
const INTENT: f64 = 10.0;

/// What a judge found, before it is counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rubric {
    pub website: Pair,
    pub preferences: Vec<Pair>,
    /// None where the wish does not depend on it.
    pub location: Option<Pair>,
    /// 0, 5 or 10.
    pub intent: u32,
    /// False where the wish says everything itself: nothing has to be looked up, so nothing is counted for it.
    pub counts_retrieval: bool,
}

/// Something about a person: was it looked up, was it used?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    pub retrieval: bool,
    pub utilization: bool,
}

/// The rubric in numbers, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PersonaScore {
    pub website: f64,
    pub preference: f64,
    pub average: f64,
    pub intent: f64,
    /// All three are perfect.
    pub success: bool,
}

impl Pair {
    fn share(self, counts_retrieval: bool) -> f64 {
        let got = f64::from(u8::from(self.utilization));
        if counts_retrieval { f64::midpoint(got, f64::from(u8::from(self.retrieval))) } else { got }
    }
}

/// Website of 10, preferences of 5 each, location of 5 more where it matters, intent of 10; normalised.
pub fn score(rubric: &Rubric) -> PersonaScore {
    let counts = rubric.counts_retrieval;
    let website = rubric.website.share(counts) * 2.0 * WEBSITE_PART / (2.0 * WEBSITE_PART);
    let parts = rubric.preferences.iter().chain(&rubric.location);
    let (mut got, mut most) = (0.0, 0.0);
    for part in parts {
        got += part.share(counts) * 2.0 * PART;
        most += 2.0 * PART;
    }
    let preference = if most > 0.0 { got / most } else { 1.0 };
    let intent = f64::from(rubric.intent) / INTENT;
    let is_full = |share: f64| (share - 1.0).abs() < 1e-9;
    PersonaScore {
        website,
        preference,
        average: f64::midpoint(website, preference),
        intent,
        success: is_full(website) && is_full(preference) && is_full(intent),
    }
}

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
    let rubric = rubric(&said, case.level != Some(0));
    let score = score(&rubric);
    Ok(Opinion {
        ruling: if score.success { Ruling::Pass } else { Ruling::Fail },
        reason: said["thoughts"].as_str().unwrap_or_default().to_owned(),
        findings: json!({ "score": score, "rubric": rubric, "blocked_by": said["intent"]["blocked_by"] }),
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
        },
        "required": ["thoughts", "website", "preferences", "location", "intent"],
    })
}

fn rubric(said: &Value, counts_retrieval: bool) -> Rubric {
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
        counts_retrieval,
    }
}
