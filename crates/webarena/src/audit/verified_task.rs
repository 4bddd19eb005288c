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
    if task.network_evaluators().next().is_none() {
        let reason = "no request is expected: a trace of any other site will do";
        found.add(Category::NoActivity, "eval", reason, response.expected.task_type.name());
    }
    let starts = task.start_urls.join(", ");
    match effortless_pass(task) {
        Some((Category::StartPageSuffices, claim)) => {
            let reason = format!("opening {starts} and claiming {claim} passes");
            found.add(Category::StartPageSuffices, "eval[1].expected.url", reason, starts);
        }
        Some((category, claim)) => {
            found.add(category, "eval[0].expected", "the right words pass, whatever was done", claim);
        }
        None => {}
    }
}

/// The claim (type and status) that passes the task when the start page is opened and nothing else is done, and
/// whether even that page is needed.
pub(super) fn effortless_pass(task: &Task) -> Option<(Category, String)> {
    let expected = &task.response_evaluator()?.expected;
    if expected.task_type == TaskType::Retrieve && expected.status == Status::Success {
        return None;
    }
    let claim = format!("{} {}", expected.task_type.name(), expected.status.name());
    let mut required = task.network_evaluators().filter(|evaluator| !evaluator.should_not_exist).peekable();
    if required.peek().is_none() {
        return Some((Category::ClaimSuffices, claim));
    }
    required
        .all(|evaluator| event::is_met_by_start_page(task, evaluator))
        .then_some((Category::StartPageSuffices, claim))
}
