use maud::{Markup, html};

use super::layout::{city_field, crowns, date_field, page, stepper};
use crate::Response;
use crate::kit::calendar::TODAY;
use crate::travel::View;
use crate::travel::catalogue::City;
use crate::travel::search::{MOST_NIGHTS, MOST_PEOPLE};

const DEALS: [(&str, &str, i32); 6] = [
    ("GRH", "ESP", 24),
    ("ORL", "KAL", 31),
    ("ALD", "BRV", 40),
    ("PTA", "FJL", 19),
    ("TLL", "ZEP", 52),
    ("HLM", "MRS", 28),
];

pub(in crate::travel) fn show(view: &View<'_>) -> Response {
    let content = html! {
        section.hero {
            h1 { "Somewhere else is closer than you think" }
            (search_panel())
        }
        section {
            h2 { "Fares worth packing for" }
            div.deals {
                @for (from, to, ahead) in DEALS { @if let (Some(from), Some(to)) = (City::named(from), City::named(to)) {
                    @if let Some(flight) = view.catalogue.flights(from, to, TODAY.plus(ahead)).into_iter().min_by_key(|flight| flight.price) {
                        a.deal href=(format!("/flights/{}", flight.id)) {
                            img src=(format!("/picture/{}.svg", to.slug())) alt="" width="300" height="180";
                            span { b { (from.name) " to " (to.name) } small { (flight.day) ", " (flight.airline) } em { "from " (crowns(flight.price)) } }
                        }
                    }
                } }
            }
        }
        section {
            h2 { "Cities people come back to" }
            div.chips { @for city in City::all().take(12) { a href=(format!("/cities/{}", city.slug())) { (city.name) } } }
        }
    };
    page(view, "Flights and stays", &content)
}

/// Two searches behind tabs.
fn search_panel() -> Markup {
    let soon = TODAY.plus(14);
    html! {
        div.panel data-tabs {
            div role="tablist" aria-label="What are you looking for?" {
                button type="button" role="tab" id="tab-flights" aria-controls="panel-flights" aria-selected="true" { "Flights" }
                button type="button" role="tab" id="tab-stays" aria-controls="panel-stays" aria-selected="false" { "Stays" }
            }
            form.searching id="panel-flights" role="tabpanel" aria-labelledby="tab-flights" action="/flights" {
                (city_field("from", "From", "")) (city_field("to", "To", "")) (date_field("date", "Departure date", soon)) (stepper("people", "Travellers", 1, MOST_PEOPLE))
                button.go type="submit" { "Search flights" }
            }
            form.searching id="panel-stays" role="tabpanel" aria-labelledby="tab-stays" action="/stays" hidden {
                (city_field("city", "Where to", "")) (date_field("date", "Arrival date", soon)) (stepper("nights", "Nights", 2, MOST_NIGHTS)) (stepper("people", "Guests", 1, MOST_PEOPLE))
                button.go type="submit" { "Search stays" }
            }
        }
    }
}
