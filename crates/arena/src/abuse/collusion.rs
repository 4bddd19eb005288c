//! Voters who act together.

use std::collections::{BTreeMap, BTreeSet};

use super::chance::{beyond, products_at_least, significant};
use super::expected::{Expectation, Residual, Residuals, agents_of};
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

/// Votes on one agent within a short time.
struct Window<'a> {
    agent: &'a str,
    ballots: Vec<usize>,
    /// Standard deviations from what all other votes make likely.
    z: f64,
}

/// Windows of time in which several voters moved one agent further than all other votes make likely.
pub(super) fn campaigns(ballots: &[Ballot], rules: &AbuseRules) -> Vec<Suspicion> {
    let agents = agents_of(ballots);
    let usual = Expectation::of(&agents, ballots);
    let order = in_time(ballots);
    let mut tests: Vec<(Window<'_>, f64)> = Vec::new();
    let mut looked_at = 0;
    for agent in agents.names() {
        let places: Vec<usize> =
            order.iter().copied().filter(|at| ballots[*at].points_of(agent).is_some()).collect();
        let mut end = 0;
        for start in 0..places.len() {
            let opened = ballots[places[start]].at;
            while end < places.len() && ballots[places[end]].at.since(opened) < rules.campaign_window_ms {
                end += 1;
            }
            let window = &places[start..end];
            let voters: BTreeSet<&VoterId> = window.iter().map(|at| &ballots[*at].voter).collect();
            if window.len() < LEAST_VOTES_IN_WINDOW || voters.len() < rules.campaign_voters {
                continue;
            }
            looked_at += 1;
            // Against all votes first, which is cheap; what stands out is held against all votes but its own.
            let all = window.iter().map(|at| &ballots[*at]);
            if surprise(agent, all, &agents, &usual).abs() < 2.0 {
                continue;
            }
            let inside: BTreeSet<usize> = window.iter().copied().collect();
            let others = (0..ballots.len()).filter(|at| !inside.contains(at)).map(|at| &ballots[at]);
            let expectation = Expectation::of(&agents, others);
            let z = surprise(agent, window.iter().map(|at| &ballots[*at]), &agents, &expectation);
            tests.push((Window { agent, ballots: window.to_vec(), z }, beyond(z)));
        }
    }
    // Windows that were not looked at twice count as tests all the same.
    let passed = looked_at - tests.len();
    let mut all: Vec<(Option<Window<'_>>, f64)> =
        tests.into_iter().map(|(about, p)| (Some(about), p)).collect();
    all.extend((0..passed).map(|_| (None, 1.0)));
    let mut found = Vec::new();
    for (about, score) in significant(all, rules.alpha) {
        let Some(Window { agent, ballots: window, z }) = about else { continue };
        let why = format!(
            "{} votes on {agent} within {} min went one way",
            window.len(),
            rules.campaign_window_ms / 60_000
        );
        let pushing = window.into_iter().filter(|at| {
            let points = ballots[*at].points_of(agent).unwrap_or(0.5);
            if z > 0.0 { points > 0.5 } else { points < 0.5 }
        });
        found.extend(pushing.map(|at| mark(ballots, at, SuspicionKind::Campaign, score, &why)));
    }
    found
}

/// How many standard deviations an agent's points are from those expected.
fn surprise<'a>(
    agent: &str,
    ballots: impl Iterator<Item = &'a Ballot>,
    agents: &umpire_stats::ratings::Models,
    expectation: &Expectation,
) -> f64 {
    let mut by_opponent: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    let Some(id) = agents.id(agent) else { return 0.0 };
    for ballot in ballots {
        let opponent = if ballot.left == agent { &ballot.right } else { &ballot.left };
        if let (Some(opponent), Some(points)) = (agents.id(opponent), ballot.points_of(agent)) {
            let sum = by_opponent.entry(opponent).or_default();
            sum.0 += points;
            sum.1 += 1.0;
        }
    }
    let (mut surplus, mut variance) = (0.0, 0.0);
    for (opponent, (points, votes)) in by_opponent {
        surplus += points - votes * expectation.points(id, opponent);
        variance += expectation.variance(id, opponent, votes);
    }
    if variance > 0.0 { surplus / variance.sqrt() } else { 0.0 }
}
