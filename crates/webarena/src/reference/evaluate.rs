//! One task from its evidence to its verdict.

use jiff::civil::Date;

use super::network::NetworkCheck;
use super::response::{AgentResponse, ResponseCheck};
use super::results::{EvalStatus, EvaluatorResult, Provenance, TaskResult};
use super::{EvaluatorError, Schema, Sides};
use crate::attempts::RunConfigError;
use crate::config::{self, Config, SiteUrlError, SiteUrls};
use crate::python::Value;
use crate::task::{Evaluator, NetworkEvaluator, ResponseEvaluator, Task, TaskType};
use crate::trace::{Event, Retention, Trace, TraceError};

/// Why a task got no verdict of its evaluators.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    #[error("the task does not exist")]
    UnknownTask,
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error("{0} entries of the trace are not recorded requests")]
    MalformedEntries(usize),
    #[error("the configuration lacks a site of the task, and the trace does not show where it was")]
    UnknownSites,
    #[error(transparent)]
    Sites(#[from] SiteUrlError),
    #[error("the agent's response cannot be read: {0}")]
    Response(std::io::Error),
    #[error(transparent)]
    RunConfig(RunConfigError),
}

/// What the judging of a run has in common.
#[derive(Debug, Clone)]
pub struct Evaluation<'a> {
    pub config: &'a Config,
    /// The day an incomplete date is completed with.
    pub today: Date,
    pub provenance: Provenance,
}

impl Evaluation<'_> {
    /// Judges one attempt at a task.
    pub fn evaluate(
        &self,
        task: &Task,
        response: &AgentResponse,
        trace: Result<Trace, TraceError>,
    ) -> TaskResult {
        let judged = trace.map_err(TaskError::from).and_then(|trace| {
            let sides = self.sides(task, &trace)?;
            Ok(task
                .eval
                .iter()
                .map(|evaluator| judge(evaluator, task, response, &trace.events, &sides))
                .collect())
        });
        match judged {
            Ok(results) => self.result(task, results),
            Err(error) => self.error(task.task_id, Some(task), &error),
        }
    }

    /// The result of a task that could not be judged.
    pub fn error(&self, task_id: i64, task: Option<&Task>, error: &TaskError) -> TaskResult {
        TaskResult {
            task_id,
            intent_template_id: task.map_or(-1, |task| task.intent_template_id),
            sites: task.map(|task| task.sites.clone()).unwrap_or_default(),
            task_revision: task.map_or(-1, |task| task.revision),
            status: EvalStatus::Error,
            score: EvalStatus::Error.score(),
            evaluators_results: Vec::new(),
            error_msg: Some(format!("Failed to evaluate task {task_id}: {error}")),
            provenance: self.provenance.clone(),
        }
    }

    fn result(&self, task: &Task, results: Vec<EvaluatorResult>) -> TaskResult {
        let has = |status| results.iter().any(|result: &EvaluatorResult| result.status == status);
        let status = if has(EvalStatus::Error) {
            EvalStatus::Error
        } else if has(EvalStatus::Failure) {
            EvalStatus::Failure
        } else {
            EvalStatus::Success
        };
        TaskResult {
            task_id: task.task_id,
            intent_template_id: task.intent_template_id,
            sites: task.sites.clone(),
            task_revision: task.revision,
            status,
            score: status.score(),
            evaluators_results: results,
            error_msg: None,
            provenance: self.provenance.clone(),
        }
    }

    /// Where the task's sites were: as configured, or else where the recorded requests went.
    fn sides(&self, task: &Task, trace: &Trace) -> Result<Sides, TaskError> {
        if trace.malformed_entries > 0 {
            return Err(TaskError::MalformedEntries(trace.malformed_entries));
        }
        if self.config.covers(&task.sites) {
            let sites = SiteUrls::new(self.config.environments.as_ref(), &task.sites)?;
            return Ok(Sides::new(sites, self.today));
        }
        let urls = evaluation_urls(&trace.events).ok_or(TaskError::UnknownSites)?;
        let environments =
            config::environments_from_requests(&task.sites, &urls).ok_or(TaskError::UnknownSites)?;
        Ok(Sides::new(SiteUrls::new(Some(&environments), &task.sites)?, self.today))
    }
}

