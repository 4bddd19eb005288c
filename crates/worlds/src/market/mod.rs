//! Marketplaces: shops and booking sites of ten trades, two sites a trade, and a directory that lists them.
//!
//! A [`trade::Trade`] describes what is dealt in; a [`storefront::Storefront`] is one site of a trade with its own
//! name, look, wording and stock. All of them are one [`Site`] of the world, told apart by host, since a wish that
//! leaves the website unsaid may lead an agent to any of them. The state is keyed by storefront.

mod atlas;
mod documents;
mod drawing;
mod flash;
mod forms;
mod item;
mod liking;
mod listing;
mod offer;
mod pages;
mod state;
mod stock;
mod storefront;
#[cfg(test)]
mod tests;
mod trade;
mod trades;

use std::collections::BTreeMap;

use http::{Method, StatusCode};
use serde_json::Value;

use self::forms::Submission;
use self::pages::Visit;
use self::state::Account;
use self::stock::Stock;
use self::storefront::{STOREFRONTS, Storefront, storefront};
use self::trade::Dealing;
use crate::{Request, Response, Site};
pub(crate) use documents::documents;
pub use liking::suits;

/// The directory's host before `.localhost`.
const DIRECTORY: &str = "compass";

pub struct Market {
    seed: u64,
    /// By storefront.
    accounts: BTreeMap<String, Account>,
}

impl Market {
    pub fn new(seed: u64) -> Self {
        let accounts = STOREFRONTS.iter().map(|site| (site.key.to_owned(), Account::default())).collect();
        Self { seed, accounts }
    }
}

impl Site for Market {
    fn handle(&mut self, request: &Request) -> Response {
        let key = request.host.strip_suffix(".localhost").unwrap_or_default();
        if let ["assets", name] = request.segments().as_slice() {
            return pages::asset(key, name);
        }
        if key == DIRECTORY {
            return pages::compass::page(request);
        }
        let Some((site, account)) = storefront(key).zip(self.accounts.get_mut(key)) else {
            return Response::empty().status(StatusCode::NOT_FOUND);
        };
        let stock = Stock::of_seed(site, self.seed);
        match request.method {
            Method::POST => Submission { request, storefront: site, stock: &stock, account }.handle(),
            Method::GET | Method::HEAD => page(&Visit { request, storefront: site, stock: &stock, account }),
            _ => Response::empty().status(StatusCode::METHOD_NOT_ALLOWED),
        }
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.accounts).unwrap_or_default()
    }

    fn set_state(&mut self, state: Value) -> Result<(), String> {
        let accounts: BTreeMap<String, Account> =
            serde_json::from_value(state).map_err(|error| error.to_string())?;
        for site in STOREFRONTS {
            let account = accounts.get(site.key).ok_or_else(|| format!("`{}` is missing", site.key))?;
            account
                .check(site.trade, &Stock::of_seed(site, self.seed))
                .map_err(|problem| format!("{}/{problem}", site.key))?;
        }
        if let Some(stranger) = accounts.keys().find(|key| storefront(key).is_none()) {
            return Err(format!("there is no marketplace `{stranger}`"));
        }
        self.accounts = accounts;
        Ok(())
    }
}

fn page(visit: &Visit<'_>) -> Response {
    let site: &'static Storefront = visit.storefront;
    let is_shop = matches!(site.trade.dealing, Dealing::Basket { .. });
    match visit.request.segments().as_slice() {
        [] => pages::home::page(visit),
        ["find"] => pages::listing::page(visit, None),
        ["shelf", slug] => match site.trade.shelf(slug) {
            Some(shelf) => pages::listing::page(visit, Some(shelf)),
            None => pages::layout::not_found(visit),
        },
        ["item", id] => match visit.stock.item(id) {
            Some(item) => pages::item::page(visit, item, &BTreeMap::new()),
            None => pages::layout::not_found(visit),
        },
        ["basket"] if is_shop => pages::basket::page(visit, None),
        ["orders"] if is_shop => pages::basket::orders(visit),
        ["book", id] if !is_shop => match visit.stock.item(id) {
            Some(item) => pages::booking::chosen(visit, item),
            None => pages::layout::not_found(visit),
        },
        ["bookings"] if !is_shop => pages::booking::list(visit),
        ["saved"] => pages::home::saved(visit),
        ["help"] => pages::help::page(visit),
        _ => pages::layout::not_found(visit),
    }
}
