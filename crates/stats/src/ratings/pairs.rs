use std::collections::BTreeMap;

use super::{Battles, ModelId, Winner};

/// All battles of two models against each other, whichever side they sat on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pair {
    /// The smaller id.
    pub first: ModelId,
    pub second: ModelId,
    pub first_wins: f64,
    pub second_wins: f64,
    pub ties: f64,
    /// Votes with an unknown label.
    pub unknown: f64,
}

impl Pair {
    pub fn battles(&self) -> f64 {
        self.first_wins + self.second_wins + self.ties + self.unknown
    }

    /// Neither side won: half a point each.
    pub fn halves(&self) -> f64 {
        self.ties + self.unknown
    }

    pub fn first_points(&self) -> f64 {
        self.first_wins + self.halves() / 2.0
    }

    pub fn second_points(&self) -> f64 {
        self.second_wins + self.halves() / 2.0
    }
}

/// Battles of a model against itself: they say nothing about its strength, and count as battles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SelfPlay {
    pub model: ModelId,
    pub decided: f64,
    pub ties: f64,
    pub unknown: f64,
}

/// Battles counted by pair: all that any estimate below needs of them, since their order says nothing.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    pub models: usize,
    /// All battles, those of a model against itself included.
    pub battles: f64,
    /// Ordered by both ids.
    pub pairs: Vec<Pair>,
    pub self_play: Vec<SelfPlay>,
}

/// Outcomes of an ordered pair: A, B, tie or both bad, unknown.
const OUTCOMES: usize = 4;

impl Pairs {
    pub fn count(battles: &Battles) -> Self {
        let models = battles.models.len();
        // A table of all ordered pairs, unless there are so many models that most of it would stay empty.
        let cells = models * models * OUTCOMES;
        if cells <= 4 * battles.len() + (1 << 16) {
            let mut counts = vec![0_u32; cells];
            for (a, b, winner) in battles.rows() {
                counts[cell(models, a, b, winner)] += 1;
            }
            let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
            Self::of_cells(models, used.map(|(at, count)| (at, f64::from(*count))))
        } else {
            let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
            for (a, b, winner) in battles.rows() {
                *counts.entry(cell(models, a, b, winner)).or_default() += 1.0;
            }
            Self::of_cells(models, counts)
        }
    }

    /// From rows that are counted already; rows without a count leave nothing behind.
    pub fn from_counts(
        models: usize,
        rows: impl IntoIterator<Item = (ModelId, ModelId, Winner, f64)>,
    ) -> Self {
        let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
        for (a, b, winner, count) in rows {
            if count > 0.0 {
                *counts.entry(cell(models, a, b, winner)).or_default() += count;
            }
        }
        Self::of_cells(models, counts)
    }

    fn of_cells(models: usize, cells: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let mut met: BTreeMap<(ModelId, ModelId), Pair> = BTreeMap::new();
        let mut alone: BTreeMap<ModelId, SelfPlay> = BTreeMap::new();
        let mut battles = 0.0;
        for (at, count) in cells {
            let (pair, outcome) = (at / OUTCOMES, at % OUTCOMES);
            let (a, b) = ((pair / models) as ModelId, (pair % models) as ModelId);
            battles += count;
            if a == b {
                let own = alone.entry(a).or_insert(SelfPlay { model: a, ..SelfPlay::default() });
                match outcome {
                    0 | 1 => own.decided += count,
                    2 => own.ties += count,
                    _ => own.unknown += count,
                }
                continue;
            }
            let (first, second) = (a.min(b), a.max(b));
            let pair = met.entry((first, second)).or_insert(Pair { first, second, ..Pair::default() });
            match outcome {
                0 if a == first => pair.first_wins += count,
                1 if b == first => pair.first_wins += count,
                0 | 1 => pair.second_wins += count,
                2 => pair.ties += count,
                _ => pair.unknown += count,
            }
        }
        Self { models, battles, pairs: met.into_values().collect(), self_play: alone.into_values().collect() }
    }

    /// Battles of each model, ties included; a battle against itself counts for both sides.
    pub fn battles_of_each(&self) -> Vec<f64> {
        let mut battles = vec![0.0; self.models];
        for pair in &self.pairs {
            battles[pair.first as usize] += pair.battles();
            battles[pair.second as usize] += pair.battles();
        }
        for own in &self.self_play {
            battles[own.model as usize] += 2.0 * (own.decided + own.ties + own.unknown);
        }
        battles
    }

    /// The same battles, each weighing 1 / max(battles of its pair, `least`), so that pairs which met often do not decide
    /// alone what all models are worth.
    pub fn pair_weights(&self, least: f64) -> Vec<f64> {
        self.pairs.iter().map(|pair| 1.0 / pair.battles().max(least)).collect()
    }
}

fn cell(models: usize, a: ModelId, b: ModelId, winner: Winner) -> usize {
    let outcome = match winner {
        Winner::A => 0,
        Winner::B => 1,
        Winner::Tie | Winner::BothBad => 2,
        Winner::Unknown => 3,
    };
    (a as usize * models + b as usize) * OUTCOMES + outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    fn battles() -> Battles {
        [
            ("p", "q", Winner::A),
            ("q", "p", Winner::A),
            ("q", "p", Winner::B),
            ("q", "p", Winner::BothBad),
            ("p", "q", Winner::Unknown),
            ("q", "q", Winner::A),
            ("q", "q", Winner::Tie),
        ]
        .into_iter()
        .collect()
    }

    #[test]
    fn sides_do_not_matter() {
        let pairs = Pairs::count(&battles());
        let expected =
            Pair { first: 0, second: 1, first_wins: 2.0, second_wins: 1.0, ties: 1.0, unknown: 1.0 };
        assert_eq!(pairs.pairs, [expected]);
        assert_eq!((expected.first_points(), expected.second_points()), (3.0, 2.0));
        assert_eq!(pairs.self_play, [SelfPlay { model: 1, decided: 1.0, ties: 1.0, unknown: 0.0 }]);
        assert_eq!(pairs.battles_of_each(), [5.0, 9.0]);
    }

    #[test]
    fn counting_by_table_and_by_search_is_the_same() {
        let battles = battles();
        let table = Pairs::count(&battles);
        let search = Pairs::from_counts(2, battles.rows().map(|(a, b, winner)| (a, b, winner, 1.0)));
        assert_eq!((table.pairs, table.self_play), (search.pairs, search.self_play));
        // More models than a table is made for.
        let names: Vec<String> = (0..600).map(|id| format!("m{id}")).collect();
        let sparse: Battles =
            names.windows(2).map(|two| (two[0].as_str(), two[1].as_str(), Winner::B)).collect();
        assert_eq!(Pairs::count(&sparse).pairs.len(), 599);
    }
}
