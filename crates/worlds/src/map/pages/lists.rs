//! Saved lists.

use maud::html;

use super::layout::page;
use super::rows;
use crate::Response;
use crate::kit::lists::counted;
use crate::map::Visit;
use crate::map::catalogue::Place;
use crate::map::drawing::{Overlay, View};

pub fn all(visit: Visit<'_>) -> Response {
    let panel = html! {
        h1 { "Saved" }
        ul.rows { @for (id, list) in &visit.state.lists {
            li {
                h3 { a href={ "/lists/" (id) } { (list.name) } }
                p.muted { (counted(list.places.len(), "place")) " · " (if list.shared { "shared by link" } else { "private" }) }
            }
        } }
        @if visit.state.lists.is_empty() { p { "You have no lists yet." } }
        h2 { "New list" }
        form method="post" action="/lists" {
            label { "Name of the list" input type="text" name="name" maxlength="60" value=(visit.request.form("name").unwrap_or_default()); }
            button type="submit" { "Create list" }
        }
    };
    page(visit, "Saved", &panel, View::whole_country(), &Overlay::default())
}

pub fn one(visit: Visit<'_>, id: &str) -> Option<Response> {
    let list = visit.state.lists.get(id)?;
    let places: Vec<&Place> = list.places.keys().filter_map(|place| visit.catalogue.place(*place)).collect();
    let panel = html! {
        p { a href="/lists" { "All lists" } }
        h1 { (list.name) }
        p.muted { (counted(places.len(), "place")) }
        @if places.is_empty() { p { "Nothing here yet. Open a place and save it to this list." } }
        ol.rows { @for place in &places {
            li {
                h3 { a href={ "/place/" (place.id) } { (place.name) } }
                p { (rows::stars(visit, place)) " · " (place.category.name) }
                p.muted { (visit.country.write_address(place.address)) }
                @if let Some(note) = list.places.get(&place.id).filter(|note| !note.is_empty()) { p.note { "“" (note) "”" } }
                form method="post" action={ "/lists/" (id) "/remove" } {
                    input type="hidden" name="place" value=(place.id);
                    button.small type="submit" aria-label={ "Remove " (place.name) } { "Remove" }
                }
            }
        } }
        details.filters {
            summary { "List settings" }
            form method="post" action={ "/lists/" (id) } {
                label { "Name of the list" input type="text" name="name" maxlength="60" value=(visit.request.form("name").unwrap_or(&list.name)); }
                label.tick { input type="checkbox" name="shared" checked[list.shared]; "Anyone with the link can see this list" }
                button type="submit" { "Save list" }
            }
            form method="post" action={ "/lists/" (id) "/delete" } {
                button.danger type="submit" { "Delete list" }
            }
        }
    };
    let points: Vec<_> = places.iter().map(|place| place.point).collect();
    let overlay = Overlay { places, ..Overlay::default() };
    Some(page(visit, &list.name, &panel, View::around(&points), &overlay))
}
