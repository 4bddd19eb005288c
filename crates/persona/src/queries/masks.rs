//! Making the vaguer wishes out of the clear one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use umpire_model::{Location, Persona, Preference};

use super::QuerySet;
use crate::words::capitalised;

/// By domain and key: how a preference is said, and how it is left unsaid.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(transparent)]
pub struct Masks(BTreeMap<String, BTreeMap<String, (String, String)>>);

static EMBEDDED: LazyLock<Masks> = LazyLock::new(|| {
    Masks::parse(include_str!("../../data/masks.toml")).expect("the table that comes with Umpire")
});

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadWish {
    #[error("the wish does not begin with `{0}`")]
    NoWebsite(String),
    #[error("the wish does not end with `{0}`")]
    NoHome(String),
    #[error("the wish does not say `{0}`")]
    NoPreference(String),
    #[error("the wish says `{0}` twice")]
    Twice(String),
}

impl Masks {
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The words of a wish for a preference.
    pub fn said(&self, domain: &str, preference: &Preference) -> String {
        let Preference { key, value, .. } = preference;
        match self.of(domain, key) {
            Some((said, _)) => said.replace("{l}", &value.to_lowercase()).replace("{}", value),
            None => format!("with {} {value}", key.replace('_', " ")),
        }
    }

    /// The words of a wish that leaves it unsaid.
    pub fn unsaid(&self, domain: &str, key: &str) -> String {
        match self.of(domain, key) {
            Some((_, unsaid)) => unsaid.clone(),
            None => format!("with my usual {}", key.replace('_', " ")),
        }
    }

    fn of(&self, domain: &str, key: &str) -> Option<&(String, String)> {
        self.0.get(domain)?.get(key)
    }

    /// All levels of a wish that begins with `At WEBSITE, ` and ends by telling the home, where that matters.
    pub fn mask(&self, id: &str, domain: &str, clear: &str, persona: &Persona) -> Result<QuerySet, BadWish> {
        let start = website_clause(persona);
        let rest = clear.strip_prefix(&start).ok_or(BadWish::NoWebsite(start))?;
        let rest = match &persona.location {
            Some(location) => {
                let end = home_clause(location);
                rest.strip_suffix(&end).ok_or(BadWish::NoHome(end))?
            }
            None => rest,
        };
        let unnamed = capitalised(rest);
        let mut vague = unnamed.clone();
        for preference in &persona.preferences {
            let unsaid = self.unsaid(domain, &preference.key);
            vague = replaced(&vague, preference.words(), &unsaid)?;
        }
        Ok(QuerySet {
            id: id.to_owned(),
            gold: persona.into(),
            texts: [clear.to_owned(), unnamed, capitalised(&vague)],
        })
    }
}

pub fn website_clause(persona: &Persona) -> String {
    format!("At {}, ", persona.website.name)
}

pub fn home_clause(location: &Location) -> String {
    format!(" My home is {}, {}.", location.address, location.city)
}

/// The text with other words in the place of some, and an article before them that goes with the new ones.
fn replaced(text: &str, words: &str, by: &str) -> Result<String, BadWish> {
    let at = text.find(words).ok_or_else(|| BadWish::NoPreference(words.to_owned()))?;
    let (before, after) = (&text[..at], &text[at + words.len()..]);
    if after.contains(words) {
        return Err(BadWish::Twice(words.to_owned()));
    }
    let begins_with_vowel = by.starts_with(['a', 'e', 'i', 'o', 'u']);
    let before = match before.strip_suffix("an ").filter(|rest| rest.ends_with(' ') && !begins_with_vowel) {
        Some(rest) => format!("{rest}a "),
        None => before.to_owned(),
    };
    Ok(format!("{before}{by}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn persona() -> Persona {
        serde_json::from_value(serde_json::json!({
            "id": "ida-holm",
            "website": {"name": "Skyferry", "host": "skyferry.localhost"},
            "preferences": [
                {"key": "seat_kind", "value": "aisle", "text": "aisle seat"},
                {"key": "cabin", "value": "Business", "text": "in Business"}
            ],
            "location": {"address": "12 Alder Street", "city": "Portmere"}
        }))
        .expect("a persona")
    }

    const CLEAR: &str =
        "At Skyferry, book me an aisle seat in Business. My home is 12 Alder Street, Portmere.";

    #[test]
    fn what_is_hidden_is_taken_out_and_the_sentence_stays_one() {
        let set = Masks::embedded().mask("x", "Transportation", CLEAR, &persona()).expect("a wish");
        assert_eq!(set.texts[1], "Book me an aisle seat in Business.");
        assert_eq!(set.texts[2], "Book me a seat of the kind I always take in my usual cabin.");
        assert_eq!(crate::queries::problems(&set), []);
    }

    #[test]
    fn a_wish_that_lacks_a_part_is_refused() {
        for (from, to, problem) in [
            ("At Skyferry, ", "", BadWish::NoWebsite("At Skyferry, ".to_owned())),
            (" My home", " Home", BadWish::NoHome(" My home is 12 Alder Street, Portmere.".to_owned())),
            ("in Business", "up front", BadWish::NoPreference("in Business".to_owned())),
            ("in Business", "in Business in Business", BadWish::Twice("in Business".to_owned())),
        ] {
            let wish = CLEAR.replace(from, to);
            assert_eq!(Masks::embedded().mask("x", "Transportation", &wish, &persona()), Err(problem));
        }
    }
}
