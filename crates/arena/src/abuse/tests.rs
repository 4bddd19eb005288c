//! Honest voters are left alone, each kind of dishonest one is found: both measured over many seeds.

use std::collections::{BTreeMap, BTreeSet};

use super::chance::{beyond, significant};
use super::collusion::{campaigns, campaigns_in_steps};
use super::expected::{Expectation, agents_of, counts_of, key_of};
use super::pace::in_time;
use super::simulated::{Arena, HOUR, ballot};
use super::*;
use crate::{BattleId, Choice, VoterKind};

fn kinds_of(ballots: &[Ballot], voter: &str) -> BTreeSet<SuspicionKind> {
    let found = suspicions(ballots, &AbuseRules::default());
    found.into_iter().filter(|mark| mark.ballot.voter.as_str() == voter).map(|mark| mark.kind).collect()
}

const SEEDS: u64 = 40;

#[test]
fn many_names_in_one_place_are_as_fast_as_one() {
    let from = |place: &str, votes: usize| -> Vec<Ballot> {
        let cast = (0..votes).map(|number| {
            let mut cast =
                ballot(&format!("{place}{number}"), "elm", "oak", Choice::Left, 1000 * number as u64);
            cast.battle = BattleId::new(format!("b{number}"));
            cast.seen.origin = Some(place.to_owned());
            cast
        });
        cast.collect()
    };
    let rules = AbuseRules::default();
    let too_fast = |ballots: &[Ballot]| {
        let marks = suspicions(ballots, &rules);
        marks.iter().filter(|mark| mark.kind == SuspicionKind::Velocity).count()
    };
    assert_eq!(too_fast(&from("office", rules.most_from_place)), 0);
    assert_eq!(too_fast(&from("farm", rules.most_from_place + 5)), 5);
    assert_eq!(too_fast(&[from("one", 50), from("other", 50)].concat()), 0, "each place has its own");
}

#[test]
fn honest_voters_are_hardly_ever_marked() {
    let (mut voters, mut marked, mut ballots, mut marked_ballots) = (0, BTreeSet::new(), 0, 0);
    for seed in 0..SEEDS {
        let mut arena = Arena::new(seed);
        arena.honest(40, 30);
        voters += 40;
        ballots += arena.ballots.len();
        for mark in suspicions(&arena.ballots, &AbuseRules::default()) {
            marked.insert((seed, mark.ballot.voter.clone(), mark.kind));
            marked_ballots += 1;
        }
    }
    let accused: BTreeSet<_> = marked.iter().map(|(seed, voter, _)| (seed, voter)).collect();
    println!(
        "honest: {} of {voters} voters marked ({:?}), {marked_ballots} of {ballots} ballots",
        accused.len(),
        marked.iter().map(|(_, _, kind)| kind).collect::<Vec<_>>()
    );
    // Five tests at 1 % for a whole arena each would mark somebody in one arena of twenty.
    assert!(accused.len() * 200 <= voters, "{marked:?}");
}

#[test]
fn honest_voters_who_change_their_mind_now_and_then_are_not_inconsistent() {
    let mut marked = 0;
    for seed in 0..SEEDS {
        let mut arena = Arena::new(seed);
        arena.honest_repeats(20, 10, 0.7);
        let found = suspicions(&arena.ballots, &AbuseRules::default());
        marked += found.iter().filter(|mark| mark.kind == SuspicionKind::Inconsistent).count();
    }
    assert!(marked <= 8, "{marked} ballots in {SEEDS} arenas");
}

/// In how many arenas of `SEEDS` a voter is found, and how many honest ones with it.
fn found(kind: SuspicionKind, guilty: &str, spoil: impl Fn(&mut Arena)) -> (usize, usize) {
    let (mut found, mut wrongly) = (0, BTreeSet::new());
    for seed in 0..SEEDS {
        let mut arena = Arena::new(1000 + seed);
        arena.honest(30, 30);
        spoil(&mut arena);
        let marks = suspicions(&arena.ballots, &AbuseRules::default());
        let of_kind: BTreeSet<&str> =
            marks.iter().filter(|mark| mark.kind == kind).map(|mark| mark.ballot.voter.as_str()).collect();
        found += usize::from(of_kind.contains(guilty));
        wrongly.extend(
            of_kind
                .iter()
                .filter(|voter| voter.starts_with("honest"))
                .map(|voter| (seed, (*voter).to_owned())),
        );
    }
    println!(
        "{kind:?}: found in {found} of {SEEDS} arenas, {} of {} honest voters marked with it",
        wrongly.len(),
        30 * SEEDS
    );
    (found, wrongly.len())
}

