//! The site's public pages, for the search engine.

use super::catalogue::Catalogue;
use crate::documents::{Document, Kind};

pub fn documents(seed: u64) -> Vec<Document> {
    let catalogue = Catalogue::shared(seed);
    let document = |article: &super::catalogue::Article| {
        let text = format!("{}: {}", article.published.day(), article.standfirst);
        Document::new("news.localhost", article.path(), article.headline.clone(), text, Kind::News)
    };
    catalogue.articles.iter().map(document).collect()
}
