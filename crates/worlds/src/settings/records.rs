//! Sessions, access tokens and connected apps: records that others made and the owner can end.

use std::collections::BTreeSet;

use http::StatusCode;
use maud::{Markup, html};
use umpire_model::Random;

use super::account::{days_ahead, nice_date};
use super::description::{EXPIRIES, Holds};
use super::draw::{self, Frame, Place};
use super::state::{Session, Token, label_of};
use super::{SettingsSite, View};
use crate::{Clock, Request, Response};

const LONGEST_NAME: usize = 40;
const MOST_TOKENS: usize = 50;

pub(super) fn sessions(view: &View<'_>) -> Markup {
    let words = &view.description.sessions;
    let mut sessions: Vec<(&String, &Session)> = view.state.sessions.iter().collect();
    sessions
        .sort_by(|(_, a), (_, b)| b.current.cmp(&a.current).then_with(|| b.last_active.cmp(&a.last_active)));
    let others = sessions.iter().filter(|(_, session)| !session.current).count();
    html! {
        ul.rows.sessions {
            @for (id, session) in &sessions {
                li {
                    div.words {
                        b { (session.device) } " · " (session.client)
                        @if session.current { " " span.badge { "This device" } }
                        small { (session.city) " · last active " (session.last_active) }
                    }
                    @if !session.current {
                        form method="post" action=(format!("/settings/sessions/{id}/end")) {
                            button.small type="submit"
                                aria-label=(format!("{} {} in {}", words.end, session.device, town(&session.city))) {
                                (words.end)
                            }
                        }
                    }
                }
            }
        }
        button.danger type="button" data-opens="end-others" disabled[others == 0] { (words.end_all) }
        (draw::question("end-others", words.question, "/settings/sessions/end-others", "Yes, end them"))
    }
}

fn town(place: &str) -> &str {
    place.split(',').next().unwrap_or_default()
}

fn sessions_home(site: &SettingsSite) -> String {
    site.brand.description().home_of(|holds| matches!(holds, Holds::Sessions))
}

pub(super) fn end_session(site: &mut SettingsSite, request: &Request, id: &str) -> Response {
    match site.state.sessions.get(id) {
        Some(session) if !session.current => {
            site.state.sessions.remove(id);
            Response::see_other(&format!("{}?done=session", sessions_home(site)))
        }
        _ => draw::not_found(&site.view(request)),
    }
}

pub(super) fn end_other_sessions(site: &mut SettingsSite) -> Response {
    site.state.sessions.retain(|_, session| session.current);
    Response::see_other(&format!("{}?done=sessions", sessions_home(site)))
}

pub(super) fn tokens(view: &View<'_>) -> Markup {
    let noun = view.description.tokens.noun;
    let mut tokens: Vec<(&String, &Token)> = view.state.tokens.iter().collect();
    tokens.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    html! {
        p { a.button.primary href="/settings/tokens/new" { "New " (noun) } }
        table.records {
            thead { tr { th { "Name" } th { "May" } th { "Created" } th { "Last used" } th { "Expires" } th {} } }
            tbody {
                @for (id, token) in &tokens {
                    tr {
                        td { b { (token.name) } }
                        td { @for scope in &token.scopes { code { (scope) } " " } }
                        td { (nice_date(&token.created)) }
                        td { @match &token.last_used { Some(day) => (nice_date(day)), None => "Never" } }
                        td { @match &token.expires { Some(day) => (nice_date(day)), None => "No expiry" } }
                        td {
                            button.small type="button" data-opens=(format!("revoke-{id}"))
                                aria-label=(format!("Revoke {}", token.name)) { "Revoke" }
                            (draw::question(&format!("revoke-{id}"),
                                &format!("Revoke “{}”? Whatever uses it stops working at once.", token.name),
                                &format!("/settings/tokens/{id}/revoke"), &format!("Revoke the {noun} now")))
                        }
                    }
                }
            }
        }
        @if tokens.is_empty() { p.quiet { "There is no " (noun) " yet." } }
    }
}

pub(super) fn token_form(view: &View<'_>, error: Option<&str>) -> Response {
    let request = view.request;
    let rules = &view.description.tokens;
    let asked: BTreeSet<&str> =
        request.form.iter().filter(|(name, _)| name == "scope").map(|(_, value)| value.as_str()).collect();
    let expiry = request.form("expiry").unwrap_or("30");
    let content = html! {
        (draw::problem(error))
        form.block method="post" action="/settings/tokens/new" {
            label.field { span { "Name" }
                input type="text" name="name" value=[request.form("name")] maxlength=(LONGEST_NAME); }
            label.field { span { "Expires after" }
                select name="expiry" {
                    @for (id, label, _) in EXPIRIES { option value=(id) selected[id == expiry] { (label) } }
                }
            }
            fieldset {
                legend { "Scopes" }
                @for (scope, meaning) in rules.scopes {
                    label.choice {
                        input type="checkbox" name="scope" value=(scope) aria-label=(scope) checked[asked.contains(scope)];
                        span { code { (scope) } small { (meaning) } }
                    }
                }
            }
            div.actions { button.primary type="submit" { "Create " (rules.noun) } }
        }
    };
    draw::framed(
        view,
        &Frame { title: &format!("New {}", rules.noun), place: Place::Settings(None), content },
    )
}