#[test]
fn each_kind_of_dishonest_voter_is_found() {
    let clicker = |arena: &mut Arena| {
        for n in 0..25 {
            let (left, right) = arena.pair();
            arena.cast("clicker", left, right, Choice::Left, n * HOUR);
        }
    };
    let fan = |arena: &mut Arena| {
        for n in 0..30 {
            let (mut left, mut right) = (0, 1 + n % 7);
            if n % 2 == 0 {
                std::mem::swap(&mut left, &mut right);
            }
            let choice = if left == 0 { Choice::Left } else { Choice::Right };
            arena.strengths[0] = -1.0;
            arena.cast("fan", left, right, choice, n as u64 * HOUR);
        }
    };
    // Four names that push one agent, each in few votes, within the same hour.
    let ring = |arena: &mut Arena| {
        let weakest = (0..8).min_by(|a, b| arena.strengths[*a].total_cmp(&arena.strengths[*b])).unwrap_or(0);
        for n in 0..20_usize {
            let other = (weakest + 1 + n % 7) % 8;
            let name = format!("ring{}", n % 4);
            arena.cast(&name, weakest, other, Choice::Left, 500 * HOUR + n as u64 * HOUR / 25);
        }
    };
    // Two names of one person, spread over the month.
    let twins = |arena: &mut Arena| {
        let weakest = (0..8).min_by(|a, b| arena.strengths[*a].total_cmp(&arena.strengths[*b])).unwrap_or(0);
        for name in ["twin0", "twin1"] {
            for n in 0..28_usize {
                let other = (weakest + 1 + n % 7) % 8;
                let at = arena.random.below(700) as u64 * HOUR;
                let (left, right, choice) =
                    if n % 2 == 0 { (weakest, other, Choice::Left) } else { (other, weakest, Choice::Right) };
                arena.cast(name, left, right, choice, at);
            }
        }
    };
    for (kind, guilty, least, (found, wrongly)) in [
        (SuspicionKind::SideBias, "clicker", 38, found(SuspicionKind::SideBias, "clicker", clicker)),
        (SuspicionKind::Partisan, "fan", 30, found(SuspicionKind::Partisan, "fan", fan)),
        (SuspicionKind::Campaign, "ring0", 30, found(SuspicionKind::Campaign, "ring0", ring)),
        (SuspicionKind::Collusion, "twin0", 30, found(SuspicionKind::Collusion, "twin0", twins)),
    ] {
        assert!(found >= least, "{kind:?} of {guilty} found {found} times");
        assert!(wrongly <= 6, "{kind:?} also marks {wrongly} honest voters");
    }
}

#[test]
fn whoever_flips_a_coin_contradicts_himself() {
    let mut arena = Arena::new(7);
    arena.honest_repeats(20, 10, 0.8);
    for n in 0..12_u64 {
        let (left, right) = arena.pair();
        arena.cast("coin", left, right, Choice::Left, n * HOUR);
        arena.cast("coin", right, left, Choice::Left, n * HOUR + 1);
        let count = arena.ballots.len();
        arena.ballots[count - 1].task = arena.ballots[count - 2].task.clone();
    }
    assert!(kinds_of(&arena.ballots, "coin").contains(&SuspicionKind::Inconsistent));
}

#[test]
fn the_same_vote_twice_is_marked_once() {
    let first = ballot("ann", "p", "q", Choice::Left, 5);
    let mut again = first.clone();
    again.at.0 = 9;
    let mut other_name = first.clone();
    other_name.voter = crate::VoterId::new("ann2");
    other_name.at.0 = 10;
    let mut ballots = vec![again, first, other_name];
    for ballot in &mut ballots {
        ballot.seen.origin = Some("same place".to_owned());
    }
    let marks = suspicions(&ballots, &AbuseRules::default());
    let duplicates: Vec<usize> =
        marks.iter().filter(|mark| mark.kind == SuspicionKind::Duplicate).map(|mark| mark.at).collect();
    assert_eq!(duplicates, [0, 2], "the earliest stands");
}

#[test]
fn nobody_looks_into_twenty_battles_in_a_minute_and_models_may() {
    let mut ballots: Vec<Ballot> = (0..20).map(|n| ballot("bot", "p", "q", Choice::Tie, n * 3000)).collect();
    let marked = |ballots: &[Ballot]| {
        let marks = suspicions(ballots, &AbuseRules::default());
        marks.iter().filter(|mark| mark.kind == SuspicionKind::Velocity).count()
    };
    assert_eq!(marked(&ballots), 5, "those beyond fifteen");
    for ballot in &mut ballots {
        ballot.by = VoterKind::Model("judge".to_owned());
    }
    assert_eq!(marked(&ballots), 0);
    ballots[0].by = VoterKind::Person;
    ballots[0].seen.looked_ms = Some(500);
    assert!(kinds_of(&ballots, "bot").contains(&SuspicionKind::Hasty));
}

