//! Voters who act together.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use umpire_stats::ratings::Models;

use super::chance::{beyond, products_at_least, significant};
use super::expected::{CountKey, Counts, Expectation, Residual, Residuals, agents_of, counts_of, key_of};
use super::pace::in_time;
use super::{AbuseRules, Suspicion, SuspicionKind, mark};
use crate::{Ballot, VoterId};

/// Fewer pairs of agents in common may look alike by accident.
const LEAST_COMMON_PAIRS: usize = 3;
/// One vote against all odds is a surprise, not a proof.
const LARGEST_RESIDUAL: f64 = 3.0;

/// Two voters whose residuals point the same way on the pairs of agents that both voted on: Σ wₖ·rₖ·sₖ, where r and s are
/// the standardised surpluses of the two, and w = 1/√(all votes on the pair), since to agree on what few have seen says
/// more. Honest voters' residuals have nothing to do with each other.
pub(super) fn pairs_of_voters(
    ballots: &[Ballot],
    residuals: &Residuals,
    rules: &AbuseRules,
) -> Vec<Suspicion> {
    let voters: Vec<(&VoterId, ByPair)> = residuals
        .of_voter
        .iter()
        .filter(|(_, own)| own.iter().map(|residual| residual.votes).sum::<usize>() >= rules.least_votes)
        .map(|(voter, own)| (voter, standardised(own)))
        .collect();
    let mut tests: Vec<((&VoterId, &VoterId), f64)> = Vec::new();
    for (place, (one, ones)) in voters.iter().enumerate() {
        for (other, others) in &voters[..place] {
            let common: Vec<(f64, f64)> = ones
                .iter()
                .filter_map(|(pair, r)| {
                    let cast = residuals.votes_on.get(pair).copied().unwrap_or(1).max(1);
                    others.get(pair).map(|s| ((cast as f64).powf(-0.5), r * s))
                })
                .collect();
            if common.len() >= LEAST_COMMON_PAIRS {
                let weights: Vec<f64> = common.iter().map(|(weight, _)| *weight).collect();
                let sum: f64 = common.iter().map(|(weight, product)| weight * product).sum();
                tests.push(((one, other), products_at_least(&weights, sum)));
            }
        }
    }
    let mut strongest: BTreeMap<&VoterId, (f64, &VoterId)> = BTreeMap::new();
    for ((one, other), score) in significant(tests, rules.alpha) {
        for (voter, partner) in [(one, other), (other, one)] {
            let known = strongest.entry(voter).or_insert((score, partner));
            if score > known.0 {
                *known = (score, partner);
            }
        }
    }
    let of_ballot = |(at, ballot): (usize, &Ballot)| {
        let (score, partner) = strongest.get(&ballot.voter)?;
        let why = format!("strays from everybody in the same direction as {partner}");
        Some(mark(ballots, at, SuspicionKind::Collusion, *score, &why))
    };
    ballots.iter().enumerate().filter_map(of_ballot).collect()
}

/// By the ids of two agents.
type ByPair = BTreeMap<(u32, u32), f64>;

fn standardised(residuals: &[Residual]) -> ByPair {
    residuals
        .iter()
        .filter(|residual| residual.variance > 0.0)
        .map(|residual| {
            let z = residual.surplus / residual.variance.sqrt();
            ((residual.first, residual.second), z.clamp(-LARGEST_RESIDUAL, LARGEST_RESIDUAL))
        })
        .collect()
}

/// Fewer votes in a window say nothing.
const LEAST_VOTES_IN_WINDOW: usize = 8;

/// A vote, seen from one of its agents.
struct Vote<'a> {
    /// Which of all ballots.
    at: usize,
    ballot: &'a Ballot,
    opponent: u32,
    points: f64,
    key: CountKey,
}

fn votes_on<'a>(agent: &str, agents: &Models, ballots: &'a [Ballot], order: &[usize]) -> Vec<Vote<'a>> {
    let vote = |at: &usize| {
        let ballot = &ballots[*at];
        let points = ballot.points_of(agent)?;
        let key = key_of(agents, ballot)?;
        let opponent = if ballot.left == agent { key.1 } else { key.0 };
        Some(Vote { at: *at, ballot, opponent, points, key })
    };
    order.iter().filter_map(vote).collect()
}

/// Votes on one agent within a short time.
struct Window {
    agent: u32,
    /// Which of the agent's votes.
    votes: Range<usize>,
    /// Standard deviations from what all other votes make likely.
    z: f64,
}

/// What lies in a window, kept while the window moves on: with each window counted anew, one busy hour would take time by
/// the square of its votes.
#[derive(Default)]
struct Within<'a> {
    voters: BTreeMap<&'a VoterId, usize>,
    /// Points and votes.
    by_opponent: BTreeMap<u32, (f64, usize)>,
    counts: Counts,
}

impl<'a> Within<'a> {
    fn enter(&mut self, vote: &Vote<'a>) {
        *self.voters.entry(&vote.ballot.voter).or_default() += 1;
        let sum = self.by_opponent.entry(vote.opponent).or_default();
        sum.0 += vote.points;
        sum.1 += 1;
        *self.counts.entry(vote.key).or_default() += 1.0;
    }

