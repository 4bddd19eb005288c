use maud::{Markup, html};

use super::layout::{city_field, crowns, date_field, not_found, page, stepper};
use crate::Response;
use crate::kit::text::thousands;
use crate::travel::View;
use crate::travel::catalogue::{City, Stay};
use crate::travel::search::{self, MOST_NIGHTS, MOST_PEOPLE, STAY_ORDERS};
use crate::travel::vocabulary::{AMENITIES, KINDS};

pub(in crate::travel) fn results(view: &View<'_>) -> Response {
    let request = view.request;
    let typed = request.query("city").unwrap_or_default();
    let content = html! {
        form.searching.slim action="/stays" {
            (city_field("city", "Where to", typed)) (date_field("date", "Arrival date", search::day(request)))
            (stepper("nights", "Nights", search::nights(request), MOST_NIGHTS)) (stepper("people", "Guests", search::people(request), MOST_PEOPLE))
            button.go type="submit" { "Search stays" }
        }
        @match City::named(typed) {
            Some(city) => (found(view, city)),
            None if typed.is_empty() => { h1 { "Stays" } p { "Say where you would like to sleep." } },
            None => p.problem role="alert" { "We have no beds there. See " a href="/cities" { "all cities" } " for the places we know." },
        }
    };
    page(view, "Stays", &content)
}

fn found(view: &View<'_>, city: City) -> Markup {
    let request = view.request;
    let found = search::stays(view.catalogue, request, city);
    let nights = search::nights(request);
    html! {
        h1 { "Stays in " (city.name) }
        div.columns {
            form.filters action="/stays" aria-label="Filters" {
                input type="hidden" name="city" value=(city.name);
                input type="hidden" name="date" value=(search::day(request).iso());
                input type="hidden" name="nights" value=(nights);
                input type="hidden" name="people" value=(search::people(request));
                fieldset { legend { "Kind of stay" }
                    @for (id, _, label) in KINDS { label { input type="checkbox" name="kind" value=(id) checked[request.queries("kind").any(|kind| kind == id)]; (label) } }
                }
                label.field { span { "Stars" } select name="stars" {
                    option value="" { "Any" }
                    @for stars in 2..=5 { option value=(stars) selected[request.query("stars") == Some(&stars.to_string())] { (stars) " stars and more" } }
                } }
                fieldset { legend { "Comforts" }
                    @for (id, label) in AMENITIES { label { input type="checkbox" name="amenity" value=(id) checked[request.queries("amenity").any(|amenity| amenity == id)]; (label) } }
                }
                label { input type="checkbox" name="cancellable" checked[request.query("cancellable").is_some()]; "Free cancellation" }
                label.field { span { "Highest price a night" } input type="number" name="max" min="1" value=[request.query("max")]; }
                label.field { span { "Sort by" } select name="sort" {
                    @for (id, label) in STAY_ORDERS { option value=(id) selected[request.query("sort") == Some(id)] { (label) } }
                } }
                button type="submit" { "Update results" }
            }
            div.results {
                p role="status" { (found.total) " places to stay, page " (found.page) " of " (found.pages) }
                @if found.stays.is_empty() { p.empty { "Nothing fits. Loosen a filter." } }
                @for stay in &found.stays { (card(view, stay, nights)) }
                @if found.pages > 1 { nav.pages aria-label="Pages" {
                    @if found.page > 1 { a href=(page_link(view, found.page - 1)) { "Previous page" } }
                    @if found.page < found.pages { a href=(page_link(view, found.page + 1)) { "Next page" } }
                } }
            }
        }
    }
}

fn card(view: &View<'_>, stay: &Stay, nights: u32) -> Markup {
    html! {
        article.stay {
            img src=(format!("/picture/{}.svg", stay.id)) alt="" width="200" height="130" loading="lazy";
            div {
                h2 { a href=(format!("/stays/{}?date={}&nights={nights}", stay.id, search::day(view.request).iso())) { (stay.name) } }
                p { span.stars aria-label=(format!("{} stars", stay.stars)) { (stars(stay.stars)) } " " (stay.neighbourhood) ", " (distance(stay)) " to the centre" }
                p.small { @for (id, label) in AMENITIES.iter().filter(|(id, _)| stay.amenities.contains(id)).take(4) { span.chip data-id=(id) { (label) } } }
            }
            div.price { span.score { (rating(stay)) } small { (thousands(u64::from(stay.reviews))) " reviews" } b { (crowns(stay.price)) } small { "a night" } }
        }
    }
}

