//! The site's public pages, for the search engine.

use super::content::Content;
use super::pages::short;
use crate::documents::{Document, Kind};

const HOST: &str = "social.localhost";

pub fn documents(seed: u64) -> Vec<Document> {
    let content = Content::of_seed(seed);
    let people = content.people.iter().map(|person| {
        let text = format!("{} on Murmur: {}, {} followers.", person.name, person.trade, person.followers);
        let title = format!("{} · Murmur", person.name);
        Document::new(HOST, format!("/people/{}", person.id), title, text, Kind::Other)
    });
    // The beginning of a post is enough to find it by.
    let posts = content.posts.iter().map(|post| {
        let author = &content.people[post.author].name;
        let title = format!("{} · {author} · Murmur", short(&post.text));
        let text = format!("{} in {}: {}.", author, post.topic, short(&post.text));
        Document::new(HOST, format!("/posts/{}", post.id), title, text, Kind::Discussion)
    });
    people.chain(posts).collect()
}
