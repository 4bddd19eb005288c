//! The rubric without a judge: what was retrieved is in the access log, what was used is in the network events and the
//! final state. What these do not tell is left open, for a judge.

use serde::{Deserialize, Serialize};
use umpire_model::{Location, Persona, Preference};

use super::errors::{Error, ErrorKind, Part, redundant};
use super::rubric::{Hidden, Pair, Rubric};
use crate::audit::finder;
use crate::history::History;
use crate::tables::Tables;
use crate::words::has_words;

/// One look into the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    pub step: u32,
    pub query: String,
    /// Those that were kept and shown to the agent.
    pub hits: Vec<Hit>,
    /// What the agent was told of them; none where it was shown the hits themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hit {
    /// The entry's number.
    pub entry: usize,
    pub score: f64,
}

/// An attempt as far as personalization is concerned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempted {
    pub intent: String,
    pub level: Option<usize>,
    pub accesses: Vec<Access>,
    /// Pairs of accesses, by their places, whose queries mean the same to an embedding model that was asked.
    #[serde(default)]
    pub alike: Vec<(usize, usize)>,
    /// Whether the right website was opened.
    pub used_website: Option<bool>,
    /// Whether each preference shows, in the order of the persona; none where the evidence does not tell.
    pub used_preferences: Vec<Option<bool>>,
    pub used_location: Option<bool>,
    /// What was filled in, ticked or chosen for attributes that the persona has preferences in.
    #[serde(default)]
    pub applied: Vec<Applied>,
    /// None where the attempt was not judged.
    pub success: Option<bool>,
    /// What kept an attempt from a goal it did everything for.
    #[serde(default)]
    pub blocked_by: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Applied {
    pub key: String,
    pub value: String,
}

/// What the rules make of an attempt; none is for a judge to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    pub website: Flags,
    pub preferences: Vec<Flags>,
    pub location: Option<Flags>,
    /// 0, 5 or 10.
    pub intent: Option<u32>,
    pub hidden: Hidden,
    pub errors: Vec<Error>,
    /// Parts whose errors the evidence does not tell.
    pub undecided: Vec<Part>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags {
    pub retrieval: Option<bool>,
    pub utilization: Option<bool>,
}

impl Decided {
    /// The rubric, if nothing is left for a judge.
    pub fn rubric(&self) -> Option<Rubric> {
        let rubric = self.rubric_if(false);
        (rubric == self.rubric_if(true)).then_some(rubric)
    }

    /// The rubric if all that is left for a judge turned out like this. Between the two lies what a judge can make of it:
    /// much of it may be settled all the same.
    pub fn rubric_if(&self, judged: bool) -> Rubric {
        let pair = |flags: &Flags| Pair {
            retrieval: flags.retrieval.unwrap_or(judged),
            utilization: flags.utilization.unwrap_or(judged),
        };
        Rubric {
            website: pair(&self.website),
            preferences: self.preferences.iter().map(pair).collect(),
            location: self.location.as_ref().map(pair),
            intent: self.intent.unwrap_or(if judged { 10 } else { 0 }),
            hidden: self.hidden,
        }
    }
}

/// Decides what the evidence of an attempt allows.
pub fn decide(tables: &Tables, persona: &Persona, history: &History, attempted: &Attempted) -> Decided {
    let seen = Seen { tables, persona, history, attempted };
    let hidden = Hidden::at_level(attempted.level);
    let mut decided = Decided {
        website: Flags { retrieval: Some(seen.website()), utilization: attempted.used_website },
        preferences: Vec::new(),
        location: None,
        intent: intent_points(attempted),
        hidden,
        errors: redundant(&attempted.accesses, &attempted.alike).into_iter().collect(),
        undecided: Vec::new(),
    };
    decided.blame(&seen, Part::Website, decided.website, hidden.website, seen.website_was_stored());
    for (at, preference) in persona.preferences.iter().enumerate() {
        let flags = Flags {
            retrieval: Some(seen.preference(preference)),
            utilization: attempted.used_preferences.get(at).copied().flatten(),
        };
        decided.preferences.push(flags);
        let part = Part::Preference(preference.key.clone());
        let is_stored = seen.is_stored(|text| seen.shows(preference, text));
        decided.blame(&seen, part, flags, hidden.preferences, is_stored);
    }
    if let Some(location) = &persona.location {
        let flags = Flags { retrieval: Some(seen.location(location)), utilization: attempted.used_location };
        decided.location = Some(flags);
        let is_stored = seen.is_stored(|text| has_words(text, &location.address));
        decided.blame(&seen, Part::Location, flags, hidden.location, is_stored);
    }
    decided
}

fn intent_points(attempted: &Attempted) -> Option<u32> {
    match (attempted.success, &attempted.blocked_by) {
        (Some(true), _) => Some(10),
        (_, Some(_)) if attempted.was_right_so_far() => Some(5),
        (Some(false), _) | (_, Some(_)) => Some(0),
        (None, None) => None,
    }
}

impl Attempted {
    /// Whether it was at the person's website and did nothing there that they would not want.
    fn was_right_so_far(&self) -> bool {
        self.used_website == Some(true) && !self.used_preferences.contains(&Some(false))
    }
}

