use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use serde::Serialize;

/// A model by its place in [`Models`].
pub type ModelId = u32;

/// What a vote says about a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Winner {
    A,
    B,
    Tie,
    BothBad,
    /// A label nobody defined: half a win for each side, as a tie, but counted apart so that it can be reported.
    Unknown,
}

impl Winner {
    /// From the labels of battle files: `a`, `b`, `t`, `x`, or the words of Chatbot Arena's logs.
    pub fn from_label(label: &str) -> Self {
        match label {
            "a" | "model_a" => Self::A,
            "b" | "model_b" => Self::B,
            "t" | "tie" => Self::Tie,
            "x" | "tie (bothbad)" | "bothbad" => Self::BothBad,
            _ => Self::Unknown,
        }
    }

    /// What the side on the left gets of the one point.
    pub fn points_of_a(self) -> f64 {
        match self {
            Self::A => 1.0,
            Self::B => 0.0,
            Self::Tie | Self::BothBad | Self::Unknown => 0.5,
        }
    }

    pub fn is_tie(self) -> bool {
        matches!(self, Self::Tie | Self::BothBad)
    }
}

/// The names of models, each once, in the order in which they were first met.
#[derive(Clone, Debug, Default)]
pub struct Models {
    names: Vec<Box<str>>,
    // A fast hash, since a file of a million battles asks two million times; whoever floods it with colliding names
    // slows down only their own count.
    ids: HashMap<Box<str>, ModelId, FxBuildHasher>,
}

impl Models {
    /// The id of a name, which becomes known if it was not.
    pub fn intern(&mut self, name: &str) -> ModelId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = self.names.len() as ModelId;
        self.names.push(name.into());
        self.ids.insert(name.into(), id);
        id
    }

    pub fn id(&self, name: &str) -> Option<ModelId> {
        self.ids.get(name).copied()
    }

    /// The name behind an id that this table gave out.
    pub fn name(&self, id: ModelId) -> &str {
        &self.names[id as usize]
    }

    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(AsRef::as_ref)
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// One vote a row, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Battles {
    pub models: Models,
    a: Vec<ModelId>,
    b: Vec<ModelId>,
    winners: Vec<Winner>,
}

impl Battles {
    pub fn with_capacity(rows: usize) -> Self {
        Self {
            models: Models::default(),
            a: Vec::with_capacity(rows),
            b: Vec::with_capacity(rows),
            winners: Vec::with_capacity(rows),
        }
    }

    pub fn push(&mut self, a: &str, b: &str, winner: Winner) {
        let (a, b) = (self.models.intern(a), self.models.intern(b));
        self.a.push(a);
        self.b.push(b);
        self.winners.push(winner);
    }

    pub fn len(&self) -> usize {
        self.winners.len()
    }

    pub fn is_empty(&self) -> bool {
        self.winners.is_empty()
    }

    /// Who met whom, and what was said, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (ModelId, ModelId, Winner)> {
        self.a.iter().zip(&self.b).zip(&self.winners).map(|((&a, &b), &winner)| (a, b, winner))
    }

    pub fn row(&self, at: usize) -> (ModelId, ModelId, Winner) {
        (self.a[at], self.b[at], self.winners[at])
    }

    pub fn unknown_labels(&self) -> usize {
        self.winners.iter().filter(|winner| **winner == Winner::Unknown).count()
    }

    /// The rows for which `keep` says yes, with the models that are left.
    #[must_use]
    pub fn filtered(&self, mut keep: impl FnMut(usize) -> bool) -> Self {
        let mut kept = Self::default();
        for (at, (a, b, winner)) in self.rows().enumerate() {
            if keep(at) {
                kept.push(self.models.name(a), self.models.name(b), winner);
            }
        }
        kept
    }

    /// Without ties and both-bad votes, and with the models that are left.
    #[must_use]
    pub fn without_ties(&self) -> Self {
        self.filtered(|at| !self.winners[at].is_tie())
    }
}

impl<'a> FromIterator<(&'a str, &'a str, Winner)> for Battles {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str, Winner)>>(rows: I) -> Self {
        let rows = rows.into_iter();
        let mut battles = Self::with_capacity(rows.size_hint().0);
        for (a, b, winner) in rows {
            battles.push(a, b, winner);
        }
        battles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_both_vocabularies_are_understood_and_others_are_kept_apart() {
        for (label, winner) in [
            ("a", Winner::A),
            ("model_b", Winner::B),
            ("t", Winner::Tie),
            ("tie (bothbad)", Winner::BothBad),
            ("MODEL_A", Winner::Unknown),
            ("", Winner::Unknown),
        ] {
            assert_eq!(Winner::from_label(label), winner, "{label}");
        }
    }

    #[test]
    fn dropping_ties_drops_models_that_only_tied() {
        let battles: Battles = [("p", "q", Winner::A), ("p", "r", Winner::Tie), ("q", "p", Winner::Unknown)]
            .into_iter()
            .collect();
        let decided = battles.without_ties();
        assert_eq!(decided.models.names().collect::<Vec<_>>(), ["p", "q"]);
        assert_eq!((decided.len(), decided.unknown_labels()), (2, 1), "an unknown label is not a tie");
    }
}
