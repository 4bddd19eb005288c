//! What a visitor of the map can change.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::catalogue::Catalogue;
use super::routing::Mode;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Saved lists by id.
    pub lists: BTreeMap<String, List>,
    /// The visitor's own reviews, by place.
    pub reviews: BTreeMap<u32, Review>,
    /// Corrections the visitor sent in, by id.
    pub suggestions: BTreeMap<String, Suggestion>,
    pub settings: Settings,
    /// Lists and suggestions made so far, so that no id is given twice.
    pub made: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    pub name: String,
    pub shared: bool,
    /// The visitor's note on each place.
    pub places: BTreeMap<u32, String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    pub stars: u32,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suggestion {
    /// None for a place that the map lacks.
    pub place: Option<u32>,
    pub kind: SuggestionKind,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuggestionKind {
    Name,
    Phone,
    Hours,
    Closed,
    Missing,
}

impl SuggestionKind {
    /// What can be wrong about a place that is there.
    pub const ABOUT_PLACES: [(Self, &'static str, &'static str); 4] = [
        (Self::Name, "name", "The name is wrong"),
        (Self::Phone, "phone", "The phone number is wrong"),
        (Self::Hours, "hours", "The opening hours are wrong"),
        (Self::Closed, "closed", "It has closed for good"),
    ];

    pub fn parse(code: &str) -> Option<Self> {
        Self::ABOUT_PLACES.iter().find(|(_, known, _)| *known == code).map(|(kind, ..)| *kind)
    }

    pub fn label(self) -> &'static str {
        let known = Self::ABOUT_PLACES.iter().find(|(kind, ..)| *kind == self);
        known.map_or("A place is missing", |(.., label)| label)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub units: Units,
    pub mode: Mode,
    pub avoid_motorways: bool,
    pub location_history: bool,
    pub home: String,
    pub work: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    Metric,
    Imperial,
}

impl Units {
    /// `740 m`, `12.4 km`, `7.7 mi`.
    pub fn write(self, metres: u32) -> String {
        match self {
            Self::Metric if metres < 1_000 => format!("{} m", (metres + 5) / 10 * 10),
            Self::Metric => format!("{:.1} km", f64::from(metres) / 1_000.0),
            Self::Imperial => format!("{:.1} mi", f64::from(metres) / 1_609.344),
        }
    }
}

impl State {
    pub fn take_id(&mut self, prefix: &str) -> String {
        self.made = self.made.saturating_add(1);
        format!("{prefix}-{}", self.made)
    }

    /// What serde cannot check: that every place is one.
    pub fn check(&self, catalogue: &Catalogue) -> Result<(), String> {
        let listed = self.lists.values().flat_map(|list| list.places.keys());
        let suggested = self.suggestions.values().filter_map(|suggestion| suggestion.place.as_ref());
        let mut all = listed.chain(self.reviews.keys()).chain(suggested);
        match all.find(|id| catalogue.place(**id).is_none()) {
            Some(stranger) => Err(format!("there is no place {stranger}")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Units;

    #[test]
    fn distances_are_written_for_people() {
        for (metres, metric, imperial) in [
            (0, "0 m", "0.0 mi"),
            (347, "350 m", "0.2 mi"),
            (1_040, "1.0 km", "0.6 mi"),
            (12_381, "12.4 km", "7.7 mi"),
        ] {
            assert_eq!(
                (Units::Metric.write(metres), Units::Imperial.write(metres)),
                (metric.into(), imperial.into())
            );
        }
    }
}
