//! Signing in and out, accounts, and the log of what was done.

use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::{HeaderValue, SET_COOKIE};
use maud::{Markup, html};

use crate::accounts::{
    Checked, Limit, Role, SESSION_SECONDS, Who, decoy, digest_of, hashed, is_account_name, is_right,
    known_cookie, random_token, session_cookie,
};
use crate::clock::{in_words, now};
use crate::error::PageError;
use crate::frame::{Page, Room, token};
use crate::state::App;
use crate::turns::in_turn;

const NOTES_SHOWN: i64 = 200;
const LONGEST_PASSWORD: usize = 200;

pub(crate) async fn sign_in_page(who: Who) -> Response {
    show_sign_in(&who, None)
}

fn show_sign_in(who: &Who, problem: Option<&str>) -> Response {
    let body = html! {
        h1 { "Sign in" }
        @if let Some(problem) = problem { p.bad role="alert" { (problem) } }
        form.fields method="post" action="/sign-in" {
            (token(who))
            label { "Name" input name="name" autocomplete="username" required autofocus maxlength="60"; }
            label { "Password" input name="password" type="password" autocomplete="current-password" required maxlength=(LONGEST_PASSWORD); }
            button type="submit" { "Sign in" }
        }
        p.muted { "The first operator is made by " code { "umpire serve --operator NAME" } "." }
    };
    Page { title: "Sign in", room: Room::Accounts, who, scripts: &[], body }.respond()
}

pub(crate) async fn sign_in(State(app): State<App>, form: Checked) -> Result<Response, PageError> {
    let (name, password) = (form.fields.text("name", 60)?, form.fields.get("password").to_owned());
    app.limits.take_for(Limit::SIGN_IN_ADDRESS, form.who.address)?;
    if form.who.was_signed_in_as(&name, &app.keys) {
        app.limits.take(Limit::SIGN_IN_KNOWN, &format!("{}\0{name}", form.who.visitor))?;
    } else {
        app.limits.take(Limit::SIGN_IN_NAME, &name.to_lowercase())?;
    }
    let account = app.database.account(&name).await?;
    // A name that does not exist costs the same work, so that time does not tell which do.
    let hash = account.as_ref().map_or_else(|| decoy().to_owned(), |account| account.password_hash.clone());
    let is_right = in_turn(&app.password_checks, move || is_right(&password, &hash)).await?;
    let Some(account) = account.filter(|_| is_right) else {
        app.database.note(&form.who.visitor, "was not let in", &name).await?;
        let mut page = show_sign_in(&form.who, Some("Name or password is wrong."));
        *page.status_mut() = http::StatusCode::FORBIDDEN;
        return Ok(page);
    };
    // A fresh token, whatever the visitor brought: nobody can prepare a session for somebody else.
    let session = random_token();
    app.database
        .begin_session(&digest_of(&session), &account.name, now() + i64::from(SESSION_SECONDS))
        .await?;
    app.database.note(&account.name, "signed in", "").await?;
    let known = known_cookie(&form.who, &account.name, &app.keys, app.secure_cookies);
    let signed_in = with_cookie(Redirect::to("/").into_response(), &known);
    Ok(with_cookie(signed_in, &session_cookie(&session, app.secure_cookies)))
}

pub(crate) async fn sign_out(State(app): State<App>, form: Checked) -> Result<Response, PageError> {
    if let (Some(session), Some(account)) = (&form.who.session, &form.who.account) {
        app.database.end_session(session).await?;
        app.database.note(&account.name, "signed out", "").await?;
    }
    Ok(with_cookie(Redirect::to("/").into_response(), &session_cookie("", app.secure_cookies)))
}

fn with_cookie(mut response: Response, cookie: &str) -> Response {
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

pub(crate) async fn accounts(State(app): State<App>, who: Who) -> Result<Response, PageError> {
    who.operator()?;
    show_accounts(&app, &who, None).await
}

async fn show_accounts(app: &App, who: &Who, problem: Option<&str>) -> Result<Response, PageError> {
    let accounts = app.database.accounts().await?;
    let notes = app.database.audit(NOTES_SHOWN).await?;
    let body = html! {
        h1 { "Accounts" }
        @if let Some(problem) = problem { p.bad role="alert" { (problem) } }
        table {
            thead { tr { th { "name" } th { "role" } th { "since" } } }
            tbody {
                @for account in &accounts {
                    tr { td { (account.name) } td { (account.role.as_str()) } td { (in_words(account.created)) } }
                }
            }
        }
        (new_account(who))
        section {
            h2 { "What was done" }
            table.wide {
                thead { tr { th { "when, UTC" } th { "who" } th { "did" } th { "about" } } }
                tbody {
                    @for note in &notes {
                        tr {
                            td.nowrap { (in_words(note.noted)) }
                            td.said { (note.who) }
                            td { (note.did) }
                            td.said { (umpire_report::clipped(&note.about, 200)) }
                        }
                    }
                }
            }
        }
    };
    Ok(Page { title: "Accounts", room: Room::Accounts, who, scripts: &[], body }.respond())
}

fn new_account(who: &Who) -> Markup {
    html! {
        section {
            h2 { "New account" }
            form.fields method="post" action="/accounts" {
                (token(who))
                label { "Name" input name="name" required maxlength="60" autocomplete="off"; }
                label { "Password, 10 characters or more" input name="password" type="password" autocomplete="new-password" required minlength="10" maxlength=(LONGEST_PASSWORD); }
                label { "Role" select name="role" { option value="annotator" { "annotator" } option value="operator" { "operator" } } }
                button type="submit" { "Make the account" }
            }
            p.muted { "For a name that is there, this sets a new password and signs it out everywhere." }
        }
    }
}

pub(crate) async fn add_account(State(app): State<App>, form: Checked) -> Result<Response, PageError> {
    let operator = form.who.operator()?.name.clone();
    let name = form.fields.text("name", 60)?;
    let role: Result<Role, ()> = form.fields.get("role").parse();
    let (true, Ok(role)) = (is_account_name(&name), role) else {
        let told = "A name has letters, digits, `.`, `_`, `-` and `@`.";
        return show_accounts(&app, &form.who, Some(told)).await;
    };
    let password = form.fields.get("password").to_owned();
    let hash = tokio::task::spawn_blocking(move || hashed(&password)).await?;
    match hash {
        Err(error) => show_accounts(&app, &form.who, Some(&error.to_string())).await,
        Ok(hash) => {
            app.database.put_account(&name, role, &hash).await?;
            app.database.note(&operator, "account set", &format!("{name}, {}", role.as_str())).await?;
            Ok(Redirect::to("/accounts").into_response())
        }
    }
}
