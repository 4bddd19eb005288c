//! Answers that are almost right.

use serde_json::{Value, json};
use umpire_model::{Check, Instance, ResponseCheck, TaskKind};

use super::{Change, Mutant, MutantKind};
use crate::response::{Response, Status, read_response};
use crate::values::{Order, ValueType, mean_the_same, near_misses};
use crate::words;

/// How many results are changed, one at a time: the first ones stand for the others.
const MOST_RESULTS: usize = 3;

pub(super) fn mutants(instance: &Instance, reference_response: &str) -> Vec<Mutant> {
    let checks: Vec<&ResponseCheck> = instance
        .checks
        .iter()
        .filter_map(|check| match check {
            Check::Response(check) => Some(check),
            _ => None,
        })
        .collect();
    let right = read_response(reference_response)
        .map_or_else(|_| expected_response(checks.first().copied(), instance.kind), |read| read.response);
    let mut mutants = wrong_words(&right);
    for check in checks {
        mutants.extend(wrong_results(check, instance.kind, &right));
    }
    mutants
}

/// The response a check asks for, of alternatives the first.
fn expected_response(check: Option<&ResponseCheck>, action: TaskKind) -> Response {
    let first = |value: &Value| match value {
        Value::Array(alternatives) => alternatives.first().cloned().unwrap_or_default(),
        other => other.clone(),
    };
    Response {
        action,
        status: check.and_then(|check| Status::named(&check.status)).unwrap_or(Status::Success),
        results: check.and_then(|check| Some(check.results.as_ref()?.iter().map(first).collect())),
        error_details: None,
    }
}

/// Right results with the wrong status or action, or no response at all.
fn wrong_words(right: &Response) -> Vec<Mutant> {
    let status = if right.status == Status::Success { Status::NotFoundError } else { Status::Success };
    let other_status = Response { status, ..right.clone() };
    let action = if right.action == TaskKind::Retrieve { TaskKind::Navigate } else { TaskKind::Retrieve };
    let other_action = Response { action, ..right.clone() };
    vec![
        answering(&other_status, format!("right answer, status {status}")),
        answering(&other_action, format!("right answer, action {}", action.as_str())),
        Mutant {
            kind: MutantKind::Response,
            what: "no answer".to_owned(),
            change: Change::Answer(String::new()),
        },
    ]
}

fn wrong_results(check: &ResponseCheck, kind: TaskKind, right: &Response) -> Vec<Mutant> {
    let results = right.results.as_deref().unwrap_or_default();
    let with = |results: Vec<Value>, what: &str, shown: &Value| {
        let response = Response { results: Some(results), ..right.clone() };
        answering(&response, format!("answer: {what} ({})", words::value(shown)))
    };
    let expected = match &check.results {
        Some(expected) => expected.as_slice(),
        None if kind == TaskKind::Retrieve => &[],
        // Nobody looks at what a task that is not a question has as results.
        None => return Vec::new(),
    };
    if expected.is_empty() {
        let made_up = json!("made up");
        return vec![with(vec![made_up.clone()], "a result where there is none", &made_up)];
    }
    let Ok(value_type) = ValueType::of_schema(&check.schema) else { return Vec::new() };
    let order = if check.ordered { Order::Given } else { Order::Any };
    let accepted: Vec<Value> = expected.iter().flat_map(alternatives).cloned().collect();
    let mut mutants = Vec::new();
    for (at, result) in results.iter().enumerate().take(MOST_RESULTS) {
        for miss in near_misses(&value_type, result, &accepted, order) {
            let mut results = results.to_vec();
            results[at] = miss.value.clone();
            mutants.push(with(results, miss.what, &miss.value));
        }
    }
    if let Some((last, others)) = results.split_last() {
        mutants.push(with(others.to_vec(), "a result missing", last));
        mutants.push(with([results, std::slice::from_ref(last)].concat(), "a result twice", last));
        mutants.push(with([results, &[json!("x")]].concat(), "a result too many", &json!("x")));
    }
    let without_choice = expected.iter().all(|value| !value.is_array());
    if let [first, second, ..] = results
        && without_choice
        && !mean_the_same(&value_type, first, second)
    {
        let mut changed = results.to_vec();
        if check.ordered {
            changed.swap(0, 1);
            mutants.push(with(changed.clone(), "two results swapped", second));
        }
        changed[0] = second.clone();
        changed[1] = second.clone();
        mutants.push(with(changed, "a result in place of another", second));
    }
    mutants
}

fn alternatives(expected: &Value) -> &[Value] {
    match expected {
        Value::Array(alternatives) => alternatives,
        one => std::slice::from_ref(one),
    }
}

fn answering(response: &Response, what: String) -> Mutant {
    let text = json!(response).to_string();
    Mutant { kind: MutantKind::Response, what, change: Change::Answer(text) }
}
