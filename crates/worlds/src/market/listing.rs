//! Which items a visitor asked for: read from the address, filtered, sorted, cut into pages, and written back into
//! links.

use std::collections::BTreeMap;

use super::atlas::{CENTRE, Place, Point};
use super::item::{HORIZON, Item};
use super::storefront::Storefront;
use super::trade::{Facet, FacetKind, SearchField, Shelf, Sort, Trade};
use crate::Request;
use crate::kit::calendar::{Day, TODAY};
use crate::kit::money::Cents;

pub const PAGE_SIZE: usize = 24;
/// Longer words than any name; more of them would only cost time.
const MAX_WORDS: usize = 80;

#[derive(Clone)]
pub struct ListingQuery {
    pub trade: &'static Trade,
    pub shelf: Option<&'static Shelf>,
    pub words: String,
    /// Chosen values of attributes, by key; `(key, value)` in the order given.
    pub picks: Vec<(&'static str, String)>,
    /// Chosen bounds of numbers.
    pub bounds: Vec<(&'static str, i64)>,
    pub price: (Option<Cents>, Option<Cents>),
    /// The address as typed.
    pub near: String,
    pub day: Option<Day>,
    pub counts: Vec<(&'static str, u32)>,
    pub sort: Option<&'static Sort>,
    pub page: usize,
    /// What was wrong with the search form, by field.
    pub problems: BTreeMap<&'static str, &'static str>,
}

pub struct Listing<'a> {
    pub found: Vec<&'a Item>,
    pub page: usize,
    pub pages: usize,
}

impl ListingQuery {
    pub fn parse(storefront: &Storefront, shelf: Option<&'static Shelf>, request: &Request) -> Self {
        let trade = storefront.trade;
        let get = |name: &str| request.query(name).unwrap_or_default().trim();
        let mut query = Self {
            trade,
            shelf,
            words: get("q").chars().take(MAX_WORDS).collect(),
            picks: Vec::new(),
            bounds: Vec::new(),
            price: (Cents::parse(get("min")), Cents::parse(get("max"))),
            near: get("near").chars().take(MAX_WORDS).collect(),
            day: None,
            counts: Vec::new(),
            sort: trade.sorts.iter().find(|sort| sort.code == get("sort")),
            page: get("page").parse().unwrap_or(1).max(1),
            problems: BTreeMap::new(),
        };
        for field in trade.search {
            query.read_field(field, request);
        }
        for facet in trade.facets {
            query.read_facet(facet, request);
        }
        query
    }

    fn read_field(&mut self, field: &SearchField, request: &Request) {
        let get = |name: &str| request.query(name).unwrap_or_default().trim().to_owned();
        match field {
            SearchField::Pick { key, .. } => {
                let value = get(key);
                if !value.is_empty() {
                    self.picks.push((key, value));
                }
            }
            SearchField::Near { .. } => {
                if !self.near.is_empty() && self.home().is_none() {
                    let problem = if self.picked("city").next().is_some() {
                        "We cannot find that address in this city. Write it like 118 Alder Street."
                    } else {
                        "Choose a city to search near an address."
                    };
                    self.problems.insert("near", problem);
                }
            }
            SearchField::Day { key, .. } => {
                let text = get(key);
                self.day = Day::parse(&text).filter(|day| is_bookable(*day));
                if !text.is_empty() && self.day.is_none() {
                    self.problems.insert(key, "Choose a day within the next six months, like 2026-04-18.");
                }
            }
            SearchField::Count { key, most, .. } => {
                if let Some(count) = get(key).parse().ok().filter(|count| (1..=*most).contains(count)) {
                    self.counts.push((key, count));
                }
            }
        }
    }

    fn read_facet(&mut self, facet: &Facet, request: &Request) {
        let key = facet.key;
        match facet.kind {
            FacetKind::AnyOf | FacetKind::AllOf => {
                let values = request.queries(key).filter(|value| !value.is_empty()).take(40);
                self.picks.extend(values.map(|value| (key, value.to_owned())));
            }
            FacetKind::OneOf | FacetKind::Pick => {
                let value = request.query(key).filter(|value| !value.is_empty());
                self.picks.extend(value.map(|value| (key, value.to_owned())));
            }
            FacetKind::Flag(value) => {
                if request.queries(key).any(|given| given == value) {
                    self.picks.push((key, value.to_owned()));
                }
            }
            FacetKind::AtLeast(steps) | FacetKind::AtMost(steps) => {
                let bound = request.query(key).and_then(|text| text.parse().ok());
                let bound = bound.filter(|bound| steps.iter().any(|(step, _)| step == bound));
                self.bounds.extend(bound.map(|bound| (key, bound)));
            }
            FacetKind::Price => {}
        }
    }

    pub fn picked<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.picks.iter().filter(move |(name, _)| *name == key).map(|(_, value)| value.as_str())
    }

    pub fn has_pick(&self, key: &str, value: &str) -> bool {
        self.picked(key).any(|picked| picked == value)
    }

    pub fn bound(&self, key: &str) -> Option<i64> {
        self.bounds.iter().find(|(name, _)| *name == key).map(|(_, bound)| *bound)
    }

    pub fn count(&self, key: &str) -> Option<u32> {
        self.counts.iter().find(|(name, _)| *name == key).map(|(_, count)| *count)
    }

    /// The address that distances are measured from, if one was given and exists.
    pub fn home(&self) -> Option<Point> {
        let city = self.picked("city").next()?;
        Place::parse(city, &self.near).map(Place::point)
    }

    /// Whether the search form has what a list needs: a city, a route.
    pub fn is_complete(&self) -> bool {
        self.trade.search.iter().all(|field| match field {
            SearchField::Pick { key, .. } => self.picked(key).next().is_some(),
            _ => true,
        })
    }

    /// Tenths of a mile from the address, or from the middle of the city.
    pub fn distance(&self, item: &Item) -> Option<i64> {
        let place = item.place?;
        Some(place.point().tenths_to(self.home().unwrap_or(CENTRE)))
    }

    /// The price on the chosen day.
    pub fn price_of(&self, item: &Item) -> Cents {
        match self.day {
            Some(day) if self.trade.day_priced => item.on_day(item.price, day),
            _ => item.price,
        }
    }

    fn number(&self, item: &Item, key: &str) -> Option<i64> {
        match key {
            "price" => Some(i64::from(self.price_of(item).0)),
            "distance" => self.distance(item),
            _ => item.number(key),
        }
    }

    /// In the scope of the list, before its filters.
    pub fn is_in_scope(&self, item: &Item) -> bool {
        self.shelf.is_none_or(|shelf| shelf.slug == item.shelf.slug)
            && self.trade.search.iter().all(|field| match field {
                SearchField::Pick { key, .. } => self.picked(key).all(|value| item.has(key, value)),
                _ => true,
            })
            && self.words_match(item)
            && self.day.is_none_or(|day| item.is_open_on(day))
    }

    fn words_match(&self, item: &Item) -> bool {
        let text = format!("{} {}", item.name, item.shelf.name).to_lowercase();
        self.words.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }

    fn passes(&self, item: &Item, facet: &Facet) -> bool {
        let mut picked = self.picked(facet.key).peekable();
        match facet.kind {
            FacetKind::AnyOf => picked.peek().is_none() || picked.any(|value| item.has(facet.key, value)),
            FacetKind::AllOf | FacetKind::OneOf | FacetKind::Pick | FacetKind::Flag(_) => {
                picked.all(|value| item.has(facet.key, value))
            }
            FacetKind::AtLeast(_) => {
                self.bound(facet.key).is_none_or(|b| self.number(item, facet.key).is_some_and(|n| n >= b))
            }
            FacetKind::AtMost(_) => {
                self.bound(facet.key).is_none_or(|b| self.number(item, facet.key).is_some_and(|n| n <= b))
            }
            FacetKind::Price => {
                let price = self.price_of(item);
                self.price.0.is_none_or(|min| price >= min) && self.price.1.is_none_or(|max| price <= max)
            }
        }
    }

    pub fn run<'a>(&self, items: &'a [Item]) -> Listing<'a> {
        let mut found: Vec<&Item> = items
            .iter()
            .filter(|item| self.is_in_scope(item) && self.trade.facets.iter().all(|f| self.passes(item, f)))
            .collect();
        if let Some(sort) = self.sort.or(self.trade.sorts.first()) {
            found.sort_by_cached_key(|item| match self.number(item, sort.by) {
                Some(number) if sort.descending => (false, -number),
                Some(number) => (false, number),
                None => (true, 0),
            });
        }
        let pages = found.len().div_ceil(PAGE_SIZE).max(1);
        Listing { found, page: self.page.min(pages), pages }
    }

    /// Values of an attribute among the items in scope, with how many have it.
    pub fn values<'a>(&self, items: &'a [Item], key: &str) -> BTreeMap<&'a str, usize> {
        let mut counts = BTreeMap::new();
        for item in items.iter().filter(|item| self.is_in_scope(item)) {
            for value in item.values(key) {
                *counts.entry(*value).or_default() += 1;
            }
        }
        counts
    }

    pub fn path(&self) -> String {
        self.shelf.map_or_else(|| "/find".to_owned(), |shelf| format!("/shelf/{}", shelf.slug))
    }

    /// What the search form said, for links that stay within the search.
    pub fn search_pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        if !self.words.is_empty() {
            pairs.push(("q", self.words.clone()));
        }
        for field in self.trade.search {
            match field {
                SearchField::Pick { key, .. } => {
                    pairs.extend(self.picked(key).take(1).map(|value| (*key, value.to_owned())));
                }
                SearchField::Near { .. } if !self.near.is_empty() => pairs.push(("near", self.near.clone())),
                SearchField::Near { .. } => {}
                SearchField::Day { key, .. } => pairs.extend(self.day.map(|day| (*key, day.iso()))),
                SearchField::Count { key, .. } => {
                    pairs.extend(self.count(key).map(|count| (*key, count.to_string())));
                }
            }
        }
        pairs
    }

    /// The address of another page of this list.
    pub fn link(&self, page: usize) -> String {
        let mut pairs = self.search_pairs();
        let is_search_field = |name: &str| {
            self.trade.search.iter().any(|f| matches!(f, SearchField::Pick { key, .. } if *key == name))
        };
        pairs.extend(self.picks.iter().filter(|(key, _)| !is_search_field(key)).cloned());
        pairs.extend(self.bounds.iter().map(|(key, bound)| (*key, bound.to_string())));
        pairs.extend(self.price.0.map(|cents| ("min", plain(cents))));
        pairs.extend(self.price.1.map(|cents| ("max", plain(cents))));
        pairs.extend(self.sort.map(|sort| ("sort", sort.code.to_owned())));
        if page > 1 {
            pairs.push(("page", page.to_string()));
        }
        address(&self.path(), &pairs)
    }

    /// The same search without filters.
    pub fn bare_link(&self) -> String {
        address(&self.path(), &self.search_pairs())
    }

    pub fn item_link(&self, item: &Item) -> String {
        let pairs: Vec<_> = self.search_pairs().into_iter().filter(|(key, _)| *key != "q").collect();
        address(&item.path(), &pairs)
    }

    /// The same list on another day.
    pub fn link_on(&self, day: Day) -> String {
        Self { day: Some(day), ..self.clone() }.link(1)
    }
}

impl<'a> Listing<'a> {
    pub fn on_page(&self) -> &[&'a Item] {
        let start = (self.page - 1) * PAGE_SIZE;
        let end = (start + PAGE_SIZE).min(self.found.len());
        self.found.get(start..end).unwrap_or_default()
    }
}

/// Days that can be booked.
pub fn is_bookable(day: Day) -> bool {
    day >= TODAY && day <= TODAY.plus(HORIZON)
}

pub fn address(path: &str, pairs: &[(&str, String)]) -> String {
    if pairs.is_empty() {
        return path.to_owned();
    }
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    format!("{path}?{query}")
}

/// `80` or `80.50`, for a field.
pub fn plain(cents: Cents) -> String {
    if cents.0.is_multiple_of(100) {
        (cents.0 / 100).to_string()
    } else {
        format!("{}.{:02}", cents.0 / 100, cents.0 % 100)
    }
}
