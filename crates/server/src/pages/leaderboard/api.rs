//! What anybody may read: standings, and battles that are over. A battle that somebody still has to vote on is not told.

use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use http::header::CONTENT_TYPE;
use serde::{Deserialize, Serialize};
use umpire_arena::{Choice, DayStanding, Standings, StepAnnotation, VoterKind};

use super::Wanted;
use crate::error::PageError;
use crate::state::App;

const MOST_BATTLES: i64 = 500;
/// Enough of a signature to tell voters apart.
const VOTER_SHOWN: usize = 16;
/// Kept beside the code that answers; a test holds it against the addresses.
const DESCRIPTION: &str = include_str!("openapi.json");

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    standings: &'a Standings,
    history: &'a [DayStanding],
}

pub(crate) async fn standings(
    State(app): State<App>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, PageError> {
    let view = wanted.view(&app).await?;
    json(&Answer { standings: &view.standings, history: &view.history })
}

#[derive(Debug, Deserialize)]
pub(crate) struct From {
    /// Where the last answer ended.
    #[serde(default)]
    after: String,
    #[serde(default)]
    limit: Option<i64>,
}

#[derive(Serialize)]
struct Closed {
    version: u32,
    battles: Vec<Told>,
    /// Ask with `after` set to this for what follows; null at the end.
    next: Option<String>,
}

#[derive(Serialize)]
struct Told {
    battle: String,
    task: String,
    task_kind: String,
    text: String,
    left: String,
    right: String,
    closed: i64,
    votes: Vec<ToldVote>,
}

#[derive(Serialize)]
struct ToldVote {
    /// Tells voters apart, and nobody who they are.
    voter: String,
    by: VoterKind,
    choice: Choice,
    at: u64,
    looked_ms: Option<u64>,
    annotations: Vec<StepAnnotation>,
}

pub(crate) async fn battles(State(app): State<App>, Query(from): Query<From>) -> Result<Response, PageError> {
    let bad = || PageError::BadRequest("`after` is what an earlier answer gave as `next`.".to_owned());
    let (closed, id) = match from.after.split_once('.') {
        Some((closed, id)) => (closed.parse::<i64>().map_err(|_| bad())?, id),
        None if from.after.is_empty() => (i64::MIN, ""),
        None => return Err(bad()),
    };
    let most = from.limit.unwrap_or(100).clamp(1, MOST_BATTLES);
    let found = app.database.closed_battles((closed, id), most).await?;
    let next = found
        .last()
        .filter(|_| i64::try_from(found.len()).is_ok_and(|found| found == most))
        .map(|last| format!("{}.{}", last.closed, last.battle.id));
    let told = found.into_iter().map(|one| Told {
        battle: one.battle.id.0,
        task: one.battle.asked.task,
        task_kind: one.battle.asked.kind,
        text: one.battle.asked.text,
        left: one.battle.left.agent,
        right: one.battle.right.agent,
        closed: one.closed,
        votes: one
            .ballots
            .into_iter()
            .map(|ballot| ToldVote {
                voter: app.keys.sign("voter told", ballot.voter.as_str()).chars().take(VOTER_SHOWN).collect(),
                by: ballot.by,
                choice: ballot.choice,
                at: ballot.at.0,
                looked_ms: ballot.seen.looked_ms,
                annotations: ballot.annotations,
            })
            .collect(),
    });
    json(&Closed { version: 1, battles: told.collect(), next })
}

fn json(answer: &impl Serialize) -> Result<Response, PageError> {
    let text = serde_json::to_string(answer).map_err(|error| PageError::Broken(error.to_string()))?;
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}

pub(crate) async fn description() -> Response {
    ([(CONTENT_TYPE, "application/json")], DESCRIPTION).into_response()
}
