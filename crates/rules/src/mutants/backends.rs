//! A backend that almost says what it should: another value, a row less, or as it was before.

use serde_json::{Value, json};
use umpire_model::{
    BackendAnswer, BackendCheck, BlobSource, Body, Digest, EventBody, Moment, Said, StateExpectation,
    Trajectory,
};

use super::leaves::{change_first, change_where};
use super::{Change, Mutant, MutantKind};
use crate::json_equality;
use crate::words;

/// A change to what a backend said after the attempt.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BackendChange {
    question: Digest,
    edit: Edit,
}

#[derive(Clone, Debug, PartialEq)]
enum Edit {
    /// Every value in the answer that is `expected`, as number or text, becomes another one.
    OtherValue {
        expected: Value,
    },
    AsBefore,
    Nothing,
    RowLess,
    RowMore,
    /// Something where there must be nothing.
    Something,
    /// The first value of the answer becomes another one.
    Changed,
}

pub(super) fn mutants(check: &BackendCheck) -> Vec<Mutant> {
    let mutant = |what: String, edit: Edit| Mutant {
        kind: MutantKind::State,
        what: format!("{} on `{}`: {what}", check.backend, words::shorten(&check.ask.to_string())),
        change: Change::Backend(BackendChange { question: check.question(), edit }),
    };
    let other_values = |expected: &Value| {
        let mut scalars = Vec::new();
        collect_scalars(expected, &mut scalars);
        scalars.into_iter().map(|expected| {
            (format!("another value than {}", words::value(&expected)), Edit::OtherValue { expected })
        })
    };
    let mut edits: Vec<(String, Edit)> = match &check.expect {
        StateExpectation::Equals(value) | StateExpectation::Contains(value) => other_values(value)
            .chain([("as before".to_owned(), Edit::AsBefore), ("nothing".to_owned(), Edit::Nothing)])
            .collect(),
        StateExpectation::Absent => vec![("something".to_owned(), Edit::Something)],
        StateExpectation::UnchangedExcept(allowed) if allowed.is_empty() => {
            vec![("a change".to_owned(), Edit::Changed)]
        }
        StateExpectation::Count(_) | StateExpectation::UnchangedExcept(_) => Vec::new(),
    };
    // A selection may leave out the very row that comes or goes.
    if matches!(check.expect, StateExpectation::Count(_)) && check.select.is_empty() {
        edits.extend([("a row less".to_owned(), Edit::RowLess), ("a row more".to_owned(), Edit::RowMore)]);
    }
    edits.into_iter().map(|(what, edit)| mutant(what, edit)).collect()
}

fn collect_scalars(value: &Value, scalars: &mut Vec<Value>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| collect_scalars(value, scalars)),
        Value::Object(map) => map.values().for_each(|value| collect_scalars(value, scalars)),
        scalar if scalars.contains(scalar) => {}
        scalar => scalars.push(scalar.clone()),
    }
}

impl BackendChange {
    /// Changes the recorded answer; `None` if there is none, or nothing in it to change.
    pub(super) fn make(&self, trajectory: &mut Trajectory, blobs: &dyn BlobSource) -> Option<()> {
        let before = answer(trajectory, &self.question, Moment::Before).map(|answer| answer.said.clone());
        let after = &mut answer_mut(trajectory, &self.question)?.said;
        match (&self.edit, &mut *after) {
            (Edit::Nothing, Said::Json(_)) => *after = Said::Nothing,
            (Edit::Something, Said::Json(_) | Said::Nothing) => *after = said(&json!([{"other": 1}])),
            (Edit::AsBefore, Said::Json(body)) => {
                let before = before?;
                let unchanged = match &before {
                    Said::Json(was) => json_equality::equal(&load(was, blobs)?, &load(body, blobs)?),
                    _ => false,
                };
                if unchanged {
                    return None;
                }
                *after = before;
            }
            (edit, Said::Json(body)) => {
                let mut value = load(body, blobs)?;
                edit.change(&mut value)?;
                *after = said(&value);
            }
            _ => return None,
        }
        Some(())
    }
}

impl Edit {
    fn change(&self, answer: &mut Value) -> Option<()> {
        match self {
            Self::OtherValue { expected } => change_where(answer, &|value| says(value, expected)),
            Self::Changed => change_first(answer),
            Self::RowLess => answer.as_array_mut()?.pop().map(drop),
            Self::RowMore => {
                let rows = answer.as_array_mut()?;
                rows.push(rows.last().cloned().unwrap_or_default());
                Some(())
            }
            Self::AsBefore | Self::Nothing | Self::Something => None,
        }
    }
}

/// Databases write exact numbers as text.
fn says(value: &Value, expected: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::Number(number) => number.to_string().parse::<f64>().ok(),
        Value::String(text) => text.parse::<f64>().ok(),
        _ => None,
    };
    value == expected || number(value).is_some_and(|value| number(expected) == Some(value))
}

fn said(value: &Value) -> Said {
    Said::Json(Body::Text(value.to_string()))
}

fn load(body: &Body, blobs: &dyn BlobSource) -> Option<Value> {
    match body {
        Body::Text(text) => serde_json::from_str(text).ok(),
        Body::Blob(blob) => serde_json::from_slice(&blobs.read(blob).ok()?).ok(),
        Body::Omitted(_) => None,
    }
}

fn answer<'t>(trajectory: &'t Trajectory, question: &Digest, when: Moment) -> Option<&'t BackendAnswer> {
    let answers = trajectory.backend_answers().map(|(_, answer)| answer);
    answers.filter(|answer| answer.question == *question && answer.when == when).last()
}

fn answer_mut<'t>(trajectory: &'t mut Trajectory, question: &Digest) -> Option<&'t mut BackendAnswer> {
    trajectory.events.iter_mut().rev().find_map(|event| match &mut event.body {
        EventBody::BackendAnswer(answer) if answer.question == *question && answer.when == Moment::After => {
            Some(answer.as_mut())
        }
        _ => None,
    })
}
