//! What visitors see.

pub mod basket;
pub mod booking;
pub mod calendar;
pub mod compass;
pub mod filters;
pub mod help;
pub mod home;
pub mod item;
pub mod layout;
pub mod listing;
pub mod rows;

use http::StatusCode;
use maud::{Markup, html};

use super::item::Item;
use super::state::Account;
use super::stock::Stock;
use super::storefront::{Storefront, storefront};
use super::trade::Dealing;
use super::{DIRECTORY, listing::ListingQuery};
use crate::{Request, Response};

/// One look at a site.
pub struct Visit<'a> {
    pub request: &'a Request,
    pub storefront: &'static Storefront,
    pub stock: &'a Stock,
    pub account: &'a Account,
}

impl Visit<'_> {
    pub fn is_shop(&self) -> bool {
        matches!(self.storefront.trade.dealing, Dealing::Basket { .. })
    }
}

pub fn asset(site: &str, name: &str) -> Response {
    let theme = match site {
        DIRECTORY => Some(include_str!("../assets/compass.css")),
        _ => storefront(site).map(|site| site.theme),
    };
    match (name, theme) {
        ("base.css", _) => Response::css(include_str!("../assets/base.css")),
        ("market.js", _) => Response::script(include_str!("../assets/market.js")),
        ("theme.css", Some(theme)) => Response::css(theme),
        _ => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

/// `4.5 ★ (128)`, read aloud as a sentence.
pub fn rating(item: &Item) -> Markup {
    let stars = format!("{}.{}", item.rating / 10, item.rating % 10);
    html! {
        span.rating {
            span.star aria-hidden="true" { "★" } " "
            span aria-label={ "Rated " (stars) " of 5" } { (stars) }
            " " small { "(" (item.reviews) ")" }
        }
    }
}

/// The price with what it is for.
pub fn price(visit: &Visit<'_>, query: &ListingQuery, item: &Item) -> Markup {
    let several = item.options.iter().any(|(_, price)| *price != item.price);
    html! {
        span.price {
            @if several { small { "from " } }
            strong { (query.price_of(item)) }
            @if !visit.storefront.trade.unit.is_empty() { " " small { (visit.storefront.trade.unit) } }
        }
    }
}

/// The button that remembers an item; the script keeps it up to date.
pub fn save_button(visit: &Visit<'_>, item: &Item) -> Markup {
    let saved = visit.account.saved.contains_key(&item.id);
    html! {
        button.save type="button" data-save=(item.id) aria-pressed=(saved)
            aria-label={ "Save " (item.name) } title=(visit.storefront.words.saved) { "♥" }
    }
}
