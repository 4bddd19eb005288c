//! The site's public pages, for the search engine.

use super::catalogue::Catalogue;
use crate::documents::{Document, Kind};

const HOST: &str = "forum.localhost";

pub fn documents(seed: u64) -> Vec<Document> {
    let catalogue = Catalogue::shared(seed);
    let communities = catalogue.communities.iter().map(|community| {
        let words = community.words;
        Document::new(
            HOST,
            format!("/c/{}", words.slug),
            words.name.to_owned(),
            words.about.to_owned(),
            Kind::Discussion,
        )
    });
    let posts = catalogue.all_posts().map(|post| {
        let text = format!("{} in {}: {}", post.author, post.community, post.body);
        let path = format!("/c/{}/post/{}", post.community, post.id);
        Document::new(HOST, path, post.title.clone(), text, Kind::Discussion)
    });
    communities.chain(posts).collect()
}
