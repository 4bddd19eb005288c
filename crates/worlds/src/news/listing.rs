//! Which articles a list shows: search, section, topic, author, months; in which order; on which page.

use super::catalogue::{Article, Catalogue};
use crate::Request;

pub const PER_PAGE: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Newest,
    Oldest,
    MostRead,
    MostDiscussed,
}

impl Order {
    pub const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Newest, "newest", "Newest first"),
        (Self::Oldest, "oldest", "Oldest first"),
        (Self::MostRead, "read", "Most read"),
        (Self::MostDiscussed, "discussed", "Most discussed"),
    ];

    fn named(name: &str) -> Self {
        Self::ALL.iter().find(|(_, id, _)| *id == name).map_or(Self::Newest, |(order, _, _)| *order)
    }
}

/// The conditions of a list, as its address says them.
pub struct Wanted<'a> {
    pub words: &'a str,
    pub section: &'a str,
    pub author: &'a str,
    pub topic: &'a str,
    /// `2026-02`
    pub month: &'a str,
    pub order: Order,
    pub page: usize,
}

impl<'a> Wanted<'a> {
    pub fn of(request: &'a Request) -> Self {
        let text = |name| request.query(name).unwrap_or_default().trim();
        Self {
            words: text("q"),
            section: text("section"),
            author: text("author"),
            topic: "",
            month: text("month"),
            order: Order::named(text("sort")),
            page: text("page").parse().unwrap_or(1),
        }
    }

    fn fits(&self, catalogue: &Catalogue, article: &Article) -> bool {
        let author = catalogue.author_of(article);
        let said = || {
            format!("{} {} {} {}", article.headline, article.standfirst, author.name, article.facts.place)
                .to_lowercase()
        };
        (self.section.is_empty() || article.section.slug == self.section)
            && (self.author.is_empty() || author.slug == self.author)
            && (self.topic.is_empty() || article.topic() == self.topic)
            && (self.month.is_empty() || article.published.to_string().starts_with(self.month))
            && (self.words.is_empty() || {
                let said = said();
                self.words.to_lowercase().split_whitespace().all(|word| said.contains(word))
            })
    }
}

pub struct Found<'a> {
    pub total: usize,
    pub page: usize,
    pub pages: usize,
    pub articles: Vec<&'a Article>,
}

pub fn find<'a>(catalogue: &'a Catalogue, wanted: &Wanted<'_>) -> Found<'a> {
    let mut articles: Vec<&Article> =
        catalogue.newest().filter(|article| wanted.fits(catalogue, article)).collect();
    match wanted.order {
        Order::Newest => {}
        Order::Oldest => articles.reverse(),
        Order::MostRead => articles.sort_by_key(|article| std::cmp::Reverse(article.reads)),
        Order::MostDiscussed => articles.sort_by_key(|article| std::cmp::Reverse(article.comments)),
    }
    let total = articles.len();
    let pages = total.div_ceil(PER_PAGE).max(1);
    let page = wanted.page.clamp(1, pages);
    let articles = articles.into_iter().skip((page - 1) * PER_PAGE).take(PER_PAGE).collect();
    Found { total, page, pages, articles }
}
