//! Ratings, ranks and matrices from ballots.
//!
//! Ballots are counted by day and pair as they come, which is all that the estimates need; a new one costs a lookup, and
//! fresh standings cost a fit of counts, however many ballots there are.

mod filter;
mod standings;
mod written;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use umpire_stats::ratings::{Models, Pairs, Winner};

pub use filter::{BallotFilter, VotersCounted};
pub use standings::{DayStanding, LEADERBOARD_VERSION, Resampling, SideShare, Standing, Standings};

use crate::{Ballot, Choice, Time};

/// How often each outcome occurred, by the agents on the left and on the right.
type Counts = FxHashMap<(u32, u32, Choice), u32>;

/// A count of ballots that can be added to.
#[derive(Clone, Debug, Default)]
pub struct Leaderboard {
    filter: BallotFilter,
    agents: Models,
    by_day: BTreeMap<u64, Counts>,
    counted: usize,
    left_out: usize,
    latest: Time,
}

impl Leaderboard {
    pub fn new(filter: BallotFilter) -> Self {
        Self { filter, ..Self::default() }
    }

    /// Counts ballots; `leave_out` are places of those that are not to be counted.
    pub fn of(
        filter: BallotFilter,
        ballots: &[Ballot],
        leave_out: &std::collections::BTreeSet<usize>,
    ) -> Self {
        let mut board = Self::new(filter);
        for (at, ballot) in ballots.iter().enumerate() {
            if leave_out.contains(&at) {
                board.left_out += 1;
            } else {
                board.add(ballot);
            }
        }
        board
    }

    /// Counts one more ballot, if the filter takes it.
    pub fn add(&mut self, ballot: &Ballot) -> bool {
        if !self.filter.takes(ballot) {
            return false;
        }
        let (left, right) = (self.agents.intern(&ballot.left), self.agents.intern(&ballot.right));
        *self.by_day.entry(ballot.at.day()).or_default().entry((left, right, ballot.choice)).or_default() +=
            1;
        self.counted += 1;
        self.latest = self.latest.max(ballot.at);
        true
    }

    pub fn ballots(&self) -> usize {
        self.counted
    }

    fn totals(&self) -> Counts {
        let mut totals = Counts::default();
        for counts in self.by_day.values() {
            for (key, count) in counts {
                *totals.entry(*key).or_default() += count;
            }
        }
        totals
    }

    fn pairs(&self, counts: &Counts) -> Pairs {
        let rows = counts.iter().map(|((left, right, choice), count)| {
            let winner: Winner = choice.winner();
            (*left, *right, winner, f64::from(*count))
        });
        Pairs::from_counts(self.agents.len(), rows)
    }
}

#[cfg(test)]
mod tests;
