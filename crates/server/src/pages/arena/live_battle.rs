//! A battle before its vote: where it stands in the queue, then both sides at work, without their names.

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use umpire_arena::{Battle, BattleId, Phase, Position};
use umpire_report::html::overlay;
use umpire_report::{clipped, count};
use umpire_store::Runs;

use super::ask::again;
use super::blind::{Blind, BlindSide};
use super::{SIDES, own_battle};
use crate::accounts::{Checked, Who};
use crate::assets;
use crate::contests::Contests;
use crate::database::VoteError;
use crate::error::PageError;
use crate::frame::{Page, Room, token};
use crate::live::Watched;
use crate::state::App;
use crate::turns::to_the_end;

const TEXT_SHOWN: usize = 20_000;
const LINE_SHOWN: usize = 200;

/// The page of a battle that waits, runs, or came to nothing.
pub(super) async fn page(app: &App, who: &Who, battle: &Battle, note: &str) -> Result<Response, PageError> {
    let is_under_way = matches!(battle.phase(), Phase::Queued | Phase::Running { .. });
    let part = battle_part(&app.runs, app.contests.as_deref(), battle).await;
    let path = format!("/arena/battles/{}", battle.id);
    let body = html! {
        nav.crumbs aria-label="Arena" { a href="/arena" { "← Arena" } }
        h1 { "Two agents on one task" }
        p.intent.said { (clipped(&battle.asked.text, TEXT_SHOWN)) }
        @if is_under_way {
            div data-live={ (path) "/events" } data-reload="" { (part) }
            form method="post" action={ (path) "/cancel" } {
                (token(who))
                button type="submit" data-key="c" aria-keyshortcuts="c" { "Call it off " kbd { "c" } }
            }
        } @else {
            section.notice {
                p { (over(battle)) @if !note.is_empty() { " " (note) } " Nobody is told who it was." }
                @if let (Some(contests), Some(wish)) = (&app.contests, app.database.wish(&battle.id).await?) {
                    (again(who, &wish, contests))
                }
            }
        }
    };
    let scripts: &[&assets::Asset] = &[&assets::LIVE, &assets::PLAYER];
    let page = Page { title: "Battle", room: Room::Arena, who, scripts, body };
    Ok(if is_under_way { page.respond_under_way() } else { page.respond() })
}

fn over(battle: &Battle) -> &'static str {
    match battle.phase() {
        Phase::Expired { .. } => "This battle has expired.",
        _ => "This battle was called off.",
    }
}

/// The part that changes while it waits and runs.
pub(crate) async fn battle_part(runs: &Runs, contests: Option<&Contests>, battle: &Battle) -> Markup {
    match battle.phase() {
        Phase::Queued => {
            let place = match contests {
                Some(contests) => contests.place(&battle.id).await,
                None => None,
            };
            html! { p.progress-line { span.live { "waiting" } span { (waiting(place)) } } }
        }
        Phase::Running { .. } => {
            // Before the first line of both journals is written there is nothing to be read.
            let blind = Blind::load(runs, battle).await.ok();
            html! {
                p.progress-line { span.live { "running" } span { "Both work at the same time. When both have ended, you vote." } }
                div.versus.live-versus {
                    @for (side, word) in SIDES {
                        section aria-label={ "The " (word) } { (pane(&battle.id, word, blind.as_ref().map(|blind| blind.side(side)))) }
                    }
                }
            }
        }
        _ => html! { p data-reload="" { "It has ended." } },
    }
}

fn waiting(place: Option<Position>) -> String {
    match place {
        Some(Position::Waiting { ahead: 0, .. }) => "Yours is the next to begin.".to_owned(),
        Some(Position::Waiting { ahead, .. }) => {
            format!("{} before yours.", count(ahead, "battle"))
        }
        Some(Position::Running { .. }) => "It is about to begin.".to_owned(),
        None => "It is on its way.".to_owned(),
    }
}

fn pane(battle: &BattleId, word: &str, side: Option<&BlindSide>) -> Markup {
    let steps = side.map_or(&[][..], |side| side.steps.as_slice());
    let shown = steps.iter().rev().find(|step| step.picture.is_some());
    html! {
        h2 {
            span.side { (word) } " "
            span.muted {
                @match side {
                    None => "gets ready",
                    Some(side) if side.has_ended => { "has ended after " (count(steps.len(), "step")) }
                    Some(_) => { "step " (steps.len()) }
                }
            }
        }
        @if let (Some(step), Some(side)) = (shown, side) {
            div.shot {
                img src={ "/arena/battles/" (battle) "/" (word) "/" (step.number) } alt={ "The page on the " (word) " at step " (step.number) } width=(side.viewport.width) height=(side.viewport.height);
                (overlay(&step.acts(), side.viewport))
            }
            p.where { span.said { (clipped(&step.title, LINE_SHOWN)) } br; span.muted.said { (clipped(&step.url, LINE_SHOWN)) } }
        } @else {
            div.no-shot.waiting-shot { "no picture yet" }
        }
        ol.deeds reversed {
            @for step in steps.iter().rev() {
                li value=(step.number) {
                    @for thought in &step.thoughts { span.thought.said { (clipped(thought, LINE_SHOWN)) } br; }
                    @for act in &step.acts() { code.said { (clipped(&act.what.to_string(), LINE_SHOWN)) } " " @if let Some(error) = act.error { span.bad.said { (clipped(error, LINE_SHOWN)) } } }
                    @if step.acts().is_empty() { span.muted { "looks" } }
                }
            }
        }
    }
}

pub(crate) async fn events(
    State(app): State<App>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, PageError> {
    let battle = own_battle(&app, &who, &id).await?;
    app.live.events(&Watched::Battle(battle.id), who.address)
}

/// By whoever asked for it, or by an operator.
pub(crate) async fn cancel(
    State(app): State<App>,
    Path(id): Path<String>,
    form: Checked,
) -> Result<Response, PageError> {
    let contests = app.contests.clone().ok_or(PageError::NotFound)?;
    let found = app.database.battle(&BattleId::new(&id)).await?.ok_or(PageError::NoSuchBattle)?;
    let is_own = found.visitor == form.who.voter();
    if !is_own && !form.who.is_operator() {
        return Err(PageError::NoSuchBattle);
    }
    let why = if is_own { "You called it off." } else { "An operator called it off." };
    to_the_end(async move { contests.cancel(&found, why).await }).await?.map_err(|error| match error {
        VoteError::Database(error) => PageError::Database(error),
        other => PageError::BadRequest(other.to_string()),
    })?;
    if !is_own {
        app.database.note(&form.who.operator()?.name, "battle called off", &id).await?;
        return Ok(Redirect::to("/arena").into_response());
    }
    Ok(Redirect::to(&format!("/arena/battles/{id}")).into_response())
}
