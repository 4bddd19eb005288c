//! A run as `JUnit` XML, which continuous integration shows: one testcase an attempt.
//!
//! Only what says something against the agent is a failure. What the harness lost and tasks that cannot be scored are
//! errors, and an attempt without an outcome is skipped.

use maud::{Markup, PreEscaped, html};
use umpire_model::Outcome;

use crate::wording::clipped;
use crate::{AttemptSummary, Summary};

const REASON_KEPT: usize = 2000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl Mark {
    fn of(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Pass) => Self::Passed,
            Some(Outcome::Fail | Outcome::Timeout | Outcome::Budget | Outcome::Blocked) => Self::Failure,
            Some(Outcome::Infra | Outcome::Invalid) => Self::Error,
            None => Self::Skipped,
        }
    }
}

pub fn junit(summary: &Summary) -> String {
    let all: Vec<&AttemptSummary> = summary.attempts.iter().collect();
    let suites = html! {
        testsuites name=(summary.manifest.run) tests=(all.len()) failures=(count(&all, Mark::Failure))
            errors=(count(&all, Mark::Error)) skipped=(count(&all, Mark::Skipped)) time=(seconds(&all)) {
            @for agent in &summary.manifest.agents { (suite(summary, &agent.name)) }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", suites.0)
}

fn suite(summary: &Summary, agent: &str) -> Markup {
    let own: Vec<&AttemptSummary> = summary.attempts.iter().filter(|a| a.id.agent == agent).collect();
    html! {
        testsuite name=(legal(agent)) timestamp=(legal(&summary.manifest.created)) tests=(own.len())
            failures=(count(&own, Mark::Failure)) errors=(count(&own, Mark::Error))
            skipped=(count(&own, Mark::Skipped)) time=(seconds(&own)) {
            @for attempt in &own { (case(attempt)) }
        }
    }
}

fn case(attempt: &AttemptSummary) -> Markup {
    let word = attempt.outcome.map_or("open", Outcome::as_str);
    let message = legal(&format!("{word}: {}", attempt.reason));
    let time = attempt.seconds.map(|seconds| format!("{seconds:.3}"));
    html! {
        (PreEscaped("\n"))
        testcase classname=(legal(&attempt.id.agent)) name={ (legal(&attempt.id.instance)) " #" (attempt.id.trial) }
            time=[time] {
            @match Mark::of(attempt.outcome) {
                Mark::Passed => {}
                Mark::Failure => { failure type=(word) message=(message) {} }
                Mark::Error => { error type=(word) message=(message) {} }
                Mark::Skipped => { skipped message=(message) {} }
            }
        }
    }
}

fn count(attempts: &[&AttemptSummary], mark: Mark) -> usize {
    attempts.iter().filter(|attempt| Mark::of(attempt.outcome) == mark).count()
}

fn seconds(attempts: &[&AttemptSummary]) -> String {
    format!("{:.3}", attempts.iter().filter_map(|attempt| attempt.seconds).sum::<f64>())
}

/// Characters that no XML file may hold, not even escaped, are spelled out with those that deceive.
fn legal(text: &str) -> String {
    clipped(text, REASON_KEPT).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