/// What [`campaigns`] finds, with each window counted anew.
fn campaigns_one_by_one(ballots: &[Ballot], rules: &AbuseRules) -> Vec<Suspicion> {
    let agents = agents_of(ballots);
    let surprise = |id: u32, window: &[usize], expectation: &Expectation| {
        let mut by_opponent: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for at in window {
            let key = key_of(&agents, &ballots[*at]).expect("two agents");
            let sum = by_opponent.entry(if key.0 == id { key.1 } else { key.0 }).or_default();
            sum.0 += ballots[*at].points_of(agents.name(id)).expect("it took part");
            sum.1 += 1.0;
        }
        let (mut surplus, mut variance) = (0.0_f64, 0.0_f64);
        for (opponent, (points, votes)) in by_opponent {
            surplus += points - votes * expectation.points(id, opponent);
            variance += expectation.variance(id, opponent, votes);
        }
        if variance > 0.0 { surplus / variance.sqrt() } else { 0.0 }
    };
    let expected = |ballots: &[Ballot]| Expectation::from_counts(agents.len(), &counts_of(&agents, ballots));
    let (usual, order) = (expected(ballots), in_time(ballots));
    let (mut tests, mut passed) = (Vec::new(), Vec::new());
    for (id, agent) in (0_u32..).zip(agents.names()) {
        let places: Vec<usize> =
            order.iter().copied().filter(|at| ballots[*at].points_of(agent).is_some()).collect();
        for (start, first) in places.iter().enumerate() {
            let is_within = |at: &usize| ballots[*at].at.since(ballots[*first].at) < rules.campaign_window_ms;
            let window: Vec<usize> = places[start..].iter().copied().take_while(is_within).collect();
            let voters: BTreeSet<_> = window.iter().map(|at| &ballots[*at].voter).collect();
            if window.len() < 8 || voters.len() < rules.campaign_voters {
                continue;
            }
            if surprise(id, &window, &usual).abs() < 2.0 {
                passed.push((None, 1.0));
                continue;
            }
            let is_other = |(at, ballot): (usize, &Ballot)| (!window.contains(&at)).then(|| ballot.clone());
            let others: Vec<Ballot> = ballots.iter().enumerate().filter_map(is_other).collect();
            let z = surprise(id, &window, &expected(&others));
            tests.push((Some((agent, window, z)), beyond(z)));
        }
    }
    tests.extend(passed);
    let mut found = Vec::new();
    for (about, score) in significant(tests, rules.alpha) {
        let Some((agent, window, z)) = about else { continue };
        let minutes = rules.campaign_window_ms / 60_000;
        let why = format!("{} votes on {agent} within {minutes} min went one way", window.len());
        let points = |at: &usize| ballots[*at].points_of(agent).expect("it took part");
        let goes_along = |at: &usize| if z > 0.0 { points(at) > 0.5 } else { points(at) < 0.5 };
        let marks = window.into_iter().filter(goes_along);
        found.extend(marks.map(|at| mark(ballots, at, SuspicionKind::Campaign, score, &why)));
    }
    found.sort_by(|one, other| one.at.cmp(&other.at).then(other.score.total_cmp(&one.score)));
    found.dedup_by_key(|mark| mark.at);
    found
}

#[test]
fn a_window_that_moves_finds_what_windows_counted_one_by_one_find() {
    let mut marks = 0;
    for seed in 0..30 {
        let mut arena = Arena::new(2000 + seed);
        arena.strengths.truncate(2 + seed as usize % 4);
        for n in 0..150_u64 {
            let (left, right) = arena.pair();
            let choice = match (left, right) {
                (0, _) if (50..90).contains(&n) => Choice::Left,
                (_, 0) if (50..90).contains(&n) => Choice::Right,
                _ => arena.honest_choice(left, right),
            };
            let voter = format!("voter{}", arena.random.below(6));
            // Some at the same moment.
            arena.cast(&voter, left, right, choice, n / 3 * (HOUR / 20));
        }
        let rules = AbuseRules { campaign_window_ms: HOUR / 2, alpha: 0.2, ..AbuseRules::default() };
        let found = campaigns(&arena.ballots, &rules);
        assert_eq!(found, campaigns_one_by_one(&arena.ballots, &rules), "seed {seed}");
        marks += found.len();
    }
    assert!(marks > 0, "there was something to find");
}

#[test]
fn a_busy_hour_takes_steps_by_its_votes_and_not_by_their_square() {
    let mut arena = Arena::new(3);
    arena.strengths.truncate(4);
    let weakest = (0..4).min_by(|a, b| arena.strengths[*a].total_cmp(&arena.strengths[*b])).unwrap_or(0);
    let votes = 16_000_u64;
    for n in 0..votes {
        let (left, right) = arena.pair();
        // At its end one agent is pushed: windows stand out, and overlap.
        let is_pushed = n + 200 > votes;
        let choice = if is_pushed && left == weakest {
            Choice::Left
        } else if is_pushed && right == weakest {
            Choice::Right
        } else {
            arena.honest_choice(left, right)
        };
        arena.cast(&format!("voter{}", n % 400), left, right, choice, n * HOUR / votes);
    }
    let mut steps = 0_u64;
    let marks = campaigns_in_steps(&arena.ballots, &AbuseRules::default(), &mut || steps += 1);
    assert!(marks.len() > 50, "{} marks", marks.len());
    // Each vote comes and goes once with each of its agents, and is looked at for and against either.
    assert!(steps <= 8 * votes, "{steps} steps");
}
