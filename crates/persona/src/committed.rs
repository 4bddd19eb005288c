//! The histories of a suite's people. A suite commits the seed and a digest for each person, not the entries: these are
//! made again in milliseconds, and are the committed ones or an error.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use umpire_model::{Digest, Task};

use crate::generate::{BadTruth, Extent, Truth, generate, given_profile};
use crate::history::History;
use crate::profile::Profile;
use crate::tables::Tables;

/// The version of [`Histories`] that is written.
pub const HISTORIES_VERSION: u32 = 1;

/// A suite's `histories.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Histories {
    pub version: u32,
    pub seed: u64,
    pub extent: Extent,
    /// By person.
    pub digests: BTreeMap<String, Digest>,
}

#[derive(Debug, thiserror::Error)]
pub enum BadHistories {
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    #[error("version {0} is newer than this Umpire knows ({HISTORIES_VERSION})")]
    Version(u32),
    #[error(transparent)]
    Truth(#[from] BadTruth),
    #[error("no task is a wish of `{0}`")]
    Nobody(String),
    #[error("`{user}` has another history than the committed one: {made}, not {committed}")]
    Another { user: String, made: Digest, committed: String },
}

impl Histories {
    pub fn parse(text: &str) -> Result<Self, BadHistories> {
        let read: Self = toml::from_str(text)?;
        if read.version > HISTORIES_VERSION { Err(BadHistories::Version(read.version)) } else { Ok(read) }
    }

    /// Who the person is, as far as the tasks and the seed say.
    pub fn profile(&self, tables: &Tables, tasks: &[Task], user: &str) -> Result<Profile, BadHistories> {
        let wishes = tasks.iter().filter_map(|task| task.persona.as_ref().map(|persona| (task, persona)));
        let truths: Vec<Truth<'_>> = wishes
            .filter(|(_, persona)| persona.id == user)
            .map(|(task, persona)| Truth { category: &task.category, persona })
            .collect();
        if truths.is_empty() {
            return Err(BadHistories::Nobody(user.to_owned()));
        }
        Ok(given_profile(tables, self.seed, user, &truths)?)
    }

    /// The history of a person, which is the committed one.
    pub fn history(&self, tables: &Tables, tasks: &[Task], user: &str) -> Result<History, BadHistories> {
        let profile = self.profile(tables, tasks, user)?;
        let history = generate(tables, self.seed, &profile, self.extent).history;
        let made = history.digest();
        match self.digests.get(user) {
            Some(committed) if *committed == made => Ok(history),
            committed => Err(BadHistories::Another {
                user: user.to_owned(),
                made,
                committed: committed.map_or_else(|| "none".to_owned(), ToString::to_string),
            }),
        }
    }
}
