//! Waymark, the map of the country: places, addresses, routes over its roads, saved lists.
//!
//! [`catalogue`] is what stands in the country's streets, [`state`] what the visitor saved, wrote and set. [`lookup`]
//! finds places from words, [`routing`] ways between them, [`drawing`] draws any part of the country.

mod actions;
mod catalogue;
mod categories;
mod documents;
mod drawing;
mod hours;
mod lookup;
mod opening;
mod pages;
mod reviews;
mod routes;
mod routing;
mod state;

#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::Value;

use crate::geography::Country;
use crate::kit::flash;
use crate::{Request, Response, Site};
use catalogue::Catalogue;
pub(crate) use documents::documents;
use state::State;

pub struct Map {
    catalogue: Arc<Catalogue>,
    state: State,
}

/// What a page is drawn from.
#[derive(Clone, Copy)]
struct Visit<'a> {
    country: &'a Country,
    catalogue: &'a Catalogue,
    state: &'a State,
    request: &'a Request,
    /// What is wrong with the form that was sent, to be shown above it again.
    problem: Option<&'a str>,
}

impl<'a> Visit<'a> {
    fn asked(self, name: &str) -> &'a str {
        self.request.query(name).unwrap_or_default().trim()
    }
}

impl Map {
    pub fn new(seed: u64) -> Self {
        let catalogue = Catalogue::shared(seed);
        let state = opening::state(seed, &catalogue);
        Self { catalogue, state }
    }

    fn visit<'a>(&'a self, request: &'a Request, problem: Option<&'a str>) -> Visit<'a> {
        let country = &self.catalogue.country;
        Visit { country, catalogue: &self.catalogue, state: &self.state, request, problem }
    }
}

impl Site for Map {
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
        state.check(&self.catalogue)?;
        self.state = state;
        Ok(())
    }
}
