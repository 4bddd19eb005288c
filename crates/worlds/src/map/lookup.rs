//! From words to places: searches with their filters, suggestions, and the ends of a route.

use super::Visit;
use super::catalogue::{Catalogue, Place};
use super::categories::Category;
use super::reviews;
use super::routing::End;
use crate::geography::{Country, Point};
use crate::kit::calendar::TODAY;

/// 09:30, as [`crate::Clock::NOW`] says.
const MINUTE_NOW: u32 = 9 * 60 + 30;
const LONGEST_QUESTION: usize = 120;
const FILLERS: [&str; 6] = ["in", "near", "the", "at", "a", "of"];

pub fn is_open_now(place: &Place) -> bool {
    place.hours.is_open(TODAY.weekday(), MINUTE_NOW)
}

/// Words that count, in lower case.
fn words(question: &str) -> Vec<String> {
    let question: String = question.chars().take(LONGEST_QUESTION).collect::<String>().to_lowercase();
    question
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty() && !FILLERS.contains(word))
        .map(str::to_owned)
        .collect()
}

/// What a search page shows.
pub struct Search<'a> {
    pub places: Vec<&'a Place>,
    /// Where distances are counted from.
    pub near: Option<End>,
}

/// The search that a request's parameters describe.
pub fn search(visit: Visit<'_>) -> Search<'_> {
    let question = words(visit.asked("q"));
    let category = visit.asked("category");
    let rating: u32 = visit.asked("rating").parse().unwrap_or(0);
    let near = match resolve(visit.country, visit.catalogue, visit.asked("near")) {
        Found::One(end) => Some(end),
        Found::Several(_) | Found::Nothing => None,
    };
    let fits = |place: &&Place| {
        question.iter().all(|word| place.words.contains(word.as_str()))
            && (category.is_empty() || place.category.slug == category)
            && (rating == 0 || reviews::tenths(place, None).is_some_and(|tenths| tenths >= rating * 10))
            && (visit.asked("open").is_empty() || is_open_now(place))
            && visit.request.queries("feature").all(|feature| place.has(feature))
    };
    let mut places: Vec<&Place> = visit.catalogue.places.iter().filter(fits).collect();
    match (visit.asked("sort"), &near) {
        ("rating", _) => places.sort_by_key(|place| {
            (
                std::cmp::Reverse(reviews::tenths(place, None).unwrap_or(0)),
                std::cmp::Reverse(place.stars.len()),
            )
        }),
        ("name", _) => places.sort_by(|a, b| a.name.cmp(&b.name)),
        (_, Some(end)) => {
            places.retain(|place| place.point.metres_to(end.point) < 40_000.0);
            places.sort_by(|a, b| a.point.metres_to(end.point).total_cmp(&b.point.metres_to(end.point)));
        }
        _ => {
            let whole = question.join(" ");
            places.sort_by_key(|place| !place.name.to_lowercase().contains(&whole));
        }
    }
    Search { places, near }
}

/// Towns and places that begin like what was typed.
pub fn suggestions(catalogue: &Catalogue, typed: &str) -> Vec<String> {
    let question = words(typed);
    if question.is_empty() {
        return Vec::new();
    }
    let whole = question.join(" ");
    let towns = catalogue.country.towns.iter().map(|town| &town.name);
    let towns = towns.filter(|name| name.to_lowercase().starts_with(&whole)).cloned();
    let kinds = super::categories::CATEGORIES.iter().map(|category: &Category| category.plural.to_owned());
    let kinds = kinds.filter(|name| name.to_lowercase().starts_with(&whole));
    let places = catalogue
        .places
        .iter()
        .filter(|place| question.iter().all(|word| place.words.contains(word.as_str())));
    let places = places.map(|place| catalogue.full_name(place));
    towns.chain(kinds).chain(places).take(7).collect()
}

pub enum Found {
    One(End),
    /// Texts that would be understood.
    Several(Vec<String>),
    Nothing,
}

/// What people type as an end of a route: coordinates, an address, a town, a place.
pub fn resolve(country: &Country, catalogue: &Catalogue, text: &str) -> Found {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST_QUESTION * 4 {
        return Found::Nothing;
    }
    if let Some(point) = coordinates(text) {
        return Found::One(End { label: point.coordinates(), point, address: country.address_at(point) });
    }
    if let Some(address) = address(country, text) {
        let label = country.write_address(address);
        return Found::One(End { label, point: country.point_of(address), address: Some(address) });
    }
    if let Some(town) = country.towns.iter().find(|town| town.name.eq_ignore_ascii_case(text)) {
        let middle = town.crossings[town.crossings.len() / 2];
        return Found::One(End { label: town.name.clone(), point: middle, address: None });
    }
    let end_of = |place: &Place| End {
        label: catalogue.full_name(place),
        point: place.point,
        address: Some(place.address),
    };
    let is_called = |place: &&Place| catalogue.full_name(place).eq_ignore_ascii_case(text);
    if let Some(place) = catalogue.places.iter().find(is_called) {
        return Found::One(end_of(place));
    }
    let question = words(text);
    let mut found = catalogue
        .places
        .iter()
        .filter(|place| question.iter().all(|word| place.words.contains(word.as_str())));
    match (found.next(), found.next()) {
        (None, _) => Found::Nothing,
        (Some(place), None) => Found::One(end_of(place)),
        (Some(first), Some(second)) => Found::Several(
            [first, second]
                .into_iter()
                .chain(found.take(5))
                .map(|place| catalogue.full_name(place))
                .collect(),
        ),
    }
}

/// `51.83127, -16.90412`, if it lies near the country.
pub fn coordinates(text: &str) -> Option<Point> {
    let (latitude, longitude) = text.split_once(',')?;
    let (latitude, longitude): (f64, f64) = (latitude.trim().parse().ok()?, longitude.trim().parse().ok()?);
    let is_near = (50.0..53.5).contains(&latitude) && (-19.5..-13.0).contains(&longitude);
    is_near.then(|| Point::at(latitude, longitude))
}

/// `14 Mill Street, Carrowmouth`.
fn address(country: &Country, text: &str) -> Option<crate::geography::Address> {
    let (line, town) = text.split_once(',')?;
    let at = country.towns.iter().position(|known| known.name.eq_ignore_ascii_case(town.trim()))?;
    let (number, street) = line.trim().split_once(' ')?;
    let known = &country.towns[at].streets;
    let street = known.iter().position(|known| known.name.eq_ignore_ascii_case(street.trim()))?;
    let number =
        number.parse().ok().filter(|number| (1..=country.towns[at].last_number(street)).contains(number))?;
    Some(crate::geography::Address { town: at, street, number })
}
