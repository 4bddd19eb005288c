//! All runs, the newest first, and what goes on in those under way.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use umpire_model::{Manifest, RunId};
use umpire_report::html::outcome_bar;
use umpire_report::{clipped, interval, percent};
use umpire_store::{Listing, Run};

use super::live_part;
use crate::accounts::Who;
use crate::assets;
use crate::contests::Withheld;
use crate::database::RunLine;
use crate::error::PageError;
use crate::frame::{Page, Room};
use crate::index::{IndexedRun, RunIndex, line_of};
use crate::live::{Running, Watched, running};
use crate::state::App;

/// Older ones are found by their address, or on the command line.
const SHOWN: usize = 300;
/// Runs whose line is brought up to date when somebody looks at the list.
const RECOUNTED: usize = 12;
const AGENTS_SHOWN: usize = 6;
/// Live runs that are shown with what they are doing.
const LIVE_SHOWN: usize = 4;

pub(crate) async fn runs(State(app): State<App>, who: Who) -> Result<Response, PageError> {
    let list = RunList::gather(&app.index, &app.withheld).await?;
    list.recount(&app.index);
    let body = html! {
        h1 { "Runs" }
        div data-live="/events" { (list.part()) }
    };
    let scripts: &[&assets::Asset] = &[&assets::LIVE, &assets::KEYS];
    Ok(Page { title: "Runs", room: Room::Runs, who: &who, scripts, body }.respond())
}

pub(crate) async fn events(State(app): State<App>, who: Who) -> Result<Response, PageError> {
    app.live.events(&Watched::AllRuns, who.address)
}

/// All runs with what is known of them.
pub(crate) struct RunList {
    listing: Listing,
    lines: HashMap<String, RunLine>,
    live: Vec<LiveRun>,
}

struct LiveRun {
    indexed: Arc<IndexedRun>,
    running: Vec<Running>,
}

impl RunList {
    pub(crate) async fn gather(index: &Arc<RunIndex>, withheld: &Arc<Withheld>) -> Result<Self, PageError> {
        let runs = index.runs().clone();
        // One that begins just now is known to be withheld before the database has it.
        let withheld = Arc::clone(withheld);
        // Runs of battles are reached from their battles: an arena makes more of them than anybody would scroll through.
        let of_battles: HashSet<RunId> =
            index.database().contest_runs().await?.into_iter().map(|(run, _)| run).collect();
        let (listing, written) = tokio::task::spawn_blocking(move || {
            let mut listing = runs.list()?;
            let is_of_battle = |run: &RunId| of_battles.contains(run) || withheld.has(run);
            listing.runs.retain(|run| !is_of_battle(&run.manifest().run));
            let newest = listing.runs.iter().rev().take(SHOWN);
            let written: Vec<_> =
                newest.filter(|run| run.is_being_written()).map(|run| run.manifest().run.clone()).collect();
            Ok::<_, PageError>((listing, written))
        })
        .await??;
        let mut lines: HashMap<String, RunLine> = index.database().run_lines().await?.into_iter().collect();
        let mut live = Vec::new();
        for run in written.iter().take(LIVE_SHOWN) {
            let indexed = match index.open(run).await {
                Ok(indexed) => indexed,
                // One that cannot be read does not hide the others.
                Err(error) => {
                    eprintln!("umpire serve: {run}: {error}");
                    continue;
                }
            };
            lines.insert(run.to_string(), line_of(&indexed));
            let looked_at = Arc::clone(&indexed);
            let (_, running) = tokio::task::spawn_blocking(move || running(&looked_at)).await?;
            live.push(LiveRun { indexed, running });
        }
        Ok(Self { listing, lines, live })
    }

    pub(crate) fn is_live(&self) -> bool {
        !self.live.is_empty()
    }

    /// Counts the newest runs again, for the next who look.
    fn recount(&self, index: &Arc<RunIndex>) {
        let newest = self.listing.runs.iter().rev().take(RECOUNTED);
        let newest: Vec<_> = newest.map(|run| run.manifest().run.clone()).collect();
        let index = Arc::clone(index);
        tokio::spawn(async move {
            for run in newest {
                let _ = index.open(&run).await;
            }
        });
    }

    pub(crate) fn part(&self) -> Markup {
        let runs = &self.listing.runs;
        html! {
            @for run in &self.live {
                section.live-run {
                    h2 { a href={ "/runs/" (run.indexed.summary.manifest.run) } { (run.indexed.summary.manifest.run) } }
                    (live_part(&run.indexed, true, &run.running))
                }
            }
            @if runs.is_empty() {
                p { "There is no run in this folder yet." }
                pre { "umpire run --suite core --agent oracle --agent heuristic" }
            } @else {
                table.wide.runs {
                    thead {
                        tr { th { "run" } th { "suite" } th { "begun" } th.number { "attempts" } th { "agents" } }
                    }
                    tbody { @for run in runs.iter().rev().take(SHOWN) { (self.row(run)) } }
                }
                @if runs.len() > SHOWN { p.muted { "and " (runs.len() - SHOWN) " older ones" } }
            }
            @for problem in &self.listing.unreadable { div.notice.said { (clipped(&problem.to_string(), 600)) } }
        }
    }

    fn row(&self, run: &Run) -> Markup {
        let manifest: &Manifest = run.manifest();
        let begun: String = manifest.created.chars().take(16).collect::<String>().replace('T', " ");
        let is_live = self.live.iter().any(|live| live.indexed.summary.manifest.run == manifest.run);
        html! {
            tr {
                th scope="row" {
                    a data-row href={ "/runs/" (manifest.run) } { (manifest.run) }
                    @if is_live { " " span.live { "running" } }
                }
                td { (manifest.suite) @if manifest.imported.is_some() { span.muted { ", imported" } } }
                td.nowrap { (begun) }
                td.number { (manifest.planned()) }
                td {
                    @match self.lines.get(manifest.run.as_str()) {
                        None => span.muted { "not counted yet" },
                        Some(line) => (agents(line)),
                    }
                }
            }
        }
    }
}

fn agents(line: &RunLine) -> Markup {
    html! {
        table.agents {
            tbody {
                @for (agent, tally) in line.agents.iter().take(AGENTS_SHOWN) {
                    tr {
                        td { (agent) }
                        td.number { b { @if tally.outcomes.is_empty() { "–" } @else { (percent(tally.rate().value())) " %" } } }
                        td.number.muted { (interval(&tally.rate())) }
                        td { (outcome_bar(tally)) }
                    }
                }
            }
        }
        @if line.agents.len() > AGENTS_SHOWN { span.muted { "and " (line.agents.len() - AGENTS_SHOWN) " more" } }
    }
}
