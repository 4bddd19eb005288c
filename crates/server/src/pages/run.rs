//! One run: what it comes to, what went wrong, and its attempts.

use axum::extract::{Path, Query, State};
use axum::response::{Html, IntoResponse as _, Response};
use maud::{Markup, html};
use serde::Deserialize;
use umpire_model::RunId;
use umpire_report::html::{badge, manifest_block, not_complete, results, robustness, slices};
use umpire_report::{clipped, seconds, spent};

use super::{attempt_path, in_query, live_part, run_id, stay_blind};
use crate::accounts::Who;
use crate::assets;
use crate::error::PageError;
use crate::frame::{Page, Room};
use crate::index::{ATTEMPT_FIELDS, IndexedRun, Order, tag_counts};
use crate::live::{Watched, running};
use crate::state::App;

/// Rows of a page of attempts: a page is made in milliseconds however long the list is.
const ROWS: usize = 100;
/// Rows that a script may ask for at once.
const MOST_ROWS: usize = 500;
const REASON_SHOWN: usize = 220;
const TAGS_SHOWN: usize = 20;
const LONGEST_FILTER: usize = 500;

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    filter: String,
    #[serde(default)]
    order: String,
    #[serde(default)]
    page: usize,
}

pub(crate) async fn run(
    State(app): State<App>,
    Path(run): Path<String>,
    Query(asked): Query<Asked>,
    who: Who,
) -> Result<Response, PageError> {
    let run = run_id(&run)?;
    stay_blind(&app, &who, &run, None).await?;
    let indexed = app.index.open(&run).await?;
    let body = {
        let indexed = indexed.clone();
        tokio::task::spawn_blocking(move || render(&indexed, &asked)).await?
    };
    let title = indexed.summary.manifest.run.to_string();
    let scripts: &[&assets::Asset] = &[&assets::LIVE, &assets::LIST, &assets::KEYS];
    Ok(Page { title: &title, room: Room::Runs, who: &who, scripts, body }.respond())
}

/// Which part of the list a script wants.
#[derive(Debug, Deserialize)]
pub(crate) struct Part {
    #[serde(default)]
    filter: String,
    #[serde(default)]
    order: String,
    from: usize,
    count: usize,
}

/// Some rows of the list of attempts, for a page that has the others already.
pub(crate) async fn rows(
    State(app): State<App>,
    Path(run): Path<String>,
    Query(part): Query<Part>,
    who: Who,
) -> Result<Response, PageError> {
    let run = run_id(&run)?;
    stay_blind(&app, &who, &run, None).await?;
    let indexed = app.index.open(&run).await?;
    let rows = tokio::task::spawn_blocking(move || {
        let filter: String = part.filter.chars().take(LONGEST_FILTER).collect();
        let chosen = indexed.chosen(&filter, Order::parse(&part.order));
        let chosen = chosen.map_err(|error| PageError::BadRequest(error.to_string()))?;
        let shown = chosen.iter().skip(part.from).take(part.count.min(MOST_ROWS));
        Ok::<_, PageError>(html! { @for &place in shown { (row(&indexed, place)) } })
    })
    .await??;
    Ok(Html(rows.into_string()).into_response())
}

pub(crate) async fn events(
    State(app): State<App>,
    Path(run): Path<String>,
    who: Who,
) -> Result<Response, PageError> {
    let id = run_id(&run)?;
    stay_blind(&app, &who, &id, None).await?;
    // A run that is not there is not watched.
    app.index.open(&id).await?;
    app.live.events(&Watched::Run(id), who.address)
}

fn render(indexed: &IndexedRun, asked: &Asked) -> Markup {
    let summary = &indexed.summary;
    let manifest = &summary.manifest;
    let (is_live, running) = running(indexed);
    html! {
        header {
            h1 { (manifest.run) }
            p.muted { "Suite " (manifest.suite) ", " (summary.arithmetic()) " planned, begun " (manifest.created) }
        }
        div data-live={ "/runs/" (manifest.run) "/events" } { (live_part(indexed, is_live, &running)) }
        (not_complete(summary))
        (results(summary))
        (robustness(summary))
        (slices(summary))
        (attempts(indexed, asked))
        (manifest_block(manifest))
    }
}

