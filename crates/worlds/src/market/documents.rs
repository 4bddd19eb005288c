//! The site's public pages, for the search engine.

use super::stock::Stock;
use super::storefront::STOREFRONTS;
use crate::documents::{Document, Kind};
use crate::world::site_hosts;

/// Every storefront with its front page and its stock.
pub fn documents(seed: u64) -> Vec<Document> {
    let mut documents = Vec::new();
    for storefront in STOREFRONTS {
        let Some((host, _)) = site_hosts().iter().find(|(host, _)| *host == storefront.host()) else {
            continue;
        };
        let front = format!("{} {}", storefront.tagline, storefront.about);
        documents.push(Document::new(host, "/".to_owned(), storefront.name.to_owned(), front, Kind::Product));
        for item in Stock::of_seed(storefront, seed).items() {
            let title = format!("{} · {}", item.name, storefront.name);
            let text = format!("{}, {}. {}", item.shelf.name, item.price, item.text);
            documents.push(Document::new(host, item.path(), title, text, Kind::Product));
        }
    }
    documents
}
