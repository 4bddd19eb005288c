//! Entries that say a preference in so many words.

use std::fmt;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use umpire_model::Preference;

use crate::history::{EntryKind, History};
use crate::profile::Profile;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// The number of the entry.
    pub entry: usize,
    /// What it does.
    pub what: String,
    /// The words.
    pub found: String,
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {} {}: `{}`", self.entry, self.what, self.found)
    }
}

#[derive(Deserialize)]
struct Lexicon {
    statements: Vec<Written>,
}

#[derive(Deserialize)]
struct Written {
    what: String,
    pattern: String,
}

static LEXICON: LazyLock<Vec<(String, Regex)>> = LazyLock::new(|| {
    let lexicon: Lexicon =
        toml::from_str(include_str!("../../data/statements.toml")).expect("the list that comes with Umpire");
    let read = |written: Written| {
        let pattern = RegexBuilder::new(&written.pattern).case_insensitive(true).build();
        (written.what, pattern.expect("a pattern that comes with Umpire"))
    };
    lexicon.statements.into_iter().map(read).collect()
});

pub fn find(profile: &Profile, history: &History) -> Vec<Statement> {
    let all: Vec<&Preference> = profile.domains.iter().flat_map(|domain| &domain.preferences).collect();
    let equations: Vec<Regex> = all.iter().filter_map(|preference| equation(preference)).collect();
    let mut statements = Vec::new();
    for (at, entry) in history.entries.iter().enumerate() {
        let mut state = |what: &str, found: &str| {
            statements.push(Statement { entry: at, what: what.to_owned(), found: found.to_owned() });
        };
        for (what, pattern) in LEXICON.iter() {
            if let Some(found) = pattern.find(&entry.object) {
                state(what, found.as_str());
            }
        }
        let has_sign = [":", "=", " is ", " are ", " be "].iter().any(|sign| entry.object.contains(sign));
        for equation in equations.iter().filter(|_| has_sign) {
            if let Some(found) = equation.find(&entry.object) {
                state("sets an attribute equal to its value", found.as_str());
            }
        }
        let object = entry.object.trim().trim_end_matches('.');
        // One may search for nothing but `science fiction`.
        let mut bare = all.iter().filter(|_| entry.kind != EntryKind::Search);
        if let Some(bare) = bare.find(|one| object.eq_ignore_ascii_case(one.words())) {
            state("is nothing but a preference", bare.words());
        }
    }
    statements
}

/// `brand: Hollow Farm`, `brand = Hollow Farm`, `brand is Hollow Farm`.
fn equation(preference: &Preference) -> Option<Regex> {
    let key = regex::escape(&preference.key).replace('_', "[_ ]");
    let value = regex::escape(&preference.value);
    let pattern = format!(r"\b{key}s?\s*(?::|=|\bis\b|\bare\b|\bshould be\b|\bmust be\b)\s*{value}(?:\W|$)");
    RegexBuilder::new(&pattern).case_insensitive(true).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Entry;
    use crate::profile::DomainProfile;

    fn profile() -> Profile {
        let domain: DomainProfile = serde_json::from_value(serde_json::json!({
            "domain": "Groceries", "rationale": "", "frequency": 12, "patterns": [],
            "website": {"name": "Basketway", "host": "basketway.localhost"},
            "preferences": [
                {"key": "brand", "value": "Hollow Farm"},
                {"key": "seat_kind", "value": "window", "text": "window seat"}
            ]
        }))
        .expect("a profile");
        let person = crate::people(crate::Tables::embedded(), 1, 1).remove(0);
        Profile { person, domains: vec![domain] }
    }

    fn stated(object: &str) -> Vec<String> {
        let entry: Entry = serde_json::from_value(serde_json::json!({
            "timestamp": "2026-01-02 08:00:00", "type": "web visit", "object": object, "website": ""
        }))
        .expect("an entry");
        find(&profile(), &History { entries: vec![entry] }).into_iter().map(|one| one.what).collect()
    }

    #[test]
    fn preferences_in_so_many_words_are_found() {
        for object in [
            "User prefers oat drink",
            "my favourite tea is back",
            "FAVORITE seats: window",
            "preferred brand Hollow Farm",
            "always buys organic yoghurt",
            "usually flies in the morning",
            "buys only glass bottles",
            "only wears linen",
            "reordered my usual coffee",
            "the usual, please",
            "go-to shop for shoes",
            "likes Hollow Farm best",
            "hates aisle seats",
            "swears by Selkie",
            "never takes the middle seat",
            "brand: Hollow Farm",
            "Brand = hollow farm, 2 litres",
            "the brand is Hollow Farm",
            "seat kind: window",
            "window seat",
            "Hollow Farm.",
            "I'm a vegan",
            "customer wants glass",
        ] {
            assert!(!stated(object).is_empty(), "{object}");
        }
    }

    #[test]
    fn ordinary_entries_are_not() {
        for object in [
            "2 x Hollow Farm Oat Drink, 1 litre (in glass, organic)",
            "Skyferry 114, window seat, $120",
            "games like hollow keep",
            "films like \"A Winter Garden\"",
            "best headphones 2026",
            "is rye bread better fresh",
            "5 stars for Saffron Fig: Loud, but the food is worth it.",
            "brand new laptop sleeve",
            "The Only Window in Elmsbury",
            "usual opening hours, post office",
        ] {
            assert_eq!(stated(object), Vec::<String>::new(), "{object}");
        }
    }
}
