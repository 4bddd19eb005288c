//! Studies: pairs of finished attempts that an operator puts up for votes.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use umpire_arena::{Asked, Battle, BattleId, Contestant, Time, VoterId};
use umpire_model::Random;
use umpire_report::AttemptSummary;

use super::ask::{OWN_SHOWN, Typed, asking, own_battles, under_way};
use crate::accounts::{Checked, Fields, Who, random_id, random_seed};
use crate::clock::{in_words, now_ms};
use crate::database::Study;
use crate::error::PageError;
use crate::frame::{Page, Room, token};
use crate::index::{IndexedRun, Order};
use crate::pages::{run_id, run_names};
use crate::state::App;

const LARGEST_STUDY: u32 = 5000;
const MOST_VOTERS: u32 = 25;

pub(crate) async fn arena(State(app): State<App>, who: Who) -> Result<Response, PageError> {
    show(&app, &who, None).await
}

async fn show(app: &App, who: &Who, problem: Option<&str>) -> Result<Response, PageError> {
    show_with(app, who, problem, &Typed::default()).await
}

/// The same with what a visitor typed, so that nothing has to be typed again.
pub(super) async fn show_with(
    app: &App,
    who: &Who,
    problem: Option<&str>,
    typed: &Typed,
) -> Result<Response, PageError> {
    let studies = app.database.studies().await?;
    let runs = if who.is_operator() { run_names(app, who).await? } else { Vec::new() };
    let body = html! {
        h1 { "Arena" }
        @if let Some(problem) = problem { pre.bad role="alert" { (problem) } }
        p { "Two agents do the same task. You see both, not who they are, and say which did better; then you are told." }
        @if let Some(contests) = &app.contests { (asking(contests, who, typed, contests.busy().await)) }
        (own_battles(&app.database.contests_of(&who.voter(), OWN_SHOWN).await?))
        @if who.is_operator() && app.contests.is_some() { (under_way(who, &app.database.unfinished_contests().await?)) }
        h2 { "Studies " span.muted { "of finished attempts" } }
        @if studies.is_empty() {
            p.muted { "There is nothing to vote on yet" @if !who.is_operator() { "; an operator puts finished attempts up for votes" } "." }
        } @else {
            table.wide {
                thead { tr { th { "study" } th.number { "battles" } th.number { "voters each" } th.number { "votes" } th { "made" } th {} } }
                tbody {
                    @for (study, battles, votes) in &studies {
                        tr {
                            th scope="row" { @if who.is_operator() { a href={ "/arena/studies/" (study.id) } { (study.title) } } @else { (study.title) } }
                            td.number { (battles) }
                            td.number { (study.votes_wanted) }
                            td.number { (votes) " of " (battles * study.votes_wanted) }
                            td.nowrap { (in_words(study.created)) }
                            td { (vote_button(who, &study.id)) }
                        }
                    }
                }
            }
        }
        @if who.is_operator() { (new_study(who, &runs)) }
    };
    Ok(Page { title: "Arena", room: Room::Arena, who, scripts: &[], body }.respond())
}

pub(super) fn vote_button(who: &Who, study: &str) -> Markup {
    html! {
        form.inline method="post" action={ "/arena/studies/" (study) "/next" } { (token(who)) button type="submit" { "Vote" } }
    }
}

fn new_study(who: &Who, runs: &[String]) -> Markup {
    html! {
        section {
            h2 { "Put finished attempts up for votes" }
            form.fields method="post" action="/arena/studies" {
                (token(who))
                label { "Title, which voters see: name no agent" input name="title" required maxlength="100"; }
                label { "Run" select name="run" required { @for run in runs { option value=(run) { (run) } } } }
                label { "Against" select name="other" { option value="" { "the same run" } @for run in runs { option value=(run) { (run) } } } }
                label { "Agent, or all" input name="agent" maxlength="120" spellcheck="false"; }
                label { "Other agent, or all" input name="other_agent" maxlength="120" spellcheck="false"; }
                label { "Attempts, by filter" input name="filter" maxlength="500" placeholder="site=shop" spellcheck="false"; }
                label { "Battles at most, drawn at random" input name="most" type="number" min="1" max=(LARGEST_STUDY) value="100"; }
                label { "Voters for each battle" input name="voters" type="number" min="1" max=(MOST_VOTERS) value="3"; }
                button type="submit" { "Put up for votes" }
            }
        }
    }
}

/// What an operator asked for.
struct Wanted {
    title: String,
    filter: String,
    agent: String,
    other_agent: String,
    most: u32,
    voters: u32,
}

impl Wanted {
    fn read(fields: &Fields) -> Result<Self, PageError> {
        let number = |name: &str, most: u32| {
            let given = fields.get(name).parse::<u32>().ok().filter(|number| (1..=most).contains(number));
            given.ok_or_else(|| PageError::BadRequest(format!("`{name}` is a number from 1 to {most}.")))
        };
        let title = fields.text("title", 100)?;
        if title.is_empty() {
            return Err(PageError::BadRequest("A study has a title.".to_owned()));
        }
        Ok(Self {
            title,
            filter: fields.text("filter", 500)?,
            agent: fields.text("agent", 120)?,
            other_agent: fields.text("other_agent", 120)?,
            most: number("most", LARGEST_STUDY)?,
            voters: number("voters", MOST_VOTERS)?,
        })
    }

    fn about(&self, run: &str, other: &str) -> String {
        let all = |name: &str| if name.is_empty() { "all agents".to_owned() } else { name.to_owned() };
        let filter = if self.filter.is_empty() { String::new() } else { format!(", where {}", self.filter) };
        format!("{} of {run} against {} of {other}{filter}", all(&self.agent), all(&self.other_agent))
    }
}

