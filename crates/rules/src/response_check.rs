//! The check on the agent's structured response: its action, its status, its results.

use umpire_model::{ResponseCheck, ResponseForm, TaskKind, Trajectory};

use crate::response::{ReadResponse, Response, ResponseProblem, Status, read_response};
use crate::ruling::{Ruling, Undecided};
use crate::values::{Expected, ListComparison, Order, ValueType, compare_lists};
use crate::words;

pub(crate) fn in_words(check: &ResponseCheck, kind: TaskKind) -> String {
    let results = match expected_results(check, kind) {
        Some([]) => " without results".to_owned(),
        Some(results) => {
            let order = if check.ordered { " in this order" } else { "" };
            format!(", results {}{order}", words::joined(results.iter().map(words::alternatives), ", "))
        }
        None => String::new(),
    };
    format!("action {}, status {}{results}", kind.as_str(), check.status)
}

/// The agent's response, read once for all checks.
pub(crate) struct RecordedResponse<'t> {
    seq: u64,
    text: &'t str,
    read: Result<ReadResponse, ResponseProblem>,
}

impl<'t> RecordedResponse<'t> {
    pub(crate) fn of(trajectory: &'t Trajectory) -> Option<Self> {
        trajectory.response().map(|(seq, text)| Self { seq, text, read: read_response(text) })
    }

    pub(crate) fn form(&self) -> Option<ResponseForm> {
        self.read.as_ref().ok()?.form
    }
}

pub(crate) fn rule(
    check: &ResponseCheck,
    kind: TaskKind,
    response: Option<&RecordedResponse<'_>>,
) -> Result<Ruling, Undecided> {
    let expectation = Expectation::new(check, kind)?;
    let Some(RecordedResponse { seq, text, read }) = response else {
        let found = "no response".to_owned();
        let reason = "response: the agent gave no answer".to_owned();
        return Ok(Ruling::Failed { found, reason, evidence: Vec::new() });
    };
    let evidence = vec![*seq];
    let ReadResponse { response, form } = match read {
        Ok(read) => read,
        Err(problem) => {
            let reason = format!("response: {problem}");
            return Ok(Ruling::Failed { found: words::shorten(text), reason, evidence });
        }
    };
    let found = match form {
        None => describe(response),
        Some(form) => format!("{} ({})", describe(response), form.as_str()),
    };
    Ok(match expectation.objection(response) {
        None => Ruling::Held { found, evidence },
        Some(reason) => Ruling::Failed { found, reason, evidence },
    })
}

/// The results a check asks for, or `None` if it does not look at them. A retrieval is always looked at: where none
/// are listed there is nothing to report, and results given all the same are made up.
fn expected_results(check: &ResponseCheck, kind: TaskKind) -> Option<&[serde_json::Value]> {
    match &check.results {
        Some(results) => Some(results),
        None if kind == TaskKind::Retrieve => Some(&[]),
        None => None,
    }
}

fn describe(response: &Response) -> String {
    let results = match &response.results {
        Some(results) if !results.is_empty() => format!(", results {}", words::values(results)),
        _ => " without results".to_owned(),
    };
    format!("action {}, status {}{results}", response.action.as_str(), response.status)
}

/// A response check, read.
struct Expectation<'a> {
    kind: TaskKind,
    status: Status,
    /// As written and as read.
    results: Option<(&'a [serde_json::Value], Vec<Expected>)>,
    order: Order,
}

impl<'a> Expectation<'a> {
    fn new(check: &'a ResponseCheck, kind: TaskKind) -> Result<Self, Undecided> {
        let status = Status::named(&check.status).ok_or_else(|| {
            Undecided::Broken(format!("`{}` is not a status", words::shorten(&check.status)))
        })?;
        let order = if check.ordered { Order::Given } else { Order::Any };
        let value_type = ValueType::of_schema(&check.schema)?;
        let results = match expected_results(check, kind) {
            Some(written) => {
                let read: Result<Vec<_>, _> =
                    written.iter().map(|value| value_type.expect(value, order)).collect();
                Some((written, read?))
            }
            None => None,
        };
        Ok(Self { kind, status, results, order })
    }

    /// What is wrong with the response, in one line; `None` if nothing is.
    fn objection(&self, response: &Response) -> Option<String> {
        if response.action != self.kind {
            return Some(format!(
                "action: expected {}, got {}",
                self.kind.as_str(),
                response.action.as_str()
            ));
        }
        if response.status != self.status {
            return Some(format!("status: expected {}, got {}", self.status, response.status));
        }
        let (written, expected) = self.results.as_ref()?;
        let actual = response.results.as_deref().unwrap_or_default();
        let comparison = compare_lists(expected, actual, self.order);
        (!comparison.is_match()).then(|| unlike(written, actual, &comparison))
    }
}

fn unlike(
    expected: &[serde_json::Value],
    actual: &[serde_json::Value],
    comparison: &ListComparison,
) -> String {
    if expected.len() != actual.len() {
        let expected = words::count(expected.len(), "result");
        return format!(
            "answer: expected {expected}, got {}",
            if actual.is_empty() { "none".to_owned() } else { actual.len().to_string() }
        );
    }
    let missing = comparison.missing.iter().map(|&at| words::alternatives(&expected[at]));
    let unexpected = comparison.unexpected.iter().map(|&at| &actual[at]);
    format!("answer: expected {}, got {}", words::joined(missing, ", "), words::values(unexpected))
}
