use serde::Serialize;

use super::{Connectivity, ModelId, Pairs};

/// What a reader of the ratings must know. Models are given by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Warning {
    /// No battle links these groups: a rating in one says nothing about a rating in another.
    NotComparable { groups: Vec<Vec<ModelId>> },
    /// Votes went one way only between parts of a group, so that the likelihood has no maximum, and its ratings are
    /// regularised.
    NoFiniteRating {
        /// Parts that gave no point away to the rest.
        never_lost: Vec<ModelId>,
        /// Parts that took no point from the rest.
        never_won: Vec<ModelId>,
        /// All models whose ratings are regularised.
        group: Vec<ModelId>,
    },
}

pub(crate) fn connectivity_warnings(connectivity: &Connectivity, pairs: &Pairs) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if connectivity.weak.len() > 1 {
        warnings.push(Warning::NotComparable { groups: connectivity.weak.clone() });
    }
    let mut block_of = vec![0; pairs.models];
    for (at, block) in connectivity.strong.iter().enumerate() {
        for &model in block {
            block_of[model as usize] = at;
        }
    }
    // Between two blocks points go one way only.
    let mut gave = vec![false; connectivity.strong.len()];
    let mut took = vec![false; connectivity.strong.len()];
    for pair in &pairs.pairs {
        let (first, second) = (block_of[pair.first as usize], block_of[pair.second as usize]);
        if first != second {
            let (up, down) = if pair.first_points() > 0.0 { (first, second) } else { (second, first) };
            took[up] = true;
            gave[down] = true;
        }
    }
    for group in &connectivity.weak {
        if connectivity.blocks_of(group).nth(1).is_some() {
            let having = |wanted: &dyn Fn(usize) -> bool| {
                group.iter().copied().filter(|&model| wanted(block_of[model as usize])).collect()
            };
            warnings.push(Warning::NoFiniteRating {
                never_lost: having(&|block| took[block] && !gave[block]),
                never_won: having(&|block| gave[block] && !took[block]),
                group: group.clone(),
            });
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::super::{Battles, Winner};
    use super::*;

    #[test]
    fn the_models_and_the_reason_are_named() {
        let battles: Battles =
            [("top", "mid", Winner::A), ("mid", "low", Winner::A), ("u", "v", Winner::Tie)]
                .into_iter()
                .collect();
        let pairs = Pairs::count(&battles);
        let warnings = connectivity_warnings(&Connectivity::of(&pairs), &pairs);
        assert_eq!(
            warnings,
            [
                Warning::NotComparable { groups: vec![vec![0, 1, 2], vec![3, 4]] },
                Warning::NoFiniteRating { never_lost: vec![0], never_won: vec![2], group: vec![0, 1, 2] },
            ]
        );
    }
}
