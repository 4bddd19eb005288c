//! What happened.

use std::collections::BTreeSet;

use umpire_model::Random;

use super::people::Person;
use crate::geography::Country;
use crate::kit::calendar::Day;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventKind {
    Flood,
    Fire,
    Battle,
    Treaty,
    Exhibition,
    Regatta,
    Strike,
}

impl EventKind {
    const ALL: [Self; 7] =
        [Self::Flood, Self::Fire, Self::Battle, Self::Treaty, Self::Exhibition, Self::Regatta, Self::Strike];

    pub fn noun(self) -> &'static str {
        match self {
            Self::Flood => "flood",
            Self::Fire => "fire",
            Self::Battle => "battle",
            Self::Treaty => "treaty",
            Self::Exhibition => "exhibition",
            Self::Regatta => "regatta",
            Self::Strike => "strike",
        }
    }

    pub fn plural(self) -> &'static str {
        match self {
            Self::Flood => "Floods",
            Self::Fire => "Fires",
            Self::Battle => "Battles",
            Self::Treaty => "Treaties",
            Self::Exhibition => "Exhibitions",
            Self::Regatta => "Regattas",
            Self::Strike => "Strikes",
        }
    }

    /// What its size counts.
    pub fn measure(self) -> &'static str {
        match self {
            Self::Flood | Self::Fire => "Houses lost",
            Self::Battle => "Soldiers",
            Self::Treaty => "Articles",
            Self::Exhibition => "Visitors",
            Self::Regatta => "Boats",
            Self::Strike => "Workers",
        }
    }

    fn bounds(self) -> ((i64, i64), (i64, i64)) {
        match self {
            Self::Flood | Self::Fire => ((1500, 1960), (14, 900)),
            Self::Battle => ((1400, 1790), (900, 24_000)),
            Self::Treaty => ((1450, 1920), (7, 96)),
            Self::Exhibition => ((1840, 1990), (21_000, 1_900_000)),
            Self::Regatta => ((1850, 2015), (12, 140)),
            Self::Strike => ((1860, 1985), (120, 31_000)),
        }
    }
}

pub struct Event {
    pub title: String,
    pub kind: EventKind,
    pub day: Day,
    /// Position of the town.
    pub town: usize,
    pub size: u32,
    /// How long it lasted, in days.
    pub days: u32,
    /// Somebody of the time who had a part in it.
    pub person: Option<usize>,
}

const EVENTS: usize = 140;

pub fn generate(random: &mut Random, country: &Country, people: &[Person]) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::with_capacity(EVENTS);
    let mut titles = BTreeSet::new();
    while events.len() < EVENTS {
        let kind = EventKind::ALL[events.len() % EventKind::ALL.len()];
        let ((earliest, latest), (least, most)) = kind.bounds();
        let town = random.below(country.towns.len());
        let year = random.between(earliest.max(i64::from(country.towns[town].founded) + 30), latest);
        let name = &country.towns[town].name;
        let title = match kind {
            EventKind::Flood => format!("{name} Flood of {year}"),
            EventKind::Fire => format!("Great Fire of {name}"),
            EventKind::Battle => format!("Battle of {name}"),
            EventKind::Treaty => format!("Treaty of {name}"),
            EventKind::Exhibition => format!("{name} Exhibition of {year}"),
            EventKind::Regatta => format!("{name} Regatta of {year}"),
            EventKind::Strike => format!("{name} Dock Strike of {year}"),
        };
        if !titles.insert(title.clone()) {
            continue;
        }
        let adult = |person: &Person| {
            let age = year - i64::from(person.born.year());
            age > 20 && person.died.is_none_or(|day| i64::from(day.year()) > year)
        };
        let alive: Vec<usize> = (0..people.len()).filter(|at| adult(&people[*at])).collect();
        events.push(Event {
            title,
            kind,
            day: Day::of(year as i16, random.between(1, 12) as i8, random.between(1, 28) as i8),
            town,
            size: random.between(least, most) as u32,
            days: random.between(1, 40) as u32,
            person: random.pick(&alive).copied(),
        });
    }
    events
}
