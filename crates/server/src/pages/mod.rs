//! One module a family of pages.

pub(crate) mod accounts;
pub(crate) mod arena;
pub(crate) mod attempt;
pub(crate) mod compare;
pub(crate) mod failures;
pub(crate) mod files;
pub(crate) mod label;
pub(crate) mod leaderboard;
pub(crate) mod run;
pub(crate) mod runs;

mod live_part;
mod step_marks;
mod step_view;
mod timeline;

use axum::extract::FromRequestParts;
use http::request::Parts;
use umpire_model::{AttemptId, RunId};

pub(crate) use self::files::Thumbnails;
pub(crate) use self::live_part::live_part;
pub(crate) use self::runs::RunList;
use crate::accounts::Who;
use crate::error::PageError;
use crate::state::App;

impl<S: Sync> FromRequestParts<S> for Who {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, PageError> {
        parts.extensions.get::<Self>().cloned().ok_or(PageError::SignIn)
    }
}

/// Refuses what would tell somebody who labels what others found, or who votes who it was: the attempt they have, and
/// to everybody but operators, who have to see runs, all of its run.
async fn stay_blind(app: &App, who: &Who, run: &RunId, attempt: Option<&AttemptId>) -> Result<(), PageError> {
    if !who.is_operator() && app.withheld.has(run) {
        return Err(PageError::NotFound);
    }
    let attempt = attempt.filter(|_| who.is_operator()).map(ToString::to_string);
    if who.is_operator() && attempt.is_none() {
        return Ok(());
    }
    if app.database.has_to_vote(run.as_str(), attempt.as_deref(), &who.voter()).await? {
        let told = "You have a battle to vote on here: vote first, then see who it was.";
        return Err(PageError::Forbidden(told.to_owned()));
    }
    let Some(account) = &who.account else { return Ok(()) };
    if app.database.is_labelling(run.as_str(), attempt.as_deref(), &account.name).await? {
        let told = "You are labelling here: save your label first, then see what others say.";
        return Err(PageError::Forbidden(told.to_owned()));
    }
    Ok(())
}

/// Every run that somebody may look into by name, the newest first.
async fn run_names(app: &App, who: &Who) -> Result<Vec<String>, PageError> {
    let runs = app.runs.clone();
    let listing = tokio::task::spawn_blocking(move || runs.list()).await??;
    let names = listing.runs.iter().rev().map(|run| &run.manifest().run);
    Ok(names.filter(|run| who.is_operator() || !app.withheld.has(run)).map(ToString::to_string).collect())
}

/// A name from an address: what is no name is nowhere.
fn run_id(text: &str) -> Result<RunId, PageError> {
    text.parse().map_err(|_| PageError::NotFound)
}

fn attempt_id(agent: &str, instance: &str, trial: u32) -> Result<AttemptId, PageError> {
    AttemptId::new(agent, instance, trial).map_err(|_| PageError::NotFound)
}

/// Where an attempt is shown. Names are safe in addresses but for a `+`, which forms read as a space in queries only.
fn attempt_path(run: &RunId, id: &AttemptId) -> String {
    format!("/runs/{run}/attempts/{id}")
}

/// A text as part of a query.
fn in_query(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
