//! Keelson, a code host: projects with files, commits, branches, issues, merge requests, members and settings.
//!
//! [`catalogue`] is what was there before the visitor came, [`state`] what the visitor can change, [`board`] the one
//! laid over the other. `pages` render a board; `actions` change the state, and answer with a redirect or a refusal.

mod actions;
mod art;
mod board;
mod catalogue;
mod documents;
mod generate;
mod opening;
mod pages;
mod routes;
mod search;
mod state;
mod vocabulary;

#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::Value;

use crate::kit::flash;
use crate::{Request, Response, Site};
use board::Board;
use catalogue::Catalogue;
pub(crate) use documents::documents;
use state::State;

pub struct CodeHost {
    catalogue: Arc<Catalogue>,
    state: State,
}

impl CodeHost {
    pub fn new(seed: u64) -> Self {
        let catalogue = Catalogue::shared(seed);
        let state = opening::state(&catalogue);
        Self { catalogue, state }
    }

    fn board(&self) -> Board<'_> {
        Board { catalogue: &self.catalogue, state: &self.state }
    }
}

impl Site for CodeHost {
    fn handle(&mut self, request: &Request) -> Response {
        let response = self.route(request);
        flash::forget_if_shown(request, &["static", "img"], response)
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    fn set_state(&mut self, state: Value) -> Result<(), String> {
        self.state = serde_json::from_value(state).map_err(|error| error.to_string())?;
        Ok(())
    }
}
