//! Places in lists.

use maud::{Markup, html};

use crate::geography::Point;
use crate::map::Visit;
use crate::map::catalogue::Place;
use crate::map::{lookup, reviews};

pub fn stars(visit: Visit<'_>, place: &Place) -> Markup {
    let own = visit.state.reviews.get(&place.id).map(|review| review.stars);
    let count = place.stars.len() + usize::from(own.is_some());
    html! {
        @if let Some(average) = reviews::average(place, own) {
            span.stars { span aria-hidden="true" { "★ " } (average) " " span.muted { "(" (count) ")" } }
        } @else { span.muted { "Not rated" } }
    }
}

pub fn price(place: &Place) -> Markup {
    html! { @if let Some(price) = place.price { span.price title="Price level" { @for _ in 0..price { "¤" } } } }
}

/// Numbered as the marks on the map. `from` is where distances are counted from.
pub fn list(visit: Visit<'_>, places: &[&Place], from: Option<Point>) -> Markup {
    html! {
        ol.rows { @for place in places {
            li {
                h3 { a href={ "/place/" (place.id) } { (place.name) } }
                p { (stars(visit, place)) " · " (place.category.name) " " (price(place)) }
                p.muted {
                    (visit.country.write_address(place.address))
                    @if let Some(from) = from {
                        " · " (visit.state.settings.units.write(place.point.metres_to(from).round() as u32)) " away"
                    }
                }
                p { @if lookup::is_open_now(place) { span.open { "Open now" } } @else { span.shut { "Closed now" } } }
            }
        } }
    }
}