fn attempts(indexed: &IndexedRun, asked: &Asked) -> Markup {
    let filter: String = asked.filter.chars().take(LONGEST_FILTER).collect();
    let order = Order::parse(&asked.order);
    let (chosen, problem) = match indexed.chosen(&filter, order) {
        Ok(chosen) => (chosen, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let run = &indexed.summary.manifest.run;
    let pages = chosen.len().div_ceil(ROWS).max(1);
    let page = asked.page.clamp(1, pages);
    let shown = &chosen[(page - 1) * ROWS..(page * ROWS).min(chosen.len())];
    let link = |filter: &str, page: usize| {
        format!("/runs/{run}?filter={}&order={}&page={page}#attempts", in_query(filter), order.as_str())
    };
    html! {
        section id="attempts" {
            h2 { "Attempts " span.muted { (chosen.len()) " of " (indexed.summary.attempts.len()) } }
            form.filter method="get" action={ "/runs/" (run) "#attempts" } role="search" {
                label for="filter" { "Filter" }
                input id="filter" name="filter" value=(filter) maxlength=(LONGEST_FILTER) size="60"
                    placeholder="agent=oracle and outcome=fail and tag~missed" autocomplete="off" spellcheck="false"
                    aria-keyshortcuts="/";
                label for="order" { "Order" }
                select id="order" name="order" {
                    @for each in Order::ALL {
                        option value=(each.as_str()) selected[each == order] { (each.as_str()) }
                    }
                }
                button type="submit" { "Show" }
            }
            p.muted.hint { "Fields: " (ATTEMPT_FIELDS.join(", ")) ". Operators: = != ~, and, or, not, parentheses." }
            @if let Some(problem) = problem { pre.bad role="alert" { (problem) } }
            (tags(indexed, &chosen, &filter, &link))
            div data-list=[(pages > 1).then(|| rows_path(run, &filter, order))] data-total=(chosen.len()) data-first=((page - 1) * ROWS) {
            @if !shown.is_empty() {
                table.wide.attempts {
                    thead {
                        tr {
                            th { "outcome" } th { "agent" } th { "instance" } th { "reason" } th.number { "steps" }
                            th.number { "time" } th.number { "cost" }
                        }
                    }
                    tbody { @for &place in shown { (row(indexed, place)) } }
                }
            }
            @if pages > 1 {
                nav.pages aria-label="Pages of attempts" {
                    @if page > 1 { a rel="prev" href=(link(&filter, page - 1)) { "← Earlier" } }
                    span { "Page " (page) " of " (pages) }
                    @if page < pages { a rel="next" href=(link(&filter, page + 1)) { "Further →" } }
                }
            }
            }
        }
    }
}

fn rows_path(run: &RunId, filter: &str, order: Order) -> String {
    format!("/runs/{run}/rows?filter={}&order={}", in_query(filter), order.as_str())
}

fn tags(
    indexed: &IndexedRun,
    chosen: &[usize],
    filter: &str,
    link: &dyn Fn(&str, usize) -> String,
) -> Markup {
    let counts = tag_counts(indexed, chosen);
    let with = |tag: &str| match filter.trim() {
        "" => format!("tag={tag}"),
        filter => format!("({filter}) and tag={tag}"),
    };
    let most = counts.first().map_or(1, |(_, count)| *count).max(1);
    html! {
        @if !counts.is_empty() {
            ul.tags aria-label="What went wrong" {
                @for (tag, number) in counts.iter().take(TAGS_SHOWN) {
                    li {
                        a href=(link(&with(tag), 1)) { (tag) }
                        meter min="0" max=(most) value=(number) aria-hidden="true" {}
                        span.number { (number) }
                    }
                }
            }
        }
    }
}

fn row(indexed: &IndexedRun, place: usize) -> Markup {
    let attempt = &indexed.summary.attempts[place];
    let manifest = &indexed.summary.manifest;
    let [_, cost] = spent(&attempt.spending);
    html! {
        tr {
            td { (badge(attempt.outcome)) }
            td.nowrap { (attempt.id.agent) }
            td {
                @if attempt.tries > 0 {
                    a data-row href=(attempt_path(&manifest.run, &attempt.id)) { (attempt.id.instance) }
                } @else { (attempt.id.instance) }
                @if manifest.trials > 1 { span.muted { " #" (attempt.id.trial) } }
                @if attempt.tries > 1 { br; small.muted { (attempt.tries) " tries" } }
            }
            td.said { (clipped(&attempt.reason, REASON_SHOWN)) }
            td.number { @if let Some(steps) = attempt.steps { (steps) } }
            td.number { @if let Some(time) = attempt.seconds { (seconds(time)) } }
            td.number { (cost) }
        }
    }
}
