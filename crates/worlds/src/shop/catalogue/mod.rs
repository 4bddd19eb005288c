//! The goods: made once per seed, never changed, shared by all worlds of that seed.

mod departments;
mod products;
mod reviews;

use std::collections::HashMap;
use std::iter;
use std::sync::Arc;

pub use departments::{CATEGORIES, COLOURS, Category, Colour, Subcategory, category};

use super::calendar::Day;
use super::money::Cents;
use crate::kit::by_seed::BySeed;

pub struct Catalogue {
    /// In catalogue order: ids ascending; the shop's own first, category by category and shelf by shelf, then those of
    /// partners in the same order.
    products: Vec<Product>,
    by_id: HashMap<String, usize>,
    by_slug: HashMap<String, usize>,
}

pub struct Product {
    /// `LM-1001`.
    pub id: String,
    pub slug: String,
    pub name: String,
    pub category: &'static Category,
    pub subcategory: &'static Subcategory,
    pub brand: &'static str,
    pub seller: Seller,
    pub colours: Vec<&'static Colour>,
    pub price: Cents,
    /// Price before a reduction.
    pub was: Option<Cents>,
    pub stock: u32,
    /// When the shop began to sell it.
    pub added: Day,
    pub description: Vec<String>,
    pub specification: Vec<(&'static str, String)>,
    /// Newest first.
    pub reviews: Vec<Review>,
    /// Mean of the stars times ten, rounded; `None` without reviews.
    pub rating: Option<u32>,
}

/// Whose business a product is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seller {
    Shop,
    /// Ordered in the shop; its maker keeps the stock, sends it and writes the bill, so the shop's books do not have it.
    Maker,
}

pub struct Review {
    pub author: &'static str,
    pub date: Day,
    pub stars: u32,
    pub title: &'static str,
    opening: &'static str,
    remarks: [Option<&'static str>; 2],
}

impl Review {
    /// Put together when it is read: most reviews of a catalogue never are.
    pub fn text(&self) -> String {
        let sentences: Vec<&str> =
            iter::once(self.opening).chain(self.remarks.into_iter().flatten()).collect();
        sentences.join(" ")
    }
}

impl Product {
    pub fn path(&self) -> String {
        format!("/product/{}", self.slug)
    }

    pub fn in_stock(&self) -> bool {
        self.stock > 0
    }

    pub fn colour(&self, name: &str) -> Option<&'static Colour> {
        self.colours.iter().copied().find(|colour| colour.name == name)
    }

    /// Price in this size; the base price for a product without sizes. `None` if there is no such size.
    pub fn price_in(&self, size: Option<&str>) -> Option<Cents> {
        match (self.subcategory.sizes, size) {
            (None, None) => Some(self.price),
            (Some(axis), Some(size)) => axis
                .options
                .iter()
                .find(|(name, _)| *name == size)
                .map(|(_, surcharge)| self.price + self.price.percent(*surcharge)),
            _ => None,
        }
    }
}

static CATALOGUES: BySeed<Catalogue> = BySeed::new();

impl Catalogue {
    pub fn of_seed(seed: u64) -> Arc<Self> {
        CATALOGUES.get(seed, Self::generate)
    }

    fn generate(seed: u64) -> Self {
        let products = products::generate(seed);
        let index = |key: fn(&Product) -> &String| {
            products.iter().enumerate().map(|(at, product)| (key(product).clone(), at)).collect()
        };
        Self { by_id: index(|product| &product.id), by_slug: index(|product| &product.slug), products }
    }

    /// Everything the shop shows.
    pub fn products(&self) -> &[Product] {
        &self.products
    }

    /// What it sells itself.
    pub fn own(&self) -> &[Product] {
        let count = self.products.partition_point(|product| product.seller == Seller::Shop);
        self.products.get(..count).unwrap_or_default()
    }

    pub fn product(&self, id: &str) -> Option<&Product> {
        self.by_id.get(id).and_then(|&at| self.products.get(at))
    }

    pub fn by_slug(&self, slug: &str) -> Option<&Product> {
        self.by_slug.get(slug).and_then(|&at| self.products.get(at))
    }
}

/// Lower case words joined by hyphens, as used in URLs and keys.
pub fn slug_of(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'a'..='z' | '0'..='9' => slug.push(c),
            'A'..='Z' => slug.push(c.to_ascii_lowercase()),
            // An apostrophe belongs to its word: Banker's → bankers.
            '\'' => {}
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_seed_is_made_once_and_shared() {
        // Asked for again, the same allocation comes back: creating a world does no catalogue work.
        assert!(Arc::ptr_eq(&Catalogue::of_seed(7), &Catalogue::of_seed(7)));
    }

    #[test]
    fn ids_names_and_slugs_are_unique() {
        let catalogue = Catalogue::of_seed(3);
        let count = catalogue.products().len();
        assert_eq!((count, catalogue.own().len()), (2_200, 600));
        assert!(catalogue.own().iter().all(|product| product.seller == Seller::Shop));
        assert!(catalogue.products()[600..].iter().all(|product| product.seller == Seller::Maker));
        for key in [|p: &Product| p.id.clone(), |p: &Product| p.name.clone(), |p: &Product| p.slug.clone()] {
            assert_eq!(catalogue.products().iter().map(key).collect::<BTreeSet<_>>().len(), count);
        }
    }

    #[test]
    fn equal_seeds_give_equal_goods_and_others_do_not() {
        let names = |seed| -> Vec<(String, Cents, usize)> {
            let catalogue = Catalogue::generate(seed);
            catalogue.products().iter().map(|p| (p.name.clone(), p.price, p.reviews.len())).collect()
        };
        assert_eq!(names(7), names(7));
        assert_ne!(names(7), names(8));
    }

    #[test]
    fn prices_and_ratings_keep_their_bounds() {
        for product in Catalogue::of_seed(7).products() {
            let (low, high) = product.subcategory.prices;
            assert!((low * 100..=high * 100 + 99).contains(&product.price.0), "{}", product.name);
            assert!(product.was.is_none_or(|was| was > product.price));
            let mean = product.reviews.iter().map(|r| f64::from(r.stars)).sum::<f64>()
                / product.reviews.len() as f64;
            assert_eq!(product.rating.is_none(), product.reviews.is_empty());
            assert!(product.rating.is_none_or(|rating| (f64::from(rating) / 10.0 - mean).abs() < 0.051));
            assert!(!product.colours.is_empty());
        }
    }

    #[test]
    fn slugs_are_plain() {
        for (text, slug) in
            [("Banker's Desk Lamp", "bankers-desk-lamp"), (" 0.5 litre ", "0-5-litre"), ("−", "")]
        {
            assert_eq!(slug_of(text), slug);
        }
    }
}
