//! Plumb, a search engine over all sites of the world.
//!
//! [`index`] is built from the sites' [`crate::documents`] when the first question of a seed is asked, and shared by all
//! worlds of that seed; [`question`] is what was asked; [`state`] is the visitor's settings and history.

mod actions;
mod index;
mod pages;
mod question;
mod spelling;
mod state;

#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::kit::by_seed::BySeed;
use crate::kit::flash;
use crate::{Request, Response, Site};
use index::Index;
use pages::Visit;
use question::Question;
use state::State;

pub struct SearchEngine {
    seed: u64,
    index: Arc<OnceLock<Index>>,
    state: State,
}

impl SearchEngine {
    pub fn new(seed: u64) -> Self {
        static BUILT: BySeed<Arc<OnceLock<Index>>> = BySeed::new();
        let index = BUILT.get(seed, |_| Arc::new(OnceLock::new()));
        Self { seed, index: Arc::clone(&index), state: State::opening() }
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(crate::documents::of_seed(self.seed)))
    }

    fn answer(&mut self, request: &Request) -> Response {
        let segments = request.segments();
        if request.is_post() {
            return self
                .perform(request, &segments)
                .unwrap_or_else(|| pages::not_found(&self.visit(request, None)));
        }
        if segments == ["search"] {
            let question = Question::of(request);
            self.state.remember(&question.text);
        }
        let visit = self.visit(request, None);
        match segments.as_slice() {
            [] => pages::home(&visit),
            ["search"] => pages::results::show(&visit, self.index(), &Question::of(request)),
            ["suggest"] if !self.state.settings.suggestions => Response::json(&json!([])),
            ["suggest"] => {
                Response::json(&json!(self.index().suggestions(request.query("q").unwrap_or_default())))
            }
            ["settings"] => pages::settings(&visit),
            ["history"] => pages::history(&visit),
            ["about"] => pages::about(&visit),
            ["static", name] => pages::static_file(name).unwrap_or_else(|| pages::not_found(&visit)),
            _ => pages::not_found(&visit),
        }
    }

    fn visit<'a>(&'a self, request: &'a Request, problem: Option<&'a str>) -> Visit<'a> {
        Visit { state: &self.state, request, problem }
    }
}

impl Site for SearchEngine {
    fn handle(&mut self, request: &Request) -> Response {
        if !matches!(request.method, Method::GET | Method::HEAD | Method::POST) {
            return Response::empty().status(StatusCode::METHOD_NOT_ALLOWED);
        }
        let response = self.answer(request);
        flash::forget_if_shown(request, &["static", "suggest"], response)
    }

    fn state(&self) -> Value {
        // The state holds maps with text keys only, which always have a JSON form.
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    fn set_state(&mut self, state: Value) -> Result<(), String> {
        self.state = serde_json::from_value(state).map_err(|error| error.to_string())?;
        Ok(())
    }
}
