//! From a choice to a booking: the page that sums it up, and the bookings made.

use maud::html;

use super::Visit;
use super::layout::Page;
use crate::Response;
use crate::kit::calendar::Day;
use crate::market::drawing::picture;
use crate::market::item::Item;
use crate::market::offer::Offer;

/// What was chosen on the item's page.
pub fn chosen(visit: &Visit<'_>, item: &Item) -> Response {
    review(visit, &Offer::read(visit.storefront.trade, item, |name| visit.request.query(name)))
}

pub fn review(visit: &Visit<'_>, offer: &Offer<'_>) -> Response {
    let site = visit.storefront;
    if !offer.problems.is_empty() {
        return super::item::page(visit, offer.item, &offer.problems);
    }
    let body = html! {
        h1 { "Check and confirm" }
        section.review {
            div.review-picture { (picture(offer.item)) }
            div {
                h2 { (offer.item.name) }
                @if let Some(place) = offer.item.place { p.place { (place) } }
                dl.details {
                    @for ask in site.trade.asks {
                        @if let Some(value) = offer.decided.get(ask.key()) {
                            div { dt { (ask.label()) } dd { (shown(value)) } }
                        }
                    }
                    div.total { dt { "Total" } dd { strong { (offer.total) } } }
                }
                form method="post" action={ "/book/" (offer.item.id) } {
                    @for ask in site.trade.asks {
                        @if let Some(value) = offer.decided.get(ask.key()) {
                            input type="hidden" name=(ask.key()) value=(value);
                        }
                    }
                    button.primary type="submit" { (site.words.confirm) }
                    " " a href=(offer.item.path()) { "Change something" }
                }
            }
        }
    };
    Page { title: "Check and confirm", body }.respond(visit)
}

/// Days in words, the rest as it is.
fn shown(value: &str) -> String {
    Day::parse(value).map_or_else(|| value.to_owned(), |day| day.to_string())
}

pub fn list(visit: &Visit<'_>) -> Response {
    let site = visit.storefront;
    let body = html! {
        h1 { (site.words.kept) }
        @if visit.account.bookings.is_empty() {
            section.empty {
                p { "Nothing booked yet." }
                a.button href="/" { "Find " (site.trade.nouns.1) }
            }
        }
        @for (number, booking) in visit.account.bookings.iter().rev() {
            section.order {
                h2 { (booking.name) }
                p.muted { "Booking " (number) }
                dl.details {
                    @for ask in site.trade.asks {
                        @if let Some(value) = booking.decided.get(ask.key()) {
                            div { dt { (ask.label()) } dd { (shown(value)) } }
                        }
                    }
                    div.total { dt { "Total" } dd { strong { (booking.total_cents) } } }
                }
                form method="post" action={ "/bookings/" (number) "/cancel" } {
                    button.quiet type="submit" aria-label={ "Cancel booking " (number) } { "Cancel this booking" }
                }
            }
        }
    };
    Page { title: site.words.kept, body }.respond(visit)
}
