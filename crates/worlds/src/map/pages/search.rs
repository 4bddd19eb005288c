//! Results of a search, with its filters.

use maud::html;

use super::layout::page;
use super::rows;
use crate::Response;
use crate::kit::lists::{counted, page_of, pager};
use crate::map::Visit;
use crate::map::catalogue::FEATURES;
use crate::map::categories::CATEGORIES;
use crate::map::drawing::{Overlay, View};
use crate::map::lookup;

const PER_PAGE: usize = 10;
const SORTS: [(&str, &str); 3] = [("", "Best match"), ("rating", "Rating"), ("name", "Name")];

pub fn show(visit: Visit<'_>) -> Response {
    let found = lookup::search(visit);
    let shown = page_of(visit.request, &found.places, PER_PAGE);
    let asked_near = visit.asked("near");
    let town = visit.country.towns.iter().find(|town| town.name.eq_ignore_ascii_case(visit.asked("q")));
    let title = match visit.asked("q") {
        "" => CATEGORIES
            .iter()
            .find(|category| category.slug == visit.asked("category"))
            .map_or("All places", |category| category.plural),
        question => question,
    };
    let narrowed =
        ["near", "rating", "sort", "open", "feature"].iter().any(|name| !visit.asked(name).is_empty());
    let panel = html! {
        h1 { (title) }
        @if let Some(town) = town {
            p.card { "Town: " a href={ "/town/" (town.slug) } { (town.name) } ", " (visit.country.region_of(town).name) }
        }
        details.filters open[narrowed] {
            summary { "Filters" }
            form method="get" action="/search" {
                label { "Words" input type="text" name="q" value=(visit.asked("q")) maxlength="120"; }
                label { "Category"
                    select name="category" {
                        option value="" { "Any category" }
                        @for category in CATEGORIES {
                            option value=(category.slug) selected[category.slug == visit.asked("category")] { (category.plural) }
                        }
                    }
                }
                label { "Near" input type="text" name="near" value=(asked_near) placeholder="A town, place or address" maxlength="120" autocomplete="off" data-suggest="/suggest"; }
                label { "Rating"
                    select name="rating" {
                        option value="" { "Any rating" }
                        @for stars in 2..=4 { option value=(stars) selected[visit.asked("rating") == stars.to_string()] { (stars) " stars and up" } }
                    }
                }
                label { "Sort by"
                    select name="sort" { @for (code, name) in SORTS {
                        option value=(code) selected[code == visit.asked("sort")] {
                            @if code.is_empty() && found.near.is_some() { "Distance" } @else { (name) }
                        }
                    } }
                }
                fieldset {
                    legend { "Only places with" }
                    label.tick { input type="checkbox" name="open" value="1" checked[!visit.asked("open").is_empty()]; "Open now" }
                    @for (code, name) in FEATURES {
                        label.tick { input type="checkbox" name="feature" value=(code) checked[visit.request.queries("feature").any(|asked| asked == *code)]; (name) }
                    }
                }
                button type="submit" { "Apply" }
            }
        }
        @if !asked_near.is_empty() && found.near.is_none() {
            p.problem role="status" { "“" (asked_near) "” is no single place on the map, so distances are left out." }
        }
        p.count role="status" { (counted(found.places.len(), "place"))
            @if let Some(end) = &found.near { " within 40 km of " (end.label) } }
        @if found.places.is_empty() {
            p { "Nothing fits. Check the spelling, use fewer words, or take away a filter." }
        }
        (rows::list(visit, shown.items, found.near.as_ref().map(|end| end.point)))
        (pager(visit.request, &shown))
    };
    let mut points: Vec<_> = shown.items.iter().map(|place| place.point).collect();
    let pins: Vec<_> = found.near.iter().map(|end| end.point).collect();
    points.extend(&pins);
    if points.is_empty() {
        points.extend(town.iter().flat_map(|town| &town.crossings));
    }
    let overlay = Overlay { places: shown.items.to_vec(), route: Vec::new(), pins };
    page(visit, title, &panel, View::around(&points), &overlay)
}
