//! The site's public pages, for the search engine.

use super::catalogue::{CATEGORIES, Catalogue};
use crate::documents::{Document, Kind};

const HOST: &str = "shop.localhost";

pub fn documents(seed: u64) -> Vec<Document> {
    let catalogue = Catalogue::of_seed(seed);
    let categories = CATEGORIES.iter().map(|category| {
        let title = format!("{} | Larkmoor Goods", category.name);
        Document::new(HOST, format!("/c/{}", category.slug), title, category.blurb.to_owned(), Kind::Product)
    });
    let products = catalogue.products().iter().map(|product| {
        let about = product.description.first().map(String::as_str).unwrap_or_default();
        let text = format!("{} by {}, {}. {about}", product.subcategory.name, product.brand, product.price);
        Document::new(HOST, product.path(), format!("{} | Larkmoor Goods", product.name), text, Kind::Product)
    });
    categories.chain(products).collect()
}
