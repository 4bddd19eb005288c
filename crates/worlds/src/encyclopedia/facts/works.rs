//! Books, paintings, music, plays and films.

use umpire_model::Random;

use super::people::{Field, Person};
use crate::kit::text::choose;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WorkKind {
    Novel,
    PoemCycle,
    Painting,
    Symphony,
    Opera,
    Play,
    Film,
    Treatise,
}

impl WorkKind {
    pub fn noun(self) -> &'static str {
        match self {
            Self::Novel => "novel",
            Self::PoemCycle => "poem cycle",
            Self::Painting => "painting",
            Self::Symphony => "symphony",
            Self::Opera => "opera",
            Self::Play => "play",
            Self::Film => "film",
            Self::Treatise => "treatise",
        }
    }

    /// What its size is counted in.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Novel | Self::Treatise => "pages",
            Self::PoemCycle => "poems",
            Self::Painting => "centimetres wide",
            Self::Symphony | Self::Opera | Self::Play | Self::Film => "minutes",
        }
    }

    fn size(self, random: &mut Random) -> u32 {
        let (low, high) = match self {
            Self::Novel => (140, 880),
            Self::Treatise => (90, 620),
            Self::PoemCycle => (12, 96),
            Self::Painting => (40, 420),
            Self::Symphony => (24, 78),
            Self::Opera | Self::Play => (70, 190),
            Self::Film => (64, 171),
        };
        random.between(low, high) as u32
    }
}

pub struct Work {
    pub title: String,
    pub kind: WorkKind,
    /// Position of the person.
    pub creator: usize,
    pub year: u32,
    pub size: u32,
    /// Where it was first shown, printed or played: a town's position.
    pub town: usize,
}

const ADJECTIVES: &[&str] = &[
    "Patient", "Salt", "Seventh", "Borrowed", "Crooked", "Unlit", "Winter", "Paper", "Distant", "Copper",
    "Quiet", "Second", "Broken", "Green", "Last", "Hollow", "Painted", "Narrow", "Sleeping", "Drowned",
];
const NOUNS: &[&str] = &[
    "Harbour",
    "Lantern",
    "Orchard",
    "Clockmaker",
    "Ferry",
    "Garden",
    "Bell",
    "Weaver",
    "Tide",
    "Mirror",
    "Almanac",
    "Causeway",
    "Heron",
    "Inheritance",
    "Lighthouse",
    "Map",
    "Snowfall",
    "Threshold",
    "Vineyard",
    "Winter",
];
const SETTINGS: &[&str] = &[
    "in March",
    "at Low Water",
    "by Candlelight",
    "for Two Voices",
    "in Grey",
    "without Doors",
    "after the Fair",
    "in the Rain",
];

pub fn generate(random: &mut Random, people: &[Person]) -> Vec<Work> {
    let mut works = Vec::new();
    for (creator, person) in people.iter().enumerate() {
        let kinds: &[WorkKind] = match person.field {
            Field::Novelist => &[WorkKind::Novel],
            Field::Poet => &[WorkKind::PoemCycle],
            Field::Painter => &[WorkKind::Painting],
            Field::Composer => &[WorkKind::Symphony, WorkKind::Opera],
            Field::Playwright => &[WorkKind::Play],
            Field::Director => &[WorkKind::Film],
            Field::Philosopher | Field::Naturalist => &[WorkKind::Treatise],
            _ => continue,
        };
        let last =
            person.died.map_or(2024, |day| i64::from(day.year())).min(i64::from(person.born.year()) + 76);
        let mut year = i64::from(person.born.year()) + random.between(22, 34);
        for _ in 0..random.between(1, 2) {
            if year > last {
                break;
            }
            let kind = kinds[random.below(kinds.len())];
            let noun = choose(random, NOUNS);
            let title = if random.chance(60) {
                format!("The {} {noun}", choose(random, ADJECTIVES))
            } else {
                format!("{noun} {}", choose(random, SETTINGS))
            };
            let town = person.birthplace;
            works.push(Work { title, kind, creator, year: year as u32, size: kind.size(random), town });
            year += random.between(2, 14);
        }
    }
    works
}
