//! The site's public pages, for the search engine.

use super::content::Catalogue;
use crate::documents::{Document, Kind};

pub fn documents(seed: u64) -> Vec<Document> {
    let document = |game: &super::content::Game| {
        let text = format!("{} game by {}, {}.", game.genre, game.studio, game.year);
        Document::new(
            "games.localhost",
            format!("/game/{}", game.id),
            format!("{} · Quarterdeck", game.title),
            text,
            Kind::Product,
        )
    };
    Catalogue::of_seed(seed).games.iter().map(document).collect()
}
