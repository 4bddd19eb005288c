//! Votes that look dishonest, by voter, for operators: marked, with the reason; leaving them out is a person's decision.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use umpire_arena::{Ballot, Suspicion, VoterId};
use umpire_report::{clipped, count};

use crate::accounts::{Checked, Who};
use crate::error::PageError;
use crate::frame::{Page, Room, token};
use crate::state::App;

const VOTERS_SHOWN: usize = 300;

#[derive(Default)]
struct Voter<'a> {
    votes: usize,
    marks: Vec<&'a Suspicion>,
}

pub(crate) async fn voters(State(app): State<App>, who: Who) -> Result<Response, PageError> {
    who.operator()?;
    let marks = app.board.marks().await.ok_or(PageError::TooSlow)?;
    let left_out = app.database.left_out_voters().await?;
    let votes = app.board.look(votes_by_voter).await?;
    let mut by_voter: BTreeMap<VoterId, Voter<'_>> =
        votes.into_iter().map(|(id, votes)| (id, Voter { votes, marks: Vec::new() })).collect();
    for mark in marks.iter() {
        by_voter.entry(mark.ballot.voter.clone()).or_default().marks.push(mark);
    }
    let mut sorted: Vec<(&VoterId, &Voter<'_>)> = by_voter.iter().collect();
    sorted.sort_by_key(|(_, voter)| (std::cmp::Reverse(voter.marks.len()), std::cmp::Reverse(voter.votes)));
    let is_out = |voter: &VoterId| left_out.iter().find(|one| one.voter == *voter);
    let body = html! {
        nav.crumbs aria-label="Leaderboard" { a href="/leaderboard" { "← Leaderboard" } }
        h1 { "Voters and marks" }
        p.muted { (count(by_voter.len(), "voter")) ", " (count(marks.len(), "mark")) ". A mark says that votes look strange, not that they are; who is left out is counted in no standings." }
        table.wide {
            thead { tr { th { "voter" } th.number { "votes" } th { "marks" } th {} } }
            tbody {
                @for (id, voter) in sorted.iter().take(VOTERS_SHOWN) {
                    tr {
                        td { code { (id) } }
                        td.number { (voter.votes) }
                        td { (marks_of(voter)) }
                        td { (decision(&who, id, is_out(id).map(|one| (one.why.as_str(), one.decided_by.as_str())))) }
                    }
                }
            }
        }
        @if sorted.len() > VOTERS_SHOWN { p.muted { "and " (sorted.len() - VOTERS_SHOWN) " more without marks or with fewer" } }
    };
    Ok(Page { title: "Voters", room: Room::Leaderboard, who: &who, scripts: &[], body }.respond())
}

fn votes_by_voter(ballots: &[Ballot]) -> BTreeMap<VoterId, usize> {
    let mut votes: BTreeMap<&VoterId, usize> = BTreeMap::new();
    for ballot in ballots {
        *votes.entry(&ballot.voter).or_default() += 1;
    }
    votes.into_iter().map(|(voter, votes)| (voter.clone(), votes)).collect()
}

/// One line a kind of mark: the strongest of it, and how many there are.
fn marks_of(voter: &Voter<'_>) -> Markup {
    let mut kinds: BTreeMap<_, (&Suspicion, usize)> = BTreeMap::new();
    for mark in &voter.marks {
        let known = kinds.entry(mark.kind).or_insert((*mark, 0));
        known.1 += 1;
        if mark.score > known.0.score {
            known.0 = *mark;
        }
    }
    html! {
        @for (kind, (mark, times)) in &kinds {
            div { b { (serde_json::to_value(kind).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()) } " × " (times) " " span.muted.said { (clipped(&mark.why, 160)) } }
        }
    }
}

fn decision(who: &Who, voter: &VoterId, left_out: Option<(&str, &str)>) -> Markup {
    html! {
        @match left_out {
            Some((why, by)) => {
                form.inline method="post" action="/leaderboard/voters/count" {
                    (token(who))
                    input type="hidden" name="voter" value=(voter);
                    span.bad { "left out by " (by) } " " span.said { (why) } " "
                    button type="submit" { "Count again" }
                }
            }
            None => {
                form.inline method="post" action="/leaderboard/voters/leave-out" {
                    (token(who))
                    input type="hidden" name="voter" value=(voter);
                    input name="why" maxlength="200" required placeholder="why" aria-label={ "Why " (voter) " is left out" };
                    " " button type="submit" { "Leave out" }
                }
            }
        }
    }
}

pub(crate) async fn leave_out(State(app): State<App>, form: Checked) -> Result<Response, PageError> {
    let operator = form.who.operator()?;
    let (voter, why) = (form.fields.text("voter", 60)?, form.fields.text("why", 200)?);
    if why.is_empty() {
        return Err(PageError::BadRequest("Say why, for whoever asks later.".to_owned()));
    }
    let id = VoterId::new(&voter);
    let has_voted = move |ballots: &[Ballot]| ballots.iter().any(|ballot| ballot.voter == id);
    if !app.board.look(has_voted).await? {
        return Err(PageError::NotFound);
    }
    app.database.leave_out(&voter, &why, &operator.name).await?;
    app.database.note(&operator.name, "voter left out", &format!("{voter}: {why}")).await?;
    decided(&app).await
}

pub(crate) async fn count_again(State(app): State<App>, form: Checked) -> Result<Response, PageError> {
    let operator = form.who.operator()?;
    let voter = form.fields.text("voter", 60)?;
    app.database.count_again(&voter).await?;
    app.database.note(&operator.name, "voter counted again", &voter).await?;
    decided(&app).await
}

async fn decided(app: &App) -> Result<Response, PageError> {
    let left_out: BTreeSet<VoterId> =
        app.database.left_out_voters().await?.into_iter().map(|one| one.voter).collect();
    app.board.set_left_out(left_out);
    Ok(Redirect::to("/leaderboard/voters").into_response())
}
