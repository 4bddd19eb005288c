//! The start page, and the items a visitor asked the site to remember.

use maud::html;

use super::filters::search_form;
use super::layout::Page;
use super::rows::cards;
use super::{Visit, price};
use crate::Response;
use crate::market::drawing::{picture, shelf_picture};
use crate::market::item::Item;
use crate::market::listing::ListingQuery;

const FEATURED: usize = 8;
const MOST_TILES: usize = 12;
const WIDEST_ROW: usize = 9;

/// Tiles in a row, such that no last row is nearly empty.
fn columns(tiles: usize) -> usize {
    if tiles <= WIDEST_ROW { tiles.max(1) } else { tiles.div_ceil(2) }
}

pub fn page(visit: &Visit<'_>) -> Response {
    let site = visit.storefront;
    let query = ListingQuery::parse(site, None, visit.request);
    // Every so many, so that all shelves have a chance to be seen.
    let every = (visit.stock.items().len() / FEATURED).max(1);
    let featured: Vec<&Item> = visit.stock.items().iter().step_by(every).take(FEATURED).collect();
    let tiles = &site.trade.shelves[..site.trade.shelves.len().min(MOST_TILES)];
    let body = html! {
        section.hero {
            div.hero-text {
                h1 { (site.tagline) }
                p { (site.about) }
            }
            @if !site.trade.is_browsed() { (search_form(visit, &query)) }
        }
        @if site.trade.is_browsed() {
            section.shelf-tiles aria-label="Departments at a glance" {
                ul style={ "--columns: " (columns(tiles.len())) } {
                    @for shelf in tiles {
                        li { a href={ "/shelf/" (shelf.slug) } { (shelf_picture(shelf)) span { (shelf.name) } } }
                    }
                }
            }
        }
        section.featured {
            h2 { "Picked for this week" }
            ul.tiles {
                @for item in featured {
                    li { a href=(item.path()) { (picture(item)) span { (item.name) } } (price(visit, &query, item)) }
                }
            }
        }
    };
    Page { title: site.tagline, body }.respond(visit)
}

pub fn saved(visit: &Visit<'_>) -> Response {
    let site = visit.storefront;
    let query = ListingQuery::parse(site, None, visit.request);
    let items: Vec<&Item> = visit.account.saved.keys().filter_map(|id| visit.stock.item(id)).collect();
    let body = html! {
        h1 { (site.words.saved) }
        @if items.is_empty() {
            section.empty { p { "Press the heart on something you like, and you will find it here." } }
        } @else {
            (cards(visit, &query, &items))
        }
    };
    Page { title: site.words.saved, body }.respond(visit)
}
