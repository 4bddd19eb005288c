use std::collections::HashMap;

use maud::{Markup, html};
use umpire_model::{AttemptId, Manifest, Outcome, RemoteBrowser};
use umpire_store::InstanceFacts;

use super::frame::{badge, letter, outcome_word, page};
use super::page_path;
use super::plot::{axis, forest_row, outcome_bar};
use super::robustness_table::robustness;
use crate::wording::{clipped, count, infra_bounds, interval, percent, seconds, spent};
use crate::{AgentSummary, AttemptSummary, Dimension, Slice, Summary};

/// Up to here the failures are shown at once; more of them fold up by agent.
const UNFOLDED_FAILURES: usize = 40;
const REASON_SHOWN: usize = 300;
const REMARKS_SHOWN: usize = 50;

pub(super) fn render(
    summary: &Summary,
    facts: &HashMap<String, InstanceFacts>,
    suspicious: &HashMap<AttemptId, usize>,
) -> Markup {
    let manifest = &summary.manifest;
    let title = format!("{} · Umpire", manifest.run);
    page(
        &title,
        &html! {
            header {
                span.muted { "Umpire report" }
                h1 { (manifest.run) }
                p.muted {
                    "Suite " (manifest.suite) ", " (summary.arithmetic()) " planned, begun " (manifest.created)
                }
            }
            main id="main" {
                (not_complete(summary))
                (suspects(summary, suspicious))
                (results(summary))
                (robustness(summary))
                (slices(summary))
                (matrix(summary, facts, "Attempts", false))
                (matrix(summary, facts, "Perturbed attempts", true))
                (failures(summary))
                (manifest_block(manifest))
            }
            footer { "Written by Umpire " (env!("CARGO_PKG_VERSION")) ". Nothing on this page needs a network." }
        },
    )
}

pub fn not_complete(summary: &Summary) -> Markup {
    html! {
        @if summary.open() > 0 {
            div.notice {
                b { @if summary.manifest.imported.is_some() { "Not judged. " } @else { "Not complete. " } }
                (count(summary.open(), "attempt")) " without an outcome; the headline counts them as not \
                passed, the infra bounds leave them open."
            }
        }
    }
}

fn suspects(summary: &Summary, suspicious: &HashMap<AttemptId, usize>) -> Markup {
    let flagged: Vec<(&AttemptSummary, usize)> =
        summary.attempts.iter().filter_map(|a| suspicious.get(&a.id).map(|count| (a, *count))).collect();
    html! {
        @if !flagged.is_empty() {
            section.alarm aria-label="Suspicious requests" {
                h2 { "Something an honest agent has no reason to ask for" }
                ul {
                    @for (attempt, number) in flagged.iter().take(12) {
                        li {
                            a href=(page_path(&attempt.id)) { (attempt.id.to_string()) } ": "
                            (count(*number, "request")) " flagged by the gate; outcome " (outcome_word(attempt.outcome))
                        }
                    }
                    @if flagged.len() > 12 { li { "and " (count(flagged.len() - 12, "further attempt")) } }
                }
            }
        }
    }
}

pub fn results(summary: &Summary) -> Markup {
    let spends = summary.agents.iter().any(|agent| !agent.spending.is_nothing());
    html! {
        section {
            h2 { "Results" }
            div.scroll tabindex="0" role="region" aria-label="Results" {
                table.results.wide {
                    thead {
                        tr {
                            th { "agent" }
                            th.number { "passed %" }
                            th { (axis()) }
                            th.number { "95 % interval" }
                            th.number { "infra bounds" }
                            th { "outcomes" }
                            th.number title="Median over attempts the harness did not lose" { "steps" }
                            th.number title="Median over attempts the harness did not lose" { "time" }
                            @if spends {
                                th.number title="Read and written, over all tries of all attempts" { "tokens" }
                                th.number title="Over all tries of all attempts" { "cost" }
                            }
                        }
                    }
                    tbody { @for agent in &summary.agents { (result_row(agent, spends)) } }
                }
            }
            p.muted {
                "Dot: share of all planned attempts that passed. Line: its 95 % Wilson interval. \
                Band: the share if every infra and open attempt had failed, or had passed. \
                Steps and time are medians."
                @if !summary.robustness.is_empty() { " Perturbed attempts are not in it." }
            }
        }
    }
}

