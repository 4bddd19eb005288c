//! Queues: which there are, how far they are, and how far people agree.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use umpire_model::{AttemptId, Random};
use umpire_report::{count, percent};
use umpire_stats::agreement::Ceiling;

use super::{Said, find_queue, word};
use crate::accounts::{Account, Checked, Who};
use crate::clock::in_words;
use crate::database::Queue;
use crate::error::PageError;
use crate::frame::{Page, Room, token};
use crate::index::Order;
use crate::pages::{attempt_path, run_id, run_names};
use crate::state::App;

const LARGEST_QUEUE: u32 = 5000;
const MOST_OVERLAP: u32 = 9;
const ITEMS_SHOWN: usize = 500;

pub(crate) async fn queues(State(app): State<App>, who: Who) -> Result<Response, PageError> {
    let account = who.signed_in()?;
    show(&app, &who, account, None).await
}

async fn show(app: &App, who: &Who, account: &Account, problem: Option<&str>) -> Result<Response, PageError> {
    let mut lines = Vec::new();
    for queue in app.database.queues().await? {
        let items = app.database.items(&queue.id).await?.len();
        let given = app.database.assignments(&queue.id).await?;
        let saved = given.iter().filter(|one| one.is_saved).count();
        let own = given.iter().filter(|one| one.is_saved && one.annotator == account.name).count();
        lines.push((queue, items, saved, own));
    }
    let runs = if who.is_operator() { run_names(app, who).await? } else { Vec::new() };
    let body = html! {
        h1 { "Label" }
        @if let Some(problem) = problem { pre.bad role="alert" { (problem) } }
        @if lines.is_empty() { p.muted { "There is no queue yet" @if !who.is_operator() { "; an operator makes them" } "." } }
        @else {
            table.wide {
                thead { tr { th { "queue" } th { "run" } th.number { "attempts" } th.number { "people each" } th.number { "labels" } th.number { "yours" } th { "made" } th {} } }
                tbody {
                    @for (queue, items, saved, own) in &lines {
                        tr {
                            th scope="row" { a href={ "/label/" (queue.id) } { (queue.title) } }
                            td { (queue.run) }
                            td.number { (items) }
                            td.number { (queue.overlap) }
                            td.number { (saved) " of " (items * usize::try_from(queue.overlap).unwrap_or(1)) }
                            td.number { (own) }
                            td.nowrap { (in_words(queue.created)) }
                            td { (next_button(who, queue)) }
                        }
                    }
                }
            }
        }
        @if who.is_operator() { (new_queue(who, &runs)) }
    };
    Ok(Page { title: "Label", room: Room::Label, who, scripts: &[], body }.respond())
}

fn next_button(who: &Who, queue: &Queue) -> Markup {
    html! {
        form.inline method="post" action={ "/label/" (queue.id) "/next" } {
            (token(who))
            button type="submit" { "Label the next" }
        }
    }
}

fn new_queue(who: &Who, runs: &[String]) -> Markup {
    html! {
        section {
            h2 { "New queue" }
            form.fields method="post" action="/label" {
                (token(who))
                label { "Run" select name="run" required { @for run in runs { option value=(run) { (run) } } } }
                label { "Title" input name="title" required maxlength="100"; }
                label { "Attempts, by filter" input name="filter" maxlength="500" placeholder="outcome=fail or outcome=pass" spellcheck="false"; }
                label { "At most, drawn at random" input name="most" type="number" min="1" max=(LARGEST_QUEUE) value="100"; }
                label { "People for each attempt" input name="overlap" type="number" min="1" max=(MOST_OVERLAP) value="2"; }
                button type="submit" { "Make the queue" }
            }
        }
    }
}

pub(crate) async fn add_queue(State(app): State<App>, form: Checked) -> Result<Response, PageError> {
    let operator = form.who.operator()?;
    let (run, title, filter) =
        (form.fields.text("run", 120)?, form.fields.text("title", 100)?, form.fields.text("filter", 500)?);
    let number = |name: &str, most: u32| {
        form.fields.get(name).parse::<u32>().ok().filter(|number| (1..=most).contains(number))
    };
    let (Some(most), Some(overlap)) = (number("most", LARGEST_QUEUE), number("overlap", MOST_OVERLAP)) else {
        return Err(PageError::BadRequest("How many attempts, and how many people each?".to_owned()));
    };
    if title.is_empty() {
        return Err(PageError::BadRequest("A queue has a title.".to_owned()));
    }
    let indexed = app.index.open(&run_id(&run)?).await?;
    let chosen = match indexed.chosen(&filter, Order::Planned) {
        Ok(chosen) => chosen,
        Err(error) => return show(&app, &form.who, operator, Some(&error.to_string())).await,
    };
    // Only what ended can be looked at as a whole.
    let ended =
        chosen.into_iter().map(|place| &indexed.summary.attempts[place]).filter(|a| a.steps.is_some());
    let mut attempts: Vec<String> = ended.map(|attempt| attempt.id.to_string()).collect();
    let queue = Queue::new(&run, &title, &filter, i64::from(overlap), &operator.name);
    // Drawn by the queue's own name: in what order they come tells nothing of agent or outcome.
    Random::stream(0, &queue.id).shuffle(&mut attempts);
    attempts.truncate(most as usize);
    if attempts.is_empty() {
        return show(&app, &form.who, operator, Some("No attempt that ended is kept by this filter.")).await;
    }
    app.database.add_queue(&queue, &attempts).await?;
    app.database.note(&operator.name, "queue made", &format!("{} of {run}", queue.id)).await?;
    Ok(Redirect::to(&format!("/label/{}", queue.id)).into_response())
}

