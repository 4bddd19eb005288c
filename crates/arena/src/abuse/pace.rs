//! Votes that come twice, too fast, or without a look.

use std::collections::{BTreeMap, BTreeSet};

use super::{AbuseRules, Suspicion, SuspicionKind, mark};
use crate::{Ballot, VoterId, VoterKind};

/// All but the first of a voter's ballots on one battle, and ballots of another name from the same place.
pub(super) fn duplicates(ballots: &[Ballot]) -> Vec<Suspicion> {
    let mut by_voter: BTreeSet<(&str, &VoterId)> = BTreeSet::new();
    let mut by_origin: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut found = Vec::new();
    for at in in_time(ballots) {
        let ballot = &ballots[at];
        let battle = ballot.battle.as_str();
        let is_new_origin =
            ballot.seen.origin.as_deref().is_none_or(|origin| by_origin.insert((battle, origin)));
        if !by_voter.insert((battle, &ballot.voter)) {
            found.push(mark(
                ballots,
                at,
                SuspicionKind::Duplicate,
                1.0,
                "this voter has voted on this battle before",
            ));
        } else if !is_new_origin {
            found.push(mark(
                ballots,
                at,
                SuspicionKind::Duplicate,
                1.0,
                "a vote on this battle came from the same place before",
            ));
        }
    }
    found
}

/// Ballots beyond what a person may cast within a window, or all who share a place: whoever forgets their cookie is a new
/// voter, but not in a new place.
pub(super) fn velocity(ballots: &[Ballot], rules: &AbuseRules) -> Vec<Suspicion> {
    let mut of_voters: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut of_places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut found = Vec::new();
    for at in in_time(ballots).into_iter().filter(|at| ballots[*at].by == VoterKind::Person) {
        let ballot = &ballots[at];
        let mut beyond = |window: &mut Vec<usize>, most: usize, whose: &str| {
            window.push(at);
            window.retain(|earlier| ballot.at.since(ballots[*earlier].at) < rules.window_ms);
            if window.len() > most {
                let score = window.len() as f64 / most.max(1) as f64;
                let why = format!("{} votes{whose} within {} s", window.len(), rules.window_ms / 1000);
                found.push(mark(ballots, at, SuspicionKind::Velocity, score, &why));
            }
        };
        beyond(of_voters.entry(ballot.voter.as_str()).or_default(), rules.most_in_window, "");
        if let Some(place) = &ballot.seen.origin {
            beyond(of_places.entry(place).or_default(), rules.most_from_place, " from one place");
        }
    }
    found
}

pub(super) fn hasty(ballots: &[Ballot], rules: &AbuseRules) -> Vec<Suspicion> {
    let hasty = |(at, ballot): (usize, &Ballot)| {
        let looked = ballot.seen.looked_ms.filter(|_| ballot.by == VoterKind::Person)?;
        (looked < rules.least_look_ms).then(|| {
            let score = rules.least_look_ms as f64 / looked.max(1) as f64;
            let why = format!("voted {looked} ms after the results were shown");
            mark(ballots, at, SuspicionKind::Hasty, score, &why)
        })
    };
    ballots.iter().enumerate().filter_map(hasty).collect()
}

pub(super) fn in_time(ballots: &[Ballot]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ballots.len()).collect();
    order.sort_by_key(|at| ballots[*at].at);
    order
}
