//! What a visitor of the travel site can change, and the wall in front of it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::catalogue::Catalogue;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub wall: Wall,
    /// Bookings by reference.
    pub trips: BTreeMap<String, Trip>,
    /// Ids of stays the visitor marked.
    pub favourites: BTreeSet<u32>,
    /// Bookings made so far, so that no reference is given twice.
    pub bookings: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    pub kind: WallKind,
    /// Number of the picture puzzle; a wrong answer brings the next one.
    pub puzzle: u32,
    pub passed: bool,
    /// How often the wall let the visitor through, and how often it did not.
    pub passes: u32,
    pub failures: u32,
    /// Pages since the last pause; only counted by the rate wall.
    pub pages: u32,
    /// How often a page was refused because of too many before it.
    pub refusals: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WallKind {
    None,
    /// Nine pictures, some of which must be chosen.
    Puzzle,
    /// A box to tick, in a frame of another origin, that wants a real click.
    Checkbox,
    /// Pages are refused after a few in a row, until the visitor has waited.
    Rate,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trip {
    pub booked: Booked,
    pub name: String,
    pub email: String,
    pub people: u32,
    /// In crowns, for everything.
    pub total: u32,
    pub status: TripStatus,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Booked {
    Flight { id: String, bag: bool, seat: Seat },
    Stay { id: u32, arrival: String, nights: u32, note: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    Any,
    Window,
    Aisle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TripStatus {
    Confirmed,
    Cancelled,
}

impl State {
    pub fn opening() -> Self {
        Self {
            wall: Wall {
                kind: WallKind::Checkbox,
                puzzle: 1,
                passed: false,
                passes: 0,
                failures: 0,
                pages: 0,
                refusals: 0,
            },
            trips: BTreeMap::new(),
            favourites: BTreeSet::new(),
            bookings: 0,
        }
    }

    /// What serde cannot check: that what was booked and marked exists.
    pub fn check(&self, catalogue: &Catalogue) -> Result<(), String> {
        for (reference, trip) in &self.trips {
            let exists = match &trip.booked {
                Booked::Flight { id, .. } => catalogue.flight(id).is_some(),
                Booked::Stay { id, .. } => catalogue.stay(&id.to_string()).is_some(),
            };
            if !exists {
                return Err(format!("trip `{reference}` is for something that cannot be booked"));
            }
        }
        match self.favourites.iter().find(|id| catalogue.stay(&id.to_string()).is_none()) {
            Some(stranger) => Err(format!("there is no stay {stranger}")),
            None => Ok(()),
        }
    }
}
