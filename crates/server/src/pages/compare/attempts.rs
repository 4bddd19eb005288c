//! Two attempts at one instance, in lock-step.

use axum::extract::{Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use umpire_model::{AttemptId, RunId};
use umpire_report::html::{Recording, Step, What, badge, one_act};
use umpire_report::{AttemptSummary, clipped, seconds};
use umpire_store::Journal;

use super::align::{Like, align};
use crate::accounts::Who;
use crate::error::PageError;
use crate::frame::{Page, Room};
use crate::index::IndexedRun;
use crate::pages::step_view::Sources;
use crate::pages::{attempt_path, stay_blind};
use crate::state::App;

const LINE_SHOWN: usize = 200;
const INTENT_SHOWN: usize = 20_000;

#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    /// `run/agent/instance/trial`
    left: String,
    right: String,
}

struct Side {
    run: RunId,
    id: AttemptId,
    summary: AttemptSummary,
    intent: String,
    journal: Journal,
}

pub(crate) async fn attempts(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    who: Who,
) -> Result<Response, PageError> {
    let left = side(&app, &who, &asked.left).await?;
    let right = side(&app, &who, &asked.right).await?;
    let title = format!("{} and {}", left.id, right.id);
    let body = tokio::task::spawn_blocking(move || render(&left, &right)).await?;
    Ok(Page { title: &title, room: Room::Compare, who: &who, scripts: &[], body }.respond())
}

async fn side(app: &App, who: &Who, text: &str) -> Result<Side, PageError> {
    let bad = || PageError::BadRequest("An attempt is written run/agent/instance/trial.".to_owned());
    let (run, attempt) = text.split_once('/').ok_or_else(bad)?;
    let (run, id): (RunId, AttemptId) =
        (run.parse().map_err(|_| bad())?, attempt.parse().map_err(|_| bad())?);
    stay_blind(app, who, &run, Some(&id)).await?;
    let indexed = app.index.open(&run).await?;
    let summary = find(&indexed, &id)?;
    let intent = indexed.facts.get(&id.instance).map(|facts| facts.intent.clone()).unwrap_or_default();
    let folder = indexed.run.attempt(&id);
    let journal = tokio::task::spawn_blocking(move || folder.journal()).await??;
    Ok(Side { run, id, summary, intent, journal })
}

fn find(indexed: &IndexedRun, id: &AttemptId) -> Result<AttemptSummary, PageError> {
    let found = indexed.summary.attempts.iter().find(|attempt| attempt.id == *id);
    found.cloned().ok_or(PageError::NotFound)
}

fn render(left: &Side, right: &Side) -> Markup {
    let sides = [left, right];
    let recordings = sides.map(|side| Recording::of(&side.journal.trajectory));
    let likes: Vec<Vec<Like>> =
        recordings.iter().map(|recording| recording.steps.iter().map(like).collect()).collect();
    let rows = align(&likes[0], &likes[1]);
    let alike = |row: &(Option<usize>, Option<usize>)| matches!(row, (Some(l), Some(r)) if likes[0][*l] == likes[1][*r]);
    html! {
        h1 { (left.id.instance) @if right.id.instance != left.id.instance { " and " (right.id.instance) } }
        p.intent.said { (clipped(&left.intent, INTENT_SHOWN)) }
        @if left.intent != right.intent { p.notice { "The two were not asked the same: " span.said { (clipped(&right.intent, INTENT_SHOWN)) } } }
        table.side-by-side {
            thead {
                tr {
                    @for side in sides {
                        th scope="col" {
                            (badge(side.summary.outcome)) " "
                            a href=(attempt_path(&side.run, &side.id)) { (side.id.agent) } ", " (side.run)
                            @if side.id.trial > 1 { ", trial " (side.id.trial) }
                            div.muted.said { (clipped(&side.summary.reason, LINE_SHOWN)) }
                        }
                    }
                }
            }
            tbody {
                @for row in &rows {
                    tr class=[(!alike(row)).then_some("differs")] {
                        @for (side, (recording, at)) in sides.iter().zip(recordings.iter().zip([row.0, row.1])) {
                            td { @if let Some(step) = at.and_then(|at| recording.steps.get(at)) { (cell(side, step)) } }
                        }
                    }
                }
            }
        }
        p.muted { "Steps at the same place doing the same share a row; where the two part, the row is marked." }
    }
}

fn cell(side: &Side, step: &Step<'_>) -> Markup {
    let sources = Sources { run: &side.run, attempt: Some(&side.id) };
    let thumb = step.observed.and_then(|seen| sources.thumb(seen.screenshot.as_ref()?));
    html! {
        div.beside {
            a href={ (attempt_path(&side.run, &side.id)) "?step=" (step.number) "#step-" (step.number) } {
                @match &thumb {
                    Some(thumb) => img src=(thumb) alt={ "Step " (step.number) } loading="lazy" width="150" height="120";,
                    None => span.no-shot { "no picture" },
                }
            }
            div {
                h3 { "Step " (step.number) " " span.muted { (seconds(step.ms as f64 / 1000.0)) } }
                @if let Some(seen) = step.observed { p.where.muted.said { (clipped(&seen.url, LINE_SHOWN)) } }
                @for act in &step.acts { (one_act(act)) }
            }
        }
    }
}

/// Where the step was, but for what queries and fragments say, and what was done.
pub(crate) fn like(step: &Step<'_>) -> Like {
    let place = step.observed.map(|seen| seen.url.split(['?', '#']).next().unwrap_or_default().to_owned());
    let deeds: Vec<String> = step
        .acts
        .iter()
        .map(|act| match &act.what {
            // An answer says whatever it says; that one was given is what counts.
            What::Ours { action: umpire_model::Action::Answer(_), .. } => "answer".to_owned(),
            what => what.to_string(),
        })
        .collect();
    Like { place: place.unwrap_or_default(), deed: deeds.join("\n") }
}
