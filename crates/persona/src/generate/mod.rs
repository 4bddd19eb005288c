//! Histories by seed, without a model: people → tastes → events → actions → entries. The same seed gives the same bytes.

mod deck;
mod events;
mod item;
mod people;
mod tastes;
mod telling;
mod timing;

use serde::{Deserialize, Serialize};
use umpire_model::{Day, Random};

pub use events::{EventSeed, PlannedAction};
pub use people::people;
pub use tastes::{BadTruth, Truth, free_profile, given_profile};

use crate::history::History;
use crate::profile::{Person, Profile};
use crate::tables::Tables;

/// How long a history is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extent {
    /// About so many entries.
    pub entries: u32,
    /// The last day of the year it tells of.
    pub until: Day,
}

/// The parts of a history on its way from tastes to entries.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Generated {
    pub events: Vec<EventSeed>,
    /// In the order of the history's entries: what was done, in general words.
    pub actions: Vec<PlannedAction>,
    pub history: History,
}

/// The year of a person with these tastes.
pub fn generate(tables: &Tables, seed: u64, profile: &Profile, extent: Extent) -> Generated {
    events::Year::new(tables, seed, profile, extent).live()
}

/// A stream of chance for one person and one purpose.
fn chance(seed: u64, person: &Person, purpose: &str) -> Random {
    Random::stream(seed, &format!("persona/{}/{purpose}", person.id))
}
