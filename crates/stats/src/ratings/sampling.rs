use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

/// How an arena draws the two models of the next battle.
///
/// The first is drawn by weight, the second by weight among those that may meet it, and the sides are tossed for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairSampler {
    pub models: Vec<String>,
    /// A model that is not named weighs 1.
    pub weights: BTreeMap<String, f64>,
    /// Models that are out of order weigh nothing.
    pub outages: BTreeSet<String>,
    /// Models that are drawn first five times as often.
    pub boosts: BTreeSet<String>,
    /// Opponents that a model should meet half of the time, together.
    pub targets: BTreeMap<String, Vec<String>>,
    /// Opponents that a model may meet, as patterns with `*`; a pattern need only match the beginning of a name.
    pub strict_targets: BTreeMap<String, Vec<String>>,
    /// Models that never meet each other.
    pub anonymous: BTreeSet<String>,
}

const BOOST: f64 = 5.0;
/// The part of a model's battles that its targets should get.
const TARGETED: f64 = 0.5;

/// How likely two models sit on these sides of the next battle.
#[derive(Clone, Debug, PartialEq)]
pub struct PairProbability {
    pub left: String,
    pub right: String,
    pub probability: f64,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum SamplingError {
    #[error("there is no model to draw from")]
    NoModel,
    #[error("every model is out of order or weighs nothing")]
    NoWeight,
    #[error("`{0}` may meet nobody: relax its strict targets, or take it out")]
    NoOpponent(String),
    #[error("`{0}` has a weight that is negative or no number")]
    BadWeight(String),
}

impl PairSampler {
    /// Of every pair that may meet, in both arrangements; they add up to 1.
    pub fn pair_probabilities(&self) -> Result<Vec<PairProbability>, SamplingError> {
        if let Some((name, _)) = self.weights.iter().find(|(_, weight)| !weight.is_finite() || **weight < 0.0)
        {
            return Err(SamplingError::BadWeight(name.clone()));
        }
        match self.models.as_slice() {
            [] => return Err(SamplingError::NoModel),
            [only] => {
                return Ok(vec![PairProbability {
                    left: only.clone(),
                    right: only.clone(),
                    probability: 1.0,
                }]);
            }
            _ => {}
        }
        let as_first =
            |model: &String| self.weight(model) * if self.boosts.contains(model) { BOOST } else { 1.0 };
        let total: f64 = self.models.iter().map(as_first).sum();
        if total <= 0.0 {
            return Err(SamplingError::NoWeight);
        }
        let mut sides: BTreeMap<(&String, &String), f64> = BTreeMap::new();
        for first in &self.models {
            let rivals: Vec<(&String, f64)> = self
                .models
                .iter()
                .filter(|rival| self.may_meet(first, rival))
                .map(|rival| (rival, self.weight_as_rival(first, rival, total)))
                .collect();
            let of_rivals: f64 = rivals.iter().map(|(_, weight)| weight).sum();
            let chosen = as_first(first) / total;
            if of_rivals <= 0.0 && chosen > 0.0 {
                return Err(SamplingError::NoOpponent(first.clone()));
            }
            for (rival, weight) in rivals {
                let probability = if of_rivals > 0.0 { chosen * weight / of_rivals } else { 0.0 };
                *sides.entry((first, rival)).or_default() += probability / 2.0;
                *sides.entry((rival, first)).or_default() += probability / 2.0;
            }
        }
        let pairs = sides.into_iter().map(|((left, right), probability)| PairProbability {
            left: left.clone(),
            right: right.clone(),
            probability,
        });
        Ok(pairs.collect())
    }

    fn weight(&self, model: &str) -> f64 {
        if self.outages.contains(model) { 0.0 } else { self.weights.get(model).copied().unwrap_or(1.0) }
    }

    fn weight_as_rival(&self, first: &str, rival: &str, total: f64) -> f64 {
        let weight = self.weight(rival);
        match self.targets.get(first) {
            // A model that is out of order stays out, however much it is wanted.
            Some(targets) if weight > 0.0 && targets.iter().any(|target| target == rival) => {
                TARGETED * total / targets.len() as f64
            }
            _ => weight,
        }
    }

    fn may_meet(&self, one: &str, other: &str) -> bool {
        let allows = |model: &str, opponent: &str| {
            self.strict_targets
                .get(model)
                .is_none_or(|patterns| patterns.iter().any(|pattern| matches_start(pattern, opponent)))
        };
        one != other
            && !(self.anonymous.contains(one) && self.anonymous.contains(other))
            && allows(one, other)
            && allows(other, one)
    }
}

/// Whether the beginning of a name matches a pattern, in which `*` stands for anything.
fn matches_start(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => name.starts_with(pattern),
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| matches_start(after, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampler(models: &[&str]) -> PairSampler {
        PairSampler {
            models: models.iter().map(|model| (*model).to_owned()).collect(),
            ..PairSampler::default()
        }
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn without_settings_all_pairs_are_alike() {
        let pairs = sampler(&["p", "q", "r"]).pair_probabilities().expect("pairs");
        assert_eq!(pairs.len(), 6);
        assert!(pairs.iter().all(|pair| (pair.probability - 1.0 / 6.0).abs() < 1e-15));
    }

    #[test]
    fn who_cannot_play_is_said() {
        let mut none = sampler(&["p", "q"]);
        none.outages = names(&["p", "q"]);
        assert_eq!(none.pair_probabilities(), Err(SamplingError::NoWeight));
        let mut shy = sampler(&["p", "q", "r"]);
        shy.anonymous = names(&["p", "q", "r"]);
        assert_eq!(shy.pair_probabilities(), Err(SamplingError::NoOpponent("p".to_owned())));
        assert_eq!(sampler(&[]).pair_probabilities(), Err(SamplingError::NoModel));
        let alone = sampler(&["p"]).pair_probabilities().expect("itself");
        assert_eq!(
            alone,
            [PairProbability { left: "p".to_owned(), right: "p".to_owned(), probability: 1.0 }]
        );
    }

    #[test]
    fn patterns_match_beginnings() {
        for (pattern, name, wanted) in [
            ("gamma*", "gamma-1", true),
            ("gamma", "gamma-1", true),
            ("*-1", "gamma-1", true),
            ("*-1", "gamma-2", false),
            ("amma", "gamma", false),
            ("g*m*", "gem", true),
            ("*", "", true),
        ] {
            assert_eq!(matches_start(pattern, name), wanted, "{pattern} {name}");
        }
    }
}
