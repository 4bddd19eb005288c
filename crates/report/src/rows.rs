//! A run as the table that counters and exports share.

use std::collections::HashMap;

use umpire_model::{Check, Instance, Spending};
use umpire_stats::AttemptRow;
use umpire_store::Run;

use crate::{AttemptSummary, ReportError, Summary};

/// The one status of a task that can be done; every other one is the right answer to a task that cannot.
const ACHIEVED: &str = "SUCCESS";

/// One row an attempt, in the summary's order.
pub fn rows(run: &Run, summary: &Summary) -> Result<Vec<AttemptRow>, ReportError> {
    let instances: HashMap<String, Asked> =
        run.expectations()?.into_iter().map(|instance| (instance.id.clone(), Asked::of(instance))).collect();
    Ok(summary.attempts.iter().map(|attempt| row(attempt, instances.get(&attempt.id.instance))).collect())
}

/// What all attempts at an instance have in common; a digest is costly enough to be taken once.
struct Asked {
    digest: String,
    impossible: bool,
    reference_steps: Option<u32>,
    instance: Instance,
}

impl Asked {
    fn of(instance: Instance) -> Self {
        Self {
            digest: instance.digest().as_str().to_owned(),
            impossible: is_impossible(&instance),
            reference_steps: reference_steps(&instance),
            instance,
        }
    }
}

fn row(attempt: &AttemptSummary, asked: Option<&Asked>) -> AttemptRow {
    let spending = &attempt.spending;
    let own = AttemptRow {
        agent: attempt.id.agent.clone(),
        instance: attempt.id.instance.clone(),
        trial: attempt.id.trial,
        perturbation: attempt.perturbation.as_ref().map(|perturbed| perturbed.by.to_string()),
        outcome: attempt.outcome,
        steps: attempt.steps,
        seconds: attempt.seconds,
        tokens: tokens(spending),
        usd: usd(spending),
        ..AttemptRow::default()
    };
    let Some(Asked { digest, impossible, reference_steps, instance }) = asked else { return own };
    AttemptRow {
        task: instance.task.clone(),
        template: instance.template.clone(),
        site: instance.sites.join(" + "),
        category: instance.category.clone(),
        kind: instance.kind.as_str().to_owned(),
        state: instance.state.clone(),
        level: instance.level,
        with_hint: instance.with_hint,
        digest: Some(digest.clone()),
        impossible: *impossible,
        reference_steps: *reference_steps,
        ..own
    }
}

fn is_impossible(instance: &Instance) -> bool {
    let is_no_success = |check: &Check| match check {
        Check::Response(response) => !response.status.trim().eq_ignore_ascii_case(ACHIEVED),
        _ => false,
    };
    instance.checks.iter().any(is_no_success)
}

/// What a person needed, or else what the oracle does. An attempt's steps include its answer, and so do the oracle's.
fn reference_steps(instance: &Instance) -> Option<u32> {
    let by_oracle = instance.reference.len() as u32;
    instance.reference_length.or((by_oracle > 0).then_some(by_oracle))
}

/// None if no model was asked through the gateway, or none that counts.
fn tokens(spending: &Spending) -> Option<u64> {
    let tokens = spending.usage.input + spending.usage.output;
    (tokens > 0).then_some(tokens)
}

/// None unless the price of every call is known: half a bill would look like a cheap agent. One that asked nobody
/// through the gateway may have paid elsewhere.
fn usd(spending: &Spending) -> Option<f64> {
    (!spending.is_nothing() && spending.unknown == 0).then(|| spending.cost.0 as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use umpire_model::{Usage, UsdMicros};

    use super::*;

    #[test]
    fn a_cost_that_is_not_wholly_known_is_unknown() {
        let usage = Usage { input: 900, output: 100, ..Usage::default() };
        for (calls, unknown, cost, wanted) in [
            (0, 0, 0, None),
            (3, 0, 1_250_000, Some(1.25)),
            (3, 1, 1_250_000, None),
            (3, 3, 0, None),
            // Known to be nothing: replies from the cache.
            (3, 0, 0, Some(0.0)),
        ] {
            let spending = Spending { calls, usage, cost: UsdMicros(cost), unknown };
            assert_eq!(usd(&spending), wanted, "{calls} calls, {unknown} unknown");
        }
        assert_eq!(tokens(&Spending { calls: 1, usage, ..Spending::default() }), Some(1000));
        assert_eq!(tokens(&Spending::default()), None);
    }
}
