//! Task files under suspicion: checks that a wrong attempt passes or a right one fails.
//!
//! [`audit`] reads a file of the WebArena family and says of each task what its checks cannot tell apart: for the
//! original format the categories of the WebArena Verified paper, for WebArena Verified files expectations that no run
//! can meet or that a run meets without doing anything. [`baselines`] counts what answers given without looking at
//! any page would have scored. `docs/audit.md` puts the counts beside the paper's.

mod baseline;
mod event;
mod expectation;
mod known_answers;
mod original_task;
mod report;
mod schema;
mod verified_task;

use serde_json::Value;
use thiserror::Error;

pub use baseline::{BaselineReport, ClaimScore, Knowledge, KnowledgeProbe, NaiveScore, baselines};
pub use known_answers::{BadAnswers, KnownAnswers};
pub use report::{AuditReport, Category, Finding, Format, SummaryRow};

use crate::original::{OriginalTask, Position, TaskFileError, split_tasks, without_position};
use crate::task::Task;

/// Why a file cannot be audited.
#[derive(Debug, Error)]
pub enum AuditError {
    #[error(transparent)]
    File(#[from] TaskFileError),
    #[error("{position}: task number {number} in the file: {problem}")]
    Task { position: Position, number: usize, problem: String },
}

/// Audits the text of a task file; each task is read in the format its `eval` has.
pub fn audit(file: &str) -> Result<AuditReport, AuditError> {
    let mut audited = report::Collected::default();
    for task in tasks(file)? {
        match task {
            AnyTask::Original(task) => audited.add(Format::Original, original_task::findings(&task)),
            AnyTask::Verified { task, eval } => {
                audited.add(Format::Verified, verified_task::findings(&task, &eval));
            }
        }
    }
    Ok(audited.into_report())
}

/// A task in either format.
enum AnyTask {
    Original(Box<OriginalTask>),
    /// With the JSON of its evaluators, for what the typed form does not show.
    Verified {
        task: Box<Task>,
        eval: Value,
    },
}

fn tasks(file: &str) -> Result<Vec<AnyTask>, AuditError> {
    let tasks = split_tasks(file)?.into_iter().map(|placed| {
        let eval = match placed.value()?.get_mut("eval") {
            Some(eval) if eval.is_array() => eval.take(),
            _ => return Ok(AnyTask::Original(Box::new(placed.original()?))),
        };
        let task = serde_json::from_str(placed.text).map_err(|error| AuditError::Task {
            position: placed.position.within(&error),
            number: placed.number,
            problem: without_position(&error),
        })?;
        Ok(AnyTask::Verified { task: Box::new(task), eval })
    });
    tasks.collect()
}
