//! Asking for a battle: in one's own words, or with a task drawn from a suite.

use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use maud::{Markup, html};
use umpire_arena::{Battle, Phase, QueueRefusal};
use umpire_model::TaskKind;
use umpire_report::{clipped, count};

use super::studies::show_with;
use crate::accounts::{Checked, Fields, Limit, Who};
use crate::contests::{Contests, NoBattle, Wish};
use crate::error::PageError;
use crate::frame::token;
use crate::state::App;
use crate::turns::to_the_end;

pub(super) const OWN_SHOWN: i64 = 10;
const LONGEST_ADDRESS: usize = 2000;
/// A task that is too long is refused by the rules, in their words; this only keeps the form small.
const LONGEST_TEXT: usize = 50_000;
/// The value of the start site that says: the address beside it.
const ELSEWHERE: &str = "elsewhere";

/// The kinds of work, in a visitor's words: agents are told which, as with every task.
const WORK: [(TaskKind, &str); 3] = [
    (TaskKind::Retrieve, "find something out"),
    (TaskKind::Navigate, "get somewhere"),
    (TaskKind::Mutate, "change something"),
];

/// What a visitor typed.
#[derive(Default)]
pub(super) struct Typed {
    task: String,
    work: Option<TaskKind>,
    site: String,
    address: String,
}

pub(super) fn asking(
    contests: &Contests,
    who: &Who,
    typed: &Typed,
    (waiting, running): (usize, usize),
) -> Markup {
    let offers = contests.offers();
    let limits = contests.limits();
    let may_leave = offers.elsewhere;
    html! {
        section.asking {
            h2 { "Ask for a battle" }
            div.ways {
                @if offers.own_tasks {
                    form.fields method="post" action="/arena/battles" {
                        (token(who))
                        input type="hidden" name="what" value="own";
                        label { "What should they do?"
                            textarea name="task" rows="3" required maxlength=(contests.rules().most_characters) { (typed.task) }
                        }
                        label { "They are to"
                            select name="work" {
                                @for (kind, words) in WORK { option value=(kind.as_str()) selected[typed.work == Some(kind)] { (words) } }
                            }
                        }
                        label { "Where do they begin?"
                            select name="site" {
                                @for site in &offers.sites { option value=(site.name) selected[site.name == typed.site] { (site.name) } }
                                @if may_leave { option value=(ELSEWHERE) selected[typed.site == ELSEWHERE] { "at the address below" } }
                            }
                        }
                        @if may_leave {
                            label { "Address, on a host that may be visited here"
                                input name="address" value=(typed.address) maxlength=(LONGEST_ADDRESS) placeholder="https://" spellcheck="false" autocomplete="off";
                            }
                        }
                        button type="submit" { "Let two agents do it" }
                    }
                }
                @if !offers.suites.is_empty() {
                    form.fields method="post" action="/arena/battles" {
                        (token(who))
                        input type="hidden" name="what" value="drawn";
                        label { "Or let a task be drawn from"
                            select name="suite" {
                                @for suite in &offers.suites { option value=(suite.name) { (suite.name) ", " (count(suite.tasks.len(), "task")) } }
                            }
                        }
                        button type="submit" { "Draw one" }
                    }
                }
            }
            p.muted.hint {
                (count(running, "battle")) " under way, " (waiting) " waiting. "
                "You may ask for " (limits.per_hour) " an hour and have " (limits.waiting_per_visitor) " waiting. "
                "What you ask for can be read by everybody once you have voted: put nothing private into it."
            }
        }
    }
}

