//! Task files: a JSON list of tasks, read with the place of each, so that errors can name it.

use std::fmt;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use thiserror::Error;

use super::task::OriginalTask;

/// A place in a file, counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl Position {
    /// The place of a parser's error in a text that begins here.
    pub(crate) fn within(self, error: &serde_json::Error) -> Self {
        let offset = error.column().saturating_sub(1);
        match error.line() {
            0 | 1 => Self { line: self.line, column: self.column + offset },
            line => Self { line: self.line + line - 1, column: offset + 1 },
        }
    }
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
        problem: String,
    },
}

/// The text of one task and where it begins.
pub(crate) struct PlacedTask<'a> {
    pub text: &'a str,
    pub position: Position,
    /// Counted from one, in file order.
    pub number: usize,
}

impl PlacedTask<'_> {
    pub(crate) fn value(&self) -> Result<Value, TaskFileError> {
        serde_json::from_str(self.text).map_err(|error| malformed(&error, self.position))
    }

    pub(crate) fn original(&self) -> Result<OriginalTask, TaskFileError> {
        OriginalTask::from_value(self.value()?).map_err(|problem| TaskFileError::Task {
            position: self.position,
            number: self.number,
            problem: problem.to_string(),
        })
    }
}

/// Reads a file of original WebArena tasks.
pub fn parse_tasks(text: &str) -> Result<Vec<OriginalTask>, TaskFileError> {
    split_tasks(text)?.iter().map(PlacedTask::original).collect()
}

/// Splits a task file into its tasks.
pub(crate) fn split_tasks(text: &str) -> Result<Vec<PlacedTask<'_>>, TaskFileError> {
    let mut position = Position { line: 1, column: 1 };
    let raw_tasks: Vec<&RawValue> =
        serde_json::from_str(text).map_err(|error| malformed(&error, position))?;
    let mut counted = 0;
    let placed = raw_tasks.into_iter().enumerate().map(|(index, raw)| {
        // The slice lies within `text`, so the distance of their addresses is its offset.
        let offset = raw.get().as_ptr() as usize - text.as_ptr() as usize;
        position = advance(position, &text[counted..offset]);
        counted = offset;
        PlacedTask { text: raw.get(), position, number: index + 1 }
    });
    Ok(placed.collect())
}

fn malformed(error: &serde_json::Error, base: Position) -> TaskFileError {
    TaskFileError::NotATaskList { position: base.within(error), message: without_position(error) }
}

fn advance(from: Position, text: &str) -> Position {
    match text.rfind('\n') {
        Some(last) => Position { line: from.line + text.matches('\n').count(), column: text.len() - last },
        None => Position { line: from.line, column: from.column + text.len() },
    }
}

/// What the parser found wrong, without its own position, which is relative to the text it was given.
pub(crate) fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rsplit_once(" at line ").map_or(message.as_str(), |(problem, _)| problem).to_owned()
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
