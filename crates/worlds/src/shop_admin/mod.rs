//! The back office of Larkmoor Goods: orders, products, customers, reviews, reports, promotions and content pages.
//!
//! Its goods are those that the [`crate::shop`] of the same seed sells itself; partners keep books of their own. [`ledger`]
//! is the past of the business, [`state`] what the clerk can change, [`desk`] the one laid over the other.

mod actions;
mod desk;
mod ledger;
mod opening;
mod pages;
mod reports;
mod routes;
mod state;
mod vocabulary;

#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::Value;

use crate::kit::flash;
use crate::shop::catalogue::Catalogue;
use crate::{Request, Response, Site};
use desk::Desk;
use ledger::Ledger;
use state::State;

pub struct ShopAdmin {
    catalogue: Arc<Catalogue>,
    ledger: Arc<Ledger>,
    state: State,
}

impl ShopAdmin {
    pub fn new(seed: u64) -> Self {
        let catalogue = Catalogue::of_seed(seed);
        let ledger = Ledger::shared(seed, &catalogue);
        let state = opening::state(seed, &catalogue);
        Self { catalogue, ledger, state }
    }

    fn desk(&self) -> Desk<'_> {
        Desk { catalogue: &self.catalogue, ledger: &self.ledger, state: &self.state }
    }
}

impl Site for ShopAdmin {
    fn handle(&mut self, request: &Request) -> Response {
        let response = self.route(request);
        flash::forget_if_shown(request, &["static"], response)
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    fn set_state(&mut self, state: Value) -> Result<(), String> {
        self.state = serde_json::from_value(state).map_err(|error| error.to_string())?;
        Ok(())
    }
}
