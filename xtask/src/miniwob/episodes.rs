//! Episodes as Umpire's journals tell them.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::setup::journals;

/// What an agent did in one episode, and what it got.
#[derive(Debug)]
pub struct Episode {
    pub environment: String,
    pub seed: u64,
    pub utterance: String,
    /// None if the page gave no reward that counts.
    pub raw: Option<f64>,
    pub actions: Vec<Acted>,
}

/// An action with all that is needed to do it elsewhere.
#[derive(Debug, Serialize)]
pub struct Acted {
    kind: String,
    /// Since the action before it began.
    after_ms: u64,
    /// Where the element was.
    #[serde(flatten)]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Place {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// What the package's own environment says.
#[derive(Debug, Deserialize)]
pub struct Replayed {
    pub environment: String,
    pub seed: u64,
    pub utterance: Option<String>,
    pub raw: Option<f64>,
    #[serde(default)]
    pub done: bool,
    pub error: Option<String>,
}

/// Longest pause between two actions; what took us longer was our own looking.
const LONGEST_PAUSE: u64 = 1_000;

impl Episode {
    pub fn as_line(&self) -> String {
        json!({ "environment": self.environment, "seed": self.seed, "actions": self.actions }).to_string()
    }

    pub fn is_solved(&self) -> bool {
        self.raw.is_some_and(|raw| (raw - 1.0).abs() < f64::EPSILON)
    }
}

/// All episodes below a folder of runs, by environment and seed.
pub fn recorded(runs: &Path) -> Result<Vec<Episode>, String> {
    let mut episodes = Vec::new();
    for path in journals(runs) {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let events: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        episodes.extend(episode(&events));
    }
    episodes.sort_by(|a, b| (&a.environment, a.seed).cmp(&(&b.environment, b.seed)));
    if episodes.is_empty() { Err("no episode was recorded".to_owned()) } else { Ok(episodes) }
}

fn episode(events: &[Value]) -> Option<Episode> {
    let find = |kind: &str| events.iter().find(|event| event["type"] == kind);
    let instance = find("started")?["attempt"].as_str()?.split('/').nth(1)?;
    let began = find("episode_began")?;
    let counted =
        find("rewarded").filter(|event| event["client_script"].is_null() && event["trusted"] == true);
    let mut before = None;
    let acted = events.iter().filter(|event| event["type"] == "acted" && event["error"].is_null());
    let actions = acted.filter_map(|event| action(event, &mut before)).collect();
    Some(Episode {
        environment: instance.split('@').next()?.to_owned(),
        seed: began["seed"].as_u64()?,
        utterance: began["utterance"].as_str()?.to_owned(),
        raw: counted.and_then(|event| event["raw"].as_f64()),
        actions,
    })
}

/// `before` is when the last action began.
fn action(event: &Value, before: &mut Option<u64>) -> Option<Acted> {
    let written = event["action"].as_str()?;
    let kind = written.split(' ').next()?.to_owned();
    if kind == "wait" {
        return None;
    }
    let began = event["ms"].as_u64()?.saturating_sub(event["took_ms"].as_u64()?);
    let after_ms = before.replace(began).map_or(0, |before| began.saturating_sub(before)).min(LONGEST_PAUSE);
    let place = serde_json::from_value(event["at"].clone()).ok();
    // The last quoted part, which is JSON, is the text or the option.
    let text = written.find(" \"").and_then(|at| serde_json::from_str(&written[at + 1..]).ok());
    Some(Acted { kind, after_ms, place, text })
}