pub(super) fn own_battles(battles: &[Battle]) -> Markup {
    html! {
        @if !battles.is_empty() {
            section {
                h2 { "Your battles" }
                table.wide {
                    thead { tr { th { "task" } th { "state" } } }
                    tbody {
                        @for battle in battles {
                            tr {
                                td.said { a data-row href={ "/arena/battles/" (battle.id) } { (clipped(&battle.asked.text, 90)) } }
                                td.nowrap { (state(battle)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn state(battle: &Battle) -> Markup {
    match battle.phase() {
        Phase::Queued => html! { "waits" },
        Phase::Running { .. } => html! { span.live { "running" } },
        Phase::ToVote { .. } => html! { b { "vote" } },
        Phase::Voted { .. } => html! { "voted: " (battle.left.agent) ", " (battle.right.agent) },
        Phase::Cancelled { .. } => html! { span.muted { "called off" } },
        Phase::Expired { .. } => html! { span.muted { "expired" } },
    }
}

/// For operators: what waits and runs, each with a way to call it off. Names are theirs to know, sides are not.
pub(super) fn under_way(who: &Who, battles: &[Battle]) -> Markup {
    html! {
        section {
            h2 { "Asked for by visitors " span.muted { (battles.len()) " waiting or running" } }
            @if !battles.is_empty() {
                table.wide {
                    thead { tr { th { "task" } th { "visitor" } th { "state" } th {} } }
                    tbody {
                        @for battle in battles {
                            tr {
                                td.said { (clipped(&battle.asked.text, 90)) }
                                td { (battle.visitor) }
                                td { (battle.phase().name()) }
                                td {
                                    form.inline method="post" action={ "/arena/battles/" (battle.id) "/cancel" } { (token(who)) button type="submit" { "Call off" } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Asks for the same once more.
pub(super) fn again(who: &Who, wish: &Wish, contests: &Contests) -> Markup {
    html! {
        form.inline method="post" action="/arena/battles" {
            (token(who))
            @match wish {
                Wish::Own { text, kind_of_work, start_url } => {
                    @let site = contests.offers().sites.iter().find(|site| site.url == *start_url);
                    input type="hidden" name="what" value="own";
                    input type="hidden" name="task" value=(text);
                    input type="hidden" name="work" value=(kind_of_work.as_str());
                    input type="hidden" name="site" value=(site.map_or(ELSEWHERE, |site| site.name.as_str()));
                    input type="hidden" name="address" value=(start_url);
                }
                Wish::Drawn { suite, .. } => {
                    input type="hidden" name="what" value="drawn";
                    input type="hidden" name="suite" value=(suite);
                }
            }
            button type="submit" { "Ask again" }
        }
    }
}

pub(crate) async fn ask(State(app): State<App>, form: Checked) -> Result<Response, PageError> {
    let contests = app.contests.clone().ok_or(PageError::NotFound)?;
    app.limits.take_for(Limit::BATTLES_ADDRESS, form.who.address)?;
    let typed = Typed {
        task: form.fields.text("task", LONGEST_TEXT)?,
        work: WORK.iter().map(|(kind, _)| *kind).find(|kind| kind.as_str() == form.fields.get("work")),
        site: form.fields.text("site", 100)?,
        address: form.fields.text("address", LONGEST_ADDRESS)?,
    };
    let wish = wished(&contests, &form.fields, &typed)?;
    let (voter, origin) = (form.who.voter(), form.who.origin(&app.keys));
    match to_the_end(async move { contests.ask(&voter, origin, wish).await }).await? {
        Ok(battle) => Ok(Redirect::to(&format!("/arena/battles/{battle}")).into_response()),
        Err(NoBattle::Database(error)) => Err(error.into()),
        Err(refused) => {
            let (status, told) = explained(&refused);
            let mut page = show_with(&app, &form.who, Some(&told), &typed).await?;
            *page.status_mut() = status;
            Ok(page)
        }
    }
}

fn wished(contests: &Contests, fields: &Fields, typed: &Typed) -> Result<Wish, PageError> {
    let offers = contests.offers();
    match fields.get("what") {
        "own" if offers.own_tasks => {
            let start_url = match typed.site.as_str() {
                ELSEWHERE if offers.elsewhere => typed.address.clone(),
                name => offers.site(name).ok_or(PageError::NotFound)?.url.clone(),
            };
            Ok(Wish::Own {
                text: typed.task.clone(),
                kind_of_work: typed.work.ok_or(PageError::NotFound)?,
                start_url,
            })
        }
        "drawn" => contests.drawn_from(fields.get("suite")).ok_or(PageError::NotFound),
        _ => Err(PageError::NotFound),
    }
}

fn explained(refused: &NoBattle) -> (StatusCode, String) {
    match refused {
        NoBattle::Refused(_) => {
            (StatusCode::UNPROCESSABLE_ENTITY, format!("This cannot be asked:\n{refused}"))
        }
        NoBattle::Limit(QueueRefusal::PerHour { asked, wait_ms }) => {
            let minutes = wait_ms.div_ceil(60_000);
            let told = format!(
                "You have asked for {} within the hour; the next is possible in {}.",
                count(*asked, "battle"),
                count(usize::try_from(minutes).unwrap_or(60), "minute")
            );
            (StatusCode::TOO_MANY_REQUESTS, told)
        }
        NoBattle::Limit(QueueRefusal::WaitingPerVisitor(own)) => {
            let told = format!("You have {} waiting already: vote on those first.", count(*own, "battle"));
            (StatusCode::TOO_MANY_REQUESTS, told)
        }
        NoBattle::PerPlace(waiting) => {
            let told =
                format!("{} wait already that were asked for where you are.", count(*waiting, "battle"));
            (StatusCode::TOO_MANY_REQUESTS, told)
        }
        NoBattle::Limit(_) => {
            (StatusCode::SERVICE_UNAVAILABLE, "The queue is full; try again in a while.".to_owned())
        }
        NoBattle::NoPair(_) | NoBattle::Database(_) => {
            eprintln!("umpire serve: {refused}");
            (StatusCode::SERVICE_UNAVAILABLE, "No two agents can meet just now; try again later.".to_owned())
        }
    }
}
