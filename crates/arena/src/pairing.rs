//! Which two agents meet next.
//!
//! Three ways, all by seed: every pair alike; by the weights and rules of a [`PairSampler`]; or where a vote is expected to
//! teach most. The last takes the battles so far, fits Bradley–Terry strengths, and gives each pair the information
//! `I = H(E[σ(x)]) − E[H(σ(x))]` of one more vote, x being the normally distributed difference of the two strengths
//! ([`StrengthPosterior`]). A pair is then drawn with probability `(1−ε)·Iᵏ/ΣIᵏ + ε/pairs`: ε keeps every pair in play,
//! and with equal battles everywhere all of it is uniform.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use umpire_model::Random;
use umpire_stats::ratings::{
    Models, PairProbability, PairSampler, Pairs, SamplingError, StrengthPosterior, Winner, fit,
};

use crate::Ballot;

/// How sure the information-gain sampling is of itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InformationGain {
    /// How far strengths are thought to spread before anybody voted, in log odds; 1 is 174 rating points.
    pub prior_spread: f64,
    /// k above: 0 makes it uniform, more makes it greedier.
    pub sharpness: f64,
    /// ε above: the share of battles that are drawn uniformly.
    pub explore: f64,
}

impl Default for InformationGain {
    fn default() -> Self {
        Self { prior_spread: 1.0, sharpness: 2.0, explore: 0.1 }
    }
}

/// How pairs are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Pairing {
    Uniform {
        agents: Vec<String>,
    },
    /// By weights, boosts, targets and outages.
    Weighted(PairSampler),
    /// Where a vote teaches most, among the pairs that the sampler lets meet at all.
    InformationGain {
        among: PairSampler,
        by: InformationGain,
    },
}

/// Who meets. Sides are not decided here: [`Battle::queued`](crate::Battle::queued) shuffles them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DrawnPair {
    /// The name that comes first.
    pub one: String,
    pub other: String,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum PairingError {
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    #[error("a battle needs two different agents, and there is only `{0}`")]
    OnlyOne(String),
    #[error(
        "`{0}` of the information-gain sampling must be a number of at least 0 (and `explore` at most 1)"
    )]
    BadSetting(&'static str),
}

impl Pairing {
    /// The chance of each unordered pair to be drawn next; they add up to 1.
    pub fn probabilities(&self, ballots: &[Ballot]) -> Result<Vec<(DrawnPair, f64)>, PairingError> {
        match self {
            Self::Uniform { agents } => {
                unordered(&PairSampler { models: agents.clone(), ..PairSampler::default() })
            }
            Self::Weighted(sampler) => unordered(sampler),
            Self::InformationGain { among, by } => {
                by.check()?;
                Ok(by.probabilities(&unordered(among)?, ballots))
            }
        }
    }

    /// Draws the next pair; the same seed and ballots draw the same one.
    pub fn draw(&self, ballots: &[Ballot], seed: u64) -> Result<DrawnPair, PairingError> {
        let pairs = self.probabilities(ballots)?;
        // 53 bits: every value is exact, and below 1.
        let mut left = (Random::stream(seed, "next pair").next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        for (pair, chance) in &pairs {
            if left < *chance {
                return Ok(pair.clone());
            }
            left -= chance;
        }
        // Rounding may leave a crumb behind the last pair that can be drawn.
        let last = pairs.into_iter().rev().find(|(_, chance)| *chance > 0.0);
        last.map(|(pair, _)| pair).ok_or(PairingError::Sampling(SamplingError::NoModel))
    }
}

impl InformationGain {
    fn check(self) -> Result<(), PairingError> {
        let is_amount = |value: f64| value.is_finite() && value >= 0.0;
        if !is_amount(self.prior_spread) || self.prior_spread == 0.0 {
            Err(PairingError::BadSetting("prior_spread"))
        } else if !is_amount(self.sharpness) {
            Err(PairingError::BadSetting("sharpness"))
        } else if !(0.0..=1.0).contains(&self.explore) {
            Err(PairingError::BadSetting("explore"))
        } else {
            Ok(())
        }
    }

