//! Quire, the encyclopedia of the country: articles with fact cards, links, categories, histories and talk.
//!
//! [`facts`] is what is true besides the [`crate::geography`], [`prose`] retells it, [`library`] keeps the articles.
//! [`state`] is what the visitor wrote and set, [`desk`] the one laid over the other.

mod actions;
mod desk;
mod documents;
mod facts;
mod history;
mod library;
mod markup;
mod pages;
mod prose;
mod routes;
mod search;
mod state;
mod talk;
mod titles;

#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::Value;

use crate::kit::flash;
use crate::{Request, Response, Site};
use desk::Desk;
pub(crate) use documents::documents;
use library::Library;
use state::State;

pub struct Encyclopedia {
    library: Arc<Library>,
    state: State,
}

impl Encyclopedia {
    pub fn new(seed: u64) -> Self {
        let library = Library::shared(seed);
        let state = State::opening(&library.country);
        Self { library, state }
    }

    fn desk(&self) -> Desk<'_> {
        Desk { library: &self.library, state: &self.state }
    }
}

impl Site for Encyclopedia {
    fn handle(&mut self, request: &Request) -> Response {
        let response = self.route(request);
        flash::forget_if_shown(request, &["static", "suggest"], response)
    }

    fn state(&self) -> Value {
        // The state holds maps with text keys only, which always have a JSON form.
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    fn set_state(&mut self, state: Value) -> Result<(), String> {
        let state: State = serde_json::from_value(state).map_err(|error| error.to_string())?;
        state.check(&self.library)?;
        self.state = state;
        Ok(())
    }
}
