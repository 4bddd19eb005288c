//! Devices and sessions.

use http::StatusCode;
use maud::{Markup, html};

use super::layout::{nice_date, not_found, page, problem};
use crate::hub::state::Session;
use crate::hub::{Hub, View, visitors};
use crate::{Request, Response};

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    list(view, None)
}

fn list(view: &View<'_>, error: Option<&str>) -> Response {
    let mut sessions: Vec<(&String, &Session)> = view.state.sessions.iter().collect();
    sessions
        .sort_by_key(|(id, session)| (!view.is_current(id), std::cmp::Reverse(session.last_active.clone())));
    let others = view.other_sessions();
    let content = html! {
        p.lead { "You are signed in here. Sign out what you do not know or no longer use." }
        (problem(error))
        ul.rows.card.sessions {
            @for (id, session) in sessions {
                li {
                    div.device-picture aria-hidden="true" { (device_picture(&session.device)) }
                    div {
                        b { (session.device) } " · " (session.client)
                        @if view.is_current(id) { " " span.badge { "This device" } }
                        br;
                        span { (session.city) ", " (session.country) }
                        br;
                        span.quiet { "Last active " (session.last_active) " · since " (nice_date(&session.first_seen))
                            " · " (session.address) }
                    }
                    @if !view.is_current(id) {
                        form method="post" action=(format!("/devices/{id}/sign-out")) {
                            button.plain type="submit" aria-label=(format!("Sign out {} in {}", session.device, session.city)) {
                                "Sign out"
                            }
                        }
                    }
                }
            }
        }
        div.actions.card {
            p { "Lost something, or not sure? End every session but this one." }
            button.danger type="button" data-opens="confirm-everywhere" disabled[others == 0] {
                "Sign out everywhere else"
            }
        }
        div.modal id="confirm-everywhere" hidden {
            div.modal-box role="dialog" aria-modal="true" aria-labelledby="everywhere-title" {
                h2 id="everywhere-title" { "Sign out everywhere else?" }
                p { (others) " sessions will end at once. Apps on those devices will ask for your password." }
                form.actions method="post" action="/devices/sign-out-others" {
                    button type="button" data-closes="confirm-everywhere" { "Cancel" }
                    button.danger type="submit" { "Yes, sign them out" }
                }
            }
        }
    };
    page(view, "Devices & sessions", &content)
}

fn device_picture(device: &str) -> Markup {
    let is = |words: &[&str]| words.iter().any(|word| device.contains(word));
    let (x, width) = if is(&["Pixel", "Galaxy", "iPhone", "Fairphone"]) { (10, 12) } else { (3, 26) };
    html! {
        svg viewBox="0 0 32 32" width="34" height="34" {
            rect x=(x) y="6" width=(width) height="18" rx="2.5" fill="none" stroke="currentColor" stroke-width="2" {}
            path d="M13 28h6" stroke="currentColor" stroke-width="2" stroke-linecap="round" {}
        }
    }
}

pub(in crate::hub) fn sign_out(hub: &mut Hub, request: &Request, id: &str) -> Response {
    match hub.state.sessions.get(id) {
        None => not_found(&hub.view(request)),
        Some(_) if hub.view(request).is_current(id) => {
            let refusal = "This is the session you are using. Use “Sign out” in the account menu.";
            list(&hub.view(request), Some(refusal)).status(StatusCode::CONFLICT)
        }
        Some(session) => {
            let detail = format!("{} was signed out", session.device);
            hub.state.sessions.remove(id);
            hub.note("devices", detail);
            Response::see_other("/devices?done=session")
        }
    }
}

pub(in crate::hub) fn sign_out_others(hub: &mut Hub, request: &Request) -> Response {
    let ended = hub.view(request).other_sessions();
    let current = visitors::session_of(&hub.state, request).map(str::to_owned);
    hub.state.sessions.retain(|id, _| Some(id) == current.as_ref());
    hub.note("devices", format!("{ended} sessions were signed out"));
    Response::see_other("/devices?done=sessions")
}
