//! Reviews, suggestions, missing places.

use maud::{Markup, html};

use super::layout::page;
use crate::Response;
use crate::map::Visit;
use crate::map::catalogue::Place;
use crate::map::categories::CATEGORIES;
use crate::map::drawing::{Overlay, View};
use crate::map::state::SuggestionKind;

fn about(visit: Visit<'_>, place: &Place, title: &str, panel: &Markup) -> Response {
    let overlay = Overlay { places: vec![place], ..Overlay::default() };
    page(visit, title, panel, View::around(&[place.point]), &overlay)
}

pub fn review(visit: Visit<'_>, id: &str) -> Option<Response> {
    let place = visit.catalogue.place_of_text(id)?;
    let own = visit.state.reviews.get(&place.id);
    let stars = visit
        .request
        .form("stars")
        .map_or_else(|| own.map(|own| own.stars.to_string()), |typed| Some(typed.to_owned()));
    let text = visit.request.form("text").or(own.map(|own| own.text.as_str())).unwrap_or_default();
    let panel = html! {
        p { a href={ "/place/" (place.id) } { "Back to " (place.name) } }
        h1 { "Your review of " (place.name) }
        @if place.category.takes_reviews() {
            form method="post" action={ "/place/" (place.id) "/review" } {
                fieldset.stars-input {
                    legend { "Your rating" }
                    @for number in 1..=5_u32 {
                        label { input type="radio" name="stars" value=(number) checked[stars.as_deref() == Some(number.to_string().as_str())];
                            span { (number) @if number == 1 { " star" } @else { " stars" } } }
                    }
                }
                label { "Your review" textarea name="text" rows="6" maxlength="1000" { (text) } }
                button type="submit" { "Publish review" }
            }
            @if own.is_some() {
                form method="post" action={ "/place/" (place.id) "/review/delete" } {
                    button.danger type="submit" { "Delete review" }
                }
            }
        } @else { p.problem { "Authorities and schools cannot be reviewed." } }
    };
    Some(about(visit, place, "Your review", &panel))
}

pub fn suggest(visit: Visit<'_>, id: &str) -> Option<Response> {
    let place = visit.catalogue.place_of_text(id)?;
    let chosen = visit.request.form("kind").unwrap_or_default();
    let panel = html! {
        p { a href={ "/place/" (place.id) } { "Back to " (place.name) } }
        h1 { "Suggest an edit" }
        p { (place.name) ", " (visit.country.write_address(place.address)) }
        form method="post" action={ "/place/" (place.id) "/suggest" } {
            label { "What is wrong?"
                select name="kind" {
                    option value="" { "Choose" }
                    @for (_, code, label) in SuggestionKind::ABOUT_PLACES { option value=(code) selected[code == chosen] { (label) } }
                }
            }
            label { "What should it say?" input type="text" name="text" maxlength="300" value=(visit.request.form("text").unwrap_or_default()); }
            button type="submit" { "Send suggestion" }
        }
    };
    Some(about(visit, place, "Suggest an edit", &panel))
}

pub fn missing(visit: Visit<'_>) -> Response {
    let typed = |name: &str| visit.request.form(name).unwrap_or_default().to_owned();
    let panel = html! {
        h1 { "Add a missing place" }
        form method="post" action="/missing" {
            label { "Name of the place" input type="text" name="name" maxlength="80" value=(typed("name")); }
            label { "Kind of place"
                select name="category" {
                    option value="" { "Choose" }
                    @for category in CATEGORIES { option value=(category.slug) selected[category.slug == typed("category")] { (category.name) } }
                }
            }
            label { "Address" input type="text" name="address" maxlength="120" placeholder="14 Mill Street, and the town" value=(typed("address")); }
            button type="submit" { "Send" }
        }
    };
    page(visit, "Add a missing place", &panel, View::whole_country(), &Overlay::default())
}

pub fn all(visit: Visit<'_>) -> Response {
    let panel = html! {
        h1 { "Your contributions" }
        h2 { "Reviews" }
        ul.rows { @for (id, review) in &visit.state.reviews {
            @if let Some(place) = visit.catalogue.place(*id) {
                li { h3 { a href={ "/place/" (id) } { (visit.catalogue.full_name(place)) } } p { (review.stars) " of 5" } p { (review.text) } }
            }
        } }
        @if visit.state.reviews.is_empty() { p { "You have not reviewed anything yet." } }
        h2 { "Suggestions" }
        @if visit.state.suggestions.is_empty() { p { "You have not suggested anything yet. " a href="/missing" { "Is a place missing?" } } }
        ul.rows { @for (id, suggestion) in &visit.state.suggestions {
            li {
                h3 { (suggestion.kind.label()) }
                @if let Some(place) = suggestion.place.and_then(|id| visit.catalogue.place(id)) {
                    p { a href={ "/place/" (place.id) } { (visit.catalogue.full_name(place)) } }
                }
                p { (suggestion.text) }
                p.muted { "Waiting to be looked at" }
                form method="post" action={ "/contributions/" (id) "/withdraw" } { button.small type="submit" { "Withdraw" } }
            }
        } }
    };
    page(visit, "Your contributions", &panel, View::whole_country(), &Overlay::default())
}
