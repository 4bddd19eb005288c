//! Videos and channels of Reelyard, made from the seed.

use std::sync::Arc;

use umpire_model::Random;

use crate::kit::by_seed::BySeed;
use crate::kit::text::{choose, slug};
use crate::settings::people;

pub(super) struct Channel {
    pub id: String,
    pub name: String,
    pub followers: i64,
}

pub(super) struct Video {
    pub id: String,
    pub title: String,
    pub channel: usize,
    pub category: &'static str,
    pub seconds: i64,
    pub views: i64,
    pub days_old: i64,
}

pub(super) struct Content {
    pub channels: Vec<Channel>,
    pub videos: Vec<Video>,
}

const CHANNELS: usize = 90;
const VIDEOS: usize = 1_600;

/// Category, openings of titles, and what they are about.
const CATEGORIES: [(&str, [&str; 5], [&str; 6]); 7] = [
    (
        "Boats",
        ["A week on", "Steering", "What went wrong with", "Painting", "The quiet life of"],
        [
            "a leaking narrowboat",
            "the Kennet canal",
            "a stubborn lock gate",
            "my grandfather's dinghy",
            "a tug from 1951",
            "the last ferry",
        ],
    ),
    (
        "Workshop",
        ["Restoring", "How I built", "Never again:", "The cheapest way to make", "Sharpening"],
        [
            "a rusty plane",
            "a folding workbench",
            "an oak staircase",
            "a lamp from driftwood",
            "a set of chisels",
            "a spinning wheel",
        ],
    ),
    (
        "Cooking",
        ["Five mistakes with", "My grandmother's", "One pot of", "The science of", "Can you freeze"],
        ["lentil stew", "sourdough", "plum dumplings", "clear broth", "burnt butter", "apple strudel"],
    ),
    (
        "Science",
        [
            "Why nobody understands",
            "The strange history of",
            "Measuring",
            "What happens inside",
            "A better picture of",
        ],
        ["tides", "soap bubbles", "magnetic north", "a lightning rod", "slime moulds", "glass"],
    ),
    (
        "Music",
        ["Learning", "A night of", "The chords of", "Recording", "Busking with"],
        [
            "the nyckelharpa",
            "sea shanties",
            "a broken accordion",
            "minor keys",
            "a choir of beginners",
            "church organs",
        ],
    ),
    (
        "Travel",
        ["Two days in", "By night train to", "Nobody visits", "A map of", "Walking across"],
        ["Trieste", "the Faroe Islands", "Ghent in the rain", "Lapland", "the Algarve", "a forgotten border"],
    ),
    (
        "Games",
        ["Speedrunning", "The hidden rooms of", "Every ending of", "Let's finish", "What I love about"],
        [
            "Lantern Keep",
            "Mossfall",
            "Orbit Yard",
            "a text adventure",
            "Paper Harbour",
            "an unwinnable level",
        ],
    ),
];

static CONTENT: BySeed<Content> = BySeed::new();

impl Content {
    pub fn of_seed(seed: u64) -> Arc<Self> {
        CONTENT.get(seed, Self::generate)
    }

    fn generate(seed: u64) -> Self {
        const KINDS: [&str; 6] = ["Films", "Outdoors", "Explains", "Workshop", "Archive", "Live"];
        let random = &mut Random::stream(seed, "video.content");
        let channels = people(random, CHANNELS)
            .into_iter()
            .map(|person| {
                let name = format!(
                    "{} {}",
                    person.split(' ').next_back().unwrap_or_default(),
                    choose(random, &KINDS)
                );
                // Two people may share a last name; the id tells their channels apart.
                Channel { id: slug(&person), name, followers: random.between(90, 880_000) }
            })
            .collect();
        let videos = (1..=VIDEOS)
            .map(|number| {
                let (category, openings, things) = &CATEGORIES[random.below(CATEGORIES.len())];
                Video {
                    id: format!("v{number}"),
                    title: format!("{} {}", choose(random, openings), choose(random, things)),
                    channel: random.below(CHANNELS),
                    category,
                    seconds: random.between(40, 5_400),
                    views: random.between(120, 2_400_000),
                    days_old: random.between(0, 1_500),
                }
            })
            .collect();
        Self { channels, videos }
    }

    pub fn channel(&self, id: &str) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.id == id)
    }

    pub fn video(&self, id: &str) -> Option<&Video> {
        self.videos.iter().find(|video| video.id == id)
    }
}

pub(super) fn categories() -> impl Iterator<Item = &'static str> {
    CATEGORIES.iter().map(|(category, _, _)| *category)
}
