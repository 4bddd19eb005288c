//! Articles from facts. Each file retells one kind of them; none adds a fact that another could contradict.

mod lists;
mod nature;
mod people;
mod places;
mod society;

use umpire_model::Random;

use super::facts::Facts;
use super::library::Article;
use super::titles::Titles;
use crate::geography::Country;
use crate::kit::text::slug;

/// What the articles of a seed are written from.
#[derive(Clone, Copy)]
struct Sources<'a> {
    seed: u64,
    country: &'a Country,
    facts: &'a Facts,
    titles: &'a Titles,
}

impl Sources<'_> {
    /// An article's own turns of phrase.
    fn phrases(&self, title: &str) -> Random {
        Random::stream(self.seed, &format!("quire {title}"))
    }

    fn town(&self, at: usize) -> String {
        format!("[[{}]]", self.country.towns[at].name)
    }

    fn region(&self, at: usize) -> String {
        format!("[[{}]]", self.country.regions[at].name)
    }

    fn person(&self, at: usize) -> String {
        link(&self.titles.people[at], &self.facts.people[at].name)
    }

    fn work(&self, at: usize) -> String {
        link(&self.titles.works[at], &self.facts.works[at].title)
    }
}

fn link(title: &str, text: &str) -> String {
    if title == text { format!("[[{title}]]") } else { format!("[[{title}|{text}]]") }
}

/// Goes on with a text.
fn add(body: &mut String, more: &str) {
    body.push_str(more);
}

/// An article without a point, open to editors.
fn article(
    title: &str,
    kind: &'static str,
    card: Vec<(&'static str, String)>,
    body: String,
    categories: Vec<String>,
) -> Article {
    Article {
        slug: slug(title),
        title: title.to_owned(),
        kind,
        card,
        body,
        categories,
        point: None,
        protected: false,
    }
}

pub fn write_all(seed: u64, country: &Country, facts: &Facts, titles: &Titles) -> Vec<Article> {
    let sources = Sources { seed, country, facts, titles };
    let mut articles = Vec::with_capacity(1_800);
    places::write(sources, &mut articles);
    people::write(sources, &mut articles);
    society::write(sources, &mut articles);
    nature::write(sources, &mut articles);
    lists::write(sources, &mut articles);
    articles
}
