//! The whole country, and ways into it.

use maud::html;

use super::layout::page;
use crate::Response;
use crate::kit::lists::grouped;
use crate::map::Visit;
use crate::map::categories::{CATEGORIES, Group};
use crate::map::drawing::{Overlay, View};

pub fn show(visit: Visit<'_>) -> Response {
    let country = visit.country;
    let panel = html! {
        h1 { (country.name) }
        p.lead { (grouped(visit.catalogue.places.len())) " places in " (country.towns.len()) " towns, and every road between them." }
        h2 { "Explore" }
        @for group in Group::ALL {
            h3.group { (group.name()) }
            ul.chips { @for category in CATEGORIES.iter().filter(|category| category.group == group) {
                li { a href={ "/search?category=" (category.slug) } { (category.plural) } }
            } }
        }
        h2 { "Largest towns" }
        ul.plain { @for town in country.towns.iter().take(8) {
            li { a href={ "/town/" (town.slug) } { (town.name) } span.muted { " " (country.region_of(town).name) } }
        } }
    };
    page(visit, country.name, &panel, View::whole_country(), &Overlay::default())
}
