//! Buildings and institutions that everybody knows: they stand on the map and have an article each.

use umpire_model::Random;

use super::land::River;
use super::towns::{Address, Town};
use crate::kit::text::{choose, slug};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LandmarkKind {
    University,
    Museum,
    Theatre,
    Observatory,
    Bridge,
    Castle,
    Garden,
    Library,
}

impl LandmarkKind {
    pub fn noun(self) -> &'static str {
        match self {
            Self::University => "university",
            Self::Museum => "museum",
            Self::Theatre => "theatre",
            Self::Observatory => "observatory",
            Self::Bridge => "bridge",
            Self::Castle => "castle",
            Self::Garden => "botanical garden",
            Self::Library => "library",
        }
    }
}

pub struct Landmark {
    pub name: String,
    pub slug: String,
    pub kind: LandmarkKind,
    pub address: Address,
    pub founded: u32,
    /// Visitors, students or books, by kind.
    pub size: u32,
}

const MUSEUM_SUBJECTS: &[&str] = &[
    "Maritime",
    "Railway",
    "Glass",
    "Natural History",
    "Folk Art",
    "Clock",
    "Printing",
    "Textile",
    "Postal",
    "Mining",
    "Lighthouse",
    "Bread",
    "Map",
    "Music",
    "Paper",
    "Bee-Keeping",
];
const THEATRE_NAMES: &[&str] = &[
    "Lantern Theatre",
    "Royal Playhouse",
    "Swan Theatre",
    "Assembly Theatre",
    "Corn Exchange",
    "Little Opera House",
];

pub fn generate(seed: u64, towns: &[Town], rivers: &[River]) -> Vec<Landmark> {
    let mut random = Random::stream(seed, "country landmarks");
    let mut landmarks = Vec::new();
    for (at, town) in towns.iter().enumerate() {
        let mut add = |random: &mut Random, name: String, kind: LandmarkKind, since: i64, size: u32| {
            let earliest = i64::from(town.founded) + 20;
            landmarks.push(Landmark {
                slug: slug(&name),
                name,
                kind,
                address: town.random_address(at, random),
                founded: random.between(since.max(earliest), 1990) as u32,
                size,
            });
        };
        let name = &town.name;
        if at < 8 {
            let students = random.between(2_100, 31_000) as u32;
            add(&mut random, format!("University of {name}"), LandmarkKind::University, 1450, students);
            let visitors = random.between(20_000, 300_000) as u32;
            add(&mut random, format!("{name} Botanical Garden"), LandmarkKind::Garden, 1680, visitors);
        }
        if at < 30 {
            let mut subjects = MUSEUM_SUBJECTS.to_vec();
            random.shuffle(&mut subjects);
            for subject in subjects.iter().take(if at < 6 { 3 } else { 1 }) {
                let visitors = random.between(4_000, 240_000) as u32;
                add(&mut random, format!("{name} {subject} Museum"), LandmarkKind::Museum, 1790, visitors);
            }
        }
        if at < 22 {
            let seats = random.between(90, 1_900) as u32;
            let theatre = choose(&mut random, THEATRE_NAMES);
            add(&mut random, format!("{theatre}, {name}"), LandmarkKind::Theatre, 1700, seats);
        }
        if let Some(river) = town.river {
            let metres = random.between(48, 410) as u32;
            let river = rivers[river].name.trim_start_matches("River ").to_owned();
            add(&mut random, format!("{river} Bridge, {name}"), LandmarkKind::Bridge, 1400, metres);
        }
        if at % 3 == 1 {
            let visitors = random.between(3_000, 90_000) as u32;
            add(&mut random, format!("{name} Castle"), LandmarkKind::Castle, 1100, visitors);
        }
        if at % 9 == 4 {
            let mirror = random.between(25, 260) as u32;
            add(&mut random, format!("{name} Observatory"), LandmarkKind::Observatory, 1820, mirror);
        }
        if at < 16 {
            let books = random.between(40_000, 2_400_000) as u32;
            add(&mut random, format!("{name} City Library"), LandmarkKind::Library, 1760, books);
        }
    }
    landmarks
}
