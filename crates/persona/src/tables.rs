//! The words histories are made of: 21 domains with their sites, goods, attributes and phrases; people; places. They are
//! data files; what a file gets wrong is an error that names it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use umpire_model::{Preference, Website};

use crate::grammar::Grammar;
use crate::history::EntryKind;
use crate::numbers::Number;
use crate::sessions::Session;

macro_rules! domain_files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../data/domains/", $name, ".toml")))),*]
    };
}

const DOMAINS: [(&str, &str); 21] = domain_files![
    "groceries",
    "apparel",
    "electronics",
    "home",
    "books",
    "sports",
    "transportation",
    "hotels",
    "car_rental",
    "tours",
    "restaurants",
    "weather_maps",
    "health",
    "movies",
    "music",
    "concerts",
    "games",
    "learning",
    "search",
    "communities",
    "recipes",
];

static EMBEDDED: LazyLock<Tables> = LazyLock::new(|| {
    let people = include_str!("../data/people.toml");
    let places = include_str!("../data/places.toml");
    Tables::parse(&DOMAINS, people, places).expect("the tables that come with Umpire are whole")
});

/// Everything a generator draws from.
#[derive(Clone, Debug)]
pub struct Tables {
    pub domains: Vec<Domain>,
    pub people: People,
    pub places: Places,
}

#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct BadTable {
    pub file: String,
    pub problem: String,
}

/// One kind of thing people do on the web.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    pub name: String,
    /// The category of tasks in the persona suite that are about it.
    pub category: Option<String>,
    /// Words that somebody would look for its deals with.
    #[serde(default)]
    pub sought: String,
    /// What ends a session that ends in something; none where people only look.
    pub deal: Option<Deal>,
    pub pace: Pace,
    /// Sessions a year of somebody of middling interest.
    pub events: u32,
    /// How often the months see one, relative to each other; evenly where not given.
    pub months: Option<[u32; 12]>,
    /// The weight of a Saturday or Sunday, where a weekday has 2.
    pub weekend: u32,
    /// Pairs of from and to; beyond 24 is after midnight.
    pub hours: Vec<i8>,
    /// Such an event in general words.
    pub occasions: Vec<String>,
    pub sites: Vec<Site>,
    pub sessions: BTreeMap<Session, u32>,
    /// How many days before the occasion the deal is made, from and to; none where the deal is the occasion.
    pub lead: Option<[i64; 2]>,
    /// Wishes depend on where one lives.
    #[serde(default)]
    pub located: bool,
    /// How often it is about the home town, in percent.
    #[serde(default = "mostly")]
    pub at_home: u32,
    /// Times of day that can be had.
    #[serde(default)]
    pub clocks: Vec<String>,
    /// Lowest and highest price, in dollars.
    #[serde(default)]
    pub prices: [i64; 2],
    pub phrases: Phrases,
    #[serde(default)]
    pub remarks: Remarks,
    #[serde(default)]
    pub facets: Vec<Facet>,
    pub things: Vec<Thing>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deal {
    Purchase,
    Booking,
    Review,
}

impl Deal {
    pub fn kind(self) -> EntryKind {
        match self {
            Self::Purchase => EntryKind::Purchase,
            Self::Booking => EntryKind::Booking,
            Self::Review => EntryKind::Review,
        }
    }
}

/// Whether something is part of everyday life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    High,
    Low,
}

/// Name and host.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "(String, String)")]
pub struct Site {
    pub website: Website,
}

impl From<(String, String)> for Site {
    fn from((name, host): (String, String)) -> Self {
        Self { website: Website { name, host } }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrases {
    pub search: Vec<Grammar>,
    pub visit: Vec<Grammar>,
    /// Visits after the deal; like those before where not given.
    #[serde(default)]
    pub after: Vec<Grammar>,
    #[serde(default)]
    pub deal: Vec<Grammar>,
    #[serde(default)]
    pub review: Vec<Grammar>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remarks {
    pub good: Vec<String>,
    pub bad: Vec<String>,
}

/// An attribute that things of a domain have, and people a taste in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facet {
    pub key: String,
    /// How a value is written: `{}` as it is, `{l}` in small letters. A value is found again by the same forms.
    pub forms: Vec<String>,
    /// The shelves it is about; all where not given.
    #[serde(default)]
    pub shelves: Vec<String>,
    #[serde(default)]
    pub values: Vec<String>,
    pub number: Option<Number>,
    /// Decided at the deal: a list of things does not show it.
    #[serde(default)]
    pub chosen: bool,
    pub from: Option<Derived>,
}

/// An attribute that follows from something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Derived {
    /// The weekday of the occasion.
    Date,
}

impl Facet {
    pub fn is_about(&self, wanted: &str) -> bool {
        self.shelves.is_empty() || self.shelves.iter().any(|known| known == wanted)
    }

    pub fn has(&self, value: &str) -> bool {
        self.all_values().any(|known| known == value)
    }

    /// What a preference can be.
    pub fn all_values(&self) -> impl Iterator<Item = &str> {
        let bins = self.number.iter().flat_map(|number| number.bins.iter().map(|(value, _)| value.as_str()));
        self.values.iter().map(String::as_str).chain(bins)
    }
}

/// A kind of things, with their names.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thing {
    pub shelf: String,
    pub names: Vec<Grammar>,
    /// As people type it.
    pub plain: Vec<Grammar>,
    /// Sizes and versions that nobody has a taste in.
    #[serde(default)]
    pub extras: Vec<String>,
    #[serde(default = "one")]
    pub weight: u32,
    /// Where pages about it are; on the domain's sites where not given.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Has no attributes.
    #[serde(default)]
    pub bare: bool,
}

fn one() -> u32 {
    1
}

