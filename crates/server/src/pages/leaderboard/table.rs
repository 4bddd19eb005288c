//! The leaderboard as a page and as files.

use std::collections::BTreeMap;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use maud::{Markup, html};
use umpire_arena::{Ballot, DayStanding, Standings};
use umpire_report::{count, percent};

use super::Wanted;
use super::drawings::DRAWINGS;
use crate::accounts::Who;
use crate::board::View;
use crate::clock::in_words;
use crate::error::PageError;
use crate::frame::{Page, Room};
use crate::state::App;

/// Days of history on the page; the file has them all.
const DAYS_SHOWN: usize = 14;
const CSV: &str = "text/csv; charset=utf-8";

pub(crate) async fn leaderboard(
    State(app): State<App>,
    Query(wanted): Query<Wanted>,
    who: Who,
) -> Result<Response, PageError> {
    let view = wanted.view(&app).await?;
    let standings = &view.standings;
    let query = wanted.query();
    let body = html! {
        h1 { "Leaderboard" }
        (choosing(&wanted, &view))
        p.muted {
            (count(standings.ballots, "vote"))
            @if standings.left_out > 0 { ", " (standings.left_out) " left out" }
            @if standings.as_of.0 > 0 { ", the last at " (in_words((standings.as_of.0 / 1000).cast_signed())) " UTC" }
            @if who.is_operator() { " · " a href="/leaderboard/voters" { "Voters and marks" } }
        }
        @for warning in &standings.warnings { p.notice { (warning) } }
        @if standings.rows.is_empty() { p { "Nobody has voted yet. " a href="/arena" { "Vote in the arena" } } }
        @else {
            (rows(standings))
            p.downloads {
                "Download "
                @for (file, words) in [("standings.csv", "standings"), ("pairs.csv", "pairs"), ("history.csv", "history")] {
                    a href={ "/leaderboard/files/" (file) (query) } download { (words) } " "
                }
                @if who.is_operator() { a href="/leaderboard/files/ballots.jsonl" download { "ballots" } " " }
                a href={ "/api/v1/leaderboard" (query) } { "JSON" } " " a href="/api/v1/openapi.json" { "API" }
            }
            @for (name, words) in DRAWINGS {
                img.drawing src={ "/leaderboard/drawings/" (name) ".svg" (query) } alt={ (words) ": the numbers are in the files above." };
            }
            (sides(standings))
            (history(standings, &view.history))
        }
    };
    Ok(Page { title: "Leaderboard", room: Room::Leaderboard, who: &who, scripts: &[], body }.respond())
}

fn choosing(wanted: &Wanted, view: &View) -> Markup {
    html! {
        form.filter method="get" action="/leaderboard" {
            label { "Tasks"
                select name="kind" {
                    option value="" { "of all kinds" }
                    @for kind in view.kinds.iter().filter(|kind| !kind.is_empty()) { option value=(kind) selected[*kind == wanted.kind] { (kind) } }
                }
            }
            label { "Votes that look dishonest"
                select name="marked" {
                    option value="in" { "counted" }
                    option value="out" selected[wanted.marked == "out"] { "left out" }
                }
            }
            label { "Votes of"
                select name="voters" {
                    @for (value, words) in [("", "people"), ("models", "models"), ("everybody", "both")] {
                        option value=(value) selected[wanted.voters == value] { (words) }
                    }
                }
            }
            @for (name, words, value) in [("from", "From", &wanted.from), ("until", "to", &wanted.until)] {
                label { (words) input name=(name) value=(value) placeholder="2026-03-16" size="10" maxlength="10" spellcheck="false" autocomplete="off"; }
            }
            button type="submit" { "Show" }
        }
    }
}

