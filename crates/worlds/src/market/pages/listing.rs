//! Lists of items: a shelf, or what a search found.

use maud::{Markup, html};

use super::filters::{filters, search_form};
use super::layout::Page;
use super::rows::{cards, headed_by_month, timetable};
use super::{Visit, calendar};
use crate::Response;
use crate::market::drawing;
use crate::market::listing::{Listing, ListingQuery, PAGE_SIZE};
use crate::market::storefront::Layout;
use crate::market::trade::Shelf;

pub fn page(visit: &Visit<'_>, shelf: Option<&'static Shelf>) -> Response {
    let site = visit.storefront;
    let kind = visit.request.query("kind").and_then(|slug| site.trade.shelf(slug));
    let query = ListingQuery::parse(site, shelf.or(kind), visit.request);
    let title = match (query.shelf, query.words.is_empty()) {
        (Some(shelf), _) => shelf.name.to_owned(),
        (None, true) => format!("All {}", site.trade.nouns.1),
        (None, false) => format!("Results for “{}”", query.words),
    };
    let ready = query.is_complete() && query.problems.is_empty();
    let body = html! {
        @if !site.trade.is_browsed() { (search_form(visit, &query)) }
        @if ready {
            (results(visit, &query, &title))
        } @else {
            section.empty {
                h1 { (title) }
                p { "Tell us a little more above, and we will show you what there is." }
            }
        }
    };
    Page { title: &title, body }.respond(visit)
}

fn results(visit: &Visit<'_>, query: &ListingQuery, title: &str) -> Markup {
    let site = visit.storefront;
    let listing = query.run(visit.stock.items());
    html! {
        @if site.layout == Layout::Board { (calendar::fare_strip(visit, query)) }
        div.listing {
            (filters(visit, query))
            section.results aria-label="Results" {
                div.results-head {
                    div {
                        h1 { (title) }
                        p.muted { (summary(visit, &listing)) }
                    }
                    div.sort {
                        label for="sort" { "Sort by" }
                        select #sort name="sort" form="filters" data-submits {
                            @for sort in site.trade.sorts {
                                @let chosen = query.sort.is_some_and(|chosen| chosen.code == sort.code);
                                option value=(sort.code) selected[chosen] { (sort.label) }
                            }
                        }
                    }
                }
                @if listing.found.is_empty() {
                    div.empty {
                        p { "Nothing fits all of that. Loosen a filter or two." }
                        a href=(query.bare_link()) { "Clear all filters" }
                    }
                } @else {
                    @match site.layout {
                        Layout::Board => (timetable(visit, query, listing.on_page())),
                        Layout::Agenda => (headed_by_month(visit, query, listing.on_page())),
                        _ => (cards(visit, query, listing.on_page())),
                    }
                    (paging(query, &listing))
                }
            }
            @if site.layout == Layout::Map {
                aside.city-map aria-label="Map" { (drawing::city_map(query, listing.on_page())) }
            }
        }
    }
}

fn summary(visit: &Visit<'_>, listing: &Listing<'_>) -> String {
    let (one, many) = visit.storefront.trade.nouns;
    let first = (listing.page - 1) * PAGE_SIZE + 1;
    match listing.found.len() {
        0 => format!("No {many}"),
        1 => format!("1 {one}"),
        total => format!("{first}–{} of {total} {many}", first + listing.on_page().len() - 1),
    }
}

fn paging(query: &ListingQuery, listing: &Listing<'_>) -> Markup {
    let current = listing.page;
    html! {
        @if listing.pages > 1 {
            nav.paging aria-label="Pages" {
                @if current > 1 { a href=(query.link(current - 1)) rel="prev" { "Previous page" } }
                @for page in 1..=listing.pages {
                    @if page == current {
                        span aria-current="page" { (page) }
                    } @else if page == 1 || page == listing.pages || page.abs_diff(current) <= 2 {
                        a href=(query.link(page)) aria-label={ "Page " (page) } { (page) }
                    } @else if page.abs_diff(current) == 3 {
                        span { "…" }
                    }
                }
                @if current < listing.pages { a href=(query.link(current + 1)) rel="next" { "Next page" } }
            }
        }
    }
}
