//! What the expectations of a WebArena Verified task get wrong.

use serde_json::Value as Json;

use super::report::{Category, Finding};
use super::{event, expectation, schema};
use crate::task::{Status, Task, TaskType};

/// Findings of one task; `eval` is the JSON its evaluators were read from, for what the typed form does not show.
pub(super) fn findings(task: &Task, eval: &Json) -> Vec<Finding> {
    let mut found = Found { task_id: task.task_id, findings: Vec::new() };
    expectation::find_placeholders(eval, "eval", &mut found);
    expectation::find_omitted_data(task, &mut found);
    expectation::find_one_element_alternatives(task, &mut found);
    event::find_contradictions(task, &mut found);
    find_effortless_passes(task, &mut found);
    schema::find_wide_tolerances(task, &mut found);
    found.findings
}

pub(super) struct Found {
    task_id: i64,
    findings: Vec<Finding>,
}

impl Found {
    pub(super) fn add(
        &mut self,
        category: Category,
        place: impl Into<String>,
        reason: impl Into<String>,
        text: impl Into<String>,
    ) {
        self.findings.push(Finding {
            task_id: self.task_id,
            category,
            place: place.into(),
            reason: reason.into(),
            text: text.into(),
        });
    }
}

/// Tasks that pass without the work they ask for.
fn find_effortless_passes(task: &Task, found: &mut Found) {
    let Some(response) = task.response_evaluator() else { return };
    let expected = &response.expected;
    let mut required = task.network_evaluators().filter(|evaluator| !evaluator.should_not_exist).peekable();
    let asks_for_events = required.peek().is_some();
    if task.network_evaluators().next().is_none() {
        let reason = "no request is expected: a trace of any other site will do";
        found.add(Category::NoActivity, "eval", reason, expected.task_type.name());
    }
    let asks_for_data = expected.task_type == TaskType::Retrieve && expected.status == Status::Success;
    if asks_for_data {
        return;
    }
    let claim = format!("{} {}", expected.task_type.name(), expected.status.name());
    if !asks_for_events {
        found.add(
            Category::ClaimSuffices,
            "eval[0].expected",
            "the right words pass, whatever was done",
            claim,
        );
    } else if required.all(|evaluator| event::is_met_by_start_page(task, evaluator)) {
        let reason = format!("opening {} and claiming {claim} passes", task.start_urls.join(", "));
        found.add(Category::StartPageSuffices, "eval[1].expected.url", reason, task.start_urls.join(", "));
    }
}