pub(crate) async fn queue(
    State(app): State<App>,
    Path(queue): Path<String>,
    who: Who,
) -> Result<Response, PageError> {
    who.signed_in()?;
    let queue = find_queue(&app, &queue).await?;
    let items = items(&app, &queue).await?;
    let given = app.database.assignments(&queue.id).await?;
    let indexed = app.index.open(&run_id(&queue.run)?).await?;
    let labels = tokio::task::spawn_blocking(move || indexed.run.labels()).await??;
    let said = Said::of(&labels);
    let attempts: Vec<AttemptId> = items.iter().map(|(_, attempt)| attempt.clone()).collect();
    let mut by_person: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for one in &given {
        let counts = by_person.entry(&one.annotator).or_default();
        if one.is_saved { counts.0 += 1 } else { counts.1 += 1 }
    }
    let body = html! {
        nav.crumbs aria-label="Label" { a href="/label" { "← All queues" } }
        h1 { (queue.title) }
        p.muted {
            (count(items.len(), "attempt")) " of " (queue.run) ", each for " (queue.overlap) @if queue.overlap == 1 { " person" } @else { " people" }
            // A filter may name the agent, or the outcome.
            @if who.is_operator() && !queue.chosen.is_empty() { ", chosen by " code.said { (queue.chosen) } }
            ", made by " (queue.created_by)
        }
        (next_button(&who, &queue))
        (agreement(&said.ceiling(&attempts)))
        section {
            h2 { "Who" }
            table {
                thead { tr { th { "annotator" } th.number { "saved" } th.number { "under way" } } }
                tbody { @for (name, (saved, open)) in &by_person { tr { td { (name) } td.number { (saved) } td.number { (open) } } } }
            }
        }
        @if who.is_operator() { (overview(&queue, &items, &said)) }
    };
    let title = queue.title.clone();
    Ok(Page { title: &title, room: Room::Label, who: &who, scripts: &[], body }.respond())
}

pub(super) async fn items(app: &App, queue: &Queue) -> Result<Vec<(i64, AttemptId)>, PageError> {
    let items = app.database.items(&queue.id).await?;
    Ok(items.into_iter().filter_map(|(place, attempt)| Some((place, attempt.parse().ok()?))).collect())
}

fn agreement(ceiling: &Ceiling) -> Markup {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
    html! {
        section {
            h2 { "Agreement " span.muted { "on " (count(ceiling.attempts, "attempt")) " with two labels or more" } }
            table.figures {
                thead { tr { th.number { "agree %" } th.number { "undecided differ %" } th.number { "Cohen κ" } th.number { "Fleiss κ" } th.number { "Krippendorff α" } } }
                tbody {
                    tr {
                        td.number { span.rate { (percent(ceiling.agreement.value())) } " " span.muted { (ceiling.agreement.count) "/" (ceiling.agreement.of) } }
                        td.number { (percent(ceiling.agreement_undecided_differ.value())) }
                        td.number { (number(ceiling.cohen_kappa)) }
                        td.number { (number(ceiling.fleiss_kappa)) }
                        td.number { (number(ceiling.krippendorff_alpha)) }
                    }
                }
            }
        }
    }
}

/// What everybody said: for operators, who do not label blind.
fn overview(queue: &Queue, items: &[(i64, AttemptId)], said: &Said) -> Markup {
    let run = run_id(&queue.run).ok();
    html! {
        section {
            h2 { "Attempts" }
            p { a href={ "/label/" (queue.id) "/export" } download { "Export the labels" } span.muted { ", one JSON line each, as " code { "umpire agree" } " reads them from the run" } }
            table.wide {
                thead { tr { th.number { "place" } th { "attempt" } th { "labels" } th { "settled" } th {} } }
                tbody {
                    @for (place, attempt) in items.iter().take(ITEMS_SHOWN) {
                        tr {
                            td.number { (place) }
                            td { @if let Some(run) = &run { a href=(attempt_path(run, attempt)) { (attempt) } } }
                            td { @for label in said.on(attempt) { (label.annotator) ": " (word(label.success)) " " } }
                            td { @if let Some(label) = said.settled.get(attempt) { b { (word(label.success)) } } }
                            td {
                                @if said.is_disputed(attempt) {
                                    a href={ "/label/" (queue.id) "/adjudicate/" (place) } { @if said.settled.contains_key(attempt) { "look again" } @else { b.bad { "disputed: settle" } } }
                                }
                            }
                        }
                    }
                }
            }
            @if items.len() > ITEMS_SHOWN { p.muted { "and " (items.len() - ITEMS_SHOWN) " more" } }
        }
    }
}
