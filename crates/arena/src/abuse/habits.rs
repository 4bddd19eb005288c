//! What a voter does again and again.

use std::collections::BTreeMap;

use super::chance::{as_extreme, at_least, beyond, significant};
use super::expected::Residuals;
use super::pace::in_time;
use super::{AbuseRules, Suspicion, SuspicionKind, mark};
use crate::{Ballot, Choice, VoterId};

fn by_voter(ballots: &[Ballot]) -> BTreeMap<&VoterId, Vec<usize>> {
    let mut places: BTreeMap<&VoterId, Vec<usize>> = BTreeMap::new();
    for at in in_time(ballots) {
        places.entry(&ballots[at].voter).or_default().push(at);
    }
    places
}

/// Everybody changes their mind now and then; the test is against how often all others do, or this if they never did.
const USUAL_CONTRADICTIONS: f64 = 0.1;

/// Voters who say the opposite when the same two agents do the same task again, whichever side they sit on.
pub(super) fn inconsistent(ballots: &[Ballot], rules: &AbuseRules) -> Vec<Suspicion> {
    struct Repeats {
        count: usize,
        contradicting: Vec<usize>,
    }
    let repeats: BTreeMap<&VoterId, Repeats> = by_voter(ballots)
        .into_iter()
        .map(|(voter, places)| {
            let mut last: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
            let mut repeats = Repeats { count: 0, contradicting: Vec::new() };
            for at in places {
                let ballot = &ballots[at];
                let (one, other) = ballot.pair();
                if let Some(before) = last.insert((&ballot.task, one, other), at) {
                    let (then, now) = (ballots[before].choice_by_name(), ballot.choice_by_name());
                    repeats.count += 1;
                    if then.is_decided() && now == then.mirrored() {
                        repeats.contradicting.extend([before, at]);
                    }
                }
            }
            (voter, repeats)
        })
        .collect();
    let all: usize = repeats.values().map(|repeats| repeats.count).sum();
    let contradictions: usize = repeats.values().map(|repeats| repeats.contradicting.len() / 2).sum();
    let tests: Vec<(&Repeats, f64)> = repeats
        .values()
        .filter(|repeats| repeats.count >= rules.least_votes / 2)
        .map(|repeats| {
            let own = repeats.contradicting.len() / 2;
            let others = all - repeats.count;
            let usual = if others == 0 { 0.0 } else { (contradictions - own) as f64 / others as f64 };
            (repeats, at_least(own, repeats.count, usual.max(USUAL_CONTRADICTIONS)))
        })
        .collect();
    let mut found = Vec::new();
    for (repeats, score) in significant(tests, rules.alpha) {
        let why =
            format!("said the opposite in {} of {} repeats", repeats.contradicting.len() / 2, repeats.count);
        let marks = repeats.contradicting.iter();
        found.extend(marks.map(|at| mark(ballots, *at, SuspicionKind::Inconsistent, score, &why)));
    }
    found
}

/// Sides are shuffled, so an honest voter's winners sit on the left as often as everybody else's.
pub(super) fn side_bias(ballots: &[Ballot], rules: &AbuseRules) -> Vec<Suspicion> {
    let decided: BTreeMap<&VoterId, Vec<usize>> = by_voter(ballots)
        .into_iter()
        .map(|(voter, places)| {
            (voter, places.into_iter().filter(|at| ballots[*at].choice.is_decided()).collect())
        })
        .collect();
    let lefts = |places: &[usize]| places.iter().filter(|at| ballots[**at].choice == Choice::Left).count();
    let all: usize = decided.values().map(Vec::len).sum();
    let all_left: usize = decided.values().map(|places| lefts(places)).sum();
    let tests: Vec<(&Vec<usize>, f64)> = decided
        .values()
        .filter(|places| places.len() >= rules.least_votes)
        .map(|places| {
            let (own, left) = (places.len(), lefts(places));
            // Pulled towards one half by twenty votes: a few others are no yardstick.
            let usual = ((all_left - left) as f64 + 10.0) / ((all - own) as f64 + 20.0);
            (places, as_extreme(left, own, usual))
        })
        .collect();
    let mut found = Vec::new();
    for (places, score) in significant(tests, rules.alpha) {
        let why = format!("{} of {} winners sat on the left", lefts(places), places.len());
        found.extend(places.iter().map(|at| mark(ballots, *at, SuspicionKind::SideBias, score, &why)));
    }
    found
}

/// Voters with whom one agent fares too differently.
pub(super) fn partisan(ballots: &[Ballot], residuals: &Residuals, rules: &AbuseRules) -> Vec<Suspicion> {
    let mut tests: Vec<((&VoterId, u32, f64), f64)> = Vec::new();
    for (voter, own) in &residuals.of_voter {
        let mut of_agent: BTreeMap<u32, (f64, f64, usize)> = BTreeMap::new();
        for residual in own {
            for (agent, sign) in [(residual.first, 1.0), (residual.second, -1.0)] {
                let sum = of_agent.entry(agent).or_default();
                sum.0 += sign * residual.surplus;
                sum.1 += residual.variance;
                sum.2 += residual.votes;
            }
        }
        let enough = of_agent
            .into_iter()
            .filter(|(_, (_, variance, votes))| *votes >= rules.least_votes && *variance > 0.0);
        tests.extend(enough.map(|(agent, (surplus, variance, _))| {
            ((voter, agent, surplus), beyond(surplus / variance.sqrt()))
        }));
    }
    let mut found = Vec::new();
    for ((voter, agent, surplus), score) in significant(tests, rules.alpha) {
        let name = residuals.agents.name(agent);
        let why = format!("{name} takes {surplus:+.1} points more than with all others");
        let places = (0..ballots.len())
            .filter(|at| ballots[*at].voter == *voter && ballots[*at].points_of(name).is_some());
        found.extend(places.map(|at| mark(ballots, at, SuspicionKind::Partisan, score, &why)));
    }
    found
}
