//! Whole evaluations of the released tasks, with the answers the released evaluator gave.

use std::collections::BTreeMap;
use std::fs;

use jiff::civil::date;
use serde_json::Value;
use umpire_webarena::config::Config;
use umpire_webarena::reference::evaluate::{Evaluation, retention};
use umpire_webarena::reference::response::AgentResponse;
use umpire_webarena::reference::results::{Provenance, TaskResult};
use umpire_webarena::task::Dataset;
use umpire_webarena::trace::Trace;

use crate::support;

/// Task status, score, and per evaluator its name, status and assertion names.
type Outcome = (String, f64, Vec<(String, (String, Vec<String>))>);

fn expected_outcome(expected: &Value) -> Outcome {
    let evaluators = expected["evaluators"].as_array().expect("evaluators").iter();
    let name = |evaluator: &Value| evaluator["evaluator"].as_str().expect("a name").to_owned();
    (
        expected["status"].as_str().expect("a status").to_owned(),
        expected["score"].as_f64().expect("a score"),
        evaluators.map(|evaluator| (name(evaluator), support::outcome(evaluator))).collect(),
    )
}

fn actual_outcome(result: &TaskResult) -> Outcome {
    let evaluators = result.evaluators_results.iter();
    (
        result.status.name().to_owned(),
        result.score,
        evaluators
            .map(|evaluator| (evaluator.evaluator_name.to_owned(), support::evaluator_outcome(evaluator)))
            .collect(),
    )
}

#[test]
fn vectors_rules_tasks() {
    let Some(cases) = support::vector_cases("tasks.jsonl") else { return };
    let Some(data) = support::shared_folder("data") else { return };
    let dataset = fs::read(data.join("webarena-verified.json")).expect("the task file");
    let dataset = Dataset::from_json(&dataset).and_then(Dataset::complete).expect("the full task file");
    let configs: BTreeMap<String, Config> = support::vector_json("configs.json");

    let mut mismatches = Vec::new();
    for case in &cases {
        let evaluation = Evaluation {
            config: &configs[case["config_id"].as_str().expect("a configuration")],
            today: date(2026, 11, 15),
            provenance: Provenance::of_data(dataset.checksum()),
        };
        let task = dataset.task(case["task_id"].as_i64().expect("an id")).expect("a task");
        let trace = Trace::from_list(case["network_trace"].to_string().as_bytes(), &retention(task));
        let response = AgentResponse::Text(case["agent_response"].as_str().expect("text").to_owned());
        let result = evaluation.evaluate(task, &response, trace);

        let (expected, actual) = (expected_outcome(&case["expected"]), actual_outcome(&result));
        if actual != expected {
            let errors: Vec<_> =
                result.evaluators_results.iter().map(|evaluator| &evaluator.error_msg).collect();
            mismatches.push(format!(
                "{}: {actual:?}, not {expected:?}\n  errors: {errors:?} {:?}\n  response: {}",
                case["id"], result.error_msg, case["agent_response"],
            ));
        }
    }
    support::conclude("tasks", cases.len(), &mismatches);
}

#[test]
fn vectors_rules_task_files_have_their_published_checksums() {
    let Some(data) = support::shared_folder("data") else { return };
    let dataset = Dataset::from_json(&fs::read(data.join("webarena-verified.json")).expect("the task file"));
    let dataset = dataset.expect("the task file");
    assert!(dataset.checksum().starts_with("d6527566") && dataset.checksum().ends_with("243d30"));
    let subset = fs::read(data.join("webarena-verified-hard.json")).expect("the subset");
    let subset = umpire_webarena::subset::Subset::from_json(&subset).expect("the subset with its checksum");
    assert!(subset.checksum.starts_with("d20872f9"));
    assert_eq!(dataset.select(&subset.task_ids).expect("all tasks of the subset").len(), 258);
}
