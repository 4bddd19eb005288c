//! What a deployment's own backends say about attempts that were recorded earlier.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use umpire_backend::{TaskChecks, ask as ask_backend};
use umpire_model::{Deadline, Moment};
use umpire_rules::{BackendJudgement, evaluate_backend};

use crate::config::Config;
use crate::failure::Failure;

/// For the questions of one task; each has a limit of its own besides.
const TASK_LIMIT: Duration = Duration::from_mins(1);

/// Asks every question of the file, and judges the answers by task.
pub async fn ask(file: &Path, config: &Config) -> Result<BTreeMap<i64, BackendJudgement>, Failure> {
    let explain = |problem: String| Failure::new(format!("{}: {problem}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| explain(error.to_string()))?;
    let tasks = TaskChecks::parse_lines(&text).map_err(|error| explain(error.to_string()))?;
    let connections =
        config.connections(tasks.iter().flat_map(|task| &task.checks).map(|check| check.backend.as_str()))?;
    let mut judged = BTreeMap::new();
    for task in &tasks {
        let id = task
            .task_id
            .parse()
            .map_err(|_| explain(format!("`{}` is not a task's number", task.task_id)))?;
        let answers =
            ask_backend(&task.checks, &connections, Moment::After, Deadline::after(TASK_LIMIT)).await;
        judged.insert(id, evaluate_backend(&task.checks, &answers));
    }
    Ok(judged)
}
