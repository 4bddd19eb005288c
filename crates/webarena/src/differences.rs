//! Why the reference and strict evaluation say different things about one attempt, in one line.

use umpire_model::{CheckResult, Outcome};

use crate::reference::results::{EvalStatus, EvaluatorResult, TaskResult};
use crate::strict::StrictVerdict;

/// A disagreement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub reference: EvalStatus,
    pub strict: Outcome,
    pub reason: String,
}

/// `None` if they agree. An attempt the reference breaks on is never judged by it, so that is a disagreement too.
pub fn difference(reference: &TaskResult, strict: &StrictVerdict) -> Option<Difference> {
    let outcome = strict.verdict.outcome;
    let reason = match (reference.status, outcome) {
        (EvalStatus::Success, Outcome::Pass) | (EvalStatus::Failure, Outcome::Fail) => return None,
        (_, Outcome::Invalid) => format!("nobody can pass this task: {}", strict.verdict.reason),
        (EvalStatus::Error, Outcome::Fail) => {
            format!("the reference breaks ({}); {}", broke_on(reference), strict.verdict.reason)
        }
        (EvalStatus::Error, _) => format!("the reference breaks ({})", broke_on(reference)),
        (EvalStatus::Failure, _) => why_only_strict_accepts(reference, strict),
        (EvalStatus::Success, _) => why_only_the_reference_accepts(strict),
    };
    Some(Difference { reference: reference.status, strict: outcome, reason })
}

fn broke_on(reference: &TaskResult) -> &str {
    let of_evaluator = reference.evaluators_results.iter().find_map(|result| result.error_msg.as_deref());
    of_evaluator.or(reference.error_msg.as_deref()).unwrap_or("it does not say on what")
}

fn why_only_strict_accepts(reference: &TaskResult, strict: &StrictVerdict) -> String {
    if let Some(form) = strict.verdict.response_form
        && reference.evaluators_results.iter().any(|result| is_response(result) && failed(result))
    {
        return format!("the reference does not find the response (form: {})", form.as_str());
    }
    let Some(result) = reference.evaluators_results.iter().find(|result| failed(result)) else {
        return "the reference does not say why".to_owned();
    };
    let names = result.assertions.iter().flatten().map(|assertion| assertion.assertion_name.as_str());
    let names = names.collect::<Vec<_>>().join(", ");
    let kind = if is_response(result) { "response" } else { "network" };
    match strict.verdict.checks.iter().find(|check| check.kind == kind) {
        Some(CheckResult { found, .. }) => format!("the reference says {names}; strict accepts {found}"),
        None => format!("the reference says {names}"),
    }
}

fn why_only_the_reference_accepts(strict: &StrictVerdict) -> String {
    let failed = strict.verdict.checks.iter().find(|check| !check.held);
    let habit = match failed.map(|check| (check.kind.as_str(), check.found.as_str())) {
        Some(("activity", _)) => "the reference does not ask whether the sites were used",
        Some(("network", _)) if strict.verdict.reason.contains("took effect") => {
            "the reference looks at the last such request alone"
        }
        Some((_, found)) if found.contains("\"^") => "the reference runs patterns that the agent wrote",
        Some(("network", _)) => "the reference compares requests more loosely",
        _ => "the reference compares answers more loosely",
    };
    format!("{habit}; {}", strict.verdict.reason)
}

fn is_response(result: &EvaluatorResult) -> bool {
    result.should_not_exist.is_none()
}

fn failed(result: &EvaluatorResult) -> bool {
    result.status == EvalStatus::Failure
}
