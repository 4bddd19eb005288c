//! A town, and all of them.

use maud::html;

use super::layout::page;
use crate::Response;
use crate::kit::lists::{counted, grouped};
use crate::map::Visit;
use crate::map::categories::CATEGORIES;
use crate::map::drawing::{Overlay, View};

pub fn show(visit: Visit<'_>, slug: &str) -> Option<Response> {
    let (at, town) = visit.country.town_of_slug(slug)?;
    let count =
        |category: &str| visit.catalogue.in_town(at).filter(|place| place.category.slug == category).count();
    let panel = html! {
        h1 { (town.name) }
        p.lead { "Town in " (visit.country.region_of(town).name) }
        dl.facts {
            dt { "Population" } dd { (grouped(town.population as usize)) }
            dt { "Dialling code" } dd { "0" (town.dialling_code) }
            dt { "Coordinates" } dd { (town.centre.coordinates()) }
            dt { "Read more" } dd { a href={ "http://encyclopedia.localhost/article/" (town.slug) } { (town.name) " in Quire" } }
        }
        p.actions { a.button href={ "/route?to=" (town.name) } { "Directions to " (town.name) } }
        h2 { "Districts" }
        ul.chips { @for (name, _) in town.districts() { li { a href={ "/search?q=" (name.replace(' ', "+")) "+" (town.name) } { (name) } } } }
        h2 { "Places" }
        ul.plain.counts { @for category in CATEGORIES.iter().filter(|category| count(category.slug) > 0) {
            li { a href={ "/search?q=" (town.name) "&category=" (category.slug) } { (category.plural) } span.muted { (count(category.slug)) } }
        } }
    };
    Some(page(visit, &town.name, &panel, View::around(&town.crossings), &Overlay::default()))
}

pub fn all(visit: Visit<'_>) -> Response {
    let country = visit.country;
    let panel = html! {
        h1 { "Towns of " (country.name) }
        p.muted { (counted(country.towns.len(), "town")) " in " (counted(country.regions.len(), "region")) }
        @for (at, region) in country.regions.iter().enumerate() {
            h2 { (region.name) }
            ul.plain { @for town in country.towns.iter().filter(|town| town.region == at) {
                li { a href={ "/town/" (town.slug) } { (town.name) } }
            } }
        }
    };
    page(visit, "Towns", &panel, View::whole_country(), &Overlay::default())
}
