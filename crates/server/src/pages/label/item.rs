//! One attempt to label: blind until saved, everything after.

use std::collections::BTreeSet;

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use umpire_model::{AttemptId, HumanLabel};
use umpire_report::clipped;
use umpire_report::html::{Recording, answer, badge};

use super::form::{self, FORM, marks_on, opinion};
use super::{Said, attempt_at, find_queue, word};
use crate::accounts::{Checked, Who};
use crate::assets;
use crate::database::Queue;
use crate::error::PageError;
use crate::frame::{Page, Room, token};
use crate::pages::step_view::{Sources, stage};
use crate::pages::{attempt_path, run_id};
use crate::state::App;
use crate::turns::to_the_end;

const TEXT_SHOWN: usize = 20_000;

pub(crate) async fn next(
    State(app): State<App>,
    Path(queue): Path<String>,
    form: Checked,
) -> Result<Response, PageError> {
    let account = form.who.signed_in()?;
    let queue = find_queue(&app, &queue).await?;
    // One at a time: two who ask at once must not both become the last one an attempt needs.
    let turn = app.label_writer.lock().await;
    let place = app.database.take_next(&queue, &account.name).await?;
    drop(turn);
    let to = match place {
        Some(place) => format!("/label/{}/{place}", queue.id),
        None => format!("/label/{}", queue.id),
    };
    Ok(Redirect::to(&to).into_response())
}

/// The attempt at a place, for one who was given it: to others it is as if it were not there.
async fn own_attempt(
    app: &App,
    who: &Who,
    queue: &Queue,
    place: i64,
) -> Result<(AttemptId, bool), PageError> {
    let account = who.signed_in()?;
    let given = app.database.assignment(&queue.id, place, &account.name).await?.ok_or(PageError::NotFound)?;
    Ok((attempt_at(app, queue, place).await?, given.is_saved))
}

pub(crate) async fn item(
    State(app): State<App>,
    Path((queue, place)): Path<(String, i64)>,
    who: Who,
) -> Result<Response, PageError> {
    let queue = find_queue(&app, &queue).await?;
    let (attempt, is_saved) = own_attempt(&app, &who, &queue, place).await?;
    let indexed = app.index.open(&run_id(&queue.run)?).await?;
    let (folder, run) = (indexed.run.attempt(&attempt), indexed.run.clone());
    let (journal, labels) =
        tokio::task::spawn_blocking(move || Ok::<_, PageError>((folder.journal()?, run.labels()?))).await??;
    let intent = indexed.facts.get(&attempt.instance).map(|facts| facts.intent.as_str()).unwrap_or_default();
    let outcome = indexed.summary.attempts.iter().find(|one| one.id == attempt);
    let recording = Recording::of(&journal.trajectory);
    // Not even the agent's name: who did it is an opinion about how well.
    let sources = Sources { run: &indexed.summary.manifest.run, attempt: None };
    let ended = journal.trajectory.events.last().map_or(0, |event| event.ms);
    let marks = |step: &umpire_report::html::Step<'_>| {
        if is_saved {
            html! {}
        } else {
            marks_on(step.number)
        }
    };
    let body = html! {
        nav.crumbs aria-label="Label" { a href={ "/label/" (queue.id) } { "← " (queue.title) } }
        h1 { "Attempt " (place) }
        p.intent.said { (clipped(intent, TEXT_SHOWN)) }
        (answer(&journal.trajectory))
        @if is_saved { (revealed(&who, &queue, &attempt, &labels, outcome)) }
        (stage(&recording, &sources, None, ended, &marks))
        @if !is_saved {
            section {
                h2 { "Your label" }
                form.label-form id=(FORM) method="post" action={ "/label/" (queue.id) "/" (place) } {
                    (token(&who))
                    (opinion())
                    button type="submit" data-key="s" aria-keyshortcuts="s" { "Save " kbd { "s" } }
                    span.muted { " Then you see what others say. A label cannot be changed afterwards." }
                }
            }
        }
    };
    let title = format!("{} {place}", queue.title);
    let scripts: &[&assets::Asset] = &[&assets::PLAYER];
    Ok(Page { title: &title, room: Room::Label, who: &who, scripts, body }.respond())
}

fn revealed(
    who: &Who,
    queue: &Queue,
    attempt: &AttemptId,
    labels: &[HumanLabel],
    outcome: Option<&umpire_report::AttemptSummary>,
) -> Markup {
    let said = Said::of(labels);
    html! {
        section.notice {
            h2 { "Saved. What others say" }
            ul {
                @if let Some(outcome) = outcome {
                    li { "The rules: " (badge(outcome.outcome)) " " span.said { (clipped(&outcome.reason, 300)) } }
                }
                @for label in said.on(attempt) {
                    li { b { (label.annotator) } ": " (word(label.success)) " " span.said { (clipped(&label.text, 300)) } }
                }
                @if let Some(label) = said.settled.get(attempt) { li { "Settled: " b { (word(label.success)) } } }
                @if let Ok(run) = run_id(&queue.run) { li { a href=(attempt_path(&run, attempt)) { "The attempt with all its evidence" } } }
            }
            form.inline method="post" action={ "/label/" (queue.id) "/next" } { (token(who)) button type="submit" autofocus { "Label the next" } }
        }
    }
}

pub(crate) async fn save(
    State(app): State<App>,
    Path((queue, place)): Path<(String, i64)>,
    form: Checked,
) -> Result<Response, PageError> {
    let queue = find_queue(&app, &queue).await?;
    let to = format!("/label/{}/{place}", queue.id);
    to_the_end(store(app, queue, place, form)).await??;
    Ok(Redirect::to(&to).into_response())
}

async fn store(app: App, queue: Queue, place: i64, form: Checked) -> Result<(), PageError> {
    let account = form.who.signed_in()?.clone();
    let turn = app.label_writer.lock().await;
    let (attempt, is_saved) = own_attempt(&app, &form.who, &queue, place).await?;
    if is_saved {
        return Err(PageError::Forbidden("This label is saved; you have seen what others say.".to_owned()));
    }
    let indexed = app.index.open(&run_id(&queue.run)?).await?;
    let fields = form.fields;
    let annotator = account.name.clone();
    tokio::task::spawn_blocking(move || {
        let label = about(&indexed, &attempt)?;
        let label = form::read(&fields, label.0, &label.1, &annotator)?;
        // On the disk before it counts as saved: after a crash in between it is asked for again, and said twice.
        indexed.run.append_labels(&[label])?;
        Ok::<_, PageError>(())
    })
    .await??;
    app.database.mark_saved(&queue.id, place, &account.name).await?;
    drop(turn);
    app.database.note(&account.name, "label saved", &format!("{} {place}", queue.id)).await?;
    Ok(())
}

/// An empty label about an attempt as it is now, and the steps it has.
pub(super) fn about(
    indexed: &crate::index::IndexedRun,
    attempt: &AttemptId,
) -> Result<(HumanLabel, BTreeSet<u32>), PageError> {
    let journal = indexed.run.attempt(attempt).journal()?;
    let intent = indexed.facts.get(&attempt.instance).map(|facts| facts.intent.as_str()).unwrap_or_default();
    let steps = Recording::of(&journal.trajectory).steps.iter().map(|step| step.number).collect();
    Ok((HumanLabel::empty(attempt.clone(), journal.trajectory.tries, intent), steps))
}
