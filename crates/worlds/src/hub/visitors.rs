//! Who is signed in. As a rule the world has one visitor, who is in or out. Where browsers sign in by cookie, each has a
//! session of its own, which the page on devices lists and can end.

use super::Hub;
use super::data::fingerprint;
use super::state::{Session, State};
use crate::{Clock, Request, Response};

const COOKIE: &str = "orrery_session";

pub(super) fn is_in(state: &State, request: &Request) -> bool {
    if state.signs_in_by_cookie { session_of(state, request).is_some() } else { state.signed_in }
}

/// The session that a request belongs to.
pub(super) fn session_of<'a>(state: &'a State, request: &Request) -> Option<&'a str> {
    let mut sessions = state.sessions.iter();
    let found = if state.signs_in_by_cookie {
        let sent = fingerprint(request.cookie(COOKIE)?);
        sessions.find(|(_, session)| session.cookie.as_ref() == Some(&sent))
    } else {
        sessions.find(|(_, session)| session.current)
    };
    found.map(|(id, _)| id.as_str())
}

/// Lets the visitor in whose password was right.
pub(super) fn enter(hub: &mut Hub, response: Response) -> Response {
    if !hub.state.signs_in_by_cookie {
        hub.state.signed_in = true;
        return response;
    }
    let id = hub.state.next_id("browser");
    // Nobody can sign in to this world from outside it; the value only has to be another one each time.
    let cookie = fingerprint(&format!("{id} of {}", hub.state.security.password));
    let now = Clock::NOW[..16].replace('T', " ");
    let session = Session {
        device: "Desktop".to_owned(),
        client: "Chromium".to_owned(),
        city: "Utrecht".to_owned(),
        country: "Netherlands".to_owned(),
        address: "203.0.113.7".to_owned(),
        first_seen: Clock::TODAY.to_owned(),
        last_active: now,
        current: false,
        cookie: Some(fingerprint(&cookie)),
    };
    hub.state.sessions.insert(id, session);
    response.header("set-cookie", format!("{COOKIE}={cookie}; Path=/; HttpOnly; SameSite=Lax"))
}

pub(super) fn leave(hub: &mut Hub, request: &Request, response: Response) -> Response {
    if !hub.state.signs_in_by_cookie {
        hub.state.signed_in = false;
        return response;
    }
    if let Some(id) = session_of(&hub.state, request).map(str::to_owned) {
        hub.state.sessions.remove(&id);
    }
    response.header("set-cookie", format!("{COOKIE}=; Path=/; Max-Age=0"))
}
