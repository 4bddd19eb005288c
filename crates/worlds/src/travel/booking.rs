//! What a visitor does: book, cancel, mark.

use http::StatusCode;

use super::catalogue::{Flight, bookable};
use super::search::{MOST_NIGHTS, MOST_PEOPLE};
use super::state::{Booked, Seat, Trip, TripStatus};
use super::{Travel, pages};
use crate::kit::text::bounded;
use crate::{Request, Response};

pub const BAG_PRICE: u32 = 24;
const LONGEST_TEXT: usize = 160;
/// A visitor who books without end stops here.
const MOST_TRIPS: usize = 100;

/// Who travels, or what is wrong with the form.
struct Traveller {
    name: String,
    email: String,
    people: u32,
}

fn traveller(request: &Request) -> Result<Traveller, &'static str> {
    let text = |name| bounded(request.form(name).unwrap_or_default(), LONGEST_TEXT);
    let (name, email) = (text("name"), text("email"));
    if name.split_whitespace().count() < 2 {
        return Err("Please enter first and last name, as in the passport.");
    }
    let looks_like_address =
        email.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'));
    if !looks_like_address {
        return Err("Please enter an e-mail address that we can send the confirmation to.");
    }
    match request.form("people").and_then(|people| people.parse().ok()) {
        Some(people @ 1..=MOST_PEOPLE) => Ok(Traveller { name, email, people }),
        _ => Err("Between one and nine people can travel together."),
    }
}

pub(super) fn book_flight(travel: &mut Travel, request: &Request, id: &str) -> Response {
    let Some(flight) = travel.catalogue.flight(id) else {
        return pages::layout::not_found(&travel.view(request));
    };
    let traveller = traveller(request).and_then(|traveller| {
        let fits = traveller.people <= flight.seats;
        fits.then_some(traveller).ok_or("There are not enough seats left on this flight.")
    });
    match traveller {
        Ok(traveller) => {
            let trip = flight_trip(&flight, traveller, request);
            confirm(travel, trip)
        }
        Err(problem) => pages::flights::one(&travel.view(request), id, Some(problem))
            .status(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

fn flight_trip(flight: &Flight, traveller: Traveller, request: &Request) -> Trip {
    let bag = request.form("bag").is_some();
    let seat = match request.form("seat") {
        Some("window") => Seat::Window,
        Some("aisle") => Seat::Aisle,
        _ => Seat::Any,
    };
    let extra = if bag && !flight.bag_included { BAG_PRICE } else { 0 };
    let Traveller { name, email, people } = traveller;
    let booked = Booked::Flight { id: flight.id.clone(), bag, seat };
    Trip {
        booked,
        name,
        email,
        people,
        total: (flight.price + extra) * people,
        status: TripStatus::Confirmed,
    }
}

pub(super) fn book_stay(travel: &mut Travel, request: &Request, id: &str) -> Response {
    let Some((id, price)) = travel.catalogue.stay(id).map(|stay| (stay.id, stay.price)) else {
        return pages::layout::not_found(&travel.view(request));
    };
    let arrival = request.form("arrival").and_then(bookable).ok_or("Please choose a day of arrival.");
    let nights = request
        .form("nights")
        .and_then(|nights| nights.parse().ok())
        .filter(|nights| (1..=MOST_NIGHTS).contains(nights));
    let nights = nights.ok_or("A stay lasts between one and 28 nights.");
    let whole = traveller(request).and_then(|traveller| Ok((traveller, arrival?, nights?)));
    match whole {
        Ok((Traveller { name, email, people }, arrival, nights)) => {
            let note = bounded(request.form("note").unwrap_or_default(), LONGEST_TEXT);
            let booked = Booked::Stay { id, arrival: arrival.iso(), nights, note };
            confirm(
                travel,
                Trip { booked, name, email, people, total: price * nights, status: TripStatus::Confirmed },
            )
        }
        Err(problem) => pages::stays::one(&travel.view(request), &id.to_string(), Some(problem))
            .status(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

fn confirm(travel: &mut Travel, trip: Trip) -> Response {
    if travel.state.trips.len() >= MOST_TRIPS {
        return Response::see_other("/trips");
    }
    travel.state.bookings = travel.state.bookings.saturating_add(1);
    let reference = format!("SKY-{}", 4100 + travel.state.bookings);
    travel.state.trips.insert(reference.clone(), trip);
    Response::see_other(&format!("/trips/{reference}?done=booked"))
}

pub(super) fn mark(travel: &mut Travel, request: &Request, id: &str) -> Response {
    let Some(id) = travel.catalogue.stay(id).map(|stay| stay.id) else {
        return pages::layout::not_found(&travel.view(request));
    };
    let favourites = &mut travel.state.favourites;
    if !favourites.remove(&id) {
        favourites.insert(id);
    }
    Response::see_other(&format!("/stays/{id}"))
}

pub(super) fn cancel(travel: &mut Travel, request: &Request, reference: &str) -> Response {
    match travel.state.trips.get_mut(reference) {
        Some(trip) => {
            trip.status = TripStatus::Cancelled;
            Response::see_other(&format!("/trips/{reference}?done=cancelled"))
        }
        None => pages::layout::not_found(&travel.view(request)),
    }
}
