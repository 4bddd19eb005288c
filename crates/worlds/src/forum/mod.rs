//! Thicket, a forum: communities, posts, nested comments, votes, messages, moderation and settings.
//!
//! [`catalogue`] is what was there before the visitor came, [`state`] what the visitor can change, [`board`] the one
//! laid over the other. `pages` render a board, `actions` change the state and answer with a redirect or JSON.

mod actions;
mod art;
mod board;
mod catalogue;
mod documents;
mod feed;
mod flash;
mod generate;
mod opening;
mod pages;
mod routes;
mod settings;
mod state;
mod vocabulary;

#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod thicket_task_tests;

use std::sync::Arc;

use serde_json::Value;

use crate::kit::moment;
use crate::{Request, Response, Site};
use board::Board;
use catalogue::Catalogue;
pub(crate) use documents::documents;
use state::State;

pub struct Forum {
    catalogue: Arc<Catalogue>,
    state: State,
}

impl Forum {
    pub fn new(seed: u64) -> Self {
        let catalogue = Catalogue::shared(seed);
        let state = opening::state(&catalogue);
        Self { catalogue, state }
    }

    fn board(&self) -> Board<'_> {
        Board::new(&self.catalogue, &self.state)
    }
}

impl Site for Forum {
    fn handle(&mut self, request: &Request) -> Response {
        let response = self.route(request);
        // A message is shown once, on the first page after the action.
        if flash::is_shown_by(request) {
            response.header("set-cookie", flash::FORGET.to_owned())
        } else {
            response
        }
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    fn set_state(&mut self, state: Value) -> Result<(), String> {
        self.state = serde_json::from_value(state).map_err(|error| error.to_string())?;
        Ok(())
    }
}
