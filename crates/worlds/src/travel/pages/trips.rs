use maud::{Markup, html};

use super::layout::{crowns, not_found, page};
use crate::Response;
use crate::travel::View;
use crate::travel::state::{Booked, Trip, TripStatus};

pub(in crate::travel) fn all(view: &View<'_>) -> Response {
    let favourites = view.state.favourites.iter().filter_map(|id| view.catalogue.stay(&id.to_string()));
    let content = html! {
        h1 { "My trips" }
        @if view.state.trips.is_empty() { p.empty { "No bookings yet. The world is patient." } }
        @for (reference, trip) in &view.state.trips {
            article.card { h2 { a href=(format!("/trips/{reference}")) { (reference) } } (summary(view, trip)) }
        }
        h2 { "Favourites" }
        @if view.state.favourites.is_empty() { p { "Nothing marked." } }
        ul { @for stay in favourites { li { a href=(format!("/stays/{}", stay.id)) { (stay.name) } ", " (stay.city.name) } } }
    };
    page(view, "My trips", &content)
}

pub(in crate::travel) fn one(view: &View<'_>, reference: &str) -> Response {
    let Some(trip) = view.state.trips.get(reference) else { return not_found(view) };
    let content = html! {
        h1 { "Booking " (reference) }
        section.card {
            (summary(view, trip))
            @if trip.status == TripStatus::Confirmed {
                form method="post" action=(format!("/trips/{reference}/cancel")) { button type="submit" { "Cancel booking" } }
            }
        }
    };
    page(view, reference, &content)
}

fn summary(view: &View<'_>, trip: &Trip) -> Markup {
    html! {
        dl {
            @match &trip.booked {
                Booked::Flight { id, bag, .. } => @if let Some(flight) = view.catalogue.flight(id) {
                    dt { "Flight" } dd { (flight.airline) " " (flight.number) ", " (flight.from.name) " to " (flight.to.name) }
                    dt { "Day" } dd { (flight.day) }
                    dt { "Bag" } dd { (if *bag { "one checked" } else { "hand luggage" }) }
                },
                Booked::Stay { id, arrival, nights, .. } => @if let Some(stay) = view.catalogue.stay(&id.to_string()) {
                    dt { "Stay" } dd { (stay.name) ", " (stay.city.name) }
                    dt { "Arrival" } dd { (arrival) ", " (nights) " nights" }
                },
            }
            dt { "Booked for" } dd { (trip.name) ", " (trip.people) (if trip.people == 1 { " person" } else { " people" }) }
            dt { "Total" } dd { (crowns(trip.total)) }
            dt { "Status" } dd { (match trip.status { TripStatus::Confirmed => "confirmed", TripStatus::Cancelled => "cancelled" }) }
        }
    }
}
