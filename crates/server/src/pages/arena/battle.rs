//! One battle: blind until the vote is stored, everything after.

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use umpire_arena::{
    Ballot, Battle, BattleId, Contestant, IllegalMove, Phase, Revealed, Seen, Side, Time, VoterKind, Voters,
};
use umpire_report::html::{one_act, overlay};
use umpire_report::{clipped, seconds};

use super::ballot_form::{self, FORM, marks_on, opinion};
use super::blind::{Blind, BlindStep};
use super::{SIDES, live_battle, own_battle};
use crate::accounts::{Checked, Who};
use crate::assets;
use crate::clock::now_ms;
use crate::database::VoteError;
use crate::error::PageError;
use crate::frame::{Page, Room, token};
use crate::pages::attempt_path;
use crate::pages::step_view::player_controls;
use crate::state::App;
use crate::turns::to_the_end;

const TEXT_SHOWN: usize = 20_000;
const THOUGHT_SHOWN: usize = 2_000;
const LINE_SHOWN: usize = 200;

pub(crate) async fn battle(
    State(app): State<App>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, PageError> {
    let battle = own_battle(&app, &who, &id).await?;
    if !matches!(battle.phase(), Phase::ToVote { .. } | Phase::Voted { .. })
        && let Some(note) = app.database.contest_note(&battle.id).await?
    {
        return live_battle::page(&app, &who, &battle, &note).await;
    }
    let voter = who.voter();
    let blind = app.curtains.open(&app, &battle).await?;
    let study = app.database.study_of(&battle.id).await?;
    let may_vote = battle.may_vote(&voter).is_ok();
    if may_vote {
        app.database.note_hidden(&battle.id, &voter, i64::try_from(blind.hidden).unwrap_or(i64::MAX)).await?;
    }
    let told = battle.reveal_to(&voter);
    let body = html! {
        h1 { "Which did better?" }
        p.intent.said { (clipped(&battle.asked.text, TEXT_SHOWN)) }
        @match &told {
            Some(names) => (revealed(&who, &battle, names, study.as_deref())),
            None if !may_vote => (closed(&who, &battle, study.as_deref())),
            None => {}
        }
        (answers(&blind))
        (stage(&battle, &blind, may_vote))
        @if may_vote {
            section.label-form {
                h2 { "Your vote" }
                form id=(FORM) method="post" action={ "/arena/battles/" (battle.id) } {
                    (token(&who))
                    (opinion())
                    button type="submit" data-key="s" aria-keyshortcuts="s" { "Vote " kbd { "s" } }
                    span.muted { " Then you see who it was. A vote cannot be changed afterwards." }
                }
            }
        }
    };
    let scripts: &[&assets::Asset] = &[&assets::PLAYER];
    Ok(Page { title: "Battle", room: Room::Arena, who: &who, scripts, body }.respond())
}

fn next_button(who: &Who, study: Option<&str>) -> Markup {
    html! {
        @if study.is_none() { a href="/arena" { "Another battle" } " " }
        @if let Some(study) = study {
            form.inline method="post" action={ "/arena/studies/" (study) "/next" } {
                (token(who))
                button type="submit" autofocus { "The next battle" }
            }
        }
    }
}

/// Somebody was too slow, or it was called off: then nobody is told who it was.
fn closed(who: &Who, battle: &Battle, study: Option<&str>) -> Markup {
    html! {
        section.notice {
            @match battle.phase() {
                Phase::Voted { .. } => p { "This battle has all the votes it needs." },
                _ => p { "This battle cannot be voted on: it is " (battle.phase().name()) "." },
            }
            (next_button(who, study))
        }
    }
}

fn revealed(who: &Who, battle: &Battle, names: &Revealed<'_>, study: Option<&str>) -> Markup {
    let evidence = |contestant: &Contestant| {
        contestant.run.as_ref().zip(contestant.attempt.as_ref()).map(|(run, id)| attempt_path(run, id))
    };
    html! {
        section.notice {
            h2 { "Your vote is in. It was" }
            table.names {
                tbody {
                    @for ((side, word), name) in SIDES.into_iter().zip([names.left, names.right]) {
                        tr {
                            th scope="row" { (word) }
                            td { b { (name) } }
                            td { @if let Some(path) = evidence(battle.contestant(side)) { a href=(path) { "all its evidence" } } }
                        }
                    }
                }
            }
            (next_button(who, study))
            " " a href="/leaderboard" { "Leaderboard" }
        }
    }
}

fn answers(blind: &Blind) -> Markup {
    html! {
        div.versus {
            @for (side, word) in SIDES {
                section aria-label={ "Answer on the " (word) } {
                    h2 { span.side { (word) } " answered" }
                    @match &blind.side(side).answer {
                        Some(answer) => pre.said tabindex="0" { (clipped(answer, TEXT_SHOWN)) },
                        None => p.muted { "nothing" },
                    }
                }
            }
        }
    }
}

/// Rows in lock-step, one in view at a time; links and `:target` work without the script.
fn stage(battle: &Battle, blind: &Blind, may_vote: bool) -> Markup {
    if blind.rows.is_empty() {
        return html! { p.muted { "No step was recorded on either side." } };
    }
    html! {
        div.stage.battle data-stage {
            div.stage-bar {
                (player_controls())
                span.muted.keys data-player hidden { "j/k step · p play" @if may_vote { " · 1 left · 2 right · 3 tie · 4 both bad · s vote" } }
            }
            ol.step-list aria-label="Steps" {
                @for (number, row) in (1_u32..).zip(&blind.rows) {
                    li {
                        a href={ "#step-" (number) } data-step=(number) class=[(!blind.are_alike(*row)).then_some("differs")]
                            aria-current=[(number == 1).then_some("step")] {
                            b { (number) } " "
                            span.said { @if blind.are_alike(*row) { "the same" } @else { "differs" } }
                        }
                    }
                }
            }
            div.steps {
                @for (number, row) in (1_u32..).zip(&blind.rows) {
                    article.step.chosen[number == 1] id={ "step-" (number) } data-number=(number) data-ms=(ms_of(blind, *row)) {
                        @for ((side, word), at) in SIDES.into_iter().zip([row.0, row.1]) {
                            section aria-label=(word) {
                                @match at.and_then(|at| blind.side(side).steps.get(at)) {
                                    Some(step) => (one_side(battle, blind, side, word, step, may_vote)),
                                    None => p.muted { span.side { (word) } " has no step here." },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn ms_of(blind: &Blind, row: (Option<usize>, Option<usize>)) -> u64 {
    let at = |side: Side, place: Option<usize>| {
        place.and_then(|place| blind.side(side).steps.get(place)).map(|step| step.ms)
    };
    at(Side::Left, row.0).max(at(Side::Right, row.1)).unwrap_or(0)
}

fn one_side(
    battle: &Battle,
    blind: &Blind,
    side: Side,
    word: &str,
    step: &BlindStep,
    may_vote: bool,
) -> Markup {
    let viewport = blind.side(side).viewport;
    let acts = step.acts();
    html! {
        h3 { span.side { (word) } " step " (step.number) " " span.muted { "at " (seconds(step.ms as f64 / 1000.0)) } }
        @if step.picture.is_some() {
            @let picture = format!("/arena/battles/{}/{word}/{}", battle.id, step.number);
            a.shot href=(picture) {
                img src=(picture) alt={ "The page on the " (word) " at step " (step.number) } loading="lazy" width=(viewport.width) height=(viewport.height);
                (overlay(&acts, viewport))
            }
        } @else {
            p.muted { "No picture was taken in this step." }
        }
        p.where {
            span.said { (clipped(&step.title, LINE_SHOWN)) } br;
            span.muted.said { (clipped(&step.url, LINE_SHOWN)) }
        }
        @for thought in &step.thoughts { p.thought.said { (clipped(thought, THOUGHT_SHOWN)) } }
        @for act in &acts { (one_act(act)) }
        @if may_vote { (marks_on(side, step.number)) }
    }
}

pub(crate) async fn vote(
    State(app): State<App>,
    Path(id): Path<String>,
    form: Checked,
) -> Result<Response, PageError> {
    let battle = own_battle(&app, &form.who, &id).await?;
    let voter = form.who.voter();
    battle.may_vote(&voter).map_err(|refused| told(&refused))?;
    let blind = app.curtains.open(&app, &battle).await?;
    let given = ballot_form::read(&form.fields, &blind)?;
    let view = app.database.view(&battle.id, &voter).await?;
    let now = now_ms();
    let seen = Seen {
        looked_ms: view.as_ref().map(|view| now.saturating_sub(view.shown.max(0).cast_unsigned())),
        origin: form.who.origin(&app.keys),
        names_hidden: view.map_or(0, |view| u32::try_from(view.names_hidden).unwrap_or(u32::MAX)),
    };
    let cast = move |battle: &Battle| {
        let mut ballot =
            battle.ballot(&voter, VoterKind::Person, given.choice, given.annotations, seen, Time(now))?;
        ballot.text = given.text;
        Ok(ballot)
    };
    to_the_end(store(app, battle.id, cast)).await?.map_err(|error| match error {
        VoteError::Illegal(refused) => told(&refused),
        VoteError::NoSuchBattle => PageError::NotFound,
        VoteError::Overtaken => PageError::BadRequest(error.to_string()),
        VoteError::Database(error) => error.into(),
    })?;
    Ok(Redirect::to(&format!("/arena/battles/{id}")).into_response())
}

/// Stores a vote, and has it counted.
async fn store(
    app: App,
    id: BattleId,
    cast: impl FnOnce(&Battle) -> Result<Ballot, IllegalMove> + Send,
) -> Result<(), VoteError> {
    // One at a time: two who vote at once must not both become the last one a battle needs.
    let turn = app.vote_writer.lock().await;
    let (ballot, battle) = app.database.store_ballot(&id, cast).await?;
    drop(turn);
    app.board.take_in([ballot]);
    // The votes of a study say nothing of what a visitor has yet to vote on.
    if battle.votes_from == Voters::Asker && matches!(battle.phase(), Phase::Voted { .. }) {
        app.withheld.release(&battle);
    }
    Ok(())
}

fn told(refused: &IllegalMove) -> PageError {
    let text = match refused {
        IllegalMove::VotedAlready(_) => "You have voted on this battle; a vote cannot be changed.",
        IllegalMove::NotYours(_) => return PageError::NotFound,
        _ => "This battle has all the votes it needs, or was called off.",
    };
    PageError::Forbidden(text.to_owned())
}
