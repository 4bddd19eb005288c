//! What can be booked: cities and stays, built once per seed; and flights, worked out from route and day whenever they
//! are asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use umpire_model::Random;

use super::vocabulary::{
    AIRLINES, AMENITIES, CITIES, ELSEWHERE, KINDS, NEIGHBOURHOODS, REGIONS, STAY_FIRST, STAY_LINES,
};
use crate::kit::by_seed::BySeed;
use crate::kit::calendar::{Day, TODAY};
use crate::kit::text::{choose, slug};

const STAYS_PER_CITY: usize = 46;
pub const FIRST_STAY: u32 = 7001;
/// How far ahead one can book.
pub const LAST_DAY_AHEAD: i32 = 330;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct City {
    pub code: &'static str,
    pub name: &'static str,
    pub region: &'static str,
    x: i64,
    y: i64,
}

impl City {
    pub fn all() -> impl Iterator<Item = Self> {
        CITIES.iter().map(|&(code, name, region, x, y)| Self { code, name, region, x, y })
    }

    /// By code or name, as a visitor types them.
    pub fn named(text: &str) -> Option<Self> {
        let text = text.trim();
        Self::all().find(|city| city.code.eq_ignore_ascii_case(text) || city.name.eq_ignore_ascii_case(text))
    }

    pub fn of_slug(text: &str) -> Option<Self> {
        Self::all().find(|city| city.slug() == text)
    }

    pub fn slug(self) -> String {
        slug(self.name)
    }

    pub fn about(self) -> &'static str {
        REGIONS.iter().find(|(region, _)| *region == self.region).map_or(ELSEWHERE, |(_, about)| about)
    }

    /// Minutes in the air without a stop.
    fn minutes_to(self, other: Self) -> i64 {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        35 + (dx * dx + dy * dy).isqrt() * 6
    }
}

pub struct Stay {
    pub id: u32,
    pub name: String,
    pub city: City,
    pub kind: &'static str,
    pub stars: u32,
    /// Tenths: 87 is 8.7.
    pub rating: u32,
    pub reviews: u32,
    pub neighbourhood: &'static str,
    /// Metres to the centre.
    pub distance: u32,
    /// Whole crowns a night.
    pub price: u32,
    pub amenities: BTreeSet<&'static str>,
    /// Days before arrival until which cancelling costs nothing; never, if absent.
    pub free_cancellation: Option<u32>,
    pub line: &'static str,
    pub check_in_from: u32,
}

pub struct Flight {
    /// `GRH-ORL-2026-04-02-3`
    pub id: String,
    pub from: City,
    pub to: City,
    pub day: Day,
    pub airline: &'static str,
    pub number: String,
    /// Minutes after midnight.
    pub departs: i64,
    pub minutes: i64,
    pub via: Vec<&'static str>,
    pub price: u32,
    pub bag_included: bool,
    pub seats: u32,
}

impl Flight {
    /// `06:35`, and how many midnights later it lands.
    pub fn arrives(&self) -> (String, i64) {
        let total = self.departs + self.minutes;
        (clock(total), total / (24 * 60))
    }
}

