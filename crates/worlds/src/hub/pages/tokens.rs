//! API tokens: a secret is shown once, and revoking asks with the browser's own dialog.

use std::collections::BTreeSet;

use http::StatusCode;
use maud::html;

use super::layout::{nice_date, not_found, page, problem};
use crate::hub::data::{days_ahead, secret_characters};
use crate::hub::settings::{EXPIRIES, SCOPES};
use crate::hub::state::Token;
use crate::hub::{Hub, View};
use crate::{Clock, Request, Response};

const LONGEST_NAME: usize = 40;

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    let mut tokens: Vec<(&String, &Token)> = view.state.tokens.iter().collect();
    tokens.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    let content = html! {
        p.lead { "For scripts and tools of your own. A token can do what its scopes say, without a password." }
        p { a.button.primary href="/tokens/new" { "Create token" } }
        div.card {
            table.list {
                thead { tr { th { "Name" } th { "Scopes" } th { "Created" } th { "Last used" } th { "Expires" } th { } } }
                tbody {
                    @for (id, token) in &tokens {
                        tr {
                            td { b { (token.name) } br; code { "…" (token.ending) } }
                            td { @for scope in &token.scopes { code.tag { (scope) } " " } }
                            td { (nice_date(&token.created)) }
                            td { @match &token.last_used { Some(day) => (nice_date(day)), None => "Never" } }
                            td { @match &token.expires { Some(day) => (nice_date(day)), None => "No expiry" } }
                            td {
                                form method="post" action=(format!("/tokens/{id}/revoke"))
                                    data-confirm=(format!("Revoke the token “{}”? Tools that use it stop working.", token.name)) {
                                    button.plain type="submit" aria-label=(format!("Revoke {}", token.name)) { "Revoke" }
                                }
                            }
                        }
                    }
                }
            }
            @if tokens.is_empty() { p.quiet { "No tokens." } }
        }
    };
    page(view, "API tokens", &content)
}

pub(in crate::hub) fn form(view: &View<'_>, error: Option<&str>) -> Response {
    let request = view.request;
    let asked: BTreeSet<&str> =
        request.form.iter().filter(|(name, _)| name == "scope").map(|(_, value)| value.as_str()).collect();
    let expiry = request.form("expiry").unwrap_or("30");
    let content = html! {
        (problem(error))
        form.card.stack method="post" action="/tokens/new" {
            label.field { span { "Token name" }
                input type="text" name="name" value=[request.form("name")] maxlength=(LONGEST_NAME); }
            label.field { span { "Expires after" }
                select name="expiry" {
                    @for (id, label, _) in EXPIRIES { option value=(id) selected[id == expiry] { (label) } }
                }
            }
            fieldset.choices {
                legend { "Scopes" }
                @for (scope, meaning) in SCOPES {
                    label.choice {
                        input type="checkbox" name="scope" value=(scope) aria-label=(scope) checked[asked.contains(scope)];
                        span { code { (scope) } small { (meaning) } }
                    }
                }
            }
            div.actions { button.primary type="submit" { "Create token" } a.button href="/tokens" { "Cancel" } }
        }
    };
    page(view, "New API token", &content)
}

pub(in crate::hub) fn create(hub: &mut Hub, request: &Request) -> Response {
    let draft = match read(hub, request) {
        Ok(draft) => draft,
        Err(error) => return form(&hub.view(request), Some(error)).status(StatusCode::UNPROCESSABLE_ENTITY),
    };
    let id = hub.state.next_id("token");
    let secret = secret_characters(&mut hub.account.random(&id), 32);
    hub.note("apps", format!("Token {} created", draft.name));
    let token = Token { ending: secret[secret.len() - 4..].to_owned(), ..draft };
    let content = html! {
        p.notice role="status" { "The token “" (token.name) "” was created." }
        section.card {
            p { "Copy it now. It is shown only once." }
            p.secret { "orr_" (secret) }
            p { a.button href="/tokens" { "Done" } }
        }
    };
    hub.state.tokens.insert(id, token);
    page(&hub.view(request), "Your new token", &content).status(StatusCode::CREATED)
}

fn read(hub: &Hub, request: &Request) -> Result<Token, &'static str> {
    let name = request.form("name").unwrap_or_default().trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        return Err("Enter a token name of at most 40 characters.");
    }
    if hub.state.tokens.values().any(|token| token.name == name) {
        return Err("There is already a token with that name.");
    }
    let asked = request.form("expiry").unwrap_or_default();
    let Some((_, _, days)) = EXPIRIES.iter().find(|(id, _, _)| *id == asked) else {
        return Err("Choose when the token expires.");
    };
    let scopes: BTreeSet<String> = SCOPES
        .iter()
        .filter(|(scope, _)| request.form.iter().any(|(name, value)| name == "scope" && value == scope))
        .map(|(scope, _)| (*scope).to_owned())
        .collect();
    if scopes.is_empty() {
        return Err("Choose at least one scope.");
    }
    if days.is_none() && scopes.iter().any(|scope| scope.ends_with(":write") || scope.ends_with(":send")) {
        return Err("A token that can change or send something must expire.");
    }
    Ok(Token {
        name: name.to_owned(),
        scopes,
        created: Clock::TODAY.to_owned(),
        expires: days.map(|days| days_ahead(days).to_string()),
        last_used: None,
        ending: String::new(),
    })
}

pub(in crate::hub) fn revoke(hub: &mut Hub, request: &Request, id: &str) -> Response {
    match hub.state.tokens.remove(id) {
        Some(token) => {
            hub.note("apps", format!("Token {} revoked", token.name));
            Response::see_other("/tokens?done=token-revoked")
        }
        None => not_found(&hub.view(request)),
    }
}
