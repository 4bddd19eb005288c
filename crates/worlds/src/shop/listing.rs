//! Search, filters, sorting and paging: from a query string to the products on a page.

use url::form_urlencoded;

use super::catalogue::{Catalogue, Category, Product, Subcategory};
use super::money::Cents;
use crate::Request;

pub const PAGE_SIZE: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Featured,
    PriceUp,
    PriceDown,
    Rating,
    Newest,
    Name,
}

impl Sort {
    pub const ALL: [Self; 6] =
        [Self::Featured, Self::PriceUp, Self::PriceDown, Self::Rating, Self::Newest, Self::Name];

    pub fn code(self) -> &'static str {
        match self {
            Self::Featured => "featured",
            Self::PriceUp => "price-asc",
            Self::PriceDown => "price-desc",
            Self::Rating => "rating",
            Self::Newest => "newest",
            Self::Name => "name",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Featured => "Featured",
            Self::PriceUp => "Price: low to high",
            Self::PriceDown => "Price: high to low",
            Self::Rating => "Customer rating",
            Self::Newest => "Newest first",
            Self::Name => "Name: A to Z",
        }
    }

    fn parse(code: &str) -> Self {
        Self::ALL.into_iter().find(|sort| sort.code() == code).unwrap_or(Self::Featured)
    }
}

/// Which part of the catalogue is looked at.
#[derive(Clone, Copy)]
pub enum Scope {
    Everything,
    Category(&'static Category),
    Subcategory(&'static Category, &'static Subcategory),
    Reduced,
}

impl Scope {
    pub fn path(&self) -> String {
        match self {
            Self::Everything => "/search".to_owned(),
            Self::Category(category) => category.path(),
            Self::Subcategory(category, subcategory) => format!("{}/{}", category.path(), subcategory.slug),
            Self::Reduced => "/offers".to_owned(),
        }
    }

    fn holds(&self, product: &Product) -> bool {
        match self {
            Self::Everything => true,
            Self::Category(category) => product.category.slug == category.slug,
            Self::Subcategory(_, subcategory) => product.subcategory.slug == subcategory.slug,
            Self::Reduced => product.was.is_some(),
        }
    }
}

pub struct ListingQuery {
    pub scope: Scope,
    pub words: String,
    pub brands: Vec<String>,
    pub colours: Vec<String>,
    pub min: Option<Cents>,
    pub max: Option<Cents>,
    /// Least number of stars.
    pub rating: Option<u32>,
    pub in_stock: bool,
    pub sort: Sort,
    /// From 1.
    pub page: usize,
}

pub struct Listing<'a> {
    /// All that fit, in order.
    pub found: Vec<&'a Product>,
    /// Brands and colours within the scope and words, before filters, with their counts.
    pub brands: Vec<(&'static str, usize)>,
    pub colours: Vec<(&'static str, usize)>,
    /// Last page, at least 1.
    pub pages: usize,
    pub page: usize,
}

impl<'a> Listing<'a> {
    pub fn on_page(&self) -> &[&'a Product] {
        let start = (self.page - 1).saturating_mul(PAGE_SIZE).min(self.found.len());
        let end = start.saturating_add(PAGE_SIZE).min(self.found.len());
        self.found.get(start..end).unwrap_or_default()
    }
}

impl ListingQuery {
    pub fn parse(scope: Scope, request: &Request) -> Self {
        let values = |name| request.queries(name).filter(|v| !v.is_empty()).map(str::to_owned).collect();
        Self {
            scope,
            words: request.query("q").unwrap_or_default().trim().to_owned(),
            brands: values("brand"),
            colours: values("colour"),
            min: request.query("min").and_then(Cents::parse),
            max: request.query("max").and_then(Cents::parse),
            rating: request
                .query("rating")
                .and_then(|text| text.parse().ok())
                .filter(|stars| (1..=5).contains(stars)),
            in_stock: request.query("stock") == Some("1"),
            sort: request.query("sort").map_or(Sort::Featured, Sort::parse),
            page: request.query("page").and_then(|text| text.parse().ok()).unwrap_or(1).max(1),
        }
    }

    pub fn run<'a>(&self, catalogue: &'a Catalogue) -> Listing<'a> {
        let wanted: Vec<String> = self.words.split_whitespace().map(str::to_lowercase).collect();
        let in_scope: Vec<&Product> = catalogue
            .products()
            .iter()
            .filter(|product| self.scope.holds(product) && matches_words(product, &wanted))
            .collect();
        let brands = count(in_scope.iter().map(|product| product.brand));
        let colours =
            count(in_scope.iter().flat_map(|product| product.colours.iter().map(|colour| colour.name)));
        let mut found: Vec<&Product> = in_scope.into_iter().filter(|product| self.admits(product)).collect();
        // Stable sorts: ties stay in catalogue order.
        match self.sort {
            Sort::Featured => {}
            Sort::PriceUp => found.sort_by_key(|product| product.price),
            Sort::PriceDown => found.sort_by_key(|product| std::cmp::Reverse(product.price)),
            Sort::Rating => {
                found.sort_by_key(|product| std::cmp::Reverse((product.rating, product.reviews.len())));
            }
            Sort::Newest => found.sort_by_key(|product| std::cmp::Reverse(product.added)),
            Sort::Name => found.sort_by(|a, b| a.name.cmp(&b.name)),
        }
        let pages = found.len().div_ceil(PAGE_SIZE).max(1);
        Listing { found, brands, colours, pages, page: self.page.min(pages) }
    }

