//! The site's public pages, for the search engine.

use super::library::Library;
use crate::documents::{Document, Kind};

pub fn documents(seed: u64) -> Vec<Document> {
    let library = Library::shared(seed);
    let articles = library.shelf().articles.iter();
    let document = |article: &super::library::Article| {
        let facts: Vec<String> = article
            .card
            .iter()
            .map(|(name, value)| format!("{name}: {}", super::markup::plain(value)))
            .collect();
        let text = format!("{} {}", article.summary(), facts.join(" · "));
        Document::new(
            "encyclopedia.localhost",
            format!("/article/{}", article.slug),
            format!("{} — Quire", article.title),
            text,
            Kind::Article,
        )
    };
    articles.map(document).collect()
}
