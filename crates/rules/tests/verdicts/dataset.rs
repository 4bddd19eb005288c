//! The expected answers of WebArena Verified, if its data is there: each is readable, accepts itself, and rejects what
//! almost is it.

use std::path::{Path, PathBuf};

use crate::support::{Attempt, answer, attempt_id, instance};
use serde_json::{Map, Value, json};
use umpire_model::{Outcome, TaskKind};
use umpire_rules::mutants::{apply, mutants};

fn shared() -> PathBuf {
    std::env::var_os("UMPIRE_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from)
}

/// One right answer: of alternatives the first. `None` where a pattern is expected, which says no answer itself.
fn right_answer(expected: &Value) -> Option<Value> {
    match expected {
        Value::Array(alternatives) => right_answer(alternatives.first()?),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| match value {
                // A list inside an object is a list.
                Value::Array(items) => {
                    Some((name.clone(), items.iter().map(right_answer).collect::<Option<Value>>()?))
                }
                one => Some((name.clone(), right_answer(one)?)),
            });
            fields.collect::<Option<Map<_, _>>>().map(Value::Object)
        }
        Value::String(text) if text.starts_with('^') && text.ends_with('$') => None,
        other => Some(other.clone()),
    }
}

#[test]
fn vectors_rules_expected_answers_of_webarena_verified() {
    let file = shared().join("data/webarena-verified/webarena-verified.json");
    let Ok(text) = std::fs::read_to_string(&file) else {
        println!("skipped: {} is not there", file.display());
        return;
    };
    let tasks: Vec<Value> = serde_json::from_str(&text).expect("a list of tasks");
    let (mut answers, mut patterns, mut near_misses) = (0, 0, 0);
    for task in &tasks {
        let evaluator = &task["eval"][0];
        let expected = &evaluator["expected"];
        let Some(results) = expected["retrieved_data"].as_array() else { continue };
        let status = expected["status"].as_str().expect("a status").to_uppercase();
        let instance = instance(
            TaskKind::Retrieve,
            json!([{"type": "response", "status": status, "results": results,
                "schema": evaluator["results_schema"]["items"],
                "ordered": evaluator["ordered"].as_bool().unwrap_or(false)}]),
        );
        let right: Option<Vec<Value>> = results.iter().map(right_answer).collect();
        let response = answer("retrieve", &status, &json!(right));
        let attempt = Attempt::answered(&response);
        let verdict = umpire_rules::evaluate(&attempt_id(), &instance, &attempt.trajectory, &attempt.blobs);
        let id = &task["task_id"];
        if right.is_none() {
            assert_eq!(verdict.outcome, Outcome::Fail, "task {id}: {}", verdict.reason);
            patterns += 1;
            continue;
        }
        assert_eq!(verdict.outcome, Outcome::Pass, "task {id}: {}", verdict.reason);
        answers += 1;
        for mutant in mutants(&instance, &response) {
            let (trajectory, blobs) =
                apply(&mutant, &attempt.trajectory, &attempt.blobs).expect("an answer can be changed");
            let verdict = umpire_rules::evaluate(&attempt_id(), &instance, &trajectory, &blobs);
            assert_eq!(verdict.outcome, Outcome::Fail, "task {id}: {mutant}");
            near_misses += 1;
        }
    }
    println!("compared {answers} answers, {patterns} with patterns, {near_misses} near misses");
    assert!(answers > 0 && near_misses > answers);
}