fn mostly() -> u32 {
    82
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct People {
    pub given: BTreeMap<String, Vec<String>>,
    pub family: Vec<String>,
    pub giftees: Vec<String>,
    pub occasions: Vec<String>,
    pub doctors: Doctors,
    pub authors: Vec<String>,
    pub sectors: Vec<Sector>,
    pub interests: Vec<Interest>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Doctors {
    pub woman: Vec<String>,
    pub man: Vec<String>,
    pub family: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sector {
    pub name: String,
    /// Youngest and oldest.
    pub ages: [u32; 2],
    pub titles: Vec<String>,
    pub queries: Vec<String>,
    pub pages: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interest {
    pub name: String,
    pub queries: Vec<String>,
    pub pages: Vec<String>,
    pub threads: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Places {
    pub cities: Vec<String>,
    pub streets: Vec<String>,
    pub last_number: i64,
    pub landmarks: Vec<String>,
    pub venues: Vec<String>,
}

impl Tables {
    /// Those that come with Umpire. Their world is that of the built-in sites.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Reads tables: files of domains with their names, the file of people, the file of places.
    pub fn parse(domains: &[(&str, &str)], people: &str, places: &str) -> Result<Self, BadTable> {
        let domains = domains
            .iter()
            .map(|(file, text)| {
                let domain: Domain = read(file, text)?;
                domain.check().map_err(|problem| BadTable { file: (*file).to_owned(), problem })?;
                Ok(domain)
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { domains, people: read("people", people)?, places: read("places", places)? })
    }

    pub fn domain(&self, name: &str) -> Option<&Domain> {
        self.domains.iter().find(|domain| domain.name == name)
    }

    /// The domain that tasks of a category are about.
    pub fn of_category(&self, category: &str) -> Option<&Domain> {
        self.domains.iter().find(|domain| domain.category.as_deref() == Some(category))
    }

    /// The domain of a website; none for strangers.
    pub fn of_host(&self, host: &str) -> Option<&Domain> {
        self.domains.iter().find(|domain| domain.sites.iter().any(|site| site.website.host == host))
    }
}

fn read<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, BadTable> {
    toml::from_str(text).map_err(|error| BadTable { file: file.to_owned(), problem: error.to_string() })
}

impl Domain {
    fn check(&self) -> Result<(), String> {
        let shelves: Vec<&str> = self.things.iter().map(|thing| thing.shelf.as_str()).collect();
        for facet in &self.facets {
            if let Some(stranger) = facet.shelves.iter().find(|shelf| !shelves.contains(&shelf.as_str())) {
                return Err(format!("`{}` is about a shelf `{stranger}` that is not there", facet.key));
            }
            if facet.values.is_empty() == facet.number.is_none() {
                return Err(format!("`{}` has either values or numbers", facet.key));
            }
            if facet.forms.is_empty() {
                return Err(format!("`{}` is never written", facet.key));
            }
        }
        if self.sites.is_empty() || self.things.is_empty() || self.hours.is_empty() {
            return Err("a domain has sites, things and hours".to_owned());
        }
        if self.deal.is_none() && self.sessions.keys().any(Session::has_deal) {
            return Err("a session ends in a deal, but there is no `deal`".to_owned());
        }
        Ok(())
    }

    /// Attributes of a shelf. One made for the shelf stands in for one of the same key that is about all.
    pub fn facets_of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Facet> {
        let has_own = move |key: &str| {
            self.facets
                .iter()
                .any(|facet| facet.key == key && !facet.shelves.is_empty() && facet.is_about(kind))
        };
        self.facets
            .iter()
            .filter(move |facet| facet.is_about(kind) && (!facet.shelves.is_empty() || !has_own(&facet.key)))
    }

    /// Whether things of this kind can be to a taste.
    pub fn has_taste(&self, thing: &Thing, taste: &Preference) -> bool {
        let mut facets = self.facets_of(&thing.shelf).filter(|_| !thing.bare);
        facets.any(|facet| facet.key == taste.key && facet.has(&taste.value))
    }

    /// Attributes of this key that can have this value.
    pub fn families<'a>(&'a self, key: &'a str, value: &'a str) -> impl Iterator<Item = &'a Facet> {
        self.facets.iter().filter(move |facet| facet.key == key && facet.has(value))
    }

    /// A preference for a number as a filter that counts in the smallest unit sends it: `3` miles are `30` tenths.
    pub fn limit(&self, key: &str, value: &str) -> Option<i64> {
        self.families(key, value).find_map(|facet| facet.number.as_ref()?.limit(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_tables_are_whole() {
        let tables = Tables::embedded();
        assert_eq!(tables.domains.len(), 21);
        for domain in &tables.domains {
            for site in &domain.sites {
                let host = &site.website.host;
                assert_eq!(tables.of_host(host).map(|d| &d.name), Some(&domain.name), "{host}");
            }
        }
    }

    #[test]
    fn a_wrong_table_is_told_with_its_file() {
        let (file, text) = DOMAINS[1];
        for (from, to, problem) in [
            ("pace = \"high\"", "pace = \"brisk\"", "brisk"),
            ("shelves = [\"Bags\"]", "shelves = [\"Hats\"]", "a shelf `Hats` that is not there"),
            ("\"visit visit deal\"", "\"visit stroll deal\"", "stroll"),
            ("[Oxford|", "{[Oxford|", "{"),
            ("deal = \"purchase\"", "", "there is no `deal`"),
        ] {
            let broken = text.replace(from, to);
            assert_ne!(broken, text, "{from}");
            let error = Tables::parse(&[(file, &broken)], "", "").expect_err(from).to_string();
            assert!(error.starts_with("apparel: ") && error.contains(problem), "{error}");
        }
    }
}
