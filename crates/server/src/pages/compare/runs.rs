//! Two runs, or two agents: what was lost, what was gained, and whether it means anything.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use umpire_model::{AttemptId, RunId};
use umpire_report::{count, p_value_in_words, percent, points, points_interval, rows};
use umpire_stats::{AttemptRow, Bootstrap, Comparison, Flip, compare, flips};

use crate::accounts::Who;
use crate::error::PageError;
use crate::frame::{Page, Room};
use crate::index::IndexedRun;
use crate::pages::{attempt_path, in_query, run_id, run_names, stay_blind};
use crate::state::App;

/// Enough for an interval that looks the same every time.
const BOOTSTRAP: Bootstrap = Bootstrap { draws: 2000, seed: 1 };
const FLIPS_SHOWN: usize = 500;

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    before: String,
    #[serde(default)]
    after: String,
    #[serde(default)]
    before_agent: String,
    #[serde(default)]
    after_agent: String,
}

struct Compared {
    before: String,
    after: String,
    comparison: Comparison,
    flips: Vec<Flip>,
}

pub(crate) async fn runs(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    who: Who,
) -> Result<Response, PageError> {
    let names = run_names(&app, &who).await?;
    let result = if asked.before.is_empty() || asked.after.is_empty() {
        html! { p.muted { "Choose two runs, or one run and two of its agents." } }
    } else {
        let (before, after) = (run_id(&asked.before)?, run_id(&asked.after)?);
        for run in [&before, &after] {
            stay_blind(&app, &who, run, None).await?;
        }
        let sides = [app.index.open(&before).await?, app.index.open(&after).await?];
        let (from, to) = (asked.before_agent.trim().to_owned(), asked.after_agent.trim().to_owned());
        let compared = {
            let sides = sides.clone();
            tokio::task::spawn_blocking(move || compared(&sides, &from, &to)).await??
        };
        html! {
            @if compared.is_empty() { p.notice { "No agent is in both: name one of each." } }
            @for one in &compared { (section(one, &before, &after)) }
        }
    };
    let body = html! {
        h1 { "Compare" }
        (form(&asked, &names))
        (result)
    };
    Ok(Page { title: "Compare", room: Room::Compare, who: &who, scripts: &[], body }.respond())
}

fn form(asked: &Asked, names: &[String]) -> Markup {
    let side = |name: &str, agent_name: &str, label: &str, chosen: &str, agent: &str| {
        html! {
            label { (label)
                select name=(name) required { option value="" { "–" } @for each in names { option value=(each) selected[each == chosen] { (each) } } }
            }
            label { "agent" input name=(agent_name) value=(agent) placeholder="each" size="14" maxlength="120"; }
        }
    };
    html! {
        form.filter method="get" action="/compare" {
            (side("before", "before_agent", "Before", &asked.before, &asked.before_agent))
            (side("after", "after_agent", "After", &asked.after, &asked.after_agent))
            button type="submit" { "Compare" }
        }
    }
}

fn compared(sides: &[Arc<IndexedRun>; 2], from: &str, to: &str) -> Result<Vec<Compared>, PageError> {
    let [before, after] = sides;
    let plain = |side: &IndexedRun| -> Result<Vec<AttemptRow>, PageError> {
        let all = rows(&side.run, &side.summary)?;
        Ok(all.into_iter().filter(|row| row.perturbation.is_none()).collect())
    };
    let (theirs, ours) = (plain(before)?, plain(after)?);
    let names =
        |side: &IndexedRun| side.summary.agents.iter().map(|agent| agent.name.clone()).collect::<Vec<_>>();
    let (old, new) = (names(before), names(after));
    let pairs: Vec<(String, String)> = match (from, to, old.as_slice(), new.as_slice()) {
        ("", "", [a], [b]) => vec![(a.clone(), b.clone())],
        ("", "", _, _) => {
            old.iter().filter(|name| new.contains(name)).map(|name| (name.clone(), name.clone())).collect()
        }
        (from, to, _, _) => vec![(
            if from.is_empty() { to } else { from }.to_owned(),
            if to.is_empty() { from } else { to }.to_owned(),
        )],
    };
    let compared = pairs.into_iter().map(|(from, to)| {
        let (anchor, agent) = (of(&theirs, &from), of(&ours, &to));
        let comparison = compare(&agent, &anchor, BOOTSTRAP);
        Compared { flips: flips(&agent, &anchor), comparison, before: from, after: to }
    });
    Ok(compared.filter(|one| one.comparison.attempts.pairs() > 0).collect())
}

fn of<'r>(rows: &'r [AttemptRow], agent: &str) -> Vec<&'r AttemptRow> {
    rows.iter().filter(|row| row.agent == agent).collect()
}

fn section(one: &Compared, before: &RunId, after: &RunId) -> Markup {
    let pairs = &one.comparison.attempts;
    let name =
        if one.before == one.after { one.after.clone() } else { format!("{} → {}", one.before, one.after) };
    html! {
        section {
            h2 { (name) " " span.muted { (one.flips.len()) " of " (count(pairs.pairs(), "attempt")) " changed" } }
            table.figures {
                thead {
                    tr {
                        th.number { "before %" } th.number { "after %" } th.number { "difference" } th.number { "95 % interval" }
                        th.number { "lost" } th.number { "gained" } th.number { "McNemar p" } th.number { "by template" } th.number { "p" }
                    }
                }
                tbody {
                    tr {
                        td.number { (percent(pairs.without())) }
                        td.number { (percent(pairs.with())) }
                        td.number { span.rate { (points(pairs.difference())) } }
                        td.number { (points_interval(&pairs.interval())) }
                        td.number { (pairs.lost) }
                        td.number { (pairs.gained) }
                        td.number { (p_value_in_words(one.comparison.p_mcnemar)) }
                        td.number { (points(one.comparison.by_template.map(|mean| mean.value))) }
                        td.number { (one.comparison.p_value.map_or_else(|| "–".to_owned(), p_value_in_words)) }
                    }
                }
            }
            @if one.comparison.unpaired > 0 {
                p.muted { (count(one.comparison.unpaired, "attempt")) " in one of the two only; instances are the same by their content." }
            }
            @if !one.flips.is_empty() {
                table.wide {
                    thead { tr { th { "what" } th { "instance" } th.number { "trial" } th { "before" } th { "after" } th {} } }
                    tbody { @for flip in one.flips.iter().take(FLIPS_SHOWN) { (flip_row(one, flip, before, after)) } }
                }
                @if one.flips.len() > FLIPS_SHOWN { p.muted { "and " (one.flips.len() - FLIPS_SHOWN) " more" } }
            }
        }
    }
}

fn flip_row(one: &Compared, flip: &Flip, before: &RunId, after: &RunId) -> Markup {
    let of = |agent: &str| AttemptId::new(agent, &flip.instance, flip.trial).ok();
    let (Some(old), Some(new)) = (of(&one.before), of(&one.after)) else { return html! {} };
    html! {
        tr {
            td { @if flip.gained { span.held { "gained" } } @else { span.missed { "lost" } } }
            td { (flip.instance) }
            td.number { (flip.trial) }
            td { a href=(attempt_path(before, &old)) { (one.before) } }
            td { a href=(attempt_path(after, &new)) { (one.after) } }
            td {
                a href={ "/compare/attempts?left=" (in_query(&format!("{before}/{old}"))) "&right=" (in_query(&format!("{after}/{new}"))) } { "side by side" }
            }
        }
    }
}
