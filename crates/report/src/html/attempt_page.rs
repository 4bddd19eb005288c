use maud::{Markup, html};
use umpire_model::{CheckResult, End, Lapse, Verdict};
use umpire_store::{FiledVerdict, InstanceFacts, Journal, Try};

use super::backend_table::backend;
use super::frame::{badge, outcome_word, page};
use super::images::Images;
use super::model_calls::model_calls;
use super::record_tables::{CheckNumbers, agent_output, console, gate, network};
use super::recording::{Recording, suspicious};
use super::steps::{film_strip, step_list};
use super::{TO_ROOT, page_path};
use crate::wording::{clipped, count, seconds};
use crate::{AttemptSummary, Summary};

const TEXT_SHOWN: usize = 20_000;
const LINE_SHOWN: usize = 400;
const FLAGS_SHOWN: usize = 20;

/// Everything one attempt's page is made from.
pub(super) struct AttemptPage<'a> {
    pub summary: &'a Summary,
    pub attempt: &'a AttemptSummary,
    pub facts: Option<&'a InstanceFacts>,
    pub journal: &'a Journal,
    pub verdicts: &'a [FiledVerdict],
    pub images: &'a Images,
}

impl AttemptPage<'_> {
    pub(super) fn render(&self) -> Markup {
        let recording = Recording::of(&self.journal.trajectory);
        let verdicts = self.current_verdicts();
        let mut evidence = CheckNumbers::new();
        for verdict in verdicts.iter().filter(|verdict| verdict.by == "rules") {
            for (index, check) in verdict.checks.iter().enumerate() {
                for seq in &check.evidence {
                    evidence.entry(*seq).or_default().push(index + 1);
                }
            }
        }
        let title = format!("{} {} · Umpire", outcome_word(self.attempt.outcome), self.attempt.id);
        page(
            &title,
            &html! {
                (self.crumbs())
                main id="main" {
                    (self.head(&recording))
                    (self.flags())
                    (film_strip(&recording, self.images))
                    @for verdict in &verdicts { (self.verdict(verdict, &recording)) }
                    (self.answer())
                    section {
                        h2 { "Steps" }
                        @if recording.steps.is_empty() { p.muted { "No step was recorded." } }
                        (step_list(&recording, self.images))
                    }
                    (backend(&recording, &evidence))
                    (model_calls(&recording))
                    (network(&recording, &evidence))
                    (gate(&recording))
                    (console(&recording))
                    (agent_output(&recording))
                    (self.tries())
                    (self.neighbours())
                }
            },
        )
    }

    /// The latest opinion of every judge on the try that counts.
    fn current_verdicts(&self) -> Vec<&Verdict> {
        let on_last = self.verdicts.iter().filter(|filed| filed.r#try == self.attempt.tries);
        let mut latest: Vec<&Verdict> = Vec::new();
        for FiledVerdict { verdict, .. } in on_last {
            latest.retain(|earlier| earlier.by != verdict.by);
            latest.push(verdict);
        }
        latest
    }

    fn crumbs(&self) -> Markup {
        let own: Vec<&AttemptSummary> =
            self.summary.attempts.iter().filter(|a| a.id.agent == self.attempt.id.agent).collect();
        let here = own.iter().position(|attempt| attempt.id == self.attempt.id).unwrap_or(0);
        let before = own[..here.min(own.len())].iter().rev().find(|attempt| attempt.tries > 0);
        let after = own.iter().skip(here + 1).find(|attempt| attempt.tries > 0);
        html! {
            nav.crumbs aria-label="Run" {
                a href={ (TO_ROOT) "index.html" } { "← " (self.summary.manifest.run) }
                span.push {
                    @if let Some(attempt) = before { a rel="prev" href={ (TO_ROOT) (page_path(&attempt.id)) } { "← " (attempt.id.instance) } }
                }
                @if let Some(attempt) = after { a rel="next" href={ (TO_ROOT) (page_path(&attempt.id)) } { (attempt.id.instance) " →" } }
            }
        }
    }

    fn head(&self, recording: &Recording<'_>) -> Markup {
        let AttemptSummary { id, outcome, reason, steps, counted, seconds: time, tries, .. } = self.attempt;
        let trajectory = &self.journal.trajectory;
        html! {
            h1 { (id.instance) " " span.muted { "by " (id.agent) @if self.summary.manifest.trials > 1 { ", trial " (id.trial) } } }
            p { (badge(*outcome)) " " span.said { (clipped(reason, LINE_SHOWN)) } }
            @if let Some(facts) = self.facts {
                p.intent.said { (facts.intent) }
            }
            div.facts {
                @if let Some(steps) = steps {
                    span { b { (steps) } " steps" @if let Some(counted) = counted { ", " (counted) " counted of " (self.summary.manifest.limits.actions) } }
                }
                @if let Some(time) = time { span { b { (seconds(*time)) } } }
                @if let Some((end, detail)) = trajectory.end() {
                    span { (ending(end)) @if !detail.is_empty() { ": " span.said { (clipped(detail, LINE_SHOWN)) } } }
                }
                @if *tries > 1 { span { "try " b { (tries) } } }
                @if let Some(facts) = self.facts {
                    span { (facts.kind.as_str()) " · " (facts.category) " · " (facts.sites.join(" + ")) @if let Some(state) = &facts.state { " · initially " (state) } }
                }
                @if !recording.browser.is_empty() {
                    span { (recording.browser) ", " (recording.viewport.width) " × " (recording.viewport.height) ", " (recording.started_at) }
                }
            }
        }
    }

    fn flags(&self) -> Markup {
        let flagged: Vec<_> = suspicious(&self.journal.trajectory).collect();
        let damaged = self.journal.trajectory.damaged_lines;
        let unknown = self.journal.unknown_events;
        let perturbation = self.journal.trajectory.perturbation();
        let lapses = self.journal.trajectory.lapses();
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

    fn verdict(&self, verdict: &Verdict, recording: &Recording<'_>) -> Markup {
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
                                    td { @for seq in &check.evidence { div.nowrap { (self.pointer(*seq, recording)) } } }
                                }
                            }
                        }
                    }
                }
                p.muted { "Decided by " code { (clipped(verdict.digest.as_str(), 12)) } }
            }
        }
    }

    /// From a check to the event it rests on, where this page shows it.
    fn pointer(&self, seq: u64, recording: &Recording<'_>) -> Markup {
        let link = |words: &str| html! { a href={ "#e-" (seq) } { (words) } };
        if self.journal.trajectory.response().is_some_and(|(answer, _)| answer == seq) {
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

    fn answer(&self) -> Markup {
        match self.journal.trajectory.response() {
            None => html! {},
            Some((seq, response)) => html! {
                section {
                    h2 id={ "e-" (seq) } { "Answer" }
                    pre.said tabindex="0" { (clipped(response, TEXT_SHOWN)) }
                }
            },
        }
    }

    /// Earlier tries, which the harness lost.
    fn tries(&self) -> Markup {
        let earlier = self.journal.tries.split_last().map_or(&[][..], |(_, earlier)| earlier);
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

    fn neighbours(&self) -> Markup {
        let others: Vec<&AttemptSummary> = self
            .summary
            .attempts
            .iter()
            .filter(|other| other.id.instance == self.attempt.id.instance && other.id != self.attempt.id)
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
                                        @if other.tries > 0 { a href={ (TO_ROOT) (page_path(&other.id)) } { (name) } } @else { (name) }
                                    }
                                    td.said { (clipped(&other.reason, LINE_SHOWN)) }
                                    td.number { @if let Some(steps) = other.steps { (steps) " steps" } }
                                    td.number { @if let Some(time) = other.seconds { (seconds(time)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn ending(end: End) -> &'static str {
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
