//! Recovery e-mail addresses and phones. With two-step verification on, the last one has to stay.

use http::StatusCode;
use maud::{Markup, html};

use super::{layout, security};
use crate::hub::state::{Recovery, RecoveryKind, TwoFactor};
use crate::hub::{Hub, View};
use crate::{Clock, Request, Response};

const MOST_METHODS: usize = 5;

/// The part of the security page that lists and adds them.
pub(super) fn section(view: &View<'_>) -> Markup {
    html! {
        section.card {
            h2 { "Recovery methods" }
            p.quiet { "How we reach you when you cannot sign in." }
            ul.rows {
                @for (id, recovery) in &view.state.security.recovery {
                    li {
                        div { b { (kind_name(recovery.kind)) } ": " (recovery.address) br;
                            span.quiet { "Added " (layout::nice_date(&recovery.added)) } }
                        form method="post" action=(format!("/security/recovery/{id}/remove")) {
                            button.plain type="submit" { "Remove " (recovery.address) }
                        }
                    }
                }
            }
            div.columns {
                form.stack method="post" action="/security/recovery" {
                    input type="hidden" name="kind" value="email";
                    label.field { span { "New recovery e-mail" } input type="email" name="address" required; }
                    div.actions { button type="submit" { "Add recovery e-mail" } }
                }
                form.stack method="post" action="/security/recovery" {
                    input type="hidden" name="kind" value="phone";
                    label.field { span { "New recovery phone" } input type="tel" name="address" required; }
                    div.actions { button type="submit" { "Add recovery phone" } }
                }
            }
        }
    }
}

pub(in crate::hub) fn add(hub: &mut Hub, request: &Request) -> Response {
    match read(hub, request) {
        Ok(recovery) => {
            let noun = if recovery.kind == RecoveryKind::Email { "email" } else { "phone" };
            let id = hub.state.next_id(noun);
            hub.note("recovery", format!("{} {} added", kind_name(recovery.kind), recovery.address));
            hub.state.security.recovery.insert(id, recovery);
            Response::see_other("/security?done=recovery-added")
        }
        Err(error) => {
            security::show(&hub.view(request), Some(error)).status(StatusCode::UNPROCESSABLE_ENTITY)
        }
    }
}

fn read(hub: &Hub, request: &Request) -> Result<Recovery, &'static str> {
    let address = request.form("address").unwrap_or_default().trim();
    let kind = match request.form("kind") {
        Some("email") if is_email(address) => RecoveryKind::Email,
        Some("email") => return Err("That is not an e-mail address."),
        Some("phone") if is_phone(address) => RecoveryKind::Phone,
        Some("phone") => return Err("Enter a phone number with 8 to 15 digits."),
        _ => return Err("Choose e-mail or phone."),
    };
    let existing = &hub.state.security.recovery;
    if existing.len() >= MOST_METHODS {
        return Err("You can have at most five recovery methods.");
    }
    if existing.values().any(|recovery| recovery.address.eq_ignore_ascii_case(address)) {
        return Err("That recovery method is there already.");
    }
    Ok(Recovery { kind, address: address.to_owned(), added: Clock::TODAY.to_owned() })
}

pub(in crate::hub) fn remove(hub: &mut Hub, request: &Request, id: &str) -> Response {
    let security = &mut hub.state.security;
    if !security.recovery.contains_key(id) {
        return layout::not_found(&hub.view(request));
    }
    if security.recovery.len() == 1 && security.two_factor != TwoFactor::Off {
        let refusal =
            "This is your last recovery method. It cannot be removed while two-step verification is on.";
        return security::show(&hub.view(request), Some(refusal)).status(StatusCode::CONFLICT);
    }
    if let Some(removed) = security.recovery.remove(id) {
        hub.note("recovery", format!("{} {} removed", kind_name(removed.kind), removed.address));
    }
    Response::see_other("/security?done=recovery-removed")
}

fn kind_name(kind: RecoveryKind) -> &'static str {
    match kind {
        RecoveryKind::Email => "Recovery e-mail",
        RecoveryKind::Phone => "Recovery phone",
    }
}

fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty()
            && host.contains('.')
            && !host.starts_with('.')
            && !text.contains(char::is_whitespace)
    }) && text.len() <= 120
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (8..=15).contains(&digits) && text.chars().all(|c| c.is_ascii_digit() || "+ ()-".contains(c))
}