fn result_row(agent: &AgentSummary, spends: bool) -> Markup {
    html! {
        tr {
            th scope="row" {
                (agent.name)
                @if agent.kind != agent.name { br; small.muted { (agent.kind) } }
            }
            td.number { span.rate { (percent(agent.headline())) } }
            td { (forest_row(&agent.rate)) }
            td.number { (interval(&agent.rate)) }
            td.number { (infra_bounds(&agent.rate)) }
            td { (outcome_bar(&agent.outcomes)) }
            td.number { (agent.median_steps.map_or_else(|| "–".to_owned(), |steps| format!("{steps:.1}"))) }
            td.number { (agent.median_seconds.map_or_else(|| "–".to_owned(), seconds)) }
            @if spends { @for part in spent(&agent.spending) { td.number { (part) } } }
        }
    }
}

pub fn slices(summary: &Summary) -> Markup {
    let dimensions = summary.telling_dimensions();
    html! {
        @if !dimensions.is_empty() {
            section {
                h2 { "Agents by slice" }
                div.slices {
                    @for (by, values) in &dimensions { (slice_table(summary, *by, values)) }
                }
            }
        }
    }
}

/// More values than this would make a table wider than the page, so they become its rows.
const WIDEST: usize = 10;

fn slice_table(summary: &Summary, by: Dimension, values: &[String]) -> Markup {
    let cell = |agent: &AgentSummary, value: &String| slice_cell(agent.slice(by, value));
    html! {
        div.scroll tabindex="0" role="region" aria-label={ "Agents by " (by.title()) } {
            table {
                @if values.len() <= WIDEST {
                    thead {
                        tr { th { (by.title()) } @for value in values { th.number { (value) } } }
                    }
                    tbody {
                        @for agent in &summary.agents {
                            tr { th scope="row" { (agent.name) } @for value in values { (cell(agent, value)) } }
                        }
                    }
                } @else {
                    thead {
                        tr { th { (by.title()) } @for agent in &summary.agents { th.number { (agent.name) } } }
                    }
                    tbody {
                        @for value in values {
                            tr { th scope="row" { (value) } @for agent in &summary.agents { (cell(agent, value)) } }
                        }
                    }
                }
            }
        }
    }
}

fn slice_cell(slice: Option<&Slice>) -> Markup {
    let Some(slice) = slice else {
        return html! { td { "–" } };
    };
    let share = slice.rate.value().unwrap_or(0.0);
    html! {
        td class={ "heat-" ((share * 10.0).round()) }
            title={ "95 % " (interval(&slice.rate)) ", infra bounds " (infra_bounds(&slice.rate)) } {
            (format!("{:.0}", share * 100.0))
            small { (slice.rate.passed) "/" (slice.rate.planned) }
        }
    }
}

