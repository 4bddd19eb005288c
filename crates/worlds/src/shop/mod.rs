//! Larkmoor Goods, a shop: categories, search, filters, product pages with reviews, cart, checkout, orders, account.
//!
//! The catalogue follows from the seed and never changes; the [`state`] holds what a visitor can change. Pages read
//! both, forms change the state, and nothing else does.

mod api;
mod artwork;
pub(crate) mod catalogue;
mod documents;
mod flash;
mod forms;
mod history;
mod listing;
mod pages;
mod pricing;
mod state;
#[cfg(test)]
mod store_task_tests;
#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use http::{Method, StatusCode};
use serde_json::Value;

use self::catalogue::Catalogue;
use self::forms::Submission;
use self::listing::Scope;
use self::pages::checkout::Step;
use self::pages::product::ReviewDraft;
use self::pages::{Problems, Visit};
use self::state::{Address, State};
use crate::kit::calendar;
pub(crate) use crate::kit::money;
use crate::{Request, Response, Site};
pub(crate) use documents::documents;

pub struct Shop {
    catalogue: Arc<Catalogue>,
    state: State,
}

impl Shop {
    pub fn new(seed: u64) -> Self {
        let catalogue = Catalogue::of_seed(seed);
        let state = history::opening_state(&catalogue, seed);
        Self { catalogue, state }
    }

    fn visit<'a>(&'a self, request: &'a Request) -> Visit<'a> {
        Visit { request, catalogue: &self.catalogue, state: &self.state }
    }
}

impl Site for Shop {
    fn handle(&mut self, request: &Request) -> Response {
        match request.segments().as_slice() {
            ["assets", name] => {
                asset(name).unwrap_or_else(|| Response::empty().status(StatusCode::NOT_FOUND))
            }
            ["api", rest @ ..] => self.call(request, rest),
            _ if request.method == Method::POST => {
                Submission { request, catalogue: &self.catalogue, state: &mut self.state }.handle()
            }
            _ if request.method == Method::GET || request.method == Method::HEAD => {
                page(&self.visit(request))
            }
            _ => Response::empty().status(StatusCode::METHOD_NOT_ALLOWED),
        }
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    fn set_state(&mut self, state: Value) -> Result<(), String> {
        let state: State = serde_json::from_value(state).map_err(|error| error.to_string())?;
        state.check(&self.catalogue)?;
        self.state = state;
        Ok(())
    }
}

impl Shop {
    fn call(&mut self, request: &Request, path: &[&str]) -> Response {
        match path {
            ["cart"] => Response::json(&api::cart(&self.state, &self.catalogue)),
            ["cart", "remove"] if request.is_post() => {
                let line = request.json.as_ref().and_then(|body| body.get("line")).and_then(Value::as_str);
                forms::remove_line(&mut self.state.cart, line.unwrap_or_default());
                Response::json(&api::cart(&self.state, &self.catalogue))
            }
            ["products", id, "reviews"] => match self.catalogue.product(id) {
                Some(product) => {
                    let page = request.query("page").and_then(|text| text.parse().ok()).unwrap_or(1);
                    Response::json(&api::reviews(product, page))
                }
                None => Response::json(&Value::Null).status(StatusCode::NOT_FOUND),
            },
            _ => Response::json(&Value::Null).status(StatusCode::NOT_FOUND),
        }
    }
}

fn asset(name: &str) -> Option<Response> {
    Some(match name {
        "style.css" => Response::css(include_str!("style.css")),
        "menu.js" => Response::script(include_str!("scripts/menu.js")),
        "mini-cart.js" => Response::script(include_str!("scripts/mini-cart.js")),
        "listing.js" => Response::script(include_str!("scripts/listing.js")),
        "dialogs.js" => Response::script(include_str!("scripts/dialogs.js")),
        "product.js" => Response::script(include_str!("scripts/product.js")),
        "icon.svg" => Response::svg(include_str!("icon.svg").to_owned()),
        _ => return None,
    })
}

fn page(visit: &Visit<'_>) -> Response {
    let none = Problems::new();
    let order = |id: &str| visit.state.orders.get(id);
    match visit.request.segments().as_slice() {
        [] => pages::home::page(visit),
        ["search"] => pages::listing::page(visit, Scope::Everything),
        ["offers"] => pages::listing::page(visit, Scope::Reduced),
        ["c", rest @ ..] => match scope(rest) {
            Some(scope) => pages::listing::page(visit, scope),
            None => pages::layout::not_found(visit),
        },
        ["product", slug] => match visit.catalogue.by_slug(slug) {
            Some(product) => pages::product::page(visit, product, &none),
            None => pages::layout::not_found(visit),
        },
        ["cart"] => pages::cart::page(visit, &none),
        ["help", topic] => pages::help::page(visit, topic),
        ["sign-in"] => pages::account::sign_in(visit),
        ["product" | "checkout" | "account", ..] if !visit.state.signed_in => Response::see_other("/sign-in"),
        ["product", slug, "review"] => match visit.catalogue.by_slug(slug) {
            Some(product) => pages::product::review_form(visit, product, &ReviewDraft::default(), &none),
            None => pages::layout::not_found(visit),
        },
        ["checkout", step] => match Step::parse(step) {
            Some(step) => pages::checkout::page(visit, step, &none),
            None => pages::layout::not_found(visit),
        },
        ["account"] => pages::account::overview(visit),
        ["account", "profile"] => pages::account::profile(visit, &visit.state.profile, &none),
        ["account", "reviews"] => pages::account::reviews(visit),
        ["account", "wishlist"] => pages::wishlist::page(visit),
        ["account", "newsletter"] => pages::newsletter::preferences(visit),
        ["account", "addresses"] => pages::addresses::list(visit),
        ["account", "addresses", "new"] => pages::addresses::form(visit, None, &Address::default(), &none),
        ["account", "addresses", id] => match visit.state.addresses.get(*id) {
            Some(address) => pages::addresses::form(visit, Some(id), address, &none),
            None => pages::layout::not_found(visit),
        },
        ["account", "orders"] => pages::orders::list(visit),
        ["account", "orders", id] => match order(id) {
            Some(order) => pages::orders::detail(visit, id, order, &none),
            None => pages::layout::not_found(visit),
        },
        ["account", "orders", id, "return"] => match order(id) {
            Some(order) if order.may_be_returned() => pages::orders::return_form(visit, id, order, &none),
            Some(order) => pages::orders::detail(visit, id, order, &none),
            None => pages::layout::not_found(visit),
        },
        _ => pages::layout::not_found(visit),
    }
}

fn scope(path: &[&str]) -> Option<Scope> {
    let (category, rest) = path.split_first()?;
    let category = catalogue::category(category)?;
    match rest {
        [] => Some(Scope::Category(category)),
        [shelf] => category.subcategory(shelf).map(|shelf| Scope::Subcategory(category, shelf)),
        _ => None,
    }
}
