//! How many entries speak for a truth, and how many for its strongest rival.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use umpire_model::Preference;

use super::matching::Finder;
use crate::history::{Entry, History};
use crate::profile::{DomainProfile, Profile};
use crate::tables::{Domain, Facet, Tables};

/// Decisions that a truth needs to speak for it.
const LEAST: usize = 3;
/// How many times as many as its strongest rival.
const LEAD: usize = 2;

/// One truth and what speaks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Support {
    /// None for what is true of the whole person.
    pub domain: Option<String>,
    pub about: About,
    pub value: String,
    /// Decisions (purchases, bookings, reviews) that show it; entries of any kind for a home.
    pub count: usize,
    /// Entries of any kind that show it.
    pub mentions: usize,
    /// The other value that most decisions show, with their number.
    pub rival: Option<(String, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum About {
    Website,
    Preference(String),
    Address,
    City,
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Website => "website",
            Self::Preference(key) => key,
            Self::Address => "address",
            Self::City => "city",
        })
    }
}

impl Support {
    /// By how much it leads, or its rival does.
    pub fn margin(&self) -> i64 {
        let signed = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        signed(self.count) - self.rival.as_ref().map_or(0, |(_, count)| signed(*count))
    }

    /// Somebody who counts can tell.
    pub fn is_inferable(&self) -> bool {
        let rival = self.rival.as_ref().map_or(0, |(_, count)| *count);
        self.count >= LEAST && self.count >= LEAD * rival
    }
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let domain = self.domain.as_deref().unwrap_or("home");
        write!(f, "{domain}: {} `{}` is shown {} times", self.about, self.value, self.count)?;
        match &self.rival {
            Some((rival, count)) => write!(f, ", `{rival}` {count} times"),
            None => Ok(()),
        }
    }
}

pub fn count(tables: &Tables, profile: &Profile, history: &History) -> Vec<Support> {
    let mut all = home(tables, profile, history);
    for own in &profile.domains {
        if !own.preferences.is_empty() {
            let is_here = |entry: &&Entry| {
                entry.website == own.website.host
                    || tables.of_host(&entry.website).is_some_and(|at| at.name == own.domain)
            };
            let entries: Vec<&Entry> = history.entries.iter().filter(is_here).collect();
            all.extend(in_domain(tables, own, &entries));
        }
    }
    all
}

/// The truths about one domain, by the entries of its sites.
pub(crate) fn in_domain(tables: &Tables, own: &DomainProfile, entries: &[&Entry]) -> Vec<Support> {
    let domain = tables.domain(&own.domain);
    let support = |about, value: &str, finds: &dyn Fn(&Entry) -> BTreeSet<String>| {
        counted(
            Some(&own.domain),
            about,
            value,
            entries,
            |entry| entry.kind.is_choice() && !is_undone(entry),
            finds,
        )
    };
    let site = |entry: &Entry| BTreeSet::from([entry.website.clone()]);
    let mut all = vec![support(About::Website, &own.website.host, &site)];
    for Preference { key, value, .. } in &own.preferences {
        let finder = finder(domain, key, value);
        let finds = |entry: &Entry| finder.find(&entry.object).into_iter().map(str::to_owned).collect();
        all.push(support(About::Preference(key.clone()), value, &finds));
    }
    all
}

/// Finds the values that a preference competes with.
pub(crate) fn finder(domain: Option<&Domain>, key: &str, value: &str) -> Finder {
    let families: Vec<&Facet> =
        domain.map(|domain| domain.families(key, value).collect()).unwrap_or_default();
    if families.is_empty() { Finder::of_words(&[value.to_owned()]) } else { Finder::new(&families) }
}

fn home(tables: &Tables, profile: &Profile, history: &History) -> Vec<Support> {
    let home = &profile.person.home;
    let entries: Vec<&Entry> = history.entries.iter().collect();
    let mut cities = tables.places.cities.clone();
    if !cities.contains(&home.city) {
        cities.push(home.city.clone());
    }
    let cities = Finder::of_words(&cities);
    let streets = Finder::of_words(&tables.places.streets);
    let of_city = |entry: &Entry| cities.find(&entry.object).into_iter().map(str::to_owned).collect();
    let of_address = |entry: &Entry| {
        let mut found = addresses(&streets, &entry.object);
        if crate::words::has_words(&entry.object, &home.address) {
            found.insert(home.address.clone());
        }
        found
    };
    let every = |_: &Entry| true;
    vec![
        counted(None, About::Address, &home.address, &entries, every, &of_address),
        counted(None, About::City, &home.city, &entries, every, &of_city),
    ]
}

/// Numbers with streets behind them.
pub(crate) fn addresses(streets: &Finder, text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for street in streets.find(text) {
        for (at, _) in text.match_indices(street) {
            let number: String =
                text[..at].trim_end().chars().rev().take_while(char::is_ascii_digit).collect();
            if !number.is_empty() {
                found.insert(format!("{} {street}", number.chars().rev().collect::<String>()));
            }
        }
    }
    found
}

/// A decision that was taken back shows nothing.
fn is_undone(entry: &Entry) -> bool {
    ["(cancelled)", "(returned)"].iter().any(|mark| entry.object.trim_end().ends_with(mark))
}

fn counted(
    domain: Option<&str>,
    about: About,
    value: &str,
    entries: &[&Entry],
    decides: impl Fn(&Entry) -> bool,
    finds: &dyn Fn(&Entry) -> BTreeSet<String>,
) -> Support {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut mentions = 0;
    for entry in entries {
        let found = finds(entry);
        mentions += usize::from(found.contains(value));
        if decides(entry) {
            for value in found {
                *counts.entry(value).or_default() += 1;
            }
        }
    }
    let count = counts.remove(value).unwrap_or_default();
    // Of equally strong rivals the first by name, so that the same history gives the same report.
    let rival = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    Support { domain: domain.map(str::to_owned), about, value: value.to_owned(), count, mentions, rival }
}
