use maud::html;

use super::layout::{crowns, not_found, page};
use crate::Response;
use crate::travel::View;
use crate::travel::catalogue::City;

const BEST_STAYS: usize = 5;

pub(in crate::travel) fn all(view: &View<'_>) -> Response {
    let content = html! {
        h1 { "Cities" }
        div.deals { @for city in City::all() {
            a.deal href=(format!("/cities/{}", city.slug())) {
                img src=(format!("/picture/{}.svg", city.slug())) alt="" width="300" height="180" loading="lazy";
                span { b { (city.name) } small { (city.region) } }
            }
        } }
    };
    page(view, "Cities", &content)
}

pub(in crate::travel) fn one(view: &View<'_>, slug: &str) -> Response {
    let Some(city) = City::of_slug(slug) else { return not_found(view) };
    let mut stays: Vec<_> = view.catalogue.stays.iter().filter(|stay| stay.city == city).collect();
    let cheapest = stays.iter().map(|stay| stay.price).min().unwrap_or_default();
    stays.sort_by_key(|stay| std::cmp::Reverse((stay.rating, stay.reviews)));
    let content = html! {
        div.city-head { img src=(format!("/picture/{slug}.svg")) alt="" width="640" height="300"; div { h1 { (city.name) } p { (city.about()) } } }
        div.columns.wide-left {
            section.card {
                h2 { "Best rated" }
                ol { @for stay in stays.iter().take(BEST_STAYS) { li { a href=(format!("/stays/{}", stay.id)) { (stay.name) } ", " (stay.neighbourhood) } } }
                a.button href=(format!("/stays?city={slug}", slug = city.code)) { "All stays in " (city.name) }
            }
            section.card {
                h2 { "Good to know" }
                dl { dt { "Airport" } dd { (city.code) } dt { "Region" } dd { (city.region) } dt { "Places to stay" } dd { (stays.len()) } dt { "From" } dd { (crowns(cheapest)) " a night" } }
            }
        }
    };
    page(view, city.name, &content)
}