fn rows(standings: &Standings) -> Markup {
    html! {
        table.wide {
            thead {
                tr {
                    th.number { "rank" } th { "agent" } th.number { "rating" } th.number { "95 % interval" } th.number { "battles" }
                    th.number { "wins" } th.number { "losses" } th.number { "ties" } th.number { "both bad" } th.number { "average win rate %" } th {}
                }
            }
            tbody {
                @for row in &standings.rows {
                    tr {
                        td.number { (row.rank) }
                        th scope="row" { (row.agent) }
                        td.number { b { (format!("{:.0}", row.rating)) } }
                        td.number.nowrap { (format!("{:.0}", row.low)) " to " (format!("{:.0}", row.high)) }
                        td.number { (row.battles) }
                        td.number { (row.wins) }
                        td.number { (row.losses) }
                        td.number { (row.ties) }
                        td.number { (row.both_bad) }
                        td.number { (percent(row.win_rate)) }
                        td.muted { @if row.provisional { "provisional" } }
                    }
                }
            }
        }
        p.muted { "The rank is 1 plus how many are clearly better: agents whose intervals overlap share it. Provisional: fewer than 30 battles, or votes that went one way only." }
    }
}

fn sides(standings: &Standings) -> Markup {
    let sides = standings.sides;
    html! {
        p.muted {
            "Left won " (sides.left) ", right " (sides.right) ", ties " (sides.ties) ", both bad " (sides.both_bad)
            ". Sides are shuffled: left and right differ by chance and by habit only."
        }
    }
}

fn history(standings: &Standings, history: &[DayStanding]) -> Markup {
    let mut by_day: BTreeMap<&str, BTreeMap<&str, &DayStanding>> = BTreeMap::new();
    for standing in history {
        by_day.entry(&standing.day).or_default().insert(&standing.agent, standing);
    }
    html! {
        section {
            h2 { "Ratings at the end of the day" }
            table.wide {
                thead { tr { th { "day" } @for row in &standings.rows { th.number { (row.agent) } } } }
                tbody {
                    @for (day, agents) in by_day.iter().rev().take(DAYS_SHOWN) {
                        tr {
                            th.nowrap scope="row" { (day) }
                            @for row in &standings.rows {
                                td.number {
                                    @if let Some(then) = agents.get(row.agent.as_str()) {
                                        (format!("{:.0}", then.rating)) " " span.muted { "±" (format!("{:.0}", (then.high - then.low) / 2.0)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            @if by_day.len() > DAYS_SHOWN { p.muted { "and " (by_day.len() - DAYS_SHOWN) " days before, in the file" } }
        }
    }
}

pub(crate) async fn download(
    State(app): State<App>,
    Path(file): Path<String>,
    Query(wanted): Query<Wanted>,
    who: Who,
) -> Result<Response, PageError> {
    let view = wanted.view(&app).await?;
    let (name, media, text) = match file.as_str() {
        "standings.csv" => ("standings.csv", CSV, view.standings.to_csv()),
        "pairs.csv" => ("pairs.csv", CSV, view.standings.pairs_to_csv()),
        "history.csv" => ("history.csv", CSV, DayStanding::to_csv(&view.history)),
        // They say who voted what, by pseudonym, on battles that others have still to vote on.
        "ballots.jsonl" => {
            who.operator()?;
            let ballots = app.board.ballots(|_| true).await?;
            let text = tokio::task::spawn_blocking(move || lines(&ballots)).await??;
            ("ballots.jsonl", "application/x-ndjson", text)
        }
        _ => return Err(PageError::NotFound),
    };
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
        .map_err(|error| PageError::Broken(error.to_string()))?;
    let mut response = ([(CONTENT_TYPE, media)], text).into_response();
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    Ok(response)
}

/// One ballot a line, as `umpire failures cluster --ballots` reads them.
fn lines(ballots: &[Ballot]) -> Result<String, PageError> {
    let mut text = String::new();
    for ballot in ballots {
        text.push_str(&serde_json::to_string(ballot).map_err(|error| PageError::Broken(error.to_string()))?);
        text.push('\n');
    }
    Ok(text)
}
