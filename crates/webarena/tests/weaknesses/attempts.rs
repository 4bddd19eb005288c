//! Attempts in the making: the released tasks, small tasks of our own, and traces for both.

use std::path::PathBuf;

use serde_json::{Value, json};
use umpire_model::{Outcome, Verdict};
use umpire_webarena::config::Environments;
use umpire_webarena::strict::{StrictTask, StrictVerdict};
use umpire_webarena::task::{Dataset, Task};
use umpire_webarena::trace::{Retention, Trace};

pub const SHOP: &str = "http://localhost:7770";
pub const GITLAB: &str = "http://localhost:8023";

pub fn sites() -> Environments {
    serde_json::from_value(json!({
        "shopping": {"urls": [SHOP]},
        "shopping_admin": {"urls": ["http://localhost:7780/admin"]},
        "reddit": {"urls": ["http://localhost:9999"]},
        "gitlab": {"urls": [GITLAB]},
        "wikipedia": {"urls": ["http://localhost:8888/wikipedia_en_all_maxi_2022-05/A/User:The_other_Kiwix_guy/Landing"]},
        "map": {"urls": ["http://localhost:3000"]},
    }))
    .expect("well-formed")
}

/// The released tasks, or `None` with a notice if this machine does not have them.
pub fn released() -> Option<Dataset> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("UMPIRE_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let path = shared.join("data/webarena-verified/webarena-verified.json");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("skipped: {} does not exist", path.display());
        return None;
    };
    Some(Dataset::from_json(&bytes).expect("the released file"))
}

/// A task of our own on GitLab with these expected requests.
pub fn task(kind: &str, requests: &[Value]) -> Task {
    let mut eval = vec![json!({"evaluator": "AgentResponseEvaluator", "results_schema": {"type": "null"},
        "expected": {"task_type": kind, "status": "SUCCESS", "retrieved_data": null}})];
    eval.extend(requests.iter().map(|request| {
        let mut request = request.clone();
        request["evaluator"] = json!("NetworkEventEvaluator");
        request
    }));
    serde_json::from_value(json!({
        "sites": ["gitlab"], "task_id": 7, "intent_template_id": 1, "start_urls": ["__GITLAB__"], "intent": "Do it",
        "intent_template": "Do it", "instantiation_dict": {}, "revision": 1, "eval": eval,
    }))
    .expect("well-formed")
}

pub fn answer(kind: &str, status: &str, data: &Value) -> String {
    json!({"task_type": kind, "status": status, "retrieved_data": data}).to_string()
}

/// The right kind and status for a task, with these data.
pub fn answer_to(task: &Task, data: &Value) -> String {
    let expected = &task.response_evaluator().expect("every task has one").expected;
    answer(expected.task_type.name(), expected.status.name(), data)
}

pub fn page(url: &str) -> Value {
    json!({"request": {"method": "GET", "url": url, "headers": [
        {"name": "Accept", "value": "text/html,*/*;q=0.8"}, {"name": "Sec-Fetch-Dest", "value": "document"},
        {"name": "Sec-Fetch-Mode", "value": "navigate"}, {"name": "Sec-Fetch-User", "value": "?1"}]},
        "response": {"status": 200}})
}

pub fn post(url: &str, status: i64, mime: &str, text: &str) -> Value {
    json!({"request": {"method": "POST", "url": url, "headers": [], "postData": {"mimeType": mime, "text": text}},
        "response": {"status": status}})
}

/// The start page of a task's first site, opened and left alone.
pub fn home_page(task: &Task) -> Vec<Value> {
    vec![page(&sites()[&task.sites[0]].urls[0])]
}

pub fn judged(task: &Task, response: &str, entries: &[Value]) -> StrictVerdict {
    let text = Value::from(entries.to_vec()).to_string();
    let trace = Trace::from_list(text.as_bytes(), &Retention::everything()).unwrap_or_default();
    let task = StrictTask::new(task, &sites()).expect("all sites have addresses");
    task.evaluate("agent", Some(response), &trace).expect("a good name")
}

pub fn verdict(task: &Task, response: &str, entries: &[Value]) -> Verdict {
    judged(task, response, entries).verdict
}

pub fn passes(task: &Task, response: &str, entries: &[Value]) -> bool {
    verdict(task, response, entries).outcome == Outcome::Pass
}