    fn probabilities(self, may_meet: &[(DrawnPair, f64)], ballots: &[Ballot]) -> Vec<(DrawnPair, f64)> {
        let mut agents = Models::default();
        for (pair, _) in may_meet {
            agents.intern(&pair.one);
            agents.intern(&pair.other);
        }
        let mut counts: BTreeMap<(u32, u32, u8), (Winner, f64)> = BTreeMap::new();
        for ballot in ballots {
            // Agents that have left the arena still say something about those they met, but only if all are known.
            if let (Some(left), Some(right)) = (agents.id(&ballot.left), agents.id(&ballot.right)) {
                let winner = ballot.choice.winner();
                counts.entry((left, right, winner as u8)).or_insert((winner, 0.0)).1 += 1.0;
            }
        }
        let rows = counts.into_iter().map(|((a, b, _), (winner, count))| (a, b, winner, count));
        let pairs = Pairs::from_counts(agents.len(), rows);
        let posterior = StrengthPosterior::of(&pairs, &fit(&pairs, None, None), self.prior_spread);
        let open: Vec<&DrawnPair> =
            may_meet.iter().filter(|(_, chance)| *chance > 0.0).map(|(pair, _)| pair).collect();
        let id = |name: &str| agents.id(name).unwrap_or_default() as usize;
        let gains: Vec<f64> = open
            .iter()
            .map(|pair| posterior.gap(id(&pair.one), id(&pair.other)).information_of_a_vote())
            .map(|gain| gain.powf(self.sharpness))
            .collect();
        let total: f64 = gains.iter().sum();
        let even = 1.0 / open.len() as f64;
        let chance = |gain: f64| {
            let by_gain = if total > 0.0 { gain / total } else { even };
            (1.0 - self.explore) * by_gain + self.explore * even
        };
        open.into_iter().cloned().zip(gains.iter().map(|gain| chance(*gain))).collect()
    }
}

/// Both arrangements of a pair together.
fn unordered(sampler: &PairSampler) -> Result<Vec<(DrawnPair, f64)>, PairingError> {
    let mut pairs: BTreeMap<DrawnPair, f64> = BTreeMap::new();
    for PairProbability { left, right, probability } in sampler.pair_probabilities()? {
        if left == right {
            return Err(PairingError::OnlyOne(left));
        }
        let (one, other) = if left < right { (left, right) } else { (right, left) };
        *pairs.entry(DrawnPair { one, other }).or_default() += probability;
    }
    Ok(pairs.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Choice;
    use crate::abuse::simulated::ballot;

    fn agents(count: usize) -> PairSampler {
        let models = (0..count).map(|id| format!("a{id}")).collect();
        PairSampler { models, ..PairSampler::default() }
    }

    fn gain(count: usize) -> Pairing {
        Pairing::InformationGain { among: agents(count), by: InformationGain::default() }
    }

    fn chance(pairs: &[(DrawnPair, f64)], one: &str, other: &str) -> f64 {
        pairs.iter().find(|(pair, _)| pair.one == one && pair.other == other).expect("a pair").1
    }

    fn met(one: &str, other: &str, wins: usize, losses: usize) -> Vec<Ballot> {
        let won = (0..wins).map(|_| Choice::Left);
        let choices = won.chain((0..losses).map(|_| Choice::Right));
        choices.enumerate().map(|(at, choice)| ballot("v", one, other, choice, at as u64)).collect()
    }

    #[test]
    fn pairs_that_seldom_met_or_are_close_come_first() {
        let mut ballots = met("a0", "a1", 20, 20);
        ballots.extend(met("a1", "a2", 2, 2));
        ballots.extend(met("a0", "a2", 2, 2));
        let pairs = gain(3).probabilities(&ballots).expect("three agents");
        assert!(chance(&pairs, "a0", "a2") > 1.5 * chance(&pairs, "a0", "a1"), "{pairs:?}");
        // The same number of battles everywhere, a2 far below the others.
        let mut ballots = met("a0", "a1", 10, 10);
        ballots.extend(met("a0", "a2", 19, 1));
        ballots.extend(met("a1", "a2", 19, 1));
        let pairs = gain(3).probabilities(&ballots).expect("three agents");
        assert!(chance(&pairs, "a0", "a1") > 1.2 * chance(&pairs, "a0", "a2"), "{pairs:?}");
    }

    #[test]
    fn who_is_out_of_order_is_not_drawn() {
        let mut among = agents(4);
        among.outages.insert("a2".to_owned());
        let pairing = Pairing::InformationGain { among, by: InformationGain::default() };
        for seed in 0..200 {
            let pair = pairing.draw(&[], seed).expect("three are left");
            assert!(pair.one != "a2" && pair.other != "a2");
        }
        assert_eq!(gain(1).draw(&[], 1), Err(PairingError::OnlyOne("a0".to_owned())));
    }

    #[test]
    fn draws_follow_the_probabilities() {
        let ballots = met("a0", "a1", 30, 30);
        let pairing = gain(4);
        let pairs = pairing.probabilities(&ballots).expect("four agents");
        let mut drawn: BTreeMap<DrawnPair, usize> = BTreeMap::new();
        for seed in 0..6000 {
            *drawn.entry(pairing.draw(&ballots, seed).expect("drawn")).or_default() += 1;
        }
        for (pair, chance) in pairs {
            let share = drawn.get(&pair).copied().unwrap_or(0) as f64 / 6000.0;
            assert!((share - chance).abs() < 0.02, "{pair:?}: {share} {chance}");
        }
    }

    /// What the sampling is for: after as many votes, less is left unknown than with uniform pairs.
    #[test]
    fn votes_go_further_than_with_uniform_pairs() {
        let strengths: [f64; 7] = [2.5, 1.0, 0.4, 0.0, -0.4, -1.0, -2.5];
        let names: Vec<String> = (0..strengths.len()).map(|id| format!("a{id}")).collect();
        let left_unknown = |pairing: &Pairing, seed: u64| {
            let mut random = Random::new(seed);
            let mut ballots: Vec<Ballot> = Vec::new();
            for at in 0..150_u64 {
                let pair = pairing.draw(&ballots, random.next_u64()).expect("drawn");
                let of = |name: &str| strengths[names.iter().position(|n| n == name).expect("known")];
                let win = 1.0 / (1.0 + (of(&pair.other) - of(&pair.one)).exp());
                let drawn = random.below(1_000_000) as f64 / 1_000_000.0;
                let choice = if drawn < win { Choice::Left } else { Choice::Right };
                ballots.push(ballot("v", &pair.one, &pair.other, choice, at));
            }
            let rows = ballots.iter().map(|b| (b.left.as_str(), b.right.as_str(), b.choice.winner()));
            let pairs = Pairs::count(&rows.collect());
            StrengthPosterior::of(&pairs, &fit(&pairs, None, None), 1.0).mean_gap_variance()
        };
        let mean = |pairing: &Pairing| (0..12).map(|seed| left_unknown(pairing, seed)).sum::<f64>() / 12.0;
        let uniform = mean(&Pairing::Uniform { agents: names.clone() });
        let by_gain = mean(&gain(strengths.len()));
        println!("mean variance of differences: uniform {uniform:.4}, by gain {by_gain:.4}");
        assert!(by_gain < 0.97 * uniform, "uniform {uniform}, by gain {by_gain}");
    }

    proptest! {
        #[test]
        fn equal_everything_is_uniform(count in 2..7_usize, each in 0..6_usize) {
            let mut ballots = Vec::new();
            for one in 0..count {
                for other in 0..one {
                    ballots.extend(met(&format!("a{other}"), &format!("a{one}"), each, each));
                }
            }
            let pairs = gain(count).probabilities(&ballots).expect("agents");
            let even = 2.0 / (count * (count - 1)) as f64;
            for (pair, chance) in pairs {
                prop_assert!((chance - even).abs() < 1e-9, "{pair:?} {chance} {even}");
            }
        }

        #[test]
        fn chances_add_up_whatever_was_voted(votes in proptest::collection::vec((0..5_usize, 0..5_usize, 0..4_usize), 0..80)) {
            let ballots: Vec<Ballot> = votes.iter().enumerate().map(|(at, (left, right, choice))| {
                ballot("v", &format!("a{left}"), &format!("a{right}"), Choice::ALL[*choice], at as u64)
            }).collect();
            let pairs = gain(5).probabilities(&ballots).expect("five agents");
            prop_assert_eq!(pairs.len(), 10);
            prop_assert!((pairs.iter().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(pairs.iter().all(|(_, chance)| *chance >= 0.1 / 10.0 - 1e-12));
        }
    }
}
