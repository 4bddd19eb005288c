//! The site's public pages, for the search engine.

use super::content::Paper;
use crate::documents::{Document, Kind};

pub fn documents(seed: u64) -> Vec<Document> {
    let document = |article: &super::content::Article| {
        let text = format!("{} · by {}. {}", article.section, article.author, article.paragraphs[0]);
        Document::new(
            "gazette.localhost",
            format!("/article/{}", article.id),
            format!("{} · The Harbour Gazette", article.headline),
            text,
            Kind::News,
        )
    };
    Paper::of_seed(seed).articles.iter().map(document).collect()
}
