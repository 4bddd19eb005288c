//! What a search asks for, as its address says it, and which flights and stays fit.

use std::cmp::Reverse;

use super::catalogue::{Catalogue, City, Flight, Stay, bookable};
use crate::Request;
use crate::kit::calendar::{Day, TODAY};

pub const STAYS_PER_PAGE: usize = 15;
/// Where a search without a date begins.
const USUAL_DAYS_AHEAD: i32 = 14;
pub const MOST_PEOPLE: u32 = 9;
pub const MOST_NIGHTS: u32 = 28;

/// `date`, if it can be booked.
pub fn day(request: &Request) -> Day {
    request.query("date").and_then(bookable).unwrap_or(TODAY.plus(USUAL_DAYS_AHEAD))
}

pub fn people(request: &Request) -> u32 {
    number(request, "people").unwrap_or(1).clamp(1, MOST_PEOPLE)
}

pub fn nights(request: &Request) -> u32 {
    number(request, "nights").unwrap_or(2).clamp(1, MOST_NIGHTS)
}

fn number(request: &Request, name: &str) -> Option<u32> {
    request.query(name)?.trim().parse().ok()
}

pub const FLIGHT_ORDERS: [(&str, &str); 3] =
    [("price", "Lowest price"), ("duration", "Shortest journey"), ("departure", "Earliest departure")];

pub fn flights(catalogue: &Catalogue, request: &Request, from: City, to: City) -> Vec<Flight> {
    let most_stops = number(request, "stops");
    let airlines: Vec<&str> = request.queries("airline").collect();
    let dearest = number(request, "max");
    let bag_only = request.query("bag").is_some();
    let mut flights = catalogue.flights(from, to, day(request));
    flights.retain(|flight| {
        most_stops.is_none_or(|most| flight.via.len() as u32 <= most)
            && (airlines.is_empty() || airlines.contains(&flight.airline))
            && dearest.is_none_or(|dearest| flight.price <= dearest)
            && (!bag_only || flight.bag_included)
    });
    match request.query("sort") {
        Some("duration") => flights.sort_by_key(|flight| flight.minutes),
        Some("departure") => {}
        _ => flights.sort_by_key(|flight| flight.price),
    }
    flights
}

pub const STAY_ORDERS: [(&str, &str); 4] = [
    ("picks", "Our picks"),
    ("price", "Lowest price"),
    ("rating", "Guest rating"),
    ("distance", "Closest to the centre"),
];

pub struct FoundStays<'a> {
    pub total: usize,
    pub page: usize,
    pub pages: usize,
    pub stays: Vec<&'a Stay>,
}

pub fn stays<'a>(catalogue: &'a Catalogue, request: &Request, city: City) -> FoundStays<'a> {
    let kinds: Vec<&str> = request.queries("kind").collect();
    let amenities: Vec<&str> = request.queries("amenity").collect();
    let (fewest_stars, dearest) = (number(request, "stars"), number(request, "max"));
    let cancellable = request.query("cancellable").is_some();
    let mut fitting: Vec<&Stay> = catalogue
        .stays
        .iter()
        .filter(|stay| {
            stay.city == city
                && (kinds.is_empty() || kinds.contains(&stay.kind))
                && amenities.iter().all(|amenity| stay.amenities.contains(amenity))
                && fewest_stars.is_none_or(|fewest| stay.stars >= fewest)
                && dearest.is_none_or(|dearest| stay.price <= dearest)
                && (!cancellable || stay.free_cancellation.is_some())
        })
        .collect();
    match request.query("sort") {
        Some("price") => fitting.sort_by_key(|stay| stay.price),
        Some("rating") => fitting.sort_by_key(|stay| (Reverse(stay.rating), Reverse(stay.reviews))),
        Some("distance") => fitting.sort_by_key(|stay| stay.distance),
        _ => {}
    }
    let total = fitting.len();
    let pages = total.div_ceil(STAYS_PER_PAGE).max(1);
    let page = (number(request, "page").unwrap_or(1) as usize).clamp(1, pages);
    let stays = fitting.into_iter().skip((page - 1) * STAYS_PER_PAGE).take(STAYS_PER_PAGE).collect();
    FoundStays { total, page, pages, stays }
}
