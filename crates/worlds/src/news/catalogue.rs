//! What stood in the paper before the visitor came: articles, authors, readers' comments. It never changes, and is
//! built once per seed. Long texts are not kept: an article remembers its facts, and [`super::prose`] writes it anew
//! whenever it is shown.

use std::collections::BTreeSet;
use std::sync::Arc;

use umpire_model::Random;

use super::vocabulary::{self, SECTIONS, Section};
use crate::kit::by_seed::BySeed;
use crate::kit::calendar::{Day, TODAY};
use crate::kit::moment::Moment;
use crate::kit::text::{capitalised, choose, slug, thousands};

pub const FIRST_ARTICLE: u32 = 30_101;
const ARTICLES_PER_SECTION: usize = 62;
const AUTHORS: usize = 36;
const DAY_MINUTES: i64 = 24 * 60;

pub struct Author {
    pub slug: String,
    pub name: String,
    pub role: &'static str,
    pub beat: &'static str,
    pub section: &'static Section,
}

pub struct Article {
    pub id: u32,
    pub section: &'static Section,
    pub headline: String,
    pub standfirst: String,
    /// Position in [`Catalogue::authors`].
    pub author: usize,
    pub published: Moment,
    pub facts: Facts,
    pub reads: u32,
    pub comments: usize,
}

/// What an article is about; its box “At a glance” prints these.
pub struct Facts {
    pub subject: &'static str,
    pub place: &'static str,
    pub organisation: &'static str,
    pub people: u64,
    pub budget: String,
    pub begins: Day,
}

impl Facts {
    /// Puts the facts into a sentence of the vocabulary.
    pub fn fill(&self, sentence: &str) -> String {
        let filled = sentence
            .replace("{s}", self.subject)
            .replace("{p}", self.place)
            .replace("{o}", self.organisation)
            .replace("{n}", &thousands(self.people))
            .replace("{m}", &self.budget);
        capitalised(&filled)
    }
}

impl Article {
    pub fn path(&self) -> String {
        format!("/article/{}/{}", self.id, slug(&self.headline))
    }

    pub fn topic(&self) -> String {
        slug(self.facts.subject.trim_start_matches("the "))
    }
}

pub struct Catalogue {
    pub seed: u64,
    pub authors: Vec<Author>,
    /// By id, oldest first; no two of one minute.
    pub articles: Vec<Article>,
}

impl Catalogue {
    pub fn shared(seed: u64) -> Arc<Self> {
        static BUILT: BySeed<Catalogue> = BySeed::new();
        BUILT.get(seed, generate)
    }

    pub fn article(&self, id: u32) -> Option<&Article> {
        self.articles.get(id.checked_sub(FIRST_ARTICLE)? as usize)
    }

    pub fn author(&self, slug: &str) -> Option<(usize, &Author)> {
        self.authors.iter().enumerate().find(|(_, author)| author.slug == slug)
    }

    pub fn author_of(&self, article: &Article) -> &Author {
        &self.authors[article.author]
    }

    pub fn newest(&self) -> impl Iterator<Item = &Article> {
        self.articles.iter().rev()
    }
}

fn generate(seed: u64) -> Catalogue {
    let authors = authors(seed);
    let mut taken_minutes = BTreeSet::new();
    let mut articles: Vec<Article> = SECTIONS
        .into_iter()
        .flat_map(|section| articles_of(seed, section, &authors, &mut taken_minutes))
        .collect();
    articles.sort_by_key(|article| article.published);
    for (article, id) in articles.iter_mut().zip(FIRST_ARTICLE..) {
        article.id = id;
    }
    Catalogue { seed, authors, articles }
}

fn authors(seed: u64) -> Vec<Author> {
    let mut random = Random::stream(seed, "news authors");
    let mut names = BTreeSet::new();
    while names.len() < AUTHORS {
        let first = choose(&mut random, vocabulary::FIRST_NAMES);
        names.insert(format!("{first} {}", choose(&mut random, vocabulary::LAST_NAMES)));
    }
    // Every section has somebody, whatever the draw.
    let sections = SECTIONS.into_iter().cycle();
    let mut names: Vec<String> = names.into_iter().collect();
    random.shuffle(&mut names);
    let authors = names.into_iter().zip(sections).map(|(name, section)| Author {
        slug: slug(&name),
        role: choose(&mut random, vocabulary::ROLES),
        beat: choose(&mut random, vocabulary::BEATS),
        section,
        name,
    });
    authors.collect()
}

fn articles_of(
    seed: u64,
    section: &'static Section,
    authors: &[Author],
    taken_minutes: &mut BTreeSet<u32>,
) -> Vec<Article> {
    let mut random = Random::stream(seed, &format!("news {}", section.slug));
    let desk: Vec<usize> =
        authors.iter().enumerate().filter(|(_, a)| a.section.slug == section.slug).map(|(i, _)| i).collect();
    let mut subjects: Vec<(&str, &'static str)> = section
        .headlines
        .iter()
        .flat_map(|headline| section.subjects.iter().map(move |subject| (*headline, *subject)))
        .collect();
    random.shuffle(&mut subjects);
    let written = subjects.into_iter().take(ARTICLES_PER_SECTION).map(|(headline, subject)| {
        let facts = facts(section, subject, &mut random);
        let mut minutes = age(&mut random);
        while !taken_minutes.insert(minutes) {
            minutes += 1;
        }
        let visitor_from_another_desk = random.chance(12);
        let author = if visitor_from_another_desk {
            random.below(authors.len())
        } else {
            random.pick(&desk).copied().unwrap_or_default()
        };
        Article {
            id: 0,
            section,
            headline: facts.fill(headline),
            standfirst: facts.fill(choose(&mut random, section.standfirsts)),
            author,
            published: Moment::minutes_ago(minutes),
            reads: random.between(400, 98_000) as u32,
            comments: random.below(42),
            facts,
        }
    });
    written.collect()
}

fn facts(section: &'static Section, subject: &'static str, random: &mut Random) -> Facts {
    let budget = match (section.costs_millions, random.chance(50)) {
        (true, true) => format!("£{}.{} million", random.between(2, 48), random.between(1, 9)),
        (true, false) => format!("£{} million", random.between(3, 90)),
        (false, true) => format!("£{},000", random.between(11, 98)),
        (false, false) => format!("£{},{}00", random.between(2, 9), random.between(1, 9)),
    };
    Facts {
        subject,
        place: choose(random, vocabulary::PLACES_OF_NEWS),
        organisation: choose(random, section.organisations),
        people: random.between(1_100, 64_000) as u64,
        budget,
        begins: TODAY.plus(random.between(12, 420) as i32),
    }
}

/// A front page wants fresh news, an archive wants depth.
fn age(random: &mut Random) -> u32 {
    let (low, high) = match random.below(100) {
        0..12 => (15, DAY_MINUTES),
        12..40 => (DAY_MINUTES, 7 * DAY_MINUTES),
        40..75 => (7 * DAY_MINUTES, 60 * DAY_MINUTES),
        _ => (60 * DAY_MINUTES, 420 * DAY_MINUTES),
    };
    random.between(low, high) as u32
}
