//! One task of the original WebArena. Its evaluation is a program over pages and answers that our rules do not speak;
//! the task keeps it in `origin`, where the original evaluator finds it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use umpire_model::{Check, Difficulty, Task, TaskKind, UndecidableCheck};

use super::ImportError;
use super::addresses::{Addresses, sites_in};
use crate::config::Environments;
use crate::site::Site;

/// Between the pages of a task that starts with several tabs.
const NEXT_TAB: &str = " |AND| ";

/// The parts of a task that a suite has words for.
#[derive(Deserialize)]
struct OriginalTask {
    sites: Vec<Site>,
    task_id: i64,
    start_url: String,
    intent: String,
    intent_template_id: i64,
    eval: OriginalEval,
}

#[derive(Deserialize)]
struct OriginalEval {
    eval_types: Vec<String>,
}

pub(super) fn task(origin: Value, place: usize, sites: &Environments) -> Result<Task, ImportError> {
    let read = OriginalTask::deserialize(&origin).map_err(|error| ImportError::BadTask {
        place,
        format: "WebArena",
        problem: error.to_string(),
    })?;
    let addresses = Addresses::new(sites, read.sites.iter().copied().chain(sites_in(&read.start_url)))?;
    Ok(Task {
        id: read.task_id.to_string(),
        template: read.intent_template_id.to_string(),
        kind: kind(&read.eval.eval_types),
        intent: read.intent,
        hint: None,
        intent_with_hint: None,
        sites: read.sites.iter().map(|site| site.name().to_owned()).collect(),
        start_urls: read.start_url.split(NEXT_TAB).map(|url| addresses.active(url.trim())).collect(),
        category: read.sites.first().map_or("none", |site| site.name()).to_owned(),
        ui_elements: Vec::new(),
        difficulty: Difficulty::Medium,
        reference: Vec::new(),
        checks: vec![Check::Undecidable(UndecidableCheck {
            reason: "only the original WebArena evaluator can judge this task".to_owned(),
        })],
        states: BTreeMap::new(),
        session: None,
        account: None,
        levels: Vec::new(),
        persona: None,
        extra_sessions: 0,
        validity: umpire_model::Validity::default(),
        origin: Some(origin),
    })
}

/// The file does not say what kind of work a task is; how it is evaluated does.
fn kind(eval_types: &[String]) -> TaskKind {
    let has = |wanted: &str| eval_types.iter().any(|kind| kind == wanted);
    if has("program_html") {
        TaskKind::Mutate
    } else if has("string_match") {
        TaskKind::Retrieve
    } else {
        TaskKind::Navigate
    }
}
