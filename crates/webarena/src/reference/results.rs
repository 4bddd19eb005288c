//! Results in the reference's words and files: `eval_result.json` per task, `eval_results.json` for all.

use std::collections::BTreeMap;

use serde::Serialize;

use super::compare::Assertion;
use crate::python::Value;
use crate::site::Site;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EvalStatus {
    Success,
    Failure,
    Error,
}

impl EvalStatus {
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Error => "error",
        }
    }

    pub fn score(self) -> f64 {
        match self {
            Self::Success => 1.0,
            Self::Failure | Self::Error => 0.0,
        }
    }
}

/// What one evaluator found. The fields and their order are those of the file.
#[derive(Debug, Clone, Serialize)]
pub struct EvaluatorResult {
    pub evaluator_name: &'static str,
    pub status: EvalStatus,
    pub score: f64,
    pub actual: Value,
    pub actual_normalized: Value,
    pub expected: Value,
    /// `None` if there are none.
    pub assertions: Option<Vec<AssertionResult>>,
    pub error_msg: Option<String>,
    /// Only network evaluators have this.
    pub should_not_exist: Option<bool>,
}

/// One difference between the expected and the recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AssertionResult {
    pub assertion_name: String,
    pub status: EvalStatus,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assertion_msgs: Vec<String>,
}

impl From<Assertion> for AssertionResult {
    fn from(assertion: Assertion) -> Self {
        Self {
            assertion_name: assertion.name,
            status: EvalStatus::Failure,
            assertion_msgs: assertion.messages,
        }
    }
}

/// The verdict on one task: the content of its `eval_result.json`.
#[derive(Debug, Clone, Serialize)]
pub struct TaskResult {
    pub task_id: i64,
    /// -1 for a task that does not exist.
    pub intent_template_id: i64,
    pub sites: Vec<Site>,
    /// -1 for a task that does not exist.
    pub task_revision: i64,
    pub status: EvalStatus,
    pub score: f64,
    pub evaluators_results: Vec<EvaluatorResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_msg: Option<String>,
    #[serde(flatten)]
    pub provenance: Provenance,
}

/// What a verdict was made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Provenance {
    pub webarena_verified_version: String,
    pub webarena_verified_evaluator_checksum: String,
    pub webarena_verified_data_checksum: String,
}

impl Provenance {
    /// The release whose decisions this evaluator reproduces.
    pub const REFERENCE_VERSION: &str = "1.2.3";

    /// For verdicts on the tasks of a file with this checksum.
    pub fn of_data(data_checksum: &str) -> Self {
        Self {
            webarena_verified_version: Self::REFERENCE_VERSION.to_owned(),
            webarena_verified_evaluator_checksum: format!("umpire-webarena {}", env!("CARGO_PKG_VERSION")),
            webarena_verified_data_checksum: data_checksum.to_owned(),
        }
    }
}

/// The content of `eval_results.json`.
#[derive(Debug, Clone, Serialize)]
pub struct ResultsSummary {
    /// When the evaluation ran, in UTC with offset; given by the caller, as nothing here reads a clock.
    pub timestamp: String,
    #[serde(flatten)]
    pub provenance: Provenance,
    pub summary: Summary,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    pub overall: Counts,
    /// By the task's sites, sorted and joined with hyphens.
    pub per_site: BTreeMap<String, SiteSummary>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub total: usize,
    pub success_count: usize,
    pub failure_count: usize,
    pub error_count: usize,
    pub failed_or_error_count: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SiteSummary {
    #[serde(flatten)]
    pub counts: Counts,
    pub success_task_ids: Vec<i64>,
    pub failed_task_ids: Vec<i64>,
    pub error_task_ids: Vec<i64>,
}

impl Counts {
    fn add(&mut self, status: EvalStatus) {
        self.total += 1;
        match status {
            EvalStatus::Success => self.success_count += 1,
            EvalStatus::Failure => self.failure_count += 1,
            EvalStatus::Error => self.error_count += 1,
        }
        self.failed_or_error_count += usize::from(status != EvalStatus::Success);
    }
}

impl Summary {
    pub fn of<'a>(results: impl IntoIterator<Item = &'a TaskResult>) -> Self {
        let mut summary = Self::default();
        for result in results {
            let mut sites: Vec<&str> = result.sites.iter().map(|site| site.name()).collect();
            sites.sort_unstable();
            let site = summary.per_site.entry(sites.join("-")).or_default();
            site.counts.add(result.status);
            summary.overall.add(result.status);
            match result.status {
                EvalStatus::Success => site.success_task_ids.push(result.task_id),
                EvalStatus::Failure => site.failed_task_ids.push(result.task_id),
                EvalStatus::Error => site.error_task_ids.push(result.task_id),
            }
        }
        summary
    }
}
