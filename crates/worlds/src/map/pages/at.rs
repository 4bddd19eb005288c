//! What is at a point.

use maud::html;

use super::layout::page;
use super::rows;
use crate::Response;
use crate::map::Visit;
use crate::map::catalogue::Place;
use crate::map::drawing::{Overlay, View};
use crate::map::lookup;

pub fn show(visit: Visit<'_>) -> Response {
    let typed = visit.asked("point");
    let point = lookup::coordinates(typed);
    let address = point.and_then(|point| visit.country.address_at(point));
    let mut nearby: Vec<&Place> = Vec::new();
    if let Some(point) = point {
        nearby = visit.catalogue.places.iter().filter(|place| place.point.metres_to(point) < 600.0).collect();
        nearby.sort_by(|a, b| a.point.metres_to(point).total_cmp(&b.point.metres_to(point)));
        nearby.truncate(8);
    }
    let panel = html! {
        h1 { "What is here?" }
        form method="get" action="/at" {
            label { "Coordinates" input type="text" name="point" value=(typed) maxlength="60" placeholder="51.83127, -16.90412"; }
            button type="submit" { "Look up" }
        }
        @if let Some(point) = point {
            dl.facts {
                dt { "Coordinates" } dd { (point.coordinates()) }
                dt { "Nearest address" }
                dd { @if let Some(address) = address { (visit.country.write_address(address)) } @else { "Nobody lives here" } }
                @if let Some(address) = address {
                    dt { "District" } dd { (visit.country.towns[address.town].district_of(address)) }
                    dt { "Region" } dd { (visit.country.region_of(&visit.country.towns[address.town]).name) }
                }
            }
            h2 { "Nearby" }
            @if nearby.is_empty() { p { "Nothing within 600 metres." } }
            (rows::list(visit, &nearby, Some(point)))
        } @else if !typed.is_empty() { p.problem { "Write coordinates like 51.83127, -16.90412. They must lie in or near " (visit.country.name) "." } }
    };
    let view = point.map_or_else(View::whole_country, |point| View { centre: point, zoom: 6 });
    let overlay = Overlay { places: nearby, route: Vec::new(), pins: point.into_iter().collect() };
    page(visit, "What is here?", &panel, view, &overlay)
}
