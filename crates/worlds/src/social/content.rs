//! People and posts of Murmur, made from the seed.

use std::sync::Arc;

use umpire_model::Random;

use crate::kit::by_seed::BySeed;
use crate::kit::text::{choose, slug};
use crate::settings::people;

pub(super) struct Person {
    pub id: String,
    pub name: String,
    pub trade: &'static str,
    pub followers: i64,
}

pub(super) struct Post {
    pub id: String,
    /// Index into [`Content::people`].
    pub author: usize,
    pub topic: &'static str,
    pub text: String,
    pub minutes_ago: i64,
    pub likes: i64,
    pub replies: i64,
}

pub(super) struct Content {
    pub people: Vec<Person>,
    /// Newest first.
    pub posts: Vec<Post>,
}

const PEOPLE: usize = 240;
const POSTS: usize = 1_800;

pub(super) const TRADES: [&str; 14] = [
    "potter",
    "tram driver",
    "illustrator",
    "marine biologist",
    "baker",
    "violin maker",
    "night nurse",
    "bookbinder",
    "map maker",
    "beekeeper",
    "radio host",
    "carpenter",
    "chemistry teacher",
    "stage designer",
];

/// Topic, what people do there, and what comes of it.
const TOPICS: [(&str, [&str; 5], [&str; 5]); 9] = [
    (
        "Kitchen",
        [
            "Baked rye bread with caraway",
            "Tried to pickle radishes",
            "Made soup from three old carrots",
            "Finally cleaned the oven",
            "Swapped butter for olive oil",
        ],
        [
            "and the flat smells like a bakery",
            "which nobody at this table believed in",
            "so dinner was late again",
            "and I would do it again tomorrow",
            "with more salt than the recipe says",
        ],
    ),
    (
        "Trains",
        [
            "Took the slow line along the coast",
            "Missed the last connection",
            "Found a dining car that still cooks",
            "Shared a compartment with two cellists",
            "Counted eleven tunnels",
        ],
        [
            "and arrived in a better mood than I left",
            "so I slept on a bench with a view",
            "and the conductor knew every station by its trees",
            "which is the only way to see that valley",
            "and got home with sand in my shoes",
        ],
    ),
    (
        "Garden",
        [
            "The tomatoes came up crooked",
            "Planted garlic far too late",
            "A hedgehog moved in under the shed",
            "Cut the hedge by hand",
            "Counted six kinds of moss",
        ],
        [
            "and I am oddly proud of them",
            "because patience is a kind of fertiliser",
            "so the compost stays where it is",
            "which took longer than the whole winter",
            "and the neighbour wants to know how",
        ],
    ),
    (
        "Books",
        [
            "Finished the novel with the lighthouse",
            "Bought a dictionary of sea terms",
            "Gave up on a thousand pages",
            "Read aloud to the cat",
            "Found a letter in a second-hand atlas",
        ],
        [
            "and I miss everyone in it",
            "which will be useful exactly never",
            "two chapters before the end",
            "who preferred the footnotes",
            "and now I have to know the rest",
        ],
    ),
    (
        "Music",
        [
            "Learnt one more chord",
            "Heard a choir rehearse in a car park",
            "Tuned the old piano myself",
            "Queued for standing places",
            "Recorded the rain on the roof",
        ],
        [
            "which makes four in all",
            "and nobody wanted to leave",
            "so now it is wrong in a new way",
            "and stood behind the tallest man in town",
            "for reasons I can no longer name",
        ],
    ),
    (
        "Pottery",
        [
            "Opened the kiln this morning",
            "Threw nine bowls",
            "Mixed a glaze from wood ash",
            "Dropped the good teapot",
            "Sold the last blue plate",
        ],
        [
            "and only two had cracked",
            "of which one is round",
            "that came out the colour of wet slate",
            "so it is a sculpture now",
            "to someone who promised to use it",
        ],
    ),
    (
        "Weather",
        [
            "Fog until noon",
            "First thunder of the year",
            "Wind from the north for a week",
            "Snow on the daffodils",
            "Sun and rain at the same time",
        ],
        [
            "and the whole harbour held its breath",
            "so the laundry is back inside",
            "which the gulls enjoy more than I do",
            "as if the calendar were only a suggestion",
            "and a rainbow over the bus depot",
        ],
    ),
    (
        "Work",
        [
            "Moved my desk to the window",
            "Answered every message before ten",
            "Held a meeting while walking",
            "Wrote the report by hand first",
            "Took a real lunch break",
        ],
        [
            "and got nothing done but look out",
            "which only made more of them",
            "and we agreed faster than ever",
            "so it is half as long and twice as clear",
            "and nothing fell apart",
        ],
    ),
    (
        "Animals",
        [
            "The heron is back at the canal",
            "Our dog met a goat",
            "A swift flew into the library",
            "Found an owl feather",
            "The cat opened the fridge",
        ],
        [
            "and stares at the joggers",
            "and both pretended not to mind",
            "so the reading room closed early",
            "which now lives in my hat",
            "and has told nobody how",
        ],
    ),
];

const CLOSERS: [&str; 8] =
    ["", "", "", " Any advice?", " More tomorrow.", " Photos follow.", " Who else?", " I regret nothing."];

static CONTENT: BySeed<Content> = BySeed::new();

impl Content {
    pub fn of_seed(seed: u64) -> Arc<Self> {
        CONTENT.get(seed, Self::generate)
    }

    fn generate(seed: u64) -> Self {
        let random = &mut Random::stream(seed, "social.content");
        let people: Vec<Person> = people(random, PEOPLE)
            .into_iter()
            .map(|name| Person {
                id: slug(&name),
                trade: choose(random, &TRADES),
                followers: random.between(12, 9_800),
                name,
            })
            .collect();
        let mut minutes_ago = 4;
        let posts = (1..=POSTS)
            .map(|number| {
                minutes_ago += random.between(1, 55);
                let (topic, doings, outcomes) = &TOPICS[random.below(TOPICS.len())];
                let text = format!(
                    "{}, {}.{}",
                    choose(random, doings),
                    choose(random, outcomes),
                    choose(random, &CLOSERS)
                );
                Post {
                    id: format!("post-{number}"),
                    author: random.below(PEOPLE),
                    topic,
                    text,
                    minutes_ago,
                    likes: random.between(0, 420),
                    replies: random.between(0, 60),
                }
            })
            .collect();
        Self { people, posts }
    }

    pub fn person(&self, id: &str) -> Option<&Person> {
        self.people.iter().find(|person| person.id == id)
    }

    pub fn post(&self, id: &str) -> Option<&Post> {
        self.posts.iter().find(|post| post.id == id)
    }
}

pub(super) fn topics() -> impl Iterator<Item = &'static str> {
    TOPICS.iter().map(|(topic, _, _)| *topic)
}
