//! All articles as they were before the visitor came. They are written when the first page of a seed asks for one, and
//! shared by all worlds of that seed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use super::facts::Facts;
use super::prose;
use super::titles::Titles;
use crate::geography::{Country, Point};
use crate::kit::by_seed::BySeed;
use crate::kit::text::slug;

pub struct Article {
    pub slug: String,
    pub title: String,
    /// What it is about, in a word or two: `town`, `novelist`.
    pub kind: &'static str,
    /// Names and values of the fact card, in markup.
    pub card: Vec<(&'static str, String)>,
    /// In markup.
    pub body: String,
    pub categories: Vec<String>,
    pub point: Option<Point>,
    /// Cannot be edited by everybody.
    pub protected: bool,
}

impl Article {
    /// The first paragraph, without markup.
    pub fn summary(&self) -> String {
        super::markup::plain(self.body.split("\n\n").next().unwrap_or_default())
    }
}

pub struct Shelf {
    pub facts: Facts,
    /// By title.
    pub articles: Vec<Article>,
    by_slug: HashMap<String, usize>,
    /// Positions of the articles that link to a slug.
    links: HashMap<String, Vec<usize>>,
    /// Names of categories with the positions of their articles.
    pub categories: BTreeMap<String, Vec<usize>>,
}

pub struct Library {
    pub seed: u64,
    pub country: Arc<Country>,
    shelf: OnceLock<Shelf>,
}

impl Library {
    pub fn shared(seed: u64) -> Arc<Self> {
        static BUILT: BySeed<Library> = BySeed::new();
        BUILT.get(seed, |seed| Self { seed, country: Country::of_seed(seed), shelf: OnceLock::new() })
    }

    pub fn shelf(&self) -> &Shelf {
        self.shelf.get_or_init(|| Shelf::fill(self.seed, &self.country))
    }

    pub fn article(&self, slug: &str) -> Option<&Article> {
        self.shelf().article(slug)
    }
}

impl Shelf {
    fn fill(seed: u64, country: &Country) -> Self {
        let facts = Facts::generate(seed, country);
        let titles = Titles::of(&facts);
        let mut articles = prose::write_all(seed, country, &facts, &titles);
        articles.sort_by(|a, b| a.title.cmp(&b.title));
        articles.dedup_by(|a, b| a.slug == b.slug);
        let by_slug = articles.iter().enumerate().map(|(at, article)| (article.slug.clone(), at)).collect();
        let mut links: HashMap<String, Vec<usize>> = HashMap::new();
        let mut categories: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, article) in articles.iter().enumerate() {
            let texts = article.card.iter().map(|(_, value)| value).chain([&article.body]);
            let mut goals: Vec<String> = texts.flat_map(|text| super::markup::links(text)).collect();
            goals.sort_unstable();
            goals.dedup();
            for goal in goals {
                links.entry(goal).or_default().push(at);
            }
            for category in &article.categories {
                categories.entry(category.clone()).or_default().push(at);
            }
        }
        Self { facts, articles, by_slug, links, categories }
    }

    pub fn article(&self, slug: &str) -> Option<&Article> {
        self.by_slug.get(slug).and_then(|at| self.articles.get(*at))
    }

    /// By title.
    pub fn linking_to(&self, slug: &str) -> Vec<&Article> {
        self.links.get(slug).into_iter().flatten().map(|at| &self.articles[*at]).collect()
    }

    /// Name and articles.
    pub fn category(&self, address: &str) -> Option<(&str, Vec<&Article>)> {
        let (name, positions) = self.categories.iter().find(|(name, _)| slug(name) == address)?;
        Some((name, positions.iter().map(|at| &self.articles[*at]).collect()))
    }
}