pub fn clock(minutes: i64) -> String {
    let minutes = minutes.rem_euclid(24 * 60);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

pub struct Catalogue {
    pub seed: u64,
    /// By id.
    pub stays: Vec<Stay>,
}

impl Catalogue {
    pub fn shared(seed: u64) -> Arc<Self> {
        static BUILT: BySeed<Catalogue> = BySeed::new();
        BUILT.get(seed, |seed| Self { seed, stays: stays(seed) })
    }

    pub fn stay(&self, id: &str) -> Option<&Stay> {
        self.stays.get(id.parse::<u32>().ok()?.checked_sub(FIRST_STAY)? as usize)
    }

    /// A day's flights on a route, by departure.
    pub fn flights(&self, from: City, to: City, day: Day) -> Vec<Flight> {
        if from == to {
            return Vec::new();
        }
        let route = format!("{}-{}-{}", from.code, to.code, day.iso());
        let mut random = Random::stream(self.seed, &format!("travel flights {route}"));
        let count = 6 + random.below(6);
        let mut departures = BTreeSet::new();
        while departures.len() < count {
            departures.insert(random.between(66, 268) * 5);
        }
        let direct = from.minutes_to(to);
        let mut prices = BTreeSet::new();
        let flights = departures.into_iter().enumerate().map(|(index, departs)| {
            let stops = [0, 0, 1, 1, 2][random.below(5)];
            let (code, airline) = AIRLINES[random.below(AIRLINES.len())];
            let hubs: Vec<&str> =
                City::all().filter(|hub| *hub != from && *hub != to).map(|hub| hub.name).collect();
            let via = (0..stops).filter_map(|_| random.pick(&hubs).copied()).collect::<BTreeSet<_>>();
            let changes = i64::try_from(via.len()).unwrap_or_default();
            let mut price = 38 + direct * 3 / 5 + random.between(0, 170) - changes * 14;
            // No two flights of a day cost the same, so "the cheapest" always means one.
            while !prices.insert(price) {
                price += 1;
            }
            Flight {
                id: format!("{route}-{}", index + 1),
                from,
                to,
                day,
                airline,
                number: format!("{code} {}", random.between(101, 989)),
                departs,
                minutes: direct + changes * random.between(13, 31) * 5,
                via: via.into_iter().collect(),
                price: price.max(19) as u32,
                bag_included: random.chance(45),
                seats: random.between(1, 38) as u32,
            }
        });
        flights.collect()
    }

    /// `GRH-ORL-2026-04-02-3`, if there is such a flight.
    pub fn flight(&self, id: &str) -> Option<Flight> {
        let mut parts = id.splitn(3, '-');
        let (from, to, rest) = (parts.next()?, parts.next()?, parts.next()?);
        let (day, _) = rest.rsplit_once('-')?;
        let day = bookable(day)?;
        self.flights(City::named(from)?, City::named(to)?, day).into_iter().find(|flight| flight.id == id)
    }
}

/// A day in the future that one can book.
pub fn bookable(text: &str) -> Option<Day> {
    Day::try_from(text.to_owned()).ok().filter(|day| *day >= TODAY && *day <= TODAY.plus(LAST_DAY_AHEAD))
}

fn stays(seed: u64) -> Vec<Stay> {
    let mut built = Vec::with_capacity(CITIES.len() * STAYS_PER_CITY);
    for city in City::all() {
        let mut random = Random::stream(seed, &format!("travel stays {}", city.code));
        let mut names: BTreeMap<String, &'static str> = BTreeMap::new();
        while names.len() < STAYS_PER_CITY {
            let (kind, words, _) = KINDS[[0, 0, 0, 1, 1, 2, 2, 3][random.below(8)]];
            let first = choose(&mut random, STAY_FIRST);
            names.insert(format!("{first} {}", choose(&mut random, words)), kind);
        }
        let mut names: Vec<(String, &'static str)> = names.into_iter().collect();
        random.shuffle(&mut names);
        let mut prices = BTreeSet::new();
        for (name, kind) in names {
            let id = FIRST_STAY + built.len() as u32;
            built.push(stay(id, name, kind, city, &mut prices, &mut random));
        }
    }
    built
}

fn stay(
    id: u32,
    name: String,
    kind: &'static str,
    city: City,
    prices: &mut BTreeSet<i64>,
    random: &mut Random,
) -> Stay {
    let stars = match kind {
        "hotel" => random.between(2, 5),
        "hostel" => random.between(1, 2),
        _ => random.between(2, 4),
    };
    let mut price = 24 + stars * stars * 9 + random.between(0, 60);
    while !prices.insert(price) {
        price += 1;
    }
    let amenities = AMENITIES.iter().filter(|_| random.chance(48)).map(|(id, _)| *id).collect();
    Stay {
        id,
        name,
        city,
        kind,
        stars: stars as u32,
        rating: (58 + stars * 3 + random.between(0, 26)).min(99) as u32,
        reviews: random.between(14, 2_900) as u32,
        neighbourhood: choose(random, NEIGHBOURHOODS),
        distance: random.between(2, 68) as u32 * 100,
        price: price as u32,
        amenities,
        free_cancellation: random.chance(60).then(|| random.between(1, 14) as u32),
        line: choose(random, STAY_LINES),
        check_in_from: random.between(13, 17) as u32,
    }
}
