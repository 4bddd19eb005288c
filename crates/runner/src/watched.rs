//! What those who watch are told of runs and attempts, wherever they are made: spans, log lines, and what is counted. Neither
//! pages nor answers are in any of it.

use std::time::Instant;

use tracing::{Level, Span};
use umpire_model::{AttemptId, Outcome, RunId};

use crate::{Plan, Progress};

/// The span of a run in this process; all its attempts lie within.
pub(crate) fn run_span(plan: &Plan) -> Span {
    tracing::info_span!("run", run = %plan.run, suite = plan.suite.file.name, attempts = plan.units.len())
}

pub(crate) fn run_begun(plan: &Plan, already_finished: usize, jobs: usize) {
    let (run, suite, attempts) = (&plan.run, &plan.suite.file.name, plan.units.len());
    tracing::info!(%run, suite, attempts, already_finished, jobs, "run begun");
}

pub(crate) fn run_ended(run: &RunId, tally: Progress) {
    let Progress { pass, fail, timeout, budget, blocked, invalid, infra, unfinished } = tally;
    tracing::info!(%run, pass, fail, timeout, budget, blocked, invalid, infra, unfinished, "run ended");
}

/// An attempt under way; counted among the running until it is dropped.
pub(crate) struct Watched<'a> {
    id: &'a AttemptId,
    span: Span,
    began: Instant,
}

impl<'a> Watched<'a> {
    /// Within the span of its run.
    pub fn begin(run: &RunId, within: &Span, id: &'a AttemptId) -> Self {
        count_running(1);
        let span = tracing::info_span!(
            parent: within, "attempt", run = %run, attempt = %id, outcome = tracing::field::Empty
        );
        span.in_scope(|| tracing::info!(%run, attempt = %id, "attempt begun"));
        Self { id, span, began: Instant::now() }
    }

    pub fn span(&self) -> Span {
        self.span.clone()
    }

    pub fn ended(&self, outcome: Outcome, steps: u32) {
        self.span.record("outcome", outcome.as_str());
        let (attempt, seconds) = (self.id, self.began.elapsed().as_secs_f64());
        self.span.in_scope(|| {
            tracing::info!(%attempt, outcome = outcome.as_str(), steps, seconds, "attempt ended");
        });
        tracing::event!(target: "umpire::metrics", Level::INFO, {
            monotonic_counter.umpire_attempts = 1_u64,
            monotonic_counter.umpire_steps = u64::from(steps),
            histogram.umpire_attempt_seconds = seconds,
            agent = self.id.agent,
            outcome = outcome.as_str()
        });
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        count_running(-1);
    }
}

/// A try ended as `infra`, and another one follows. Why is in the run.
pub(crate) fn tried_again(attempt: &AttemptId, tries: u32) {
    tracing::warn!(%attempt, tries, "attempt tried again");
}

fn count_running(change: i64) {
    tracing::event!(target: "umpire::metrics", Level::INFO, { counter.umpire_attempts_running = change });
}
