//! Where people disagree somebody settles it; and the labels as a file.

use std::collections::BTreeSet;

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use maud::html;
use umpire_model::{ADJUDICATOR, AttemptId, HumanLabel};
use umpire_report::clipped;

use super::form::{self, FORM, opinion};
use super::item::about;
use super::queues::items;
use super::{Said, attempt_at, find_queue, word};
use crate::accounts::{Checked, Who};
use crate::database::Queue;
use crate::error::PageError;
use crate::frame::{Page, Room, token};
use crate::pages::{attempt_path, run_id};
use crate::state::App;
use crate::turns::to_the_end;

pub(crate) async fn adjudicate(
    State(app): State<App>,
    Path((queue, place)): Path<(String, i64)>,
    who: Who,
) -> Result<Response, PageError> {
    who.operator()?;
    let queue = find_queue(&app, &queue).await?;
    let attempt = attempt_at(&app, &queue, place).await?;
    let run = run_id(&queue.run)?;
    let indexed = app.index.open(&run).await?;
    let intent = indexed.facts.get(&attempt.instance).map(|facts| facts.intent.clone()).unwrap_or_default();
    let labels = tokio::task::spawn_blocking(move || indexed.run.labels()).await??;
    let said = Said::of(&labels);
    let body = html! {
        nav.crumbs aria-label="Label" { a href={ "/label/" (queue.id) } { "← " (queue.title) } }
        h1 { "Settle " (attempt) }
        p.intent.said { (clipped(&intent, 20_000)) }
        p { a href=(attempt_path(&run, &attempt)) { "The attempt with all its evidence" } }
        table.wide {
            thead { tr { th { "who" } th { "says" } th { "categories" } th { "steps" } th { "text" } } }
            tbody {
                @for label in said.on(&attempt).iter().chain(said.settled.get(&attempt)) {
                    tr {
                        td { (label.annotator) }
                        td { b { (word(label.success)) } }
                        td { @for category in &label.failures { div { (category) } } }
                        td { @for step in &label.steps { div { (step.step) " " (format!("{:?}", step.verdict).to_lowercase()) " " span.said { (clipped(&step.text, 300)) } } } }
                        td.said { (clipped(&label.text, 1000)) }
                    }
                }
            }
        }
        section {
            h2 { "What it is" }
            form.label-form id=(FORM) method="post" action={ "/label/" (queue.id) "/adjudicate/" (place) } {
                (token(&who))
                (opinion())
                button type="submit" { "Settle it" }
            }
        }
    };
    Ok(Page { title: "Settle", room: Room::Label, who: &who, scripts: &[], body }.respond())
}

pub(crate) async fn settle(
    State(app): State<App>,
    Path((queue, place)): Path<(String, i64)>,
    form: Checked,
) -> Result<Response, PageError> {
    form.who.operator()?;
    let queue = find_queue(&app, &queue).await?;
    let to = format!("/label/{}", queue.id);
    to_the_end(store(app, queue, place, form)).await??;
    Ok(Redirect::to(&to).into_response())
}

/// The operator's word is one more label, told from annotators' by its name.
async fn store(app: App, queue: Queue, place: i64, form: Checked) -> Result<(), PageError> {
    let operator = form.who.operator()?.name.clone();
    let attempt = attempt_at(&app, &queue, place).await?;
    let indexed = app.index.open(&run_id(&queue.run)?).await?;
    let turn = app.label_writer.lock().await;
    let annotator = format!("{ADJUDICATOR}{operator}");
    let fields = form.fields;
    tokio::task::spawn_blocking(move || {
        let (empty, _) = about(&indexed, &attempt)?;
        let label = form::read(&fields, empty, &BTreeSet::new(), &annotator)?;
        indexed.run.append_labels(&[label])?;
        Ok::<_, PageError>(())
    })
    .await??;
    drop(turn);
    app.database.note(&operator, "dispute settled", &format!("{} {place}", queue.id)).await?;
    Ok(())
}

/// All labels on a queue's attempts, as a labels file.
pub(crate) async fn export(
    State(app): State<App>,
    Path(queue): Path<String>,
    who: Who,
) -> Result<Response, PageError> {
    who.operator()?;
    let queue = find_queue(&app, &queue).await?;
    let wanted: BTreeSet<AttemptId> =
        items(&app, &queue).await?.into_iter().map(|(_, attempt)| attempt).collect();
    let indexed = app.index.open(&run_id(&queue.run)?).await?;
    let labels: Vec<HumanLabel> = tokio::task::spawn_blocking(move || indexed.run.labels()).await??;
    let mut lines = String::new();
    for label in labels.iter().filter(|label| wanted.contains(&label.attempt)) {
        let line = serde_json::to_string(label).map_err(|error| PageError::Broken(error.to_string()))?;
        lines.push_str(&line);
        lines.push('\n');
    }
    let disposition = format!("attachment; filename=\"labels-{}.jsonl\"", queue.id);
    let headers = [(CONTENT_TYPE, "application/x-ndjson".to_owned()), (CONTENT_DISPOSITION, disposition)];
    Ok((headers, lines).into_response())
}
