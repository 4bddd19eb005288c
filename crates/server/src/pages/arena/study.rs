//! What a study came to: for operators, who do not vote blind on it.

use axum::extract::{Path, State};
use axum::response::Response;
use maud::{Markup, html};
use umpire_arena::{Agreement, Ballot, ReVotes, Verdict};
use umpire_report::{clipped, count, percent};

use super::studies::vote_button;
use crate::accounts::Who;
use crate::error::PageError;
use crate::frame::{Page, Room};
use crate::state::App;

const BATTLES_SHOWN: usize = 500;

pub(crate) async fn study(
    State(app): State<App>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, PageError> {
    who.operator()?;
    let study = app.database.study(&id).await?.ok_or(PageError::NotFound)?;
    let battles = app.database.battles_of(&study.id).await?;
    let own: std::collections::BTreeSet<_> = battles.iter().map(|battle| battle.id.clone()).collect();
    let ballots: Vec<Ballot> = app.board.ballots(move |ballot| own.contains(&ballot.battle)).await?;
    let votes = ReVotes::of(&ballots);
    let enough = usize::try_from(study.votes_wanted).unwrap_or(1);
    let most = enough.div_ceil(2).max(1);
    let majorities: std::collections::BTreeMap<_, _> =
        votes.majorities(most).into_iter().map(|one| (one.battle.clone(), one)).collect();
    let (people, alpha) = votes.among_people();
    let originals = app.database.original_verdicts(&study.id).await?;
    let body = html! {
        nav.crumbs aria-label="Arena" { a href="/arena" { "← Arena" } }
        h1 { (study.title) }
        p.muted.said { (count(battles.len(), "battle")) ", " (study.votes_wanted) " voters each: " (study.about) ". Made by " (study.created_by) "." }
        (vote_button(&who, &study.id))
        section {
            h2 { "Agreement " span.muted { "between two people on the same battle" } }
            (agreement(&people, alpha))
        }
        @if !originals.is_empty() {
            section {
                h2 { "The first vote " span.muted { "of whoever asked for the battle, against most people here" } }
                (agreement(&votes.original_with_majority(&originals, most), None))
            }
        }
        @for model in votes.models() {
            section {
                h2 { (model) " " span.muted { "against most people" } }
                (agreement(&votes.model_with_people(&model, most), None))
            }
        }
        p.muted.hint { "Models vote as well, and count apart: " code { "umpire judge --study " (study.id) " --model NAME" } }
        section {
            h2 { "Battles" }
            table.wide {
                thead { tr { th { "task" } th { "agents, by name" } th.number { "votes" } th { "most say" } } }
                tbody {
                    @for battle in battles.iter().take(BATTLES_SHOWN) {
                        tr {
                            td.said { (clipped(&battle.asked.text, 90)) }
                            // Not by side: an operator may have it to vote on.
                            td { (battle.left.agent.as_str().min(&battle.right.agent)) ", " (battle.left.agent.as_str().max(&battle.right.agent)) }
                            td.number { (battle.votes()) " of " (battle.votes_wanted) }
                            td {
                                @if let Some(majority) = majorities.get(&battle.id) {
                                    (verdict(majority.verdict, &battle.left.agent, &battle.right.agent))
                                }
                            }
                        }
                    }
                }
            }
            @if battles.len() > BATTLES_SHOWN { p.muted { "and " (battles.len() - BATTLES_SHOWN) " more" } }
        }
    };
    Ok(Page { title: &study.title, room: Room::Arena, who: &who, scripts: &[], body }.respond())
}

/// The first is the one whose name comes first.
fn verdict(verdict: Option<Verdict>, left: &str, right: &str) -> Markup {
    match verdict {
        Some(Verdict::First) => html! { b { (left.min(right)) } },
        Some(Verdict::Second) => html! { b { (left.max(right)) } },
        Some(Verdict::Tie) => html! { "both alike" },
        Some(Verdict::BothBad) => html! { "neither" },
        None => html! { span.muted { "divided" } },
    }
}

fn agreement(agreement: &Agreement, alpha: Option<f64>) -> Markup {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
    html! {
        table.figures {
            thead { tr { th.number { "agree %" } th.number { "without ties %" } th.number { "Cohen κ" } th.number { "Krippendorff α" } } }
            tbody {
                tr {
                    td.number { (percent(agreement.share.value())) " " span.muted { (agreement.share.count) "/" (agreement.share.of) } }
                    td.number { (percent(agreement.decided.value())) " " span.muted { (agreement.decided.count) "/" (agreement.decided.of) } }
                    td.number { (number(agreement.kappa.as_ref().map(|kappa| kappa.value))) }
                    td.number { (number(alpha)) }
                }
            }
        }
    }
}
