//! The Greyharbour Ledger, a daily paper: sections, articles, authors, comments, weather and closing prices, and in
//! front of it all the things papers put in a reader's way.
//!
//! [`catalogue`] is what was printed before the visitor came, [`state`] what the visitor can change and which pop-ups
//! there are; `obstacles` answers the pop-ups, `pages` draw the rest.

mod actions;
mod art;
mod boxes;
mod catalogue;
mod documents;
mod listing;
mod obstacles;
mod pages;
mod prose;
mod state;
mod vocabulary;

#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use http::{Method, StatusCode};
use serde_json::Value;

use crate::{Request, Response, Site};
use catalogue::{Article, Catalogue};
pub(crate) use documents::documents;
use state::State;

/// Host of the consent manager's frame; the paper itself is on `news.localhost`.
const CONSENT_HOST: &str = "choices.localhost";

pub struct News {
    catalogue: Arc<Catalogue>,
    state: State,
}

/// What a page is drawn from.
#[derive(Clone, Copy)]
struct View<'a> {
    catalogue: &'a Catalogue,
    state: &'a State,
    request: &'a Request,
}

impl View<'_> {
    fn article(&self, id: &str) -> Option<&Article> {
        self.catalogue.article(id.parse().ok()?)
    }
}

impl News {
    pub fn new(seed: u64) -> Self {
        Self { catalogue: Catalogue::shared(seed), state: State::opening() }
    }

    fn view<'a>(&'a self, request: &'a Request) -> View<'a> {
        View { catalogue: &self.catalogue, state: &self.state, request }
    }

    fn show(&self, request: &Request) -> Response {
        let view = &self.view(request);
        match request.segments().as_slice() {
            [] => pages::front::show(view),
            ["section", slug] => pages::lists::section(view, slug),
            ["topic", slug] => pages::lists::topic(view, slug),
            ["search"] => pages::lists::search(view),
            ["article", id, ..] => pages::article::show(view, id),
            ["authors"] => pages::authors::all(view),
            ["authors", slug] => pages::authors::one(view, slug),
            ["weather"] => pages::boxes::all_weather(view),
            ["weather", place] => pages::boxes::weather_of(view, place),
            ["markets"] => pages::boxes::markets(view),
            ["reading-list"] => pages::reader::reading_list(view),
            ["newsletters"] => pages::reader::newsletters(view, None),
            ["cookies"] => pages::reader::cookies(view),
            ["sponsored"] => pages::reader::sponsored(view),
            ["about"] => pages::reader::about(view),
            ["api", "article", id, "rest"] => pages::article::rest(view, id),
            ["api", "article", id, "comments"] => pages::article::comments(view, id),
            ["assets", name] => pages::layout::asset(name),
            ["picture", id] => match view.article(id.trim_end_matches(".svg")) {
                Some(article) => Response::svg(art::picture(self.catalogue.seed, article)),
                None => Response::empty().status(StatusCode::NOT_FOUND),
            },
            _ => pages::layout::not_found(view),
        }
    }

    fn submit(&mut self, request: &Request) -> Response {
        match request.segments().as_slice() {
            ["api", "consent"] => obstacles::answer_consent(self, request),
            ["api", "newsletter"] => obstacles::answer_newsletter(self, request),
            ["api", "advert"] => obstacles::close_advert(self),
            ["sponsored"] => obstacles::follow_advert(self),
            ["api", "article", id, "save"] => actions::save(self, request, id),
            ["api", "comment", id, "recommend"] => actions::recommend(self, request, id),
            ["article", id, "comments"] => actions::comment(self, request, id),
            ["article", id, "comments", comment, "delete"] => {
                actions::delete_comment(self, request, id, comment)
            }
            ["authors", slug, "follow"] => actions::follow(self, request, slug),
            ["newsletters"] => actions::subscribe(self, request),
            ["cookies"] => actions::save_cookies(self, request),
            _ => pages::layout::not_found(&self.view(request)),
        }
    }
}

impl Site for News {
    fn handle(&mut self, request: &Request) -> Response {
        let reads = matches!(request.method, Method::GET | Method::HEAD);
        match (reads, request.is_post()) {
            (false, false) => Response::empty().status(StatusCode::METHOD_NOT_ALLOWED),
            _ if request.host == CONSENT_HOST => obstacles::frame::handle(self, request),
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
        state.check(&self.catalogue)?;
        self.state = state;
        Ok(())
    }
}