pub(super) fn create_token(site: &mut SettingsSite, request: &Request) -> Response {
    let token = match read_token(site, request) {
        Ok(token) => token,
        Err(problem) => {
            return token_form(&site.view(request), Some(&problem)).status(StatusCode::UNPROCESSABLE_ENTITY);
        }
    };
    let id = site.state.next_id("token");
    let rules = &site.brand.description().tokens;
    let secret = secret(&mut Random::stream(site.seed, &format!("{}.{id}", site.brand.description().site)));
    let home = site.brand.description().home_of(|holds| matches!(holds, Holds::Tokens));
    let content = html! {
        p.notice role="status" { "“" (token.name) "” was created. Copy it now, it is shown only once." }
        p.secret { (rules.prefix) (secret) }
        p { a.button href=(home) { "Done" } }
    };
    site.state.tokens.insert(id, token);
    let frame = Frame { title: &format!("Your new {}", rules.noun), place: Place::Settings(None), content };
    draw::framed(&site.view(request), &frame).status(StatusCode::CREATED)
}

fn secret(random: &mut Random) -> String {
    const ALPHABET: &[u8] = b"abcdefghijkmnpqrstuvwxyz23456789";
    (0..32).filter_map(|_| random.pick(ALPHABET)).map(|byte| char::from(*byte)).collect()
}

fn read_token(site: &SettingsSite, request: &Request) -> Result<Token, String> {
    let rules = &site.brand.description().tokens;
    let name = request.form("name").unwrap_or_default().trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        return Err(format!("Enter a name of at most {LONGEST_NAME} characters."));
    }
    if site.state.tokens.values().any(|token| token.name == name) {
        return Err(format!("You already have one called “{name}”. Names must be different."));
    }
    if site.state.tokens.len() >= MOST_TOKENS {
        return Err("You have too many. Revoke some first.".to_owned());
    }
    let asked = request.form("expiry").unwrap_or_default();
    let Some((_, _, days)) = EXPIRIES.iter().find(|(id, _, _)| *id == asked) else {
        return Err("Choose when it expires.".to_owned());
    };
    let sent = |scope: &str| request.form.iter().any(|(name, value)| name == "scope" && value == scope);
    let scopes: BTreeSet<String> =
        rules.scopes.iter().filter(|(scope, _)| sent(scope)).map(|(scope, _)| (*scope).to_owned()).collect();
    if scopes.is_empty() {
        return Err("Choose at least one scope.".to_owned());
    }
    if let (None, Some(scope)) = (days, rules.need_expiry.iter().find(|scope| scopes.contains(**scope))) {
        return Err(format!("The scope {scope} is only given with an expiry date."));
    }
    Ok(Token {
        name: name.to_owned(),
        scopes,
        created: Clock::TODAY.to_owned(),
        expires: days.map(|days| days_ahead(days).to_string()),
        last_used: None,
    })
}

pub(super) fn revoke_token(site: &mut SettingsSite, request: &Request, id: &str) -> Response {
    match site.state.tokens.remove(id) {
        Some(_) => {
            let home = site.brand.description().home_of(|holds| matches!(holds, Holds::Tokens));
            Response::see_other(&format!("{home}?done=token"))
        }
        None => draw::not_found(&site.view(request)),
    }
}

pub(super) fn apps(view: &View<'_>) -> Markup {
    html! {
        ul.rows.apps {
            @for (id, app) in &view.state.apps {
                li {
                    div.words {
                        b { (app.name) }
                        small {
                            @for permission in &app.permissions { (label_of(view.description.permissions, permission)) ". " }
                        }
                        small { "Connected " (nice_date(&app.connected)) " · last used " (nice_date(&app.last_used)) }
                    }
                    form method="post" action=(format!("/settings/apps/{id}/remove")) {
                        button.small type="submit" aria-label=(format!("Disconnect {}", app.name)) { "Disconnect" }
                    }
                }
            }
        }
        @if view.state.apps.is_empty() { p.quiet { "No app is connected." } }
    }
}

pub(super) fn remove_app(site: &mut SettingsSite, request: &Request, id: &str) -> Response {
    match site.state.apps.remove(id) {
        Some(_) => {
            let home = site.brand.description().home_of(|holds| matches!(holds, Holds::Apps));
            Response::see_other(&format!("{home}?done=app"))
        }
        None => draw::not_found(&site.view(request)),
    }
}
