//! The site's public pages, for the search engine.

use super::content::Content;
use crate::documents::{Document, Kind};

pub fn documents(seed: u64) -> Vec<Document> {
    let content = Content::of_seed(seed);
    let document = |video: &super::content::Video| {
        let channel = &content.channels[video.channel];
        let text = format!("A video by {} in {}.", channel.name, video.category);
        Document::new(
            "video.localhost",
            format!("/watch/{}", video.id),
            format!("{} · Reelyard", video.title),
            text,
            Kind::Other,
        )
    };
    content.videos.iter().map(document).collect()
}
