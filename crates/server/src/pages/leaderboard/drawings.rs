//! Standings as drawings. They are images of their own: the policy of pages allows no style within them.

use std::collections::BTreeSet;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Response};
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use umpire_arena::{DayStanding, Standing, Standings};
use umpire_report::plots::{
    DayLine, DayValue, Estimate, ForestPlot, HeatMap, HistoryPlot, Unit, forest, heat_map, history,
};

use super::Wanted;
use crate::error::PageError;
use crate::state::App;

/// What is drawn, and what it shows in words.
pub(super) const DRAWINGS: [(&str, &str); 4] = [
    ("ratings", "Ratings with 95 % intervals"),
    ("win-fractions", "How often the row's agent won against the column's, % of decided battles"),
    ("battle-counts", "How often two agents met"),
    ("history", "Ratings at the end of each day"),
];

const POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

pub(crate) async fn drawing(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, PageError> {
    let view = wanted.view(&app).await?;
    let standings = &view.standings;
    let svg = match name.as_str() {
        "ratings.svg" => ratings(standings),
        "win-fractions.svg" => matrix(standings, DRAWINGS[1].1, Unit::Percent, &standings.win_fractions),
        "battle-counts.svg" => {
            let counts: Vec<Vec<Option<f64>>> = standings
                .battle_counts
                .iter()
                .map(|row| row.iter().map(|count| (*count > 0).then_some(f64::from(*count))).collect())
                .collect();
            matrix(standings, DRAWINGS[2].1, Unit::Plain, &counts)
        }
        "history.svg" => over_time(standings, &view.history),
        _ => return Err(PageError::NotFound),
    };
    Ok(([(CONTENT_TYPE, "image/svg+xml"), (CONTENT_SECURITY_POLICY, POLICY)], svg).into_response())
}

fn ratings(standings: &Standings) -> String {
    let row = |row: &Standing| Estimate {
        label: row.agent.clone(),
        value: Some(row.rating),
        low: row.low,
        high: row.high,
        band: None,
        note: format!("{} battles", row.battles),
    };
    forest(&ForestPlot {
        title: DRAWINGS[0].1.to_owned(),
        axis: "Bradley–Terry rating".to_owned(),
        unit: Unit::Plain,
        range: None,
        rows: standings.rows.iter().map(row).collect(),
    })
}

/// Lines in the order of the standings, so that those of one agent have one colour whatever is counted.
fn over_time(standings: &Standings, days: &[DayStanding]) -> String {
    let named: BTreeSet<&str> = days.iter().map(|one| one.day.as_str()).collect();
    let number = |day: &str| day.parse::<jiff::civil::Date>().ok().map(day_number);
    let line = |row: &Standing| DayLine {
        label: row.agent.clone(),
        values: days
            .iter()
            .filter(|one| one.agent == row.agent)
            .filter_map(|one| {
                let day = number(&one.day)?;
                Some(DayValue { day, value: one.rating, low: one.low, high: one.high })
            })
            .collect(),
    };
    history(&HistoryPlot {
        title: DRAWINGS[3].1.to_owned(),
        axis: "Bradley–Terry rating".to_owned(),
        days: named.into_iter().filter_map(|day| Some((number(day)?, day.to_owned()))).collect(),
        lines: standings.rows.iter().map(line).collect(),
    })
}

/// Days without votes take their room too.
fn day_number(day: jiff::civil::Date) -> f64 {
    let since = day.since(jiff::civil::date(1970, 1, 1));
    since.map_or(0.0, |span| f64::from(span.get_days()))
}

fn matrix(standings: &Standings, title: &str, unit: Unit, cells: &[Vec<Option<f64>>]) -> String {
    let names: Vec<String> = standings.rows.iter().map(|row| row.agent.clone()).collect();
    heat_map(&HeatMap {
        title: title.to_owned(),
        rows: names.iter().cloned().zip(cells.iter().cloned()).collect(),
        columns: names,
        axis: if unit == Unit::Percent { "% of decided battles" } else { "battles, ties included" }
            .to_owned(),
        unit,
    })
}