pub(crate) async fn add_study(State(app): State<App>, form: Checked) -> Result<Response, PageError> {
    let operator = form.who.operator()?;
    let wanted = Wanted::read(&form.fields)?;
    let (run, other) = (form.fields.text("run", 120)?, form.fields.text("other", 120)?);
    let other = if other.is_empty() { run.clone() } else { other };
    let (here, there) = (app.index.open(&run_id(&run)?).await?, app.index.open(&run_id(&other)?).await?);
    // Its names would be told to those who vote in the study.
    if [&here, &there].into_iter().any(|one| app.withheld.has(&one.summary.manifest.run)) {
        let told = "Whoever asked for the battle of this run has to vote first.";
        return Err(PageError::BadRequest(told.to_owned()));
    }
    let battles = match drawn(&wanted, &here, &there, &form.who.voter()) {
        Ok(battles) => battles,
        Err(problem) => return show(&app, &form.who, Some(&problem)).await,
    };
    if battles.is_empty() {
        let problem = "No two attempts that ended are at the same instance. Are the agents' names right?";
        return show(&app, &form.who, Some(problem)).await;
    }
    let study = Study::new(&wanted.title, &wanted.about(&run, &other), wanted.voters, &operator.name);
    app.database.add_study(&study, &battles).await?;
    app.database.note(&operator.name, "study made", &format!("{}: {}", study.id, study.about)).await?;
    Ok(Redirect::to(&format!("/arena/studies/{}", study.id)).into_response())
}

/// Battles between attempts at the same instance in the same trial.
fn drawn(
    wanted: &Wanted,
    here: &Arc<IndexedRun>,
    there: &Arc<IndexedRun>,
    by: &VoterId,
) -> Result<Vec<Battle>, String> {
    let is_one_run = here.summary.manifest.run == there.summary.manifest.run;
    let ended = |run: &Arc<IndexedRun>, agent: &str| -> Result<Vec<AttemptSummary>, String> {
        let chosen = run.chosen(&wanted.filter, Order::Planned).map_err(|error| error.to_string())?;
        let attempts = chosen.into_iter().map(|place| &run.summary.attempts[place]);
        // Only what ended can be looked at as a whole.
        let fits = |attempt: &&AttemptSummary| {
            attempt.steps.is_some() && (agent.is_empty() || attempt.id.agent == agent)
        };
        Ok(attempts.filter(fits).cloned().collect())
    };
    let mut others: BTreeMap<(String, u32), Vec<AttemptSummary>> = BTreeMap::new();
    for attempt in ended(there, &wanted.other_agent)? {
        others.entry((attempt.id.instance.clone(), attempt.id.trial)).or_default().push(attempt);
    }
    let are_both_named = !wanted.agent.is_empty() && !wanted.other_agent.is_empty();
    let mut pairs = Vec::new();
    for one in ended(here, &wanted.agent)? {
        let same = others.get(&(one.id.instance.clone(), one.id.trial)).map_or(&[][..], Vec::as_slice);
        for other in same {
            // Within a run every pair would come twice, and everybody would meet themselves.
            let is_wanted = !is_one_run
                || (one.id.agent != other.id.agent && (are_both_named || !is_twice(wanted, &one, other)));
            if is_wanted {
                pairs.push((one.clone(), other.clone()));
            }
        }
    }
    Random::new(random_seed()).shuffle(&mut pairs);
    pairs.truncate(wanted.most as usize);
    Ok(pairs.iter().map(|(one, other)| battle_of(wanted, (here, one), (there, other), by)).collect())
}

/// Whether the same two meet the other way round as well.
fn is_twice(wanted: &Wanted, one: &AttemptSummary, other: &AttemptSummary) -> bool {
    wanted.agent.is_empty() && wanted.other_agent.is_empty() && one.id.agent > other.id.agent
}

fn battle_of(
    wanted: &Wanted,
    (here, one): (&IndexedRun, &AttemptSummary),
    (there, other): (&IndexedRun, &AttemptSummary),
    by: &VoterId,
) -> Battle {
    let facts = here.facts.get(&one.id.instance);
    let asked = Asked {
        text: facts.map(|facts| facts.intent.clone()).unwrap_or_default(),
        task: one.id.instance.clone(),
        kind: facts.map_or("", |facts| facts.kind.as_str()).to_owned(),
    };
    let contestant = |run: &IndexedRun, attempt: &AttemptSummary| {
        let run = run.summary.manifest.run.clone();
        // Two versions of one agent go by the same name; their runs tell them apart.
        let agent = if one.id.agent == other.id.agent {
            format!("{}@{run}", attempt.id.agent)
        } else {
            attempt.id.agent.clone()
        };
        Contestant { agent, run: Some(run), attempt: Some(attempt.id.clone()) }
    };
    Battle::queued(
        BattleId(random_id()),
        asked,
        contestant(here, one),
        contestant(there, other),
        by.clone(),
        Time(now_ms()),
        random_seed(),
    )
    .of_finished(wanted.voters)
}

pub(crate) async fn next(
    State(app): State<App>,
    Path(study): Path<String>,
    form: Checked,
) -> Result<Response, PageError> {
    let study = app.database.study(&study).await?.ok_or(PageError::NotFound)?;
    // One at a time: two who ask at once must not both become the last one a battle needs.
    let turn = app.vote_writer.lock().await;
    let origin = form.who.origin(&app.keys);
    let battle = app.database.take_battle(&study.id, &form.who.voter(), origin.as_deref()).await?;
    drop(turn);
    match battle {
        Some(battle) => Ok(Redirect::to(&format!("/arena/battles/{battle}")).into_response()),
        None => show(&app, &form.who, Some("There is nothing for you to vote on in this study, or too much of it is open where you are: vote on that first.")).await,
    }
}