impl Decided {
    /// Says what went wrong with a part, once it is known what was retrieved and used.
    fn blame(&mut self, seen: &Seen<'_>, part: Part, flags: Flags, is_hidden: bool, is_stored: bool) {
        let mut blame = |kind, why: String| self.errors.push(Error { kind, part: Some(part.clone()), why });
        let retrieved = !is_hidden || flags.retrieval == Some(true);
        if !retrieved {
            blame(ErrorKind::RetrievalFailure, seen.why_not_retrieved(&part, is_stored));
        }
        let invented = seen.invented(&part);
        match (flags.utilization, invented) {
            (Some(true), _) => {}
            (_, Some(value)) => {
                let why = format!("`{value}` is neither in the wish nor in anything the history gave");
                blame(ErrorKind::HallucinatedPreference, why);
            }
            (Some(false), None) if retrieved && is_hidden => {
                blame(ErrorKind::UtilizationFailure, "it was there to be used, and was not".to_owned());
            }
            (Some(false), None) => {}
            (None, None) => self.undecided.push(part),
        }
    }
}

/// An attempt with what it is compared with.
struct Seen<'a> {
    tables: &'a Tables,
    persona: &'a Persona,
    history: &'a History,
    attempted: &'a Attempted,
}

impl Seen<'_> {
    /// What the agent got to read of the history, text by text.
    fn told(&self) -> impl Iterator<Item = String> {
        self.attempted.accesses.iter().flat_map(|access| match &access.answer {
            Some(answer) => vec![answer.clone()],
            None => self.texts_of_hits(access),
        })
    }

    fn texts_of_hits(&self, access: &Access) -> Vec<String> {
        let entries = access.hits.iter().filter_map(|hit| self.history.entries.get(hit.entry));
        entries.map(|entry| format!("{} {}", entry.object, entry.website)).collect()
    }

    fn website(&self) -> bool {
        let website = &self.persona.website;
        self.told().any(|text| has_words(&text, &website.host) || has_words(&text, &website.name))
    }

    fn website_was_stored(&self) -> bool {
        self.history.entries.iter().any(|entry| entry.website == self.persona.website.host)
    }

    fn preference(&self, preference: &Preference) -> bool {
        self.told().any(|text| self.shows(preference, &text))
    }

    fn shows(&self, preference: &Preference, text: &str) -> bool {
        let domain = self.tables.of_host(&self.persona.website.host);
        let Preference { key, value, .. } = preference;
        finder(domain, key, value).find(text).contains(value.as_str()) || says(preference, text)
    }

    fn location(&self, location: &Location) -> bool {
        self.told().any(|text| has_words(&text, &location.address))
    }

    fn is_stored(&self, shows: impl Fn(&str) -> bool) -> bool {
        self.history.entries.iter().any(|entry| shows(&entry.object))
    }

    fn why_not_retrieved(&self, part: &Part, is_stored: bool) -> String {
        let accesses = &self.attempted.accesses;
        let in_hits = accesses.iter().flat_map(|access| self.texts_of_hits(access)).any(|text| match part {
            Part::Website => has_words(&text, &self.persona.website.host),
            Part::Preference(key) => {
                let mut preferences =
                    self.persona.preferences.iter().filter(|preference| preference.key == *key);
                preferences.any(|preference| self.shows(preference, &text))
            }
            Part::Location => {
                self.persona.location.as_ref().is_some_and(|location| has_words(&text, &location.address))
            }
        });
        let why = match (accesses.is_empty(), in_hits, is_stored) {
            (true, ..) => "the history was never asked",
            (_, true, _) => "it is in an entry found, and not in what the agent was told of it",
            (_, false, true) => "it is in the history, and not in what was found",
            (_, false, false) => "it is not in the history",
        };
        why.to_owned()
    }

    /// A value applied for the part that nothing the agent read supports.
    fn invented(&self, part: &Part) -> Option<String> {
        let Part::Preference(key) = part else { return None };
        let gold = self.persona.preferences.iter().find(|preference| preference.key == *key)?;
        let applied = self.attempted.applied.iter().filter(|applied| applied.key == *key);
        let is_supported = |value: &str| {
            let applied = Preference { key: key.clone(), value: value.to_owned(), text: None };
            value.eq_ignore_ascii_case(&gold.value)
                || has_words(&self.attempted.intent, value)
                || self.told().any(|text| self.shows(&applied, &text))
        };
        applied.map(|applied| applied.value.clone()).find(|value| !is_supported(value))
    }
}

/// Whether an answer in prose says a preference; bare numbers and letters say nothing by themselves.
fn says(preference: &Preference, text: &str) -> bool {
    let is_telling = preference.value.chars().filter(|c| c.is_alphabetic()).count() > 2;
    (is_telling && has_words(text, &preference.value))
        || preference.text.as_deref().is_some_and(|words| has_words(text, words))
        || has_words(text, &format!("{} {}", preference.key.replace('_', " "), preference.value))
        || has_words(text, &format!("{}: {}", preference.key.replace('_', " "), preference.value))
}
