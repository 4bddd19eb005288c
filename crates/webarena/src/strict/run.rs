//! All attempts of a run, judged strictly. The layout is the reference's, and so are the fields of the results.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use serde::Serialize;
use umpire_model::{Outcome, Verdict};
use umpire_rules::BackendJudgement;

use super::{StrictTask, StrictVerdict};
use crate::attempts::{AttemptFolder, in_parallel};
use crate::config::{Config, Environments};
use crate::reference::results::{EvalStatus, Provenance};
use crate::site::Site;
use crate::task::{Dataset, Task};
use crate::trace::Retention;

/// What the judging of a run needs besides its attempts.
pub struct RunOptions<'a> {
    pub dataset: &'a Dataset,
    /// Where the sites were. Strict evaluation does not guess that from what the agent opened.
    pub sites: &'a Environments,
    /// The names of the files.
    pub config: &'a Config,
    pub threads: NonZeroUsize,
}

/// What became of one attempt.
#[derive(Debug, Clone)]
pub struct JudgedAttempt {
    pub task_id: i64,
    pub result_file: PathBuf,
    /// The verdict, or why there can be none.
    pub verdict: Result<StrictVerdict, String>,
}

impl JudgedAttempt {
    pub fn outcome(&self) -> Outcome {
        self.verdict.as_ref().map_or(Outcome::Infra, |judged| judged.verdict.outcome)
    }

    pub fn reason(&self) -> &str {
        match &self.verdict {
            Ok(judged) => &judged.verdict.reason,
            Err(problem) => problem,
        }
    }

    /// Adds what the deployment's own backend said. The worse outcome stands: a task that cannot be scored before a
    /// failure, a failure before evidence that is missing.
    pub fn also(&mut self, backend: BackendJudgement) {
        let Ok(StrictVerdict { verdict, .. }) = &mut self.verdict else { return };
        let weight = |outcome| match outcome {
            Outcome::Invalid => 3,
            Outcome::Pass => 0,
            Outcome::Infra => 1,
            _ => 2,
        };
        if weight(backend.outcome) > weight(verdict.outcome) {
            (verdict.outcome, verdict.reason) = (backend.outcome, backend.reason);
        }
        verdict.checks.extend(backend.checks);
    }

    /// The content of the attempt's result file.
    pub fn result<'a>(&'a self, dataset: &'a Dataset) -> StrictResult<'a> {
        let task = dataset.task(self.task_id);
        let status = match self.outcome() {
            Outcome::Pass => EvalStatus::Success,
            Outcome::Invalid | Outcome::Infra => EvalStatus::Error,
            _ => EvalStatus::Failure,
        };
        StrictResult {
            task_id: self.task_id,
            intent_template_id: task.map_or(-1, |task| task.intent_template_id),
            sites: task.map(|task| task.sites.as_slice()).unwrap_or_default(),
            task_revision: task.map_or(-1, |task| task.revision),
            status,
            score: status.score(),
            error_msg: (status == EvalStatus::Error).then(|| self.reason()),
            provenance: Provenance::of_data(dataset.checksum()),
            umpire: StrictDetails {
                mode: "strict",
                outcome: self.outcome(),
                reason: self.reason(),
                skipped_entries: self.verdict.as_ref().map_or(0, |judged| judged.skipped_entries),
                verdict: self.verdict.as_ref().ok().map(|judged| &judged.verdict),
            },
        }
    }
}

/// The reference's fields, without its evaluators' findings; ours are under `umpire`.
#[derive(Serialize)]
pub struct StrictResult<'a> {
    task_id: i64,
    intent_template_id: i64,
    sites: &'a [Site],
    task_revision: i64,
    status: EvalStatus,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_msg: Option<&'a str>,
    #[serde(flatten)]
    provenance: Provenance,
    umpire: StrictDetails<'a>,
}

#[derive(Serialize)]
struct StrictDetails<'a> {
    mode: &'static str,
    outcome: Outcome,
    reason: &'a str,
    /// Entries of the trace that are no requests one could look at.
    skipped_entries: usize,
    verdict: Option<&'a Verdict>,
}

/// Judges these attempts, several at a time. None is left out: one without evidence is `infra`, with the reason.
pub fn evaluate_attempts(folders: &[AttemptFolder], options: &RunOptions<'_>) -> Vec<JudgedAttempt> {
    in_parallel(folders, options.threads, |folder| JudgedAttempt {
        task_id: folder.task_id,
        result_file: folder.path.join(&options.config.eval_result_file_name),
        verdict: judge(folder, options),
    })
}

fn judge(folder: &AttemptFolder, options: &RunOptions<'_>) -> Result<StrictVerdict, String> {
    let task = options.dataset.task(folder.task_id).ok_or("the suite has no such task")?;
    let strict = StrictTask::new(task, options.sites).map_err(|error| error.to_string())?;
    let trace = folder
        .read_trace(options.config, &retention(task))
        .map_err(|error| format!("{}: {error}", folder.trace_path(options.config).display()))?;
    // An agent that left no answer stopped without one; an answer that cannot be read is no evidence of anything.
    let path = folder.response_path(options.config);
    let response = match std::fs::read(&path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    strict.evaluate("recorded", response.as_deref(), &trace).map_err(|error| error.to_string())
}

/// Strict rules look at every request to the sites, and tell pages from what pages load by their headers.
fn retention(task: &Task) -> Retention {
    let mut retention = crate::reference::evaluate::retention(task);
    retention.request_bodies = true;
    retention
}
