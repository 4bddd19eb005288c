//! The games Quarterdeck sells, made from the seed.

use std::sync::Arc;

use umpire_model::Random;

use crate::kit::by_seed::BySeed;
use crate::kit::text::choose;

pub(super) struct Game {
    pub id: String,
    pub title: String,
    pub genre: &'static str,
    pub studio: String,
    pub cents: i64,
    /// Percent off; 0 if it is not on sale.
    pub discount: i64,
    /// Percent of reviews that are good.
    pub liked: i64,
    pub year: i64,
}

pub(super) struct Catalogue {
    pub games: Vec<Game>,
}

const GAMES: usize = 1_500;

const GENRES: [(&str, [&str; 7]); 7] = [
    ("Adventure", ["Lantern", "Keep", "Hollow", "Letters", "Monastery", "Tidewall", "Expedition"]),
    ("Strategy", ["Frontier", "Armada", "Guilds", "Dynasties", "Supply Lines", "Outposts", "Borders"]),
    ("Puzzle", ["Mechanism", "Mirrors", "Folds", "Circuits", "Threads", "Gates", "Patterns"]),
    ("Simulation", ["Harbour", "Railyard", "Orchard", "Workshop", "Airfield", "Brewery", "Lighthouse"]),
    ("Racing", ["Slipstream", "Rally", "Gravel", "Regatta", "Downhill", "Night Run", "Apex"]),
    ("Role-playing", ["Oath", "Chronicle", "Pilgrims", "Ember", "Wardens", "Saga", "Reliquary"]),
    ("Shooter", ["Vector", "Breach", "Siege", "Orbit", "Hardpoint", "Salvo", "Perimeter"]),
];
const FIRST: [&str; 16] = [
    "Copper", "Silent", "Paper", "Northern", "Hidden", "Broken", "Glass", "Iron", "Distant", "Amber",
    "Sunken", "Crooked", "Velvet", "Second", "Hundred", "Winter",
];
const LAST: [&str; 8] = ["", "", "", " II", " Tactics", ": Remastered", " Online", " Zero"];
const STUDIOS: [&str; 12] = [
    "Moonrake",
    "Tin Whistle",
    "Studio Fjord",
    "Left Oar",
    "Bramble & Byte",
    "Kiteworks",
    "Ninth Wave",
    "Papercut",
    "Old Barn Games",
    "Triple Knot",
    "Gullwing",
    "Sisu Interactive",
];

static CATALOGUE: BySeed<Catalogue> = BySeed::new();

impl Catalogue {
    pub fn of_seed(seed: u64) -> Arc<Self> {
        CATALOGUE.get(seed, Self::generate)
    }

    fn generate(seed: u64) -> Self {
        let random = &mut Random::stream(seed, "games.catalogue");
        let games = (1..=GAMES)
            .map(|number| {
                let (genre, nouns) = &GENRES[random.below(GENRES.len())];
                Game {
                    id: format!("g{number}"),
                    title: format!(
                        "{} {}{}",
                        choose(random, &FIRST),
                        choose(random, nouns),
                        choose(random, &LAST)
                    ),
                    genre,
                    studio: choose(random, &STUDIOS).to_owned(),
                    cents: random.between(2, 60) * 100 + 99,
                    discount: if random.chance(30) { random.between(1, 8) * 10 } else { 0 },
                    liked: random.between(38, 99),
                    year: random.between(2009, 2026),
                }
            })
            .collect();
        Self { games }
    }

    pub fn game(&self, id: &str) -> Option<&Game> {
        self.games.iter().find(|game| game.id == id)
    }
}

pub(super) fn genres() -> impl Iterator<Item = &'static str> {
    GENRES.iter().map(|(genre, _)| *genre)
}
