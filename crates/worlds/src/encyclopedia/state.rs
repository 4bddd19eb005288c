//! What a visitor of the encyclopedia can change.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::library::Library;
use crate::geography::Country;

/// The account every visitor has.
pub const VISITOR: &str = "lmarsh";
pub const VISITOR_NAME: &str = "Linnea Marsh";
pub const PASSWORD: &str = "tidewater-42";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub signed_in: bool,
    /// The visitor's edits, by article and number of the revision.
    pub edits: BTreeMap<String, BTreeMap<u32, Edit>>,
    /// What the visitor said on talk pages, by article and id.
    pub talk: BTreeMap<String, BTreeMap<String, Remark>>,
    /// Slugs of watched articles.
    pub watchlist: BTreeSet<String>,
    pub preferences: Preferences,
    /// Remarks made so far, so that no id is given twice.
    pub made: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    pub text: String,
    pub summary: String,
    pub minor: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// Title of the topic, new or old.
    pub topic: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a box on the page of preferences")]
pub struct Preferences {
    pub theme: Theme,
    pub text_size: TextSize,
    pub show_contents: bool,
    pub mark_minor: bool,
    pub mail_on_change: bool,
    pub mail_on_talk: bool,
    pub signature: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    Paper,
    Sepia,
    Night,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextSize {
    Small,
    Medium,
    Large,
}

impl Theme {
    pub const ALL: [(Self, &'static str, &'static str); 3] =
        [(Self::Paper, "paper", "Paper"), (Self::Sepia, "sepia", "Sepia"), (Self::Night, "night", "Night")];

    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known, _)| *known == code).map(|(theme, ..)| theme)
    }

    pub fn code(self) -> &'static str {
        Self::ALL.into_iter().find(|(theme, ..)| *theme == self).map_or("paper", |(_, code, _)| code)
    }
}

impl TextSize {
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Small, "small", "Small"),
        (Self::Medium, "medium", "Medium"),
        (Self::Large, "large", "Large"),
    ];

    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known, _)| *known == code).map(|(size, ..)| size)
    }

    pub fn code(self) -> &'static str {
        Self::ALL.into_iter().find(|(size, ..)| *size == self).map_or("medium", |(_, code, _)| code)
    }
}

impl State {
    pub fn opening(country: &Country) -> Self {
        let watched = country.towns.iter().skip(2).take(4).map(|town| town.slug.clone());
        Self {
            signed_in: true,
            edits: BTreeMap::new(),
            talk: BTreeMap::new(),
            watchlist: watched.collect(),
            preferences: Preferences {
                theme: Theme::Paper,
                text_size: TextSize::Medium,
                show_contents: true,
                mark_minor: false,
                mail_on_change: true,
                mail_on_talk: false,
                signature: format!("— {VISITOR_NAME}"),
            },
            made: 0,
        }
    }

    /// What serde cannot check: that every slug is an article's.
    pub fn check(&self, library: &Library) -> Result<(), String> {
        let mut all = self.edits.keys().chain(self.talk.keys()).chain(&self.watchlist);
        match all.find(|slug| library.article(slug).is_none()) {
            Some(stranger) => Err(format!("there is no article `{stranger}`")),
            None => Ok(()),
        }
    }
}
