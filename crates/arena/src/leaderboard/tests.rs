use proptest::prelude::*;

use super::*;
use crate::VoterKind;
use crate::abuse::simulated::{Arena, ballot};

const DAY: u64 = 86_400_000;

fn won(left: &str, right: &str, wins: usize, losses: usize) -> Vec<Ballot> {
    let choices = std::iter::repeat_n(Choice::Left, wins).chain(std::iter::repeat_n(Choice::Right, losses));
    choices.enumerate().map(|(at, choice)| ballot("v", left, right, choice, at as u64)).collect()
}

fn board(ballots: &[Ballot]) -> Leaderboard {
    Leaderboard::of(BallotFilter::default(), ballots, &[].into())
}

#[test]
fn three_to_one_is_191_points() {
    let mut ballots = won("elm", "oak", 30, 10);
    ballots.push(ballot("v", "oak", "elm", Choice::Tie, 50));
    ballots.push(ballot("v", "oak", "elm", Choice::BothBad, 51));
    let standings = board(&ballots[..40]).standings(Resampling::default());
    // Odds of 3 to 1 are 400·log₁₀ 3 points.
    assert!((standings.rows[0].rating - standings.rows[1].rating - 400.0 * 3.0_f64.log10()).abs() < 1e-6);
    assert_eq!(
        (standings.rows[0].agent.as_str(), standings.rows[0].rank, standings.rows[1].rank),
        ("elm", 1, 2)
    );
    let all = board(&ballots).standings(Resampling { rounds: 0, seed: 1 });
    let row = &all.rows[0];
    assert_eq!((row.battles, row.wins, row.losses, row.ties, row.both_bad), (42, 30, 10, 1, 1));
    assert_eq!(all.win_fractions, [[None, Some(0.75)], [Some(0.25), None]]);
    assert_eq!(all.battle_counts, [[0, 42], [42, 0]]);
    assert_eq!(all.sides, SideShare { left: 30, right: 10, ties: 1, both_bad: 1 });
    assert!(all.to_csv().starts_with(
        "rank,agent,rating,low,high,battles,wins,losses,ties,both_bad,win_rate,provisional\n1,elm,"
    ));
    assert!(all.pairs_to_csv().contains("elm,oak,42,0.7500\n"));
}

#[test]
fn what_cannot_be_known_is_said() {
    let mut ballots = won("elm", "oak", 3, 0);
    ballots.extend(won("fir", "ash", 1, 1));
    let standings = board(&ballots).standings(Resampling::default());
    assert!(standings.rows.iter().all(|row| row.provisional && row.rating.is_finite()));
    assert_eq!(standings.warnings.len(), 2, "{:?}", standings.warnings);
    assert!(
        standings
            .warnings
            .iter()
            .any(|text| text.contains("elm, oak") && text.contains("cannot be compared"))
    );
    assert_eq!(board(&[]).standings(Resampling::default()).rows, []);
}

#[test]
fn filters_say_what_is_counted() {
    let mut ballots = won("elm", "oak", 4, 0);
    ballots[0].task_kind = "mutate".to_owned();
    ballots[1].by = VoterKind::Model("judge".to_owned());
    ballots[3].at = Time(5 * DAY);
    let counted = |filter: BallotFilter| Leaderboard::of(filter, &ballots, &[].into()).ballots();
    let all = BallotFilter::default();
    assert_eq!(counted(all.clone()), 3);
    assert_eq!(counted(BallotFilter { voters: VotersCounted::Models, ..all.clone() }), 1);
    assert_eq!(counted(BallotFilter { task_kinds: ["mutate".to_owned()].into(), ..all.clone() }), 1);
    assert_eq!(counted(BallotFilter { until: Some(Time(DAY)), ..all.clone() }), 2);
    assert_eq!(counted(BallotFilter { from: Some(Time(DAY)), ..all.clone() }), 1);
    let without = Leaderboard::of(all, &ballots, &[0, 3].into()).standings(Resampling::default());
    assert_eq!((without.ballots, without.left_out), (1, 2));
}

#[test]
fn history_ends_where_the_standings_are() {
    let mut ballots = won("elm", "oak", 5, 2);
    ballots.extend(won("oak", "elm", 6, 1).into_iter().map(|mut ballot| {
        ballot.at = Time(20_528 * DAY + 7);
        ballot
    }));
    let board = board(&ballots);
    let history = board.history();
    assert_eq!(
        history.iter().map(|row| row.day.as_str()).collect::<Vec<_>>(),
        ["1970-01-01", "1970-01-01", "2026-03-16", "2026-03-16"]
    );
    assert!(history[0].rating > history[1].rating, "elm led at first");
    let last = board.standings(Resampling { rounds: 0, seed: 1 });
    for row in &history[2..] {
        let now = last.rows.iter().find(|standing| standing.agent == row.agent).expect("both are there");
        assert_eq!((now.rating, now.low, now.battles), (row.rating, row.low, row.battles));
    }
    assert!(DayStanding::to_csv(&history).starts_with("day,agent,rating,low,high,battles\n1970-01-01,elm,"));
}

#[test]
fn ten_thousand_ballots_and_a_hundred_more_are_counted_one_by_one_as_at_once() {
    let mut arena = Arena::new(3);
    arena.strengths = (0..20).map(|n| f64::from(n) / 8.0).collect();
    arena.honest(250, 40);
    let (first, all) = (&arena.ballots[..], [&arena.ballots[..], &arena.ballots[..100]].concat());
    let mut added = board(first);
    for ballot in &arena.ballots[..100] {
        added.add(ballot);
    }
    assert_eq!(added.ballots(), 10_100);
    assert_eq!(added.history().len(), 20 * 30, "twenty agents on thirty days");
    let once = Resampling { rounds: 0, seed: 1 };
    assert_eq!(added.standings(once), board(&all).standings(once));
}

proptest! {
    #[test]
    fn adding_one_by_one_is_counting_at_once(votes in proptest::collection::vec((0..4_usize, 0..4_usize, 0..4_usize, 0..3_u64), 1..60)) {
        let ballots: Vec<Ballot> = votes.iter().map(|(left, right, choice, day)| {
            ballot("v", &Arena::agent(*left), &Arena::agent(*right), Choice::ALL[*choice], day * DAY)
        }).collect();
        let mut added = Leaderboard::new(BallotFilter::default());
        for ballot in &ballots {
            added.add(ballot);
        }
        let standings = added.standings(Resampling { rounds: 0, seed: 1 });
        prop_assert_eq!(&standings, &board(&ballots).standings(Resampling { rounds: 0, seed: 1 }));
        prop_assert_eq!(standings.rows.iter().map(|row| row.battles).sum::<u32>() as usize, 2 * ballots.len());
        let sides = standings.sides;
        prop_assert_eq!((sides.left + sides.right + sides.ties + sides.both_bad) as usize, ballots.len());
    }
}
