//! Sign-in and security: password and passkeys, and the way to two-step verification and recovery.

use http::StatusCode;
use maud::{Markup, html};

use super::layout::{nice_date, page, problem};
use super::recovery;
use crate::hub::data::{HANDLE, fingerprint};
use crate::hub::state::{Security, TwoFactor};
use crate::hub::{Hub, View};
use crate::{Clock, Request, Response};

const SHORTEST_PASSWORD: usize = 12;

pub(in crate::hub) fn show(view: &View<'_>, error: Option<&str>) -> Response {
    let security = &view.state.security;
    let content = html! {
        (problem(error))
        section.card {
            h2 { "Two-step verification" }
            @match security.two_factor {
                TwoFactor::Off => p { "Off. Add a second step, so that a password alone is not enough." },
                TwoFactor::App => p { "On. Codes come from your authenticator app." },
                TwoFactor::Text => p { "On. Codes come by text message." },
            }
            p { a.button href="/security/two-factor" {
                @if security.two_factor == TwoFactor::Off { "Set up two-step verification" }
                @else { "Manage two-step verification" }
            } }
        }
        (recovery::section(view))
        section.card {
            h2 { "Passkeys" }
            @if security.passkeys.is_empty() { p.quiet { "No passkeys." } }
            ul.rows {
                @for (id, passkey) in &security.passkeys {
                    li {
                        div { b { (passkey.name) } br;
                            span.quiet { "Created " (nice_date(&passkey.created)) " · last used " (nice_date(&passkey.last_used)) } }
                        form method="post" action=(format!("/security/passkeys/{id}/remove"))
                            data-confirm=(format!("Remove the passkey “{}”?", passkey.name)) {
                            button.plain type="submit" { "Remove " (passkey.name) }
                        }
                    }
                }
            }
        }
        (password_form(security))
    };
    page(view, "Sign-in & security", &content)
}

fn password_form(security: &Security) -> Markup {
    html! {
        form.card.stack method="post" action="/security/password" {
            h2 { "Password" }
            p { "Last changed on " b { (nice_date(&security.password_changed)) } "." }
            p.quiet { "At least " (SHORTEST_PASSWORD) " characters, with a letter and a digit, and without your name." }
            label.field { span { "Current password" }
                input type="password" name="current" autocomplete="current-password" required; }
            label.field { span { "New password" }
                input type="password" name="new" autocomplete="new-password" required; }
            label.field { span { "Repeat new password" }
                input type="password" name="again" autocomplete="new-password" required; }
            div.actions { button.primary type="submit" { "Change password" } }
        }
    }
}

pub(in crate::hub) fn change_password(hub: &mut Hub, request: &Request) -> Response {
    let field = |name: &str| request.form(name).unwrap_or_default();
    if let Err(error) = check_password(&hub.state.security, field("current"), field("new"), field("again")) {
        return show(&hub.view(request), Some(error)).status(StatusCode::UNPROCESSABLE_ENTITY);
    }
    hub.state.security.password = fingerprint(field("new"));
    Clock::TODAY.clone_into(&mut hub.state.security.password_changed);
    hub.note("password", "Password changed".to_owned());
    Response::see_other("/security?done=password")
}

fn check_password(security: &Security, current: &str, new: &str, again: &str) -> Result<(), &'static str> {
    if fingerprint(current) != security.password {
        return Err("The current password is not right.");
    }
    if new != again {
        return Err("The new passwords are not the same.");
    }
    if new.chars().count() < SHORTEST_PASSWORD {
        return Err("The new password is too short: use at least 12 characters.");
    }
    if !new.chars().any(char::is_alphabetic) || !new.chars().any(|c| c.is_ascii_digit()) {
        return Err("The new password needs at least one letter and one digit.");
    }
    let lower = new.to_lowercase();
    if HANDLE.split('.').any(|name| lower.contains(name)) {
        return Err("The new password may not contain your name.");
    }
    if fingerprint(new) == security.password {
        return Err("The new password is the old one.");
    }
    Ok(())
}

pub(in crate::hub) fn remove_passkey(hub: &mut Hub, request: &Request, id: &str) -> Response {
    match hub.state.security.passkeys.remove(id) {
        Some(passkey) => {
            hub.note("recovery", format!("Passkey {} removed", passkey.name));
            Response::see_other("/security?done=passkey-removed")
        }
        None => super::layout::not_found(&hub.view(request)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::data::Account;

    #[test]
    fn a_new_password_must_follow_every_rule() {
        let security = &Account::of_seed(1).initial.security;
        for (current, new, again, complaint) in [
            ("wrong", "Copper-Kettle-91", "Copper-Kettle-91", Some("current password")),
            ("Tidal-Meadow-58", "Copper-Kettle-91", "Copper-Kettle-92", Some("not the same")),
            ("Tidal-Meadow-58", "Short-1", "Short-1", Some("too short")),
            ("Tidal-Meadow-58", "only-letters-here", "only-letters-here", Some("one digit")),
            ("Tidal-Meadow-58", "MAREN-kettle-91", "MAREN-kettle-91", Some("your name")),
            ("Tidal-Meadow-58", "Tidal-Meadow-58", "Tidal-Meadow-58", Some("old one")),
            ("Tidal-Meadow-58", "Copper-Kettle-91", "Copper-Kettle-91", None),
        ] {
            match (check_password(security, current, new, again), complaint) {
                (Ok(()), None) => {}
                (Err(said), Some(expected)) => assert!(said.contains(expected), "{new}: {said}"),
                (got, _) => panic!("{new}: {got:?}"),
            }
        }
    }
}