/// What a trace reader has to keep for this task.
pub fn retention(task: &Task) -> Retention {
    let mut retention = Retention::outline();
    for evaluator in task.network_evaluators() {
        let expected = &evaluator.expected;
        retention.request_bodies |= expected.post_data.is_some();
        retention.response_bodies |= expected.response_content.is_some();
        for name in expected.headers.iter().flat_map(|headers| headers.keys()) {
            retention.keep_header(name);
        }
    }
    retention
}

/// `None` if one of the recorded URLs cannot be taken apart.
fn evaluation_urls(events: &[Event]) -> Option<Vec<&str>> {
    let mut urls = Vec::new();
    for event in events {
        if event.is_evaluation_event().ok()? {
            urls.push(event.url().ok()?);
        }
    }
    Some(urls)
}

fn judge(
    evaluator: &Evaluator,
    task: &Task,
    response: &AgentResponse,
    events: &[Event],
    sides: &Sides,
) -> EvaluatorResult {
    match evaluator {
        Evaluator::Response(config) => judge_response(config, task, response, sides),
        Evaluator::Network(config) => judge_network(config, task, events, sides),
    }
}

fn judge_response(
    config: &ResponseEvaluator,
    task: &Task,
    response: &AgentResponse,
    sides: &Sides,
) -> EvaluatorResult {
    const NAME: &str = "AgentResponseEvaluator";
    let check = ResponseCheck {
        task_type: config.expected.task_type.name().to_owned(),
        status: config.expected.status.name().to_owned(),
        retrieved_data: config.expected.retrieved_data.clone(),
        schema: Schema::from_value(&Value::Dict(config.results_schema.clone())),
        ordered: config.ordered,
    };
    let mut result = empty_result(NAME);
    result.actual = match response {
        AgentResponse::Text(text) => Value::from(text.as_str()),
        AgentResponse::Value(value) => value.clone(),
    };
    let finding = check.evaluate(response, &sides.expected);
    let outcome = finding.map(|finding| {
        result.actual_normalized = finding.actual;
        result.expected = finding.expected;
        finding.assertions
    });
    settle(result, outcome, task)
}

fn judge_network(config: &NetworkEvaluator, task: &Task, events: &[Event], sides: &Sides) -> EvaluatorResult {
    const NAME: &str = "NetworkEventEvaluator";
    let navigates = task.task_type() == Some(TaskType::Navigate);
    let finding = NetworkCheck::new(config).evaluate(events, navigates, sides);
    let mut result = empty_result(NAME);
    result.should_not_exist = Some(config.should_not_exist);
    result.actual = finding.actual;
    result.actual_normalized = finding.actual_normalized;
    result.expected = finding.expected;
    settle(result, finding.outcome, task)
}

fn empty_result(evaluator_name: &'static str) -> EvaluatorResult {
    EvaluatorResult {
        evaluator_name,
        status: EvalStatus::Success,
        score: EvalStatus::Success.score(),
        actual: Value::None,
        actual_normalized: Value::None,
        expected: Value::None,
        assertions: None,
        error_msg: None,
        should_not_exist: None,
    }
}

/// Draws the status from the assertions, or from the error in their place.
fn settle(
    mut result: EvaluatorResult,
    outcome: Result<Vec<super::compare::Assertion>, EvaluatorError>,
    task: &Task,
) -> EvaluatorResult {
    match outcome {
        Ok(assertions) if assertions.is_empty() => {}
        Ok(assertions) => {
            result.status = EvalStatus::Failure;
            result.assertions = Some(assertions.into_iter().map(Into::into).collect());
        }
        Err(error) => {
            result.status = EvalStatus::Error;
            result.error_msg = Some(format!(
                "Error during evaluation with evaluator {} for task {}: {error}",
                result.evaluator_name, task.task_id
            ));
        }
    }
    result.score = result.status.score();
    result
}
