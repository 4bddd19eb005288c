//! What every page of an attempt has, on the disk or on a server. They differ in where other attempts are.

use maud::{Markup, html};
use umpire_model::{AttemptId, Lapse, Manifest, Trajectory};
use umpire_store::{InstanceFacts, Journal, Try};

use super::frame::badge;
use super::recording::{Recording, suspicious};
use super::verdicts::ending;
use crate::wording::{clipped, count, seconds};
use crate::{AttemptSummary, Summary};

const TEXT_SHOWN: usize = 20_000;
const LINE_SHOWN: usize = 400;
const FLAGS_SHOWN: usize = 20;

/// The way back to the run, and to the attempts of the same agent before and after; `path` says where an attempt is.
pub fn crumbs(
    summary: &Summary,
    attempt: &AttemptSummary,
    run: &str,
    path: &dyn Fn(&AttemptId) -> String,
) -> Markup {
    let own: Vec<&AttemptSummary> =
        summary.attempts.iter().filter(|other| other.id.agent == attempt.id.agent).collect();
    let here = own.iter().position(|other| other.id == attempt.id).unwrap_or(0);
    let before = own.iter().take(here).rev().find(|other| other.tries > 0);
    let after = own.iter().skip(here + 1).find(|other| other.tries > 0);
    html! {
        nav.crumbs aria-label="Run" {
            a href=(run) { "← " (summary.manifest.run) }
            span.push {
                @if let Some(other) = before { a rel="prev" href=(path(&other.id)) { "← " (other.id.instance) } }
            }
            @if let Some(other) = after { a rel="next" href=(path(&other.id)) { (other.id.instance) " →" } }
        }
    }
}

/// Which attempt this is, what it came to, and what was asked.
pub fn attempt_head(
    manifest: &Manifest,
    attempt: &AttemptSummary,
    facts: Option<&InstanceFacts>,
    journal: &Journal,
    recording: &Recording<'_>,
) -> Markup {
    let AttemptSummary { id, outcome, reason, steps, counted, seconds: time, tries, .. } = attempt;
    html! {
        h1 { (id.instance) " " span.muted { "by " (id.agent) @if manifest.trials > 1 { ", trial " (id.trial) } } }
        p { (badge(*outcome)) " " span.said { (clipped(reason, LINE_SHOWN)) } }
        @if let Some(facts) = facts { p.intent.said { (clipped(&facts.intent, TEXT_SHOWN)) } }
        div.facts {
            @if let Some(steps) = steps {
                span { b { (steps) } " steps" @if let Some(counted) = counted { ", " (counted) " counted of " (manifest.limits.actions) } }
            }
            @if let Some(time) = time { span { b { (seconds(*time)) } } }
            @if let Some((end, detail)) = journal.trajectory.end() {
                span { (ending(end)) @if !detail.is_empty() { ": " span.said { (clipped(detail, LINE_SHOWN)) } } }
            }
            @if *tries > 1 { span { "try " b { (tries) } } }
            @if let Some(facts) = facts {
                span { (facts.kind.as_str()) " · " (facts.category) " · " (facts.sites.join(" + ")) @if let Some(state) = &facts.state { " · initially " (state) } }
            }
            @if !recording.browser.is_empty() {
                span { (recording.browser) ", " (recording.viewport.width) " × " (recording.viewport.height) ", " (recording.started_at) }
            }
        }
    }
}

/// Tries before the last, which the harness lost.
pub fn earlier_tries(journal: &Journal) -> Markup {
    let earlier = journal.tries.split_last().map_or(&[][..], |(_, earlier)| earlier);
    html! {
        @if !earlier.is_empty() {
            section {
                h2 { "Earlier tries" }
                table {
                    thead { tr { th.number { "try" } th { "started" } th { "end" } th { "detail" } } }
                    tbody {
                        @for Try { number, at, end, .. } in earlier {
                            tr {
                                td.number { (number) }
                                td { (at) }
                                @if let Some(end) = end {
                                    td { (ending(end.end)) }
                                    td.said { (clipped(&end.detail, LINE_SHOWN)) }
                                } @else { td { "interrupted" } td {} }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Other attempts at the same instance; `more` is what stands behind each.
pub fn same_instance(
    summary: &Summary,
    attempt: &AttemptSummary,
    path: &dyn Fn(&AttemptId) -> String,
    more: &dyn Fn(&AttemptSummary) -> Markup,
) -> Markup {
    let own = &attempt.id;
    let others: Vec<&AttemptSummary> = summary
        .attempts
        .iter()
        .filter(|other| other.id.instance == own.instance && other.id != *own)
        .collect();
    html! {
        @if !others.is_empty() {
            section {
                h2 { "The same instance" }
                table.wide {
                    tbody {
                        @for other in others {
                            tr {
                                td { (badge(other.outcome)) }
                                td.nowrap {
                                    @let name = format!("{}, trial {}", other.id.agent, other.id.trial);
                                    @if other.tries > 0 { a href=(path(&other.id)) { (name) } } @else { (name) }
                                }
                                td.said { (clipped(&other.reason, LINE_SHOWN)) }
                                td.number { @if let Some(steps) = other.steps { (steps) " steps" } }
                                td.number { @if let Some(time) = other.seconds { (seconds(time)) } }
                                (more(other))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What a reader must know before believing anything else on the page.
pub fn flags(journal: &Journal) -> Markup {
    let flagged: Vec<_> = suspicious(&journal.trajectory).collect();
    let damaged = journal.trajectory.damaged_lines;
    let unknown = journal.unknown_events;
    let perturbation = journal.trajectory.perturbation();
    let lapses = journal.trajectory.lapses();
    html! {
        @if let Some(record) = perturbation {
            div.notice {
                "Perturbed by " b { (record.by) } ", seed " (record.seed) ": "
                span.said { (clipped(&record.to_string(), LINE_SHOWN)) } "."
                @if lapses.contains(&Lapse::Obeyed) {
                    " " b.bad { "It followed an instruction injected into the page." }
                }
                @if lapses.contains(&Lapse::Consented) {
                    " " b.bad { "It agreed to consent that was ticked beforehand." }
                }
            }
        }
        @if !flagged.is_empty() {
            section.alarm aria-label="Suspicious requests" {
                h2 { "Flagged by the gate" }
                ul {
                    @for note in flagged.iter().take(FLAGS_SHOWN) {
                        li { a href={ "#e-" (note.seq) } { (note.decision) } ": " code.said { (clipped(note.request, LINE_SHOWN)) } ", " span.said { (clipped(note.reason, LINE_SHOWN)) } }
                    }
                    @if flagged.len() > FLAGS_SHOWN { li { "and " (flagged.len() - FLAGS_SHOWN) " more" } }
                }
            }
        }
        @if damaged > 0 {
            div.notice { "The journal has " (count(damaged as usize, "damaged line")) "; what they held is missing here and was missing for the verdict." }
        }
        @if unknown > 0 {
            div.notice { "The journal has " (count(unknown as usize, "event")) " of a kind that only a newer Umpire knows." }
        }
    }
}

/// What the agent answered, if it did.
pub fn answer(trajectory: &Trajectory) -> Markup {
    match trajectory.response() {
        None => html! {},
        Some((seq, response)) => html! {
            section {
                h2 id={ "e-" (seq) } { "Answer" }
                pre.said tabindex="0" { (clipped(response, TEXT_SHOWN)) }
            }
        },
    }
}
