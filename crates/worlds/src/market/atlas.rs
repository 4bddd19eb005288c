//! Cities, their streets, and how far it is from one address to another.

use std::fmt;

use umpire_model::Random;

pub const CITIES: [&str; 8] = [
    "Alderton",
    "Brightwater",
    "Caskwell",
    "Elmsbury",
    "Northam Falls",
    "Portmere",
    "Redcliff Bay",
    "Saint Orla",
];

const STREETS: [&str; 16] = [
    "Alder Street",
    "Bellfounder Lane",
    "Canal Road",
    "Dyer Street",
    "Eastgate Avenue",
    "Foundry Row",
    "Granary Street",
    "Harbour Road",
    "Ivy Lane",
    "Juniper Avenue",
    "Kestrel Way",
    "Linden Avenue",
    "Mill Street",
    "Orchard Road",
    "Quarry Lane",
    "Station Street",
];

const DISTRICTS: [[&str; 3]; 3] = [
    ["Northgate", "Elm Park", "Castle Green"],
    ["West End", "Old Town", "Riverside"],
    ["Market Hill", "Southbank", "Harbour Quarter"],
];

/// A city is this wide and high, in hundredths of a mile.
pub const EXTENT: i64 = 900;
const LAST_NUMBER: u32 = 225;

/// An address that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub city: &'static str,
    pub street: &'static str,
    pub number: u32,
}

/// Hundredths of a mile from the north-western corner of a city.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub x: i64,
    pub y: i64,
}

pub const CENTRE: Point = Point { x: EXTENT / 2, y: EXTENT / 2 };

impl Place {
    pub fn random(random: &mut Random, city: &'static str) -> Self {
        let street = random.pick(&STREETS).copied().unwrap_or(STREETS[0]);
        Self { city, street, number: random.between(1, i64::from(LAST_NUMBER)) as u32 }
    }

    /// Reads `118 Alder Street` or `118 alder street, Portmere` in a city.
    pub fn parse(city: &str, text: &str) -> Option<Self> {
        let city = CITIES.iter().find(|known| known.eq_ignore_ascii_case(city))?;
        let (line, rest) = text.split_once(',').unwrap_or((text, city));
        if !rest.trim().eq_ignore_ascii_case(city) {
            return None;
        }
        let (number, street) = line.trim().split_once(' ')?;
        let number = number.parse().ok().filter(|number| (1..=LAST_NUMBER).contains(number))?;
        let street = STREETS.iter().find(|known| known.eq_ignore_ascii_case(street.trim()))?;
        Some(Self { city, street, number })
    }

    pub fn point(self) -> Point {
        let along = i64::from(self.number) * EXTENT / i64::from(LAST_NUMBER + 1);
        point_on(self.city, self.street, along)
    }

    pub fn district(self) -> &'static str {
        let third = |at: i64| (at * 3 / EXTENT).clamp(0, 2) as usize;
        let Point { x, y } = self.point();
        DISTRICTS[third(y)][third(x)]
    }
}

/// Every other street runs from west to east, the rest from north to south.
fn point_on(city: &str, street: &str, along: i64) -> Point {
    let across = Random::stream(0, &format!("{city} {street}")).between(40, EXTENT - 40);
    let index = STREETS.iter().position(|known| *known == street).unwrap_or(0);
    if index.is_multiple_of(2) { Point { x: along, y: across } } else { Point { x: across, y: along } }
}

/// Both ends of every street of a city.
pub fn streets(city: &str) -> impl Iterator<Item = (Point, Point)> {
    STREETS.iter().map(move |street| (point_on(city, street, 0), point_on(city, street, EXTENT)))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, {}", self.number, self.street, self.city)
    }
}

impl Point {
    /// Tenths of a mile as the crow flies, rounded up, so that "within a mile" is never a lie.
    pub fn tenths_to(self, other: Self) -> i64 {
        let (dx, dy) = ((self.x - other.x) as f64, (self.y - other.y) as f64);
        (dx.hypot(dy) / 10.0).ceil() as i64
    }
}

/// `2.4 mi`.
pub fn miles(tenths: i64) -> String {
    format!("{}.{} mi", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let place = Place { city: "Portmere", street: "Alder Street", number: 118 };
        for text in ["118 Alder Street", " 118 alder street , portmere", "118 ALDER STREET"] {
            assert_eq!(Place::parse("Portmere", text), Some(place), "{text}");
        }
        assert_eq!(Place::parse(place.city, &place.to_string()), Some(place));
        for text in
            ["", "Alder Street", "0 Alder Street", "118 Alder Street, Caskwell", "999 Ivy Lane", "1 Oak"]
        {
            assert_eq!(Place::parse("Portmere", text), None, "{text}");
        }
    }

    #[test]
    fn distances_are_symmetric_and_addresses_lie_inside_their_city() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let [here, there] = [0, 1].map(|_| Place::random(&mut random, CITIES[3]).point());
            assert_eq!(here.tenths_to(there), there.tenths_to(here));
            assert!((0..=EXTENT).contains(&here.x) && (0..=EXTENT).contains(&here.y));
        }
        assert_eq!(Point { x: 0, y: 0 }.tenths_to(Point { x: 300, y: 400 }), 50);
        assert_eq!(miles(24), "2.4 mi");
    }
}
