//! Skerry, a travel site behind a bot wall: flights, stays, trips, city guides.
//!
//! [`catalogue`] is what can be booked, [`state`] what the visitor booked and how far the wall has let him; [`wall`]
//! stands before every page.

mod art;
mod booking;
mod catalogue;
mod documents;
mod pages;
mod search;
mod state;
mod vocabulary;
mod wall;

#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use http::{Method, StatusCode};
use serde_json::Value;

use crate::{Request, Response, Site};
use catalogue::Catalogue;
pub(crate) use documents::documents;
use state::State;

/// Host of the frame with the box to tick; the site itself is on `travel.localhost`.
const GUARD_HOST: &str = "guard.localhost";

pub struct Travel {
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

impl Travel {
    pub fn new(seed: u64) -> Self {
        Self { catalogue: Catalogue::shared(seed), state: State::opening() }
    }

    fn view<'a>(&'a self, request: &'a Request) -> View<'a> {
        View { catalogue: &self.catalogue, state: &self.state, request }
    }

    fn show(&self, request: &Request) -> Response {
        let view = &self.view(request);
        match request.segments().as_slice() {
            [] => pages::home::show(view),
            ["flights"] => pages::flights::results(view),
            ["flights", id] => pages::flights::one(view, id, None),
            ["stays"] => pages::stays::results(view),
            ["stays", id] => pages::stays::one(view, id, None),
            ["trips"] => pages::trips::all(view),
            ["trips", reference] => pages::trips::one(view, reference),
            ["cities"] => pages::cities::all(view),
            ["cities", slug] => pages::cities::one(view, slug),
            ["help"] => pages::help::show(view),
            _ => pages::layout::not_found(view),
        }
    }

    fn submit(&mut self, request: &Request) -> Response {
        match request.segments().as_slice() {
            ["flights", id] => booking::book_flight(self, request, id),
            ["stays", id] => booking::book_stay(self, request, id),
            ["stays", id, "favourite"] => booking::mark(self, request, id),
            ["trips", reference, "cancel"] => booking::cancel(self, request, reference),
            _ => pages::layout::not_found(&self.view(request)),
        }
    }
}

impl Site for Travel {
    fn handle(&mut self, request: &Request) -> Response {
        let reads = matches!(request.method, Method::GET | Method::HEAD);
        if !reads && !request.is_post() {
            return Response::empty().status(StatusCode::METHOD_NOT_ALLOWED);
        }
        if request.host == GUARD_HOST {
            return wall::guard(self, request);
        }
        match request.segments().as_slice() {
            ["assets", name] => return pages::layout::asset(name),
            ["picture", name] => return art::serve(self.catalogue.seed, name),
            ["wall", ..] => return wall::handle(self, request),
            _ => {}
        }
        if let Some(stopped) = wall::stop(self, request) {
            return stopped;
        }
        if reads { self.show(request) } else { self.submit(request) }
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