    fn admits(&self, product: &Product) -> bool {
        (self.brands.is_empty() || self.brands.iter().any(|brand| brand == product.brand))
            && (self.colours.is_empty() || self.colours.iter().any(|name| product.colour(name).is_some()))
            && self.min.is_none_or(|min| product.price >= min)
            && self.max.is_none_or(|max| product.price <= max)
            && self.rating.is_none_or(|stars| product.rating.is_some_and(|rating| rating >= stars * 10))
            && (!self.in_stock || product.in_stock())
    }

    /// This query on another page.
    pub fn link(&self, page: usize) -> String {
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        if !self.words.is_empty() {
            pairs.append_pair("q", &self.words);
        }
        for brand in &self.brands {
            pairs.append_pair("brand", brand);
        }
        for colour in &self.colours {
            pairs.append_pair("colour", colour);
        }
        for (name, amount) in [("min", self.min), ("max", self.max)] {
            if let Some(amount) = amount {
                pairs.append_pair(name, &plain(amount));
            }
        }
        if let Some(stars) = self.rating {
            pairs.append_pair("rating", &stars.to_string());
        }
        if self.in_stock {
            pairs.append_pair("stock", "1");
        }
        if self.sort != Sort::Featured {
            pairs.append_pair("sort", self.sort.code());
        }
        if page > 1 {
            pairs.append_pair("page", &page.to_string());
        }
        let query = pairs.finish();
        if query.is_empty() { self.scope.path() } else { format!("{}?{query}", self.scope.path()) }
    }
}

/// An amount as people type it: `80` or `80.50`.
pub fn plain(amount: Cents) -> String {
    let text = amount.to_string().replace(['$', ','], "");
    text.strip_suffix(".00").map_or(text.clone(), str::to_owned)
}

/// Every wanted word begins a word of the product's name, brand, shelf or category.
fn matches_words(product: &Product, wanted: &[String]) -> bool {
    if wanted.is_empty() {
        return true;
    }
    let text =
        ["", &product.name, product.brand, product.subcategory.name, product.category.name, &product.id]
            .join(" ")
            .to_lowercase();
    wanted.iter().all(|word| text.contains(&format!(" {word}")) || text.contains(&format!("-{word}")))
}

fn count(names: impl Iterator<Item = &'static str>) -> Vec<(&'static str, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for name in names {
        *counts.entry(name).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::shop::catalogue::CATEGORIES;

    fn query(scope: Scope, target: &str) -> ListingQuery {
        let request =
            http::Request::get(format!("http://shop.localhost{target}")).body(Bytes::new()).expect("request");
        ListingQuery::parse(scope, &Request::parse(request))
    }

    #[test]
    fn filters_are_what_they_say() {
        let catalogue = Catalogue::of_seed(7);
        let query = query(
            Scope::Everything,
            "/search?q=lamp&min=30&max=$90.50&rating=4&stock=1&colour=Sage&sort=price-asc",
        );
        let found = query.run(&catalogue).found;
        let expected = catalogue.products().iter().filter(|p| {
            p.name.contains("Lamp")
                && (3_000..=9_050).contains(&p.price.0)
                && p.rating.is_some_and(|rating| rating >= 40)
                && p.stock > 0
                && p.colours.iter().any(|colour| colour.name == "Sage")
        });
        assert_eq!(found.len(), expected.count());
        assert!(!found.is_empty() && found.is_sorted_by_key(|product| product.price));
    }

    #[test]
    fn pages_cover_everything_once() {
        let catalogue = Catalogue::of_seed(7);
        let mut seen = Vec::new();
        for page in 1..=23 {
            let listing =
                query(Scope::Category(&CATEGORIES[0]), &format!("/c/lighting?page={page}")).run(&catalogue);
            assert_eq!(listing.pages, 23);
            seen.extend(listing.on_page().iter().map(|product| product.id.clone()));
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 275);
        assert_eq!(query(Scope::Everything, "/search?page=-1").run(&catalogue).page, 1);
        assert_eq!(query(Scope::Everything, "/search?page=9999").run(&catalogue).page, 184);
    }

    #[test]
    fn search_needs_every_word_at_the_start_of_some_word() {
        let catalogue = Catalogue::of_seed(7);
        let hits =
            |words: &str| query(Scope::Everything, &format!("/search?q={words}")).run(&catalogue).found.len();
        assert_eq!(hits("desk+lamp"), 55);
        assert_eq!(hits("DESK+LAMPS"), 55);
        assert_eq!(hits("amp"), 0);
        assert_eq!(hits("samovar"), 0);
        assert_eq!(hits("lm-1001"), 1);
        assert_eq!(hits(""), 2_200);
    }

    #[test]
    fn a_link_says_the_same_query_again() {
        let target =
            "/search?q=desk+lamp&brand=Tarn+%26+Vale&min=10&max=99.50&rating=3&stock=1&sort=newest&page=2";
        assert_eq!(query(Scope::Everything, target).link(2), target);
    }
}