    /// Points are whole or half, so that sums are exact whatever came and went.
    fn leave(&mut self, vote: &Vote<'a>) {
        let voter = &vote.ballot.voter;
        let cast = self.voters.entry(voter).or_default();
        *cast = cast.saturating_sub(1);
        if *cast == 0 {
            self.voters.remove(voter);
        }
        let sum = self.by_opponent.entry(vote.opponent).or_default();
        sum.0 -= vote.points;
        sum.1 = sum.1.saturating_sub(1);
        *self.counts.entry(vote.key).or_default() -= 1.0;
    }

    /// How many standard deviations an agent's points are from those expected.
    fn surprise(&self, agent: u32, expectation: &Expectation) -> f64 {
        let (mut surplus, mut variance) = (0.0_f64, 0.0_f64);
        for (opponent, (points, votes)) in self.by_opponent.iter().filter(|(_, (_, votes))| *votes > 0) {
            let votes = *votes as f64;
            surplus += points - votes * expectation.points(agent, *opponent);
            variance += expectation.variance(agent, *opponent, votes);
        }
        if variance > 0.0 { surplus / variance.sqrt() } else { 0.0 }
    }

    /// Against all votes first, which is cheap; what stands out is held against all votes but its own.
    fn stands_out(&self, agent: u32, agents: usize, all: &Counts, usual: &Expectation) -> Option<f64> {
        if self.surprise(agent, usual).abs() < 2.0 {
            return None;
        }
        let mut others = all.clone();
        for (key, count) in &self.counts {
            if let Some(left) = others.get_mut(key) {
                *left -= count;
            }
        }
        others.retain(|_, count| *count > 0.0);
        Some(self.surprise(agent, &Expectation::from_counts(agents, &others)))
    }
}

/// Windows of time in which several voters moved one agent further than all other votes make likely.
pub(super) fn campaigns(ballots: &[Ballot], rules: &AbuseRules) -> Vec<Suspicion> {
    campaigns_in_steps(ballots, rules, &mut || ())
}

/// `step` hears of every vote that is taken in hand.
pub(super) fn campaigns_in_steps(
    ballots: &[Ballot],
    rules: &AbuseRules,
    step: &mut impl FnMut(),
) -> Vec<Suspicion> {
    let agents = agents_of(ballots);
    let all = counts_of(&agents, ballots);
    let usual = Expectation::from_counts(agents.len(), &all);
    let order = in_time(ballots);
    let votes: Vec<Vec<Vote<'_>>> =
        agents.names().map(|agent| votes_on(agent, &agents, ballots, &order)).collect();
    let mut tests: Vec<(Window, f64)> = Vec::new();
    let mut looked_at = 0;
    for (agent, votes) in (0_u32..).zip(&votes) {
        let mut within = Within::default();
        let mut end = 0;
        for (start, first) in votes.iter().enumerate() {
            let is_within =
                |vote: &Vote<'_>| vote.ballot.at.since(first.ballot.at) < rules.campaign_window_ms;
            while end < votes.len() && (end <= start || is_within(&votes[end])) {
                within.enter(&votes[end]);
                step();
                end += 1;
            }
            if end - start >= LEAST_VOTES_IN_WINDOW && within.voters.len() >= rules.campaign_voters {
                looked_at += 1;
                if let Some(z) = within.stands_out(agent, agents.len(), &all, &usual) {
                    tests.push((Window { agent, votes: start..end, z }, beyond(z)));
                }
            }
            within.leave(first);
            step();
        }
    }
    // Windows that were not looked at twice count as tests all the same.
    let passed = looked_at - tests.len();
    let mut all: Vec<(Option<Window>, f64)> = tests.into_iter().map(|(about, p)| (Some(about), p)).collect();
    all.extend((0..passed).map(|_| (None, 1.0)));
    let found = significant(all, rules.alpha);
    let found = found.into_iter().filter_map(|(about, score)| Some((about?, score))).collect();
    marked(&agents, &votes, found, rules, step)
}

/// Marks what went the way of a window's surprise, each ballot once: by the strongest window, and of several as strong by
/// the first.
fn marked(
    agents: &Models,
    votes: &[Vec<Vote<'_>>],
    mut windows: Vec<(Window, f64)>,
    rules: &AbuseRules,
    step: &mut impl FnMut(),
) -> Vec<Suspicion> {
    windows.sort_by(|one, other| other.1.total_cmp(&one.1));
    // Of each agent, what no stronger window against it, or for it, has looked at: windows overlap.
    let mut unseen: Vec<[BTreeSet<usize>; 2]> = votes
        .iter()
        .map(|votes| {
            let all: BTreeSet<usize> = (0..votes.len()).collect();
            [all.clone(), all]
        })
        .collect();
    let mut marks: BTreeMap<usize, Suspicion> = BTreeMap::new();
    for (window, score) in windows {
        let votes = &votes[window.agent as usize];
        let why = format!(
            "{} votes on {} within {} min went one way",
            window.votes.len(),
            agents.name(window.agent),
            rules.campaign_window_ms / 60_000
        );
        let unseen = &mut unseen[window.agent as usize][usize::from(window.z > 0.0)];
        let fresh: Vec<usize> = unseen.range(window.votes.clone()).copied().collect();
        for place in fresh {
            step();
            unseen.remove(&place);
            let vote = &votes[place];
            let goes_along = if window.z > 0.0 { vote.points > 0.5 } else { vote.points < 0.5 };
            if goes_along {
                marks.entry(vote.at).or_insert_with(|| Suspicion {
                    at: vote.at,
                    ballot: vote.ballot.key(),
                    kind: SuspicionKind::Campaign,
                    score,
                    why: why.clone(),
                });
            }
        }
    }
    marks.into_values().collect()
}
