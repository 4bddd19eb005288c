//! What a voter's votes would be if the voter saw things as all others do.

use std::collections::BTreeMap;

use umpire_stats::ratings::{Models, POINTS_PER_NAT, Pairs, StrengthPosterior, Winner, fit};

use crate::{Ballot, Choice, VoterId};

/// How far one voter's votes on two agents stray from what everybody else's make likely.
#[derive(Clone, Copy, Debug)]
pub(super) struct Residual {
    /// Ids in [`Residuals::agents`], the smaller one first.
    pub first: u32,
    pub second: u32,
    pub votes: usize,
    /// Points for `first` beyond those expected.
    pub surplus: f64,
    /// Of the surplus: coin flips, and how little the others' votes say.
    pub variance: f64,
}

pub(super) struct Residuals {
    pub agents: Models,
    pub of_voter: BTreeMap<VoterId, Vec<Residual>>,
    /// All votes on a pair.
    pub votes_on: BTreeMap<(u32, u32), usize>,
}

/// Both agents as they sat, and what was said.
pub(super) type CountKey = (u32, u32, u8);
pub(super) type Counts = BTreeMap<CountKey, f64>;

const WINNERS: [Winner; 4] = [Winner::A, Winner::B, Winner::Tie, Winner::BothBad];

fn kind(choice: Choice) -> u8 {
    match choice {
        Choice::Left => 0,
        Choice::Right => 1,
        Choice::Tie => 2,
        Choice::BothBad => 3,
    }
}

/// How strengths spread before anybody votes, in log odds.
const PRIOR_SPREAD: f64 = 1.0;

/// What votes make of all strengths.
pub(super) struct Expectation {
    ratings: Vec<f64>,
    posterior: StrengthPosterior,
}

impl Expectation {
    pub fn from_counts(agents: usize, counts: &Counts) -> Self {
        let rows = counts.iter().map(|((a, b, kind), count)| (*a, *b, WINNERS[usize::from(*kind)], *count));
        let pairs = Pairs::from_counts(agents, rows);
        let found = fit(&pairs, None, None);
        let posterior = StrengthPosterior::of(&pairs, &found, PRIOR_SPREAD);
        Self { ratings: found.ratings, posterior }
    }

    /// The points that the first is expected to take in one battle.
    pub fn points(&self, first: u32, second: u32) -> f64 {
        let gap = (self.ratings[first as usize] - self.ratings[second as usize]) / POINTS_PER_NAT;
        1.0 / (1.0 + (-gap).exp())
    }

    /// The variance of the points in so many battles of one pair.
    pub fn variance(&self, first: u32, second: u32, battles: f64) -> f64 {
        let points = self.points(first, second);
        let flips = battles * points * (1.0 - points);
        flips + flips * flips * self.posterior.gap(first as usize, second as usize).variance
    }
}

pub(super) fn counts_of(agents: &Models, ballots: &[Ballot]) -> Counts {
    let mut counts = Counts::new();
    for key in ballots.iter().filter_map(|ballot| key_of(agents, ballot)) {
        *counts.entry(key).or_default() += 1.0;
    }
    counts
}

/// None of an agent that met itself.
pub(super) fn key_of(agents: &Models, ballot: &Ballot) -> Option<CountKey> {
    let (left, right) = (agents.id(&ballot.left)?, agents.id(&ballot.right)?);
    (left != right).then(|| (left, right, kind(ballot.choice)))
}

pub(super) fn agents_of(ballots: &[Ballot]) -> Models {
    let mut agents = Models::default();
    for ballot in ballots {
        agents.intern(&ballot.left);
        agents.intern(&ballot.right);
    }
    agents
}

/// Each voter against all others: one's own votes are no part of what one is measured by.
pub(super) fn residuals_by_voter(ballots: &[Ballot]) -> Residuals {
    let agents = agents_of(ballots);
    let mut all = Counts::new();
    let mut own: BTreeMap<&VoterId, Counts> = BTreeMap::new();
    let mut votes_on: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for ballot in ballots {
        let Some(key) = key_of(&agents, ballot) else { continue };
        *all.entry(key).or_default() += 1.0;
        *own.entry(&ballot.voter).or_default().entry(key).or_default() += 1.0;
        *votes_on.entry((key.0.min(key.1), key.0.max(key.1))).or_default() += 1;
    }
    let of_voter = own
        .into_iter()
        .map(|(voter, own)| {
            let mut others = all.clone();
            for (key, count) in &own {
                if let Some(left) = others.get_mut(key) {
                    *left -= count;
                }
            }
            let expectation = Expectation::from_counts(agents.len(), &others);
            (voter.clone(), residuals(&own, &expectation))
        })
        .collect();
    Residuals { agents, of_voter, votes_on }
}

fn residuals(own: &Counts, expectation: &Expectation) -> Vec<Residual> {
    let mut taken: BTreeMap<(u32, u32), (f64, f64)> = BTreeMap::new();
    for ((a, b, kind), count) in own {
        let of_a = WINNERS[usize::from(*kind)].points_of_a();
        let of_first = if a < b { of_a } else { 1.0 - of_a };
        let entry = taken.entry((*a.min(b), *a.max(b))).or_default();
        entry.0 += of_first * count;
        entry.1 += count;
    }
    let residual = |((first, second), (points, votes)): ((u32, u32), (f64, f64))| Residual {
        first,
        second,
        votes: votes as usize,
        surplus: points - votes * expectation.points(first, second),
        variance: expectation.variance(first, second, votes),
    };
    taken.into_iter().map(residual).collect()
}
