//! What goes wrong: people's and judges' words about a run, grouped; and what the record of attempts tells, by agent.

use std::collections::{BTreeMap, HashMap};

use axum::extract::{Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use umpire_arena::Ballot;
use umpire_failures::{
    Cluster, Clusters, FailureTable, Findings, QuestionSet, Reason, ReasonSource, Settings, cluster,
    findings_of_attempt, known_mode_of, reasons_of_ballot, reasons_of_run,
};
use umpire_model::AttemptId;
use umpire_report::{clipped, count, percent};

use super::{run_id, run_names};
use crate::accounts::Who;
use crate::error::PageError;
use crate::frame::{Page, Room};
use crate::index::IndexedRun;
use crate::state::App;
use crate::turns::in_turn;

/// Grouping takes time by the square of these; `umpire failures` takes as many as there are.
const REASONS_READ: usize = 400;
/// Journals are read whole.
const ATTEMPTS_READ: usize = 1000;
const TEXTS_SHOWN: usize = 3;

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    run: String,
}

pub(crate) async fn failures(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    who: Who,
) -> Result<Response, PageError> {
    who.operator()?;
    let runs = run_names(&app, &who).await?;
    let shown = match (asked.run.as_str(), runs.first()) {
        ("", Some(latest)) => latest.clone(),
        (named, _) => named.to_owned(),
    };
    let found = if shown.is_empty() {
        None
    } else {
        let indexed = app.index.open(&run_id(&shown)?).await?;
        let ballots = app.board.ballots(|ballot| !ballot.annotations.is_empty()).await?;
        // Reads many files and takes a core: one at a time.
        Some(in_turn(&app.groupings, move || gather(&indexed, &ballots)).await??)
    };
    let body = html! {
        h1 { "Failure modes" }
        form.filter method="get" action="/failures" {
            label { "Run" select name="run" { @for run in &runs { option value=(run) selected[*run == shown] { (run) } } } }
            button type="submit" { "Show" }
        }
        @match &found {
            None => p.muted { "There is no run yet." },
            Some(found) => { (groups(found)) (tables(found)) }
        }
    };
    Ok(Page { title: "Failure modes", room: Room::Failures, who: &who, scripts: &[], body }.respond())
}

struct Found {
    reasons: usize,
    /// More than are grouped while somebody waits.
    not_grouped: usize,
    /// Why there are none, if there are none.
    clusters: Result<Clusters, String>,
    tables: Vec<(QuestionSet, FailureTable)>,
    attempts: usize,
    left_out: usize,
}

fn gather(indexed: &IndexedRun, ballots: &[Ballot]) -> Result<Found, PageError> {
    let run = &indexed.run;
    let ended: Vec<AttemptId> = indexed
        .summary
        .attempts
        .iter()
        .filter(|attempt| attempt.steps.is_some())
        .map(|attempt| attempt.id.clone())
        .collect();
    let read = &ended[..ended.len().min(ATTEMPTS_READ)];
    let sources = [ReasonSource::Label, ReasonSource::Vote, ReasonSource::Rules];
    let mut reasons = reasons_of_run(run, read, &sources)?;
    let agents: Vec<&str> = indexed.summary.agents.iter().map(|agent| agent.name.as_str()).collect();
    let of_agents = |reason: &Reason| agents.contains(&reason.agent.as_str());
    reasons.extend(ballots.iter().flat_map(reasons_of_ballot).filter(of_agents));
    let mut told = BTreeMap::new();
    for id in read {
        told.insert(id.clone(), findings_of_attempt(run, id)?);
    }
    let all = reasons.len();
    // They come one source after the other: of each, as many in proportion.
    let kept: Vec<Reason> = reasons.into_iter().step_by(all.div_ceil(REASONS_READ).max(1)).collect();
    Ok(Found {
        reasons: all,
        not_grouped: all - kept.len(),
        clusters: cluster(kept, None, Settings::default()).map_err(|error| error.to_string()),
        tables: tables_of(indexed, &told),
        attempts: read.len(),
        left_out: ended.len() - read.len(),
    })
}

