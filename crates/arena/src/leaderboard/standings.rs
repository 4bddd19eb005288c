use serde::Serialize;
use umpire_stats::ratings::{
    Estimate, Fit, RatingInterval, UnknownLabels, Warning, WinRates, bootstrap, fit, ranks_by_overlap,
    sandwich_intervals,
};

use super::{Counts, Leaderboard};
use crate::{Choice, Time};

pub const LEADERBOARD_VERSION: u32 = 1;

/// How intervals are found: by drawing the ballots again so many times, or by formula if 0 times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resampling {
    pub rounds: usize,
    pub seed: u64,
}

impl Default for Resampling {
    fn default() -> Self {
        Self { rounds: 200, seed: 7 }
    }
}

/// An agent below this many battles has a place, but hardly a rank.
const SETTLED_FROM: u32 = 30;

/// One row of a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// 1 + how many agents are clearly better; agents that cannot be told apart share it.
    pub rank: usize,
    pub agent: String,
    pub rating: f64,
    pub low: f64,
    pub high: f64,
    pub battles: u32,
    pub wins: u32,
    pub losses: u32,
    pub ties: u32,
    pub both_bad: u32,
    /// The mean over opponents of the share of decided battles won.
    pub win_rate: Option<f64>,
    /// Few battles, or no finite rating: worth a look, not a conclusion.
    pub provisional: bool,
}

/// Who won by where they sat. With shuffled sides, left and right are alike but for voters' habits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SideShare {
    pub left: u32,
    pub right: u32,
    pub ties: u32,
    pub both_bad: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    pub version: u32,
    /// The time of the last ballot counted.
    pub as_of: Time,
    pub ballots: usize,
    /// Ballots that were marked and left out.
    pub left_out: usize,
    /// Best first.
    pub rows: Vec<Standing>,
    /// The share of decided battles that the row's agent won against the column's, in the order of `rows`; what never
    /// happened is null.
    pub win_fractions: Vec<Vec<Option<f64>>>,
    /// Battles of two agents, ties included.
    pub battle_counts: Vec<Vec<u32>>,
    pub sides: SideShare,
    pub warnings: Vec<String>,
}

/// An agent on one day, all ballots up to its end counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DayStanding {
    /// `2026-03-16`, UTC.
    pub day: String,
    pub agent: String,
    pub rating: f64,
    pub low: f64,
    pub high: f64,
    pub battles: u32,
}

/// What one agent's battles came to.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    battles: u32,
    wins: u32,
    losses: u32,
    ties: u32,
    both_bad: u32,
}

impl Leaderboard {
    pub fn standings(&self, resampling: Resampling) -> Standings {
        let counts = self.totals();
        let pairs = self.pairs(&counts);
        let found = fit(&pairs, None, None);
        let by_formula = || sandwich_intervals(&pairs, None, &found);
        let intervals = if resampling.rounds < 2 {
            by_formula()
        } else {
            let drawn = bootstrap(&pairs, &found, None, resampling.rounds, resampling.seed);
            drawn.intervals(&pairs, &found).unwrap_or_else(by_formula)
        };
        let ranks = ranks_by_overlap(&intervals);
        let rates = WinRates::of(&pairs, UnknownLabels::LeftOut);
        let (tallies, sides) = self.tallies(&counts);
        let mut order: Vec<usize> = (0..self.agents.len()).collect();
        let name = |agent: usize| self.agents.name(agent as u32);
        order.sort_by(|&one, &other| {
            found.ratings[other].total_cmp(&found.ratings[one]).then_with(|| name(one).cmp(name(other)))
        });
        let row = |&agent: &usize| {
            let Tally { battles, wins, losses, ties, both_bad } = tallies[agent];
            let RatingInterval { low, high, .. } = intervals[agent];
            Standing {
                rank: ranks[agent],
                agent: name(agent).to_owned(),
                rating: found.ratings[agent],
                low,
                high,
                battles,
                wins,
                losses,
                ties,
                both_bad,
                win_rate: rates.average(agent),
                provisional: battles < SETTLED_FROM || found.estimates[agent] == Estimate::Regularised,
            }
        };
        let matrix = self.battle_matrix(&counts);
        Standings {
            version: LEADERBOARD_VERSION,
            as_of: self.latest,
            ballots: self.counted,
            left_out: self.left_out,
            rows: order.iter().map(row).collect(),
            win_fractions: order
                .iter()
                .map(|&row| order.iter().map(|&column| rates.fraction(row, column)).collect())
                .collect(),
            battle_counts: order
                .iter()
                .map(|&row| order.iter().map(|&column| matrix[row][column]).collect())
                .collect(),
            sides,
            warnings: self.warnings(&found),
        }
    }

