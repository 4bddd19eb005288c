//! The engine of the settings-heavy sites. A site is a [`Brand`]: a [`Description`] of what can be set, a look, and the
//! pages people come for. The engine keeps the account's state, draws every kind of control the web has for
//! "on or off", saves it the way the description says, and answers searches.

mod account;
mod description;
mod draw;
mod names;
mod records;
mod requests;
mod save;
mod search;
mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use http::{Method, StatusCode};
use maud::Markup;
use serde_json::Value;

use crate::{Request, Response, Site};
use state::State;

pub(crate) use description::{
    Arrangement, ChoiceLook, Description, Growth, Holds, List, Look, Matrix, Named, Owner, Page, Saved,
    SessionWords, TokenRules, block, choice, inverted, text, toggle,
};
pub(crate) use draw::{Frame, Place, list_button, menu, navigation, search_form};
pub(crate) use names::people;

/// What makes a site out of the engine.
pub(crate) trait Brand: Sync {
    fn description(&self) -> &'static Description;

    fn stylesheet(&self) -> &'static str;

    /// The icon, as SVG.
    fn mark(&self) -> &'static str;

    /// Header, navigation, footer and, among them, the frame's content.
    fn body(&self, view: &View<'_>, frame: &Frame<'_>) -> Markup;

    /// The page of the site itself at the request's path, as title and content.
    fn front(&self, view: &View<'_>) -> Option<(String, Markup)>;

    /// What a list holds in a new world, by entry id.
    fn first_entries(&self, seed: u64, list: &str) -> BTreeMap<String, String>;

    /// The name of something that can be put on a list from the site's own pages.
    fn entry_name(&self, seed: u64, list: &str, entry: &str) -> Option<String>;
}

/// A site of the engine, with the state of one attempt.
pub(crate) struct SettingsSite {
    brand: &'static dyn Brand,
    seed: u64,
    state: State,
}

/// What a page is drawn from.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub brand: &'static dyn Brand,
    pub description: &'static Description,
    pub seed: u64,
    pub state: &'a State,
    pub request: &'a Request,
}

impl SettingsSite {
    pub fn new(brand: &'static dyn Brand, seed: u64) -> Self {
        Self { brand, seed, state: account::initial_state(brand, seed) }
    }

    fn view<'a>(&'a self, request: &'a Request) -> View<'a> {
        View {
            brand: self.brand,
            description: self.brand.description(),
            seed: self.seed,
            state: &self.state,
            request,
        }
    }

    fn show(&self, request: &Request) -> Response {
        let view = &self.view(request);
        match request.segments().as_slice() {
            ["assets", name] => draw::asset(view, name),
            ["settings"] => draw::overview(view),
            ["settings", "search"] => search::show(view),
            ["settings", "tokens", "new"] if !view.description.tokens.scopes.is_empty() => {
                records::token_form(view, None)
            }
            ["settings", slug] => match view.description.page(slug) {
                Some(page) => draw::settings_page(view, page, None),
                None => draw::not_found(view),
            },
            ["settings", slug, "blocks"] => match view.description.page(slug) {
                Some(page) if page.late => Response::html(draw::blocks(view, page)),
                _ => draw::not_found(view),
            },
            _ => match view.brand.front(view) {
                Some((title, content)) => {
                    draw::framed(view, &Frame { title: &title, place: Place::Front, content })
                }
                None => draw::not_found(view),
            },
        }
    }

    fn submit(&mut self, request: &Request) -> Response {
        match request.segments().as_slice() {
            ["settings", "api", "control"] => save::one_control(self, request),
            ["settings", "mail"] => save::mail(self, request),
            ["settings", "sessions", "end-others"] => records::end_other_sessions(self),
            ["settings", "sessions", id, "end"] => records::end_session(self, request, id),
            ["settings", "tokens", "new"] => records::create_token(self, request),
            ["settings", "tokens", id, "revoke"] => records::revoke_token(self, request, id),
            ["settings", "apps", id, "remove"] => records::remove_app(self, request, id),
            ["settings", "lists", list, "add"] => save::add_typed(self, request, list),
            ["settings", "lists", list, "clear"] => save::clear_list(self, request, list),
            ["settings", "lists", list, "remove"] => save::remove_entry(self, request, list),
            ["settings", "export"] => requests::order_export(self, request),
            ["settings", "export", id, "cancel"] => requests::cancel_export(self, request, id),
            ["settings", "deletion"] => requests::schedule_deletion(self, request),
            ["settings", "deletion", "cancel"] => requests::keep_account(self),
            ["settings", slug, block] => save::block(self, request, slug, block),
            ["cookies", answer] => save::cookie_banner(self, request, answer),
            ["lists", list] => save::flip_entry(self, request, list),
            _ => draw::not_found(&self.view(request)),
        }
    }
}

impl Site for SettingsSite {
    fn handle(&mut self, request: &Request) -> Response {
        match request.method {
            Method::GET | Method::HEAD => self.show(request),
            Method::POST => self.submit(request),
            _ => Response::empty().status(StatusCode::METHOD_NOT_ALLOWED),
        }
    }

    fn state(&self) -> Value {
        // The state holds maps with text keys only, which always have a JSON form.
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    fn set_state(&mut self, state: Value) -> Result<(), String> {
        let state: State = serde_json::from_value(state).map_err(|error| error.to_string())?;
        state.check(self.brand.description())?;
        self.state = state;
        Ok(())
    }
}
