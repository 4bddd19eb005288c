//! Whether a history implies what is true of a person, and never says it.
//!
//! The check reads the entries alone, not how they were made, so histories written by a model are held to the same.

mod matching;
mod statements;
mod support;

use serde::Serialize;

pub(crate) use matching::Finder;
pub use statements::Statement;
pub use support::{About, Support};
pub(crate) use support::{addresses, finder, in_domain};

use crate::history::History;
use crate::profile::Profile;
use crate::tables::Tables;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Audit {
    /// Entries that state a preference.
    pub statements: Vec<Statement>,
    /// How well each truth can be inferred.
    pub support: Vec<Support>,
}

/// Reads a history against what is true of its person.
pub fn audit(tables: &Tables, profile: &Profile, history: &History) -> Audit {
    Audit {
        statements: statements::find(profile, history),
        support: support::count(tables, profile, history),
    }
}

impl Audit {
    /// What is wrong, in words; empty for a history that will do.
    pub fn findings(&self) -> Vec<String> {
        let stated = self.statements.iter().map(ToString::to_string);
        let weak = self.support.iter().filter(|support| !support.is_inferable()).map(ToString::to_string);
        stated.chain(weak).collect()
    }
}
