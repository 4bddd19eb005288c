//! Task files: a JSON list of tasks, read with the place of each, so that errors can name it.

use std::fmt;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use thiserror::Error;

use super::task::{OriginalTask, TaskError};

/// A place in a file, counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}", self.line, self.column)
    }
}

/// Why a task file cannot be read.
#[derive(Debug, Error)]
pub enum TaskFileError {
    #[error("{position}: not a JSON list of tasks: {message}")]
    NotATaskList { position: Position, message: String },
    #[error("{position}: task number {number} in the file: {problem}")]
    Task {
        position: Position,
        /// Counted from one, in file order.
        number: usize,
        problem: TaskError,
    },
}

/// A task object and where it begins.
pub(super) struct PlacedTask {
    pub value: Value,
    pub position: Position,
    pub number: usize,
}

impl PlacedTask {
    pub(super) fn blame(&self, problem: TaskError) -> TaskFileError {
        TaskFileError::Task { position: self.position, number: self.number, problem }
    }
}

/// Reads a file of original WebArena tasks.
pub fn parse_tasks(text: &str) -> Result<Vec<OriginalTask>, TaskFileError> {
    split_tasks(text)?
        .into_iter()
        .map(|task| OriginalTask::from_value(task.value.clone()).map_err(|problem| task.blame(problem)))
        .collect()
}

/// Splits a task file into its objects.
pub(super) fn split_tasks(text: &str) -> Result<Vec<PlacedTask>, TaskFileError> {
    let malformed = |error: serde_json::Error, base: Position| {
        let column =
            if error.line() <= 1 { base.column + error.column().saturating_sub(1) } else { error.column() };
        TaskFileError::NotATaskList {
            position: Position { line: base.line + error.line().saturating_sub(1), column },
            message: without_position(&error.to_string()),
        }
    };
    let start = Position { line: 1, column: 1 };
    let raw_tasks: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| malformed(error, start))?;
    let mut position = start;
    let mut counted = 0;
    raw_tasks
        .into_iter()
        .enumerate()
        .map(|(index, raw)| {
            // The slice lies within `text`, so the distance of their addresses is its offset.
            let offset = raw.get().as_ptr() as usize - text.as_ptr() as usize;
            position = advance(position, &text[counted..offset]);
            counted = offset;
            let value = serde_json::from_str(raw.get()).map_err(|error| malformed(error, position))?;
            Ok(PlacedTask { value, position, number: index + 1 })
        })
        .collect()
}

fn advance(from: Position, text: &str) -> Position {
    match text.rfind('\n') {
        Some(last) => Position { line: from.line + text.matches('\n').count(), column: text.len() - last },
        None => Position { line: from.line, column: from.column + text.len() },
    }
}

/// The parser's message repeats its own position, which is given in the file's terms already.
fn without_position(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(problem, _)| problem).to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn errors_name_the_place() {
        for (text, expected) in [
            ("{}", "line 1, column 1: not a JSON list of tasks: invalid type: map, expected a sequence"),
            ("[\n  {\"task_id\": }\n]", "line 2, column 15: not a JSON list of tasks: expected value"),
            ("[", "line 1, column 1: not a JSON list of tasks: EOF while parsing a list"),
            ("[\n 4]", "line 2, column 2: task number 1 in the file: a task is an object"),
        ] {
            let error = parse_tasks(text).expect_err("malformed").to_string();
            assert_eq!(error, expected, "{text:?}");
        }
    }

    #[test]
    fn tasks_are_placed_where_they_begin() {
        let places: Vec<_> = split_tasks("[1,\n\n   2, 3]")
            .expect("a list")
            .iter()
            .map(|task| task.position.to_string())
            .collect();
        assert_eq!(places, ["line 1, column 2", "line 3, column 4", "line 3, column 7"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".*") {
            let _ = parse_tasks(&text);
        }
    }
}