    /// Ratings at the end of every day that brought ballots, with intervals by formula.
    pub fn history(&self) -> Vec<DayStanding> {
        let mut so_far = Counts::default();
        let mut history = Vec::new();
        for (&day, counts) in &self.by_day {
            for (key, count) in counts {
                *so_far.entry(*key).or_default() += count;
            }
            let pairs = self.pairs(&so_far);
            let found = fit(&pairs, None, None);
            let intervals = sandwich_intervals(&pairs, None, &found);
            let (tallies, _) = self.tallies(&so_far);
            let written = day_written(day);
            for (agent, tally) in tallies.iter().enumerate().filter(|(_, tally)| tally.battles > 0) {
                history.push(DayStanding {
                    day: written.clone(),
                    agent: self.agents.name(agent as u32).to_owned(),
                    rating: found.ratings[agent],
                    low: intervals[agent].low,
                    high: intervals[agent].high,
                    battles: tally.battles,
                });
            }
        }
        history
    }

    fn tallies(&self, counts: &Counts) -> (Vec<Tally>, SideShare) {
        let mut tallies = vec![Tally::default(); self.agents.len()];
        let mut sides = SideShare::default();
        for (&(left, right, choice), &count) in counts {
            for (agent, won, lost) in
                [(left, Choice::Left, Choice::Right), (right, Choice::Right, Choice::Left)]
            {
                let tally = &mut tallies[agent as usize];
                tally.battles += count;
                match choice {
                    Choice::Tie => tally.ties += count,
                    Choice::BothBad => tally.both_bad += count,
                    _ if choice == won => tally.wins += count,
                    _ => {
                        debug_assert!(choice == lost);
                        tally.losses += count;
                    }
                }
            }
            match choice {
                Choice::Left => sides.left += count,
                Choice::Right => sides.right += count,
                Choice::Tie => sides.ties += count,
                Choice::BothBad => sides.both_bad += count,
            }
        }
        (tallies, sides)
    }

    fn battle_matrix(&self, counts: &Counts) -> Vec<Vec<u32>> {
        let mut matrix = vec![vec![0; self.agents.len()]; self.agents.len()];
        for (&(left, right, _), &count) in counts {
            let (left, right) = (left as usize, right as usize);
            matrix[left][right] += count;
            if left != right {
                matrix[right][left] += count;
            }
        }
        matrix
    }

    fn warnings(&self, found: &Fit) -> Vec<String> {
        let names = |ids: &[u32]| ids.iter().map(|id| self.agents.name(*id)).collect::<Vec<_>>().join(", ");
        let told = |warning: &Warning| match warning {
            Warning::NotComparable { groups } => {
                let groups: Vec<String> = groups.iter().map(|group| names(group)).collect();
                format!(
                    "no chain of battles links these groups, so their ratings cannot be compared: {}",
                    groups.join(" | ")
                )
            }
            Warning::NoFiniteRating { never_lost, never_won, .. } => format!(
                "some votes went one way only, so these ratings are held back: never beaten by the rest {}; never won against the rest {}",
                names(never_lost),
                names(never_won)
            ),
        };
        found.warnings.iter().map(told).collect()
    }
}

fn day_written(day: u64) -> String {
    let millis = i64::try_from(Time::start_of_day(day).0).unwrap_or(i64::MAX);
    let written = jiff::Timestamp::from_millisecond(millis).unwrap_or(jiff::Timestamp::MAX).to_string();
    written.split('T').next().unwrap_or_default().to_owned()
}