/// One table a set of questions that the run's tasks were made for; where none was, all attempts are counted.
fn tables_of(indexed: &IndexedRun, told: &BTreeMap<AttemptId, Findings>) -> Vec<(QuestionSet, FailureTable)> {
    let category =
        |id: &AttemptId| indexed.facts.get(&id.instance).map_or("", |facts| facts.category.as_str());
    let sets = QuestionSet::ALL.into_iter().filter(|set| {
        set.categories().is_empty() || told.keys().any(|id| set.categories().contains(&category(id)))
    });
    sets.map(|set| {
        let fits = |id: &AttemptId| set.categories().is_empty() || set.categories().contains(&category(id));
        let counted = told.iter().filter(|(id, _)| fits(id)).map(|(id, found)| (id.agent.as_str(), found));
        (set, FailureTable::of(set, counted))
    })
    .collect()
}

fn groups(found: &Found) -> Markup {
    html! {
        section {
            h2 { "What people and judges wrote " span.muted { (count(found.reasons, "text")) @if found.not_grouped > 0 { ", " (found.not_grouped) " of them not grouped here" } } }
            @match &found.clusters {
                Err(problem) => p.muted { (problem) },
                Ok(clusters) => {
                    @if let Some(chosen) = clusters.chosen() {
                        p.muted {
                            "Silhouette " (format!("{:.2}", chosen.silhouette)) ", stability " (format!("{:.2}", chosen.stability)) ", "
                            (clusters.coverage.assigned) " of " (clusters.coverage.texts) " texts clearly in a group. Below a silhouette of about 0.1 there are no groups worth the name."
                        }
                    }
                    table.wide {
                        thead { tr { th { "group" } th.number { "texts" } th { "by agent" } th { "mode" } th { "such as" } } }
                        tbody { @for one in &clusters.clusters { (group(clusters, one)) } }
                    }
                }
            }
        }
    }
}

fn group(clusters: &Clusters, one: &Cluster) -> Markup {
    let mut agents: HashMap<&str, usize> = HashMap::new();
    for place in &one.reasons {
        *agents.entry(clusters.reasons[*place].agent.as_str()).or_default() += 1;
    }
    let mut agents: Vec<(&str, usize)> = agents.into_iter().collect();
    agents.sort_by_key(|(name, texts)| (std::cmp::Reverse(*texts), *name));
    html! {
        tr {
            th.said scope="row" { (clipped(&one.name, 120)) @if one.is_small { " " span.muted { "few texts" } } }
            td.number { (one.reasons.len()) }
            td { @for (name, texts) in &agents { div.nowrap { (name) " " span.muted { (texts) } } } }
            td { @if let Some(mode) = known_mode_of(&one.terms) { (mode.name) } }
            td { @for text in clusters.texts_of(one).take(TEXTS_SHOWN) { div.said.muted { "“" (clipped(text, 140)) "”" } } }
        }
    }
}

fn tables(found: &Found) -> Markup {
    html! {
        section {
            h2 { "What the record tells " span.muted { (count(found.attempts, "attempt")) @if found.left_out > 0 { ", " (found.left_out) " more not read here" } } }
            @for (set, table) in found.tables.iter().filter(|(_, table)| !table.columns.is_empty()) {
                h3 { (table.set) }
                table.wide {
                    thead { tr { th { "agent" } th.number { "attempts" } @for head in table.headers(*set) { th.number { (head) " %" } } } }
                    tbody {
                        @for row in &table.rows {
                            tr {
                                th scope="row" { (row.agent) }
                                td.number { (row.attempts) }
                                @for share in &row.shares { td.number { (percent(share.value())) " " span.muted { (share.count) "/" (share.of) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}