fn page_link(view: &View<'_>, page: usize) -> String {
    let others = view.request.query.iter().filter(|(name, value)| name != "page" && !value.is_empty());
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(others)
        .append_pair("page", &page.to_string())
        .finish();
    format!("/stays?{query}")
}

fn stars(count: u32) -> String {
    "★".repeat(count as usize)
}

fn rating(stay: &Stay) -> String {
    format!("{}.{}", stay.rating / 10, stay.rating % 10)
}

fn distance(stay: &Stay) -> String {
    format!("{}.{} km", stay.distance / 1000, stay.distance % 1000 / 100)
}

pub(in crate::travel) fn one(view: &View<'_>, id: &str, problem: Option<&str>) -> Response {
    let Some(stay) = view.catalogue.stay(id) else { return not_found(view) };
    let is_marked = view.state.favourites.contains(&stay.id);
    let typed = |name| view.request.form(name).unwrap_or_default();
    let content = html! {
        div.stay-head {
            div {
                h1 { (stay.name) }
                p { span.stars aria-label=(format!("{} stars", stay.stars)) { (stars(stay.stars)) } " " (stay.neighbourhood) ", " a href=(format!("/cities/{}", stay.city.slug())) { (stay.city.name) } }
            }
            form method="post" action=(format!("/stays/{}/favourite", stay.id)) {
                button type="submit" aria-pressed=(is_marked) { (if is_marked { "♥ In your favourites" } else { "♡ Add to favourites" }) }
            }
        }
        div.columns.wide-left {
            section.card data-tabs {
                img.wide src=(format!("/picture/{}.svg", stay.id)) alt="" width="640" height="300";
                div role="tablist" aria-label="About this stay" {
                    @for (index, name) in ["Overview", "Comforts", "House rules"].iter().enumerate() {
                        button type="button" role="tab" aria-controls=(format!("about-{index}")) aria-selected=(index == 0) { (name) }
                    }
                }
                div id="about-0" role="tabpanel" { p { (stay.line) } p { "Guests rate it " b { (rating(stay)) } " of 10 in " (thousands(u64::from(stay.reviews))) " reviews. It is " (distance(stay)) " from the centre." } }
                div id="about-1" role="tabpanel" hidden { ul { @for (_, label) in AMENITIES.iter().filter(|(id, _)| stay.amenities.contains(id)) { li { (label) } } } }
                div id="about-2" role="tabpanel" hidden {
                    dl {
                        dt { "Check-in" } dd { "from " (stay.check_in_from) ":00" }
                        dt { "Check-out" } dd { "until 11:00" }
                        dt { "Cancellation" } dd { @match stay.free_cancellation {
                            Some(1) => "free until 1 day before arrival",
                            Some(days) => { "free until " (days) " days before arrival" }
                            None => "not refundable",
                        } }
                        dt { "Pets" } dd { @if stay.amenities.contains("pets") { "welcome" } @else { "not allowed" } }
                    }
                }
            }
            form.card method="post" action=(format!("/stays/{}", stay.id)) {
                h2 { (crowns(stay.price)) " a night" }
                @if let Some(problem) = problem { p.problem role="alert" { (problem) } }
                (date_field("arrival", "Arrival date", search::day(view.request)))
                (stepper("nights", "Nights", search::nights(view.request), MOST_NIGHTS))
                (stepper("people", "Guests", search::people(view.request), MOST_PEOPLE))
                label.field { span { "Full name" } input type="text" name="name" value=(typed("name")); }
                label.field { span { "E-mail" } input type="text" name="email" value=(typed("email")); }
                label.field { span { "Note to the host (optional)" } textarea name="note" rows="2" {} }
                button.go type="submit" { "Book this stay" }
            }
        }
    };
    page(view, &stay.name, &content)
}
