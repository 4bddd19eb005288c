//! One place.

use maud::{Markup, html};

use super::layout::page;
use super::rows;
use crate::Response;
use crate::kit::calendar::TODAY;
use crate::kit::lists::counted;
use crate::map::Visit;
use crate::map::catalogue::{FEATURES, Place};
use crate::map::drawing::{Overlay, View};
use crate::map::hours::DAYS;
use crate::map::{lookup, reviews};

pub fn show(visit: Visit<'_>, id: &str) -> Option<Response> {
    let place = visit.catalogue.place_of_text(id)?;
    let town = &visit.country.towns[place.address.town];
    let name = visit.catalogue.full_name(place);
    let link = |path: &str, key: &str| {
        let query = url::form_urlencoded::Serializer::new(String::new()).append_pair(key, &name).finish();
        format!("{path}?{query}")
    };
    let panel = html! {
        h1 { (place.name) }
        p { (rows::stars(visit, place)) " · "
            a href={ "/search?category=" (place.category.slug) } { (place.category.name) } " " (rows::price(place)) }
        p.actions {
            a.button href=(link("/route", "to")) { "Directions to here" }
            a.button href=(link("/route", "from")) { "Directions from here" }
            a.button href=(link("/search", "near")) { "Search nearby" }
        }
        dl.facts {
            dt { "Address" } dd { (visit.country.write_address(place.address)) }
            dt { "District" } dd { (town.district_of(place.address)) ", " a href={ "/town/" (town.slug) } { (town.name) } }
            dt { "Phone" } dd { (place.phone) }
            dt { "Coordinates" } dd { (place.point.coordinates()) }
            @if let Some(article) = &place.article {
                dt { "Read more" } dd { a href={ "http://encyclopedia.localhost/article/" (article) } { (place.name) " in Quire" } }
            }
        }
        (hours(place))
        @if !place.features.is_empty() {
            h2 { "Good to know" }
            ul.features { @for (code, name) in FEATURES { @if place.has(code) { li { (name) } } } }
        }
        (saving(visit, place))
        (written(visit, place))
        p { a href={ "/place/" (place.id) "/suggest" } { "Suggest an edit" } }
    };
    let overlay = Overlay { places: vec![place], ..Overlay::default() };
    Some(page(visit, &name, &panel, View { zoom: 6, ..View::around(&[place.point]) }, &overlay))
}

fn hours(place: &Place) -> Markup {
    html! {
        details.hours {
            summary { "Opening hours · "
                @if lookup::is_open_now(place) { span.open { "Open now" } } @else { span.shut { "Closed now" } } }
            table {
                tbody { @for (day, name) in DAYS.iter().enumerate() {
                    tr.today[day == TODAY.weekday()] { th scope="row" { (name) } td { (place.hours.on(day)) } }
                } }
            }
        }
    }
}

fn saving(visit: Visit<'_>, place: &Place) -> Markup {
    html! {
        h2 { "Save" }
        @for (id, list) in visit.state.lists.iter().filter(|(_, list)| list.places.contains_key(&place.id)) {
            p.card { "In your list " a href={ "/lists/" (id) } { (list.name) } }
        }
        form.save method="post" action={ "/place/" (place.id) "/save" } {
            label { "List"
                select name="list" { @for (id, list) in &visit.state.lists { option value=(id) { (list.name) } } }
            }
            label { "Note" input type="text" name="note" maxlength="200"; }
            button type="submit" { "Save to list" }
        }
    }
}

fn written(visit: Visit<'_>, place: &Place) -> Markup {
    let others = reviews::of(visit.catalogue, place);
    html! {
        h2 { "Reviews" }
        @if place.category.takes_reviews() {
            @if let Some(own) = visit.state.reviews.get(&place.id) {
                article.review.own {
                    p { strong { "You" } " · " (own.stars) " of 5" }
                    p { (own.text) }
                    a href={ "/place/" (place.id) "/review" } { "Edit your review" }
                }
            } @else {
                p { a.button href={ "/place/" (place.id) "/review" } { "Write a review" } }
            }
            p.muted { (counted(others.len(), "review")) " by others" }
            @for review in others {
                article.review {
                    p { strong { (review.author) } " · " (review.stars) " of 5 · " span.muted { (review.day) } }
                    p { (review.text) }
                }
            }
        } @else { p.muted { "Authorities and schools cannot be reviewed." } }
    }
}
