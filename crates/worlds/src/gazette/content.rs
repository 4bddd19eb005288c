//! The articles of the Harbour Gazette, made from the seed.

use std::sync::Arc;

use umpire_model::Random;

use crate::kit::by_seed::BySeed;
use crate::kit::text::choose;
use crate::settings::people;

pub(super) struct Article {
    pub id: String,
    pub headline: String,
    pub section: &'static str,
    pub author: String,
    pub days_old: i64,
    /// All of them; a list shows the first, the front page three.
    pub paragraphs: [&'static str; PARAGRAPHS.len()],
    pub comments: i64,
}

pub(super) struct Paper {
    pub articles: Vec<Article>,
}

const ARTICLES: i32 = 1_400;

/// Section, who, and what they do.
const SECTIONS: [(&str, [&str; 7], [&str; 7]); 6] = [
    (
        "Town",
        [
            "Harbour master",
            "Council",
            "Bridge keeper",
            "Lifeboat crew",
            "Market traders",
            "School choir",
            "Ferry company",
        ],
        [
            "asked for calmer wakes",
            "voted on the new quay",
            "counted record crossings",
            "found a bell from 1848",
            "won a quarrel over gulls",
            "moved into the old customs house",
            "planned a night service",
        ],
    ),
    (
        "Sea",
        [
            "Pilots",
            "Crab fishers",
            "A stray whale",
            "The tide mill",
            "Divers",
            "Coast watchers",
            "Trawler owners",
        ],
        [
            "expected an early season",
            "raised questions about nets",
            "returned after twelve years",
            "mapped the wreck off the pier",
            "warned of drifting ropes",
            "shared one harbour light",
            "mended what the storm took",
        ],
    ),
    (
        "Business",
        [
            "Rope works",
            "The last cannery",
            "Boat builders",
            "Tea importers",
            "The savings bank",
            "Ice house owners",
            "A start-up in the loft",
        ],
        [
            "hired forty people",
            "closed an old hall",
            "ordered timber from Norway",
            "lowered fees for widows",
            "sold to a cooperative",
            "doubled a cellar",
            "bet on seaweed paper",
        ],
    ),
    (
        "Culture",
        [
            "The brass band",
            "A travelling circus",
            "The lantern theatre",
            "Local painters",
            "The reading room",
            "A blind organist",
            "Two sisters",
        ],
        [
            "opened with a sea opera",
            "filled the drill hall",
            "painted the fog",
            "stayed up past midnight",
            "collected lost songs",
            "rehearsed on a barge",
            "staged a play about eels",
        ],
    ),
    (
        "Sport",
        [
            "The rowing eight",
            "Harbour United",
            "Winter swimmers",
            "A junior sailor",
            "The bowls club",
            "Fell runners",
            "Water polo",
        ],
        [
            "beat the tide by a length",
            "drew in the rain",
            "set a cold record",
            "lost a captain",
            "returned to the top table",
            "asked for a new slipway",
            "celebrated quietly",
        ],
    ),
    (
        "Opinion",
        [
            "In praise of",
            "Against",
            "The trouble with",
            "A letter about",
            "What we owe",
            "Waiting for",
            "Lessons from",
        ],
        [
            "slow ferries",
            "loud terraces",
            "paper timetables",
            "empty lots",
            "the night shift",
            "cheap fish",
            "our gulls",
        ],
    ),
];

const PARAGRAPHS: [&str; 9] = [
    "Nobody at the quay was surprised. The talk had been of little else since the lamps were lit on Sunday.",
    "“It will take a season, perhaps two,” said a woman who has kept the books there since the flood. “Then we shall see who was right.”",
    "The figures, which this paper has seen, tell a plainer story than the speeches.",
    "Older readers will remember a similar dispute, settled in those days with a barrel of herring.",
    "A decision is expected before the equinox, if the weather lets the boats come in.",
    "Those who were there speak of an unusual silence, and then of applause.",
    "Not everyone agrees. On the east side, where the rents have risen, patience is short.",
    "The plans hang in the town hall until the end of the month, in a corridor that smells of floor polish.",
    "For now, the gulls have the last word.",
];

static PAPER: BySeed<Paper> = BySeed::new();

impl Paper {
    pub fn of_seed(seed: u64) -> Arc<Self> {
        PAPER.get(seed, Self::generate)
    }

    fn generate(seed: u64) -> Self {
        let random = &mut Random::stream(seed, "gazette.articles");
        let authors = people(random, 30);
        let articles = (1..=ARTICLES)
            .map(|number| {
                let (section, who, what) = &SECTIONS[random.below(SECTIONS.len())];
                let mut paragraphs = PARAGRAPHS;
                random.shuffle(&mut paragraphs);
                Article {
                    id: format!("a{number}"),
                    headline: format!("{} {}", choose(random, who), choose(random, what)),
                    section,
                    author: random.pick(&authors).cloned().unwrap_or_default(),
                    days_old: i64::from(number) / 4,
                    paragraphs,
                    comments: random.between(0, 190),
                }
            })
            .collect();
        Self { articles }
    }

    pub fn article(&self, id: &str) -> Option<&Article> {
        self.articles.iter().find(|article| article.id == id)
    }
}

pub(super) fn sections() -> impl Iterator<Item = &'static str> {
    SECTIONS.iter().map(|(section, _, _)| *section)
}