fn matrix(summary: &Summary, facts: &HashMap<String, InstanceFacts>, title: &str, perturbed: bool) -> Markup {
    let is_perturbed = |id: &str| facts.get(id).is_some_and(|facts| facts.perturbation.is_some());
    let instances: Vec<&String> =
        summary.manifest.instances.iter().filter(|id| is_perturbed(id) == perturbed).collect();
    if instances.is_empty() {
        return html! {};
    }
    let mut cells: HashMap<(&str, &str), Vec<&AttemptSummary>> = HashMap::new();
    for attempt in &summary.attempts {
        cells.entry((&attempt.id.instance, &attempt.id.agent)).or_default().push(attempt);
    }
    let seen: Vec<Option<Outcome>> = Outcome::ALL
        .into_iter()
        .map(Some)
        .chain([None])
        .filter(|outcome| summary.attempts.iter().any(|attempt| attempt.outcome == *outcome))
        .collect();
    html! {
        section {
            h2 { (title) }
            div.legend {
                @for outcome in seen {
                    span {
                        span class={ "cell o-" (outcome_word(outcome)) } { (letter(outcome)) } (outcome_word(outcome))
                    }
                }
            }
            div.scroll tabindex="0" role="region" aria-label=(title) {
                table.matrix {
                    thead { tr { th { "instance" } @for agent in &summary.agents { th { (agent.name) } } } }
                    tbody {
                        @for instance in instances {
                            tr {
                                th scope="row" title=[facts.get(instance).map(|facts| facts.intent.as_str())] { (instance) }
                                @for agent in &summary.agents {
                                    td {
                                        @for attempt in cells.get(&(instance.as_str(), agent.name.as_str())).into_iter().flatten() {
                                            (matrix_cell(attempt))
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn matrix_cell(attempt: &AttemptSummary) -> Markup {
    let class = format!("cell o-{}", outcome_word(attempt.outcome));
    let label = format!(
        "{}: {} – {}",
        attempt.id,
        outcome_word(attempt.outcome),
        clipped(&attempt.reason, REASON_SHOWN)
    );
    html! {
        @if attempt.tries > 0 {
            a class=(class) href=(page_path(&attempt.id)) title=(label) aria-label=(label) { (letter(attempt.outcome)) }
        } @else {
            span class=(class) title=(label) { (letter(attempt.outcome)) }
        }
    }
}

fn failures(summary: &Summary) -> Markup {
    let failed = |agent: &AgentSummary| -> Vec<&AttemptSummary> {
        let own = summary.attempts.iter().filter(|attempt| attempt.id.agent == agent.name);
        own.filter(|a| a.outcome.is_some_and(|outcome| outcome != Outcome::Pass)).collect()
    };
    let by_agent: Vec<(&AgentSummary, Vec<&AttemptSummary>)> = summary
        .agents
        .iter()
        .map(|agent| (agent, failed(agent)))
        .filter(|(_, failed)| !failed.is_empty())
        .collect();
    let total: usize = by_agent.iter().map(|(_, failed)| failed.len()).sum();
    html! {
        section {
            h2 { "What did not pass" }
            @if by_agent.is_empty() { p.muted { "Nothing: every attempt with an outcome passed." } }
            @for (agent, attempts) in &by_agent {
                details open[total <= UNFOLDED_FAILURES] {
                    summary { b { (agent.name) } " " span.muted { (count(attempts.len(), "attempt")) } }
                    table.wide.failures {
                        thead {
                            tr {
                                th { "outcome" } th { "instance" } th { "reason" } th.number { "steps" } th.number { "time" } }
                        }
                        tbody { @for attempt in attempts { (failure_row(attempt)) } }
                    }
                }
            }
        }
    }
}

/// What is known of a remote browser's own settings.
fn switches(remote: &RemoteBrowser) -> String {
    match &remote.without {
        None => "it does not say how it was started".to_owned(),
        Some(missing) if missing.is_empty() => "started with all of Umpire's switches".to_owned(),
        Some(missing) => format!("started without {}", missing.join(", ")),
    }
}

fn failure_row(attempt: &AttemptSummary) -> Markup {
    html! {
        tr {
            td { (badge(attempt.outcome)) }
            td {
                a href=(page_path(&attempt.id)) { (attempt.id.instance) }
                @if attempt.id.trial > 1 { span.muted { " #" (attempt.id.trial) } }
            }
            td.said { (clipped(&attempt.reason, REASON_SHOWN)) }
            td.number { @if let Some(steps) = attempt.steps { (steps) } }
            td.number { @if let Some(time) = attempt.seconds { (seconds(time)) } }
        }
    }
}

pub fn manifest_block(manifest: &Manifest) -> Markup {
    html! {
        section {
            h2 { "What these numbers rest on" }
            dl {
                dt { "Run" } dd { (manifest.run) ", begun " (manifest.created) ", Umpire " (manifest.umpire) }
                dt { "Denominator" } dd { (manifest.denominator) }
                dt { "Suite" } dd { (manifest.suite) " " code.muted { (manifest.suite_digest) } }
                dt { "Rules" } dd { code.muted { (manifest.rules_digest) } }
                dt { "Browser" }
                dd {
                    (manifest.browser) ", " (manifest.viewport.width) " × " (manifest.viewport.height)
                    ", " (manifest.locale) ", " (manifest.timezone)
                    @if let Some(remote) = &manifest.remote {
                        br; "elsewhere, at " (remote.at) "; " (switches(remote))
                    }
                }
                @if let Some(imported) = &manifest.imported {
                    dt { "Imported" }
                    dd {
                        "from " (imported.format) " " code.muted { (imported.source) }
                        @if !imported.not_recorded.is_empty() {
                            br; "not recorded: " (imported.lacking()) "; what is said of these here means nothing"
                        }
                        @for remark in imported.remarks.iter().take(REMARKS_SHOWN) { br; span.said { (clipped(remark, REASON_SHOWN)) } }
                        @if imported.remarks.len() > REMARKS_SHOWN {
                            br; "and " (count(imported.remarks.len() - REMARKS_SHOWN, "further remark"))
                        }
                    }
                }
                dt { "Seed" } dd { (manifest.seed) }
                @if !manifest.perturbations.is_empty() {
                    dt { "Perturbations" }
                    dd { @for by in &manifest.perturbations { code { (by) } " " } "drawn from the seed" }
                }
                dt { "Limits" }
                dd {
                    (manifest.limits.actions) " counted actions and " (manifest.limits.seconds) " s per attempt; infra retries: "
                    (manifest.retries)
                }
                dt { "Agents" }
                dd {
                    @for agent in &manifest.agents {
                        div {
                            b { (agent.name) } " " span.muted { (agent.kind) }
                            @for (name, value) in &agent.settings { " " code { (name) "=" (value) } }
                        }
                    }
                }
            }
        }
    }
}
