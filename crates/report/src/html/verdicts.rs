//! Verdicts with what they rest on.

use maud::{Markup, html};
use umpire_model::{CheckResult, End, Trajectory, Verdict};
use umpire_store::FiledVerdict;

use super::frame::badge;
use super::record_tables::CheckNumbers;
use super::recording::Recording;
use crate::wording::clipped;

const TEXT_SHOWN: usize = 20_000;
const LINE_SHOWN: usize = 400;

/// The latest opinion of every judge on the try that counts.
pub fn current_verdicts(filed: &[FiledVerdict], tries: u32) -> Vec<&Verdict> {
    let on_last = filed.iter().filter(|filed| filed.r#try == tries);
    let mut latest: Vec<&Verdict> = Vec::new();
    for FiledVerdict { verdict, .. } in on_last {
        latest.retain(|earlier| earlier.by != verdict.by);
        latest.push(verdict);
    }
    latest
}

/// Which checks of the rules rest on which event.
pub fn check_numbers(verdicts: &[&Verdict]) -> CheckNumbers {
    let mut evidence = CheckNumbers::new();
    for verdict in verdicts.iter().filter(|verdict| verdict.by == "rules") {
        for (index, check) in verdict.checks.iter().enumerate() {
            for seq in &check.evidence {
                evidence.entry(*seq).or_default().push(index + 1);
            }
        }
    }
    evidence
}

pub fn verdict_section(verdict: &Verdict, trajectory: &Trajectory, recording: &Recording<'_>) -> Markup {
    html! {
        section {
            h2 { "Verdict by " (verdict.by) }
            // The head of the page already says what the rules decided.
            @if verdict.by != "rules" {
                p { (badge(Some(verdict.outcome))) " " span.said { (clipped(&verdict.reason, LINE_SHOWN)) } }
            }
            @if verdict.checks.is_empty() { p.muted { "No check was needed: how the try ended decided." } }
            @if verdict.checks.iter().all(|check| check.kind == "vote") && !verdict.checks.is_empty() {
                (votes(&verdict.checks))
            } @else if !verdict.checks.is_empty() {
                table.wide {
                    thead { tr { th.number { "check" } th { "held" } th { "kind" } th { "expected" } th { "found" } th { "evidence" } } }
                    tbody {
                        @for (index, check) in verdict.checks.iter().enumerate() {
                            tr id=[(verdict.by == "rules").then(|| format!("check-{}", index + 1))] {
                                td.number { (index + 1) }
                                td.nowrap { @if check.held { span.held { "✓ yes" } } @else { span.missed { "✗ no" } } }
                                td { (check.kind) }
                                td.said { (clipped(&check.expected, TEXT_SHOWN)) }
                                td.said { (clipped(&check.found, TEXT_SHOWN)) }
                                td { @for seq in &check.evidence { div.nowrap { (pointer(*seq, trajectory, recording)) } } }
                            }
                        }
                    }
                }
            }
            p.muted { "Decided by " code { (clipped(verdict.digest.as_str(), 12)) } }
        }
    }
}

/// From a check to the event it rests on, where the page shows it.
fn pointer(seq: u64, trajectory: &Trajectory, recording: &Recording<'_>) -> Markup {
    let link = |words: &str| html! { a href={ "#e-" (seq) } { (words) } };
    if trajectory.response().is_some_and(|(answer, _)| answer == seq) {
        link("answer")
    } else if recording.exchanges.iter().any(|request| request.seq == seq) {
        link(&format!("request {seq}"))
    } else if recording.gate.iter().any(|note| note.seq == seq) {
        link(&format!("gate {seq}"))
    } else if recording.state_after == Some(seq) {
        html! { "final state" }
    } else if let Some((_, answer)) = recording.backend.iter().find(|(at, _)| *at == seq) {
        link(&format!("backend {}", answer.backend))
    } else {
        html! { "event " (seq) }
    }
}

/// What models said, one a row.
fn votes(votes: &[CheckResult]) -> Markup {
    html! {
        table.wide {
            thead { tr { th { "vote of" } th { "says" } th { "because" } } }
            tbody {
                @for vote in votes {
                    @let (ruling, reason) = vote.found.split_once(": ").unwrap_or((&vote.found, ""));
                    tr {
                        td.nowrap { (clipped(&vote.expected, LINE_SHOWN)) }
                        td.nowrap { @if vote.held { span.held { "✓ " (ruling) } } @else { span.missed { "✗ " (ruling) } } }
                        td.said { (clipped(reason, TEXT_SHOWN)) }
                    }
                }
            }
        }
    }
}

pub fn ending(end: End) -> &'static str {
    match end {
        End::Answered => "answered",
        End::Stopped => "stopped without an answer",
        End::Over => "ended by the page",
        End::Time => "out of time",
        End::Actions => "out of actions",
        End::Money => "out of money",
        End::Blocked => "kept out by the site",
        End::Invalid => "could not be asked",
        End::Infra => "lost by the harness",
    }
}
