//! Backend checks for attempts that were recorded elsewhere: one task a line, beside the task file they belong to.

use serde::Deserialize;
use umpire_model::{BackendCheck, Check};

/// What is to be asked about one task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskChecks {
    pub task_id: String,
    pub checks: Vec<BackendCheck>,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct BadTaskChecks {
    pub line: usize,
    pub problem: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    task_id: TaskId,
    checks: Vec<Check>,
}

/// WebArena numbers its tasks, others name them.
#[derive(Deserialize)]
#[serde(untagged)]
enum TaskId {
    Number(u64),
    Name(String),
}

impl TaskChecks {
    /// Reads lines of `{"task_id": 7, "checks": [{"type": "backend", …}]}`.
    pub fn parse_lines(text: &str) -> Result<Vec<Self>, BadTaskChecks> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(index, line)| {
                Self::parse(line).map_err(|problem| BadTaskChecks { line: index + 1, problem })
            })
            .collect()
    }

    fn parse(line: &str) -> Result<Self, String> {
        let Line { task_id, checks } = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let checks = checks
            .into_iter()
            .map(|check| match check {
                Check::Backend(check) => Ok(check),
                _ => Err("only backend checks can be asked after the fact".to_owned()),
            })
            .collect::<Result<_, _>>()?;
        let task_id = match task_id {
            TaskId::Number(number) => number.to_string(),
            TaskId::Name(name) => name,
        };
        Ok(Self { task_id, checks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_by_number_and_by_name() {
        let check = r#"{"type": "backend", "backend": "db", "ask": {"get": "/x"}, "expect": "absent"}"#;
        let text = format!(
            "{{\"task_id\": 7, \"checks\": [{check}, {check}]}}\n\n{{\"task_id\": \"a\", \"checks\": []}}\n"
        );
        let tasks = TaskChecks::parse_lines(&text).expect("well-formed");
        let read: Vec<(&str, usize)> =
            tasks.iter().map(|task| (task.task_id.as_str(), task.checks.len())).collect();
        assert_eq!(read, [("7", 2), ("a", 0)]);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (line, problem) in [
            ("{", "EOF"),
            (r#"{"task_id": 7, "chekcs": []}"#, "unknown field `chekcs`"),
            (
                r#"{"task_id": 7, "checks": [{"type": "response", "status": "SUCCESS"}]}"#,
                "only backend checks",
            ),
        ] {
            let error = TaskChecks::parse_lines(&format!("\n{line}\n")).expect_err(line);
            assert_eq!(error.line, 2);
            assert!(error.problem.contains(problem), "{error}");
        }
    }
}
