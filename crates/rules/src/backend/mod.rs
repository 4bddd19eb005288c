//! Checks on what a deployment's own backend said.
//!
//! The backend was asked when the attempt ended (and, for `unchanged_except`, before it began); here only the recorded
//! answers are read. A backend that could not be reached leaves evidence missing; a question it cannot answer, or a
//! selection that is no JSONPath, is the task's fault.

mod answers;
mod comparison;
mod selection;

use serde_json::Value;
use umpire_model::{BackendCheck, Moment, StateExpectation};

use crate::ruling::{Ruling, Undecided};
use crate::{state, words};
pub(crate) use answers::RecordedAnswers;
use comparison::Comparison;
use selection::{Found, Selection};

pub(crate) fn in_words(check: &BackendCheck) -> String {
    let asked = words::shorten(&check.ask.to_string());
    let place = match check.select.as_str() {
        "" => format!("{} on `{asked}`", check.backend),
        path => format!("{} on `{asked}`, {}", check.backend, words::shorten(path)),
    };
    match &check.expect {
        StateExpectation::Equals(value) => format!("{place}: {}", words::value(value)),
        StateExpectation::Contains(part) => format!("{place}: contains {}", words::value(part)),
        StateExpectation::Count(count) => format!("{place}: {count} entries"),
        StateExpectation::Absent => format!("{place}: nothing"),
        StateExpectation::UnchangedExcept(allowed) if allowed.is_empty() => format!("{place}: unchanged"),
        StateExpectation::UnchangedExcept(allowed) => {
            format!("{place}: unchanged except {}", words::joined(allowed.iter().cloned(), ", "))
        }
    }
}

pub(crate) fn rule(check: &BackendCheck, answers: &RecordedAnswers<'_>) -> Result<Ruling, Undecided> {
    let selection = Selection::parse(&check.select)?;
    let comparison = Comparison::of(check)?;
    let (seq, answer) = answers.find(check, Moment::After)?;
    let after = selection.apply(answer);
    let objection = match &check.expect {
        StateExpectation::Equals(expected) => unequal(expected, &after, &comparison)?,
        StateExpectation::Contains(part) => lacks(part, &after, &comparison)?,
        StateExpectation::Count(count) => miscounted(*count, &after),
        StateExpectation::Absent => (!after.is_nothing()).then(|| format!("{after}, expected nothing")),
        StateExpectation::UnchangedExcept(allowed) => {
            let (before_seq, before) = answers.find(check, Moment::Before)?;
            let before = selection.apply(before);
            let changes = state::unexpected_changes(before.0.as_ref(), after.0.as_ref(), allowed)?;
            return Ok(ruling(changes, "unchanged".to_owned(), check, vec![before_seq, seq]));
        }
    };
    Ok(ruling(objection, after.to_string(), check, vec![seq]))
}

fn ruling(objection: Option<String>, found: String, check: &BackendCheck, evidence: Vec<u64>) -> Ruling {
    match objection {
        None => Ruling::Held { found, evidence },
        Some(objection) => {
            Ruling::Failed { reason: format!("{}: {objection}", check.backend), found: objection, evidence }
        }
    }
}

fn unequal(expected: &Value, found: &Found, comparison: &Comparison) -> Result<Option<String>, Undecided> {
    let alike = match (expected, &found.0) {
        (_, None) => false,
        (Value::Array(expected), Some(Value::Array(actual))) => comparison.equal_lists(expected, actual)?,
        (expected, Some(actual)) => comparison.equal(expected, actual)?,
    };
    Ok((!alike).then(|| format!("{found}, expected {}", words::value(expected))))
}

fn lacks(part: &Value, found: &Found, comparison: &Comparison) -> Result<Option<String>, Undecided> {
    if part.as_object().is_some_and(serde_json::Map::is_empty) {
        return Err(Undecided::Broken("`contains` asks for no field, so anything would do".to_owned()));
    }
    let mut contained = false;
    for value in found.entries().unwrap_or_default() {
        contained |= comparison.includes(value, part)?;
    }
    Ok((!contained).then(|| format!("{found}, expected an entry with {}", words::value(part))))
}

fn miscounted(expected: usize, found: &Found) -> Option<String> {
    match found.entries() {
        Some(entries) if entries.len() == expected => None,
        Some(entries) => Some(format!("{} entries, expected {expected}: {found}", entries.len())),
        None => Some(format!("{found}, expected a list or map with {expected} entries")),
    }
}
