//! What a condition is about, measured on the attempts of one agent.

use umpire_agents::{built_in_kinds, model_kinds};
use umpire_model::Outcome;
use umpire_report::{AttemptSummary, Summary};
use umpire_stats::{AttemptRow, Interval, median, wilson};

use super::{Condition, Field, Measure, number};

pub(super) struct Measured {
    pub value: f64,
    /// Of shares only.
    pub interval: Option<Interval>,
    /// The value in a sentence.
    pub words: String,
}

/// What was found, or why it cannot be said.
pub(super) fn measured(
    condition: &Condition,
    agent: &str,
    summary: &Summary,
    rows: &[AttemptRow],
) -> Result<Measured, String> {
    let own: Vec<(&AttemptRow, &AttemptSummary)> = rows
        .iter()
        .zip(&summary.attempts)
        .filter(|(row, _)| row.agent == agent && condition.is_about(row))
        .collect();
    if own.is_empty() {
        return Err("it has no such attempt".to_owned());
    }
    match condition.measure {
        Measure::Success => Ok(share(&own, AttemptRow::passed, "passed")),
        Measure::Outcome(outcome) => Ok(share(&own, |row| row.outcome == Some(outcome), outcome.as_str())),
        Measure::Open => Ok(share(&own, |row| row.outcome.is_none(), "open")),
        Measure::Cost => cost(agent, summary, &own),
        Measure::MedianSteps => middle(&own, |row| row.steps.map(f64::from), "steps"),
        Measure::MedianSeconds => middle(&own, |row| row.seconds, "seconds"),
    }
}

impl Condition {
    /// Perturbed attempts are no part of any rate unless they are asked for; their cost is a cost all the same.
    fn is_about(&self, row: &AttemptRow) -> bool {
        let asks_for_perturbed = self.only.iter().any(|(field, _)| *field == Field::Perturbation);
        let counts = row.perturbation.is_none() || asks_for_perturbed || self.measure == Measure::Cost;
        counts && self.only.iter().all(|(field, value)| field.holds(value, row))
    }
}

impl Field {
    fn holds(self, value: &str, row: &AttemptRow) -> bool {
        match self {
            Self::Agent => row.agent == value,
            Self::Site => row.site == value,
            Self::Category => row.category == value,
            Self::Kind => row.kind == value,
            Self::State => row.state.as_deref() == Some(value),
            Self::Level => row.level.is_some_and(|level| level.to_string() == value),
            Self::Hint => row.with_hint == (value == "with"),
            Self::Perturbation => row.perturbation.as_deref() == Some(value),
            Self::Template => row.template() == value,
            Self::Task => row.task == value,
        }
    }
}

fn share(
    own: &[(&AttemptRow, &AttemptSummary)],
    counts: impl Fn(&AttemptRow) -> bool,
    word: &str,
) -> Measured {
    let (found, planned) = (own.iter().filter(|(row, _)| counts(row)).count(), own.len());
    let value = found as f64 / planned as f64;
    let attempts = if planned == 1 { "attempt" } else { "attempts" };
    Measured {
        value,
        interval: Some(wilson(found, planned)),
        words: format!("{found} of {planned} {attempts} {word}, which is {}", number(value)),
    }
}

/// All that was spent, in all tries.
fn cost(agent: &str, summary: &Summary, own: &[(&AttemptRow, &AttemptSummary)]) -> Result<Measured, String> {
    let kind =
        summary.manifest.agents.iter().find(|entry| entry.name == agent).map(|entry| entry.kind.as_str());
    let is_ours =
        kind.is_some_and(|kind| built_in_kinds().into_iter().chain(model_kinds()).any(|known| known == kind));
    // A foreign agent that asked nobody through the gateway may have asked, and paid, elsewhere.
    let asked_elsewhere = summary.manifest.imported.is_some() || !is_ours;
    let unknown = own
        .iter()
        .filter(|(_, attempt)| {
            let spending = &attempt.spending;
            spending.unknown > 0 || (spending.is_nothing() && attempt.tries > 0 && asked_elsewhere)
        })
        .count();
    if unknown > 0 {
        return Err(format!("what {unknown} of its {} attempts cost is not known", own.len()));
    }
    let micros: u64 = own.iter().map(|(_, attempt)| attempt.spending.cost.0).sum();
    let value = micros as f64 / 1e6;
    Ok(Measured { value, interval: None, words: format!("it cost {} usd", number(value)) })
}

/// Over attempts that ended by the agent's doing, not by the harness's.
fn middle(
    own: &[(&AttemptRow, &AttemptSummary)],
    of: impl Fn(&AttemptRow) -> Option<f64>,
    noun: &str,
) -> Result<Measured, String> {
    let ended = own.iter().filter(|(row, _)| row.outcome.is_some_and(|outcome| outcome != Outcome::Infra));
    let values: Vec<f64> = ended.filter_map(|(row, _)| of(row)).collect();
    let value = median(&values).ok_or_else(|| format!("none of its attempts says its {noun}"))?;
    Ok(Measured { value, interval: None, words: format!("the median is {} {noun}", number(value)) })
}
