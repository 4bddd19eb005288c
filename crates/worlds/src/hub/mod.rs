//! The account hub, "Orrery": an account's security and privacy settings, with every kind of control the real ones
//! have, and a consent manager that lives on another origin.

mod data;
mod documents;
mod pages;
mod search;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod visitors;

use std::sync::Arc;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{Clock, Request, Response, Site};
use data::Account;
pub(crate) use documents::documents;
use pages::{
    activity, ads, appearance, apps, communication, consent, delete, devices, entrance, export, overview,
    privacy, profile, recovery, security, tokens, two_factor,
};
use state::{LogEntry, State};

/// Host of the consent manager's frame; the hub's own pages are on `hub.localhost`.
const CONSENT_HOST: &str = "consent.localhost";

pub struct Hub {
    account: Arc<Account>,
    state: State,
}

/// What a page is drawn from.
#[derive(Clone, Copy)]
struct View<'a> {
    account: &'a Account,
    state: &'a State,
    request: &'a Request,
}

impl View<'_> {
    /// Whether this is the session that the visitor is using.
    fn is_current(&self, id: &str) -> bool {
        visitors::session_of(self.state, self.request).is_some_and(|current| current == id)
    }

    fn other_sessions(&self) -> usize {
        self.state.sessions.keys().filter(|id| !self.is_current(id)).count()
    }
}

impl Hub {
    pub fn new(seed: u64) -> Self {
        let account = Account::of_seed(seed);
        let state = account.initial.clone();
        Self { account, state }
    }

    fn view<'a>(&'a self, request: &'a Request) -> View<'a> {
        View { account: &self.account, state: &self.state, request }
    }

    /// Writes to the activity log, as the owner on this device.
    fn note(&mut self, kind: &str, detail: String) {
        let entry = LogEntry {
            at: Clock::NOW[..16].replace('T', " "),
            kind: kind.to_owned(),
            detail,
            place: "Utrecht, Netherlands".to_owned(),
        };
        self.state.activity.insert(format!("event-{:04}", self.state.activity.len() + 1), entry);
    }

    fn show(&self, request: &Request) -> Response {
        let view = &self.view(request);
        match request.segments().as_slice() {
            [] => overview::show(view),
            ["profile"] => profile::show(view, None),
            ["security"] => security::show(view, None),
            ["security", "two-factor"] => two_factor::show(view),
            ["devices"] => devices::show(view),
            ["privacy"] => privacy::show(view),
            ["ads"] => ads::show(view),
            ["communication"] => communication::show(view),
            ["data"] => export::show(view),
            ["data", "request"] => export::first_step(view),
            ["tokens"] => tokens::show(view),
            ["tokens", "new"] => tokens::form(view, None),
            ["apps"] => apps::show(view),
            ["appearance"] => appearance::show(view),
            ["activity"] => activity::show(view),
            ["delete"] => delete::show(view, None),
            ["search"] => pages::search::show(view),
            ["help"] => pages::help::show(view),
            ["api", "activity"] => activity::json(view),
            ["api", "appearance"] => appearance::json(view),
            _ => pages::layout::not_found(view),
        }
    }

    fn submit(&mut self, request: &Request) -> Response {
        match request.segments().as_slice() {
            ["profile"] => profile::save(self, request),
            ["security", "password"] => security::change_password(self, request),
            ["security", "two-factor"] => two_factor::step(self, request),
            ["security", "two-factor", "off"] => two_factor::turn_off(self, request),
            ["security", "recovery"] => recovery::add(self, request),
            ["security", "recovery", id, "remove"] => recovery::remove(self, request, id),
            ["security", "passkeys", id, "remove"] => security::remove_passkey(self, request, id),
            ["devices", "sign-out-others"] => devices::sign_out_others(self, request),
            ["devices", id, "sign-out"] => devices::sign_out(self, request, id),
            ["privacy", "visibility"] => privacy::save_visibility(self, request),
            ["privacy", "cookies"] => privacy::ask_for_consent_again(self),
            ["api", "privacy"] => privacy::save_one(self, request),
            ["ads"] => ads::save(self, request),
            ["communication"] => communication::save(self, request),
            ["data", "request"] => export::step(self, request),
            ["data", id, "cancel"] => export::cancel(self, request, id),
            ["tokens", "new"] => tokens::create(self, request),
            ["tokens", id, "revoke"] => tokens::revoke(self, request, id),
            ["apps", id, "remove"] => apps::remove(self, request, id),
            ["api", "appearance"] => appearance::save(self, request),
            ["delete"] => delete::schedule(self, request),
            ["delete", "cancel"] => delete::cancel(self),
            ["sign-out"] => entrance::sign_out(self, request),
            _ => pages::layout::not_found(&self.view(request)),
        }
    }
}

impl Site for Hub {
    fn handle(&mut self, request: &Request) -> Response {
        let segments = request.segments();
        let reads = matches!(request.method, Method::GET | Method::HEAD);
        if !reads && !request.is_post() {
            return Response::empty().status(StatusCode::METHOD_NOT_ALLOWED);
        }
        if request.host == CONSENT_HOST {
            return consent::handle(self, request);
        }
        if let ["assets", name] = segments.as_slice() {
            return pages::layout::asset(name);
        }
        match (reads, segments.as_slice()) {
            (true, ["sign-in"]) => entrance::show(&self.view(request), None),
            (false, ["sign-in"]) => entrance::sign_in(self, request),
            (_, ["api", ..]) if !visitors::is_in(&self.state, request) => {
                Response::json(&json!({"error": "signed out"})).status(StatusCode::UNAUTHORIZED)
            }
            _ if !visitors::is_in(&self.state, request) => Response::see_other("/sign-in"),
            (true, _) => self.show(request),
            (false, _) => self.submit(request),
        }
    }

    fn state(&self) -> Value {
        // The state holds maps with text keys only, which always have a JSON form.
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    fn set_state(&mut self, state: Value) -> Result<(), String> {
        let state: State = serde_json::from_value(state).map_err(|error| error.to_string())?;
        state.check()?;
        self.state = state;
        Ok(())
    }
}
