//! What others wrote about a place: made up from the place whenever a page asks, so that worlds stay small.

use umpire_model::Random;

use super::catalogue::{Catalogue, Place};
use crate::kit::calendar::{Day, TODAY};
use crate::kit::text::choose;

pub struct Written {
    pub author: String,
    pub stars: u32,
    pub day: Day,
    pub text: String,
}

const GIVEN: &[&str] = &[
    "Ada", "Bruno", "Celeste", "Dario", "Edda", "Florian", "Greta", "Hamza", "Isolde", "Jonas", "Katya",
    "Lorcan", "Mirela", "Nadim", "Ottilie", "Piers", "Ruta", "Soren", "Tamsin", "Viggo",
];
const WELL: &[&str] = &[
    "Worth the walk, every time.",
    "They remembered us from last year.",
    "Better than the pictures, and quieter.",
    "Fair, friendly and quick.",
    "I would send my own mother here.",
    "The best in town, and the town knows it.",
];
const MIDDLING: &[&str] = &[
    "Fine, nothing to write home about.",
    "Good on a weekday, hopeless on a Saturday.",
    "It does what it says.",
    "Pleasant enough, a little tired at the edges.",
    "Neither here nor there.",
];
const BADLY: &[&str] = &[
    "We left sooner than planned.",
    "Nobody seemed to be in charge.",
    "The sign is the best part of it.",
    "Closed when it should have been open.",
    "Twice was once too often.",
];
const DETAILS: &[&str] = &[
    "Look for the side entrance.",
    "Parking nearby is a matter of luck.",
    "Ask about the back room.",
    "Bring small change.",
    "The staff could not have been kinder.",
    "Mind the step.",
    "Go early.",
    "There is a bench outside in the sun.",
    "The queue moves faster than it looks.",
    "Not easy with a pushchair.",
];

/// Newest first.
pub fn of(catalogue: &Catalogue, place: &Place) -> Vec<Written> {
    let mut random = Random::stream(catalogue.seed, &format!("map reviews {}", place.id));
    let mut day = TODAY;
    let written = place.stars.iter().map(|&stars| {
        day = day.minus(random.between(1, 70) as i32);
        let opinion = match stars {
            4.. => choose(&mut random, WELL),
            3 => choose(&mut random, MIDDLING),
            _ => choose(&mut random, BADLY),
        };
        let initial = char::from(b'A' + random.below(26) as u8);
        Written {
            author: format!("{} {initial}.", choose(&mut random, GIVEN)),
            stars,
            day,
            text: format!("{opinion} {}", choose(&mut random, DETAILS)),
        }
    });
    written.collect()
}

/// `4.3`, with the visitor's own stars counted in; none without any.
pub fn average(place: &Place, own: Option<u32>) -> Option<String> {
    tenths(place, own).map(|tenths| format!("{}.{}", tenths / 10, tenths % 10))
}

/// 43 for 4.3.
pub fn tenths(place: &Place, own: Option<u32>) -> Option<u32> {
    let sum: u32 = place.stars.iter().chain(own.as_ref()).sum();
    let count = (place.stars.len() + usize::from(own.is_some())) as u32;
    (sum * 10 + count / 2).checked_div(count)
}
