//! Ballots that look dishonest, with the reason and how strange they are.
//!
//! Nothing is thrown away here. Each rule marks ballots; leaving the marked ones out is the reader's choice. Rules that
//! compare a voter with chance or with everybody correct for how many voters they look at, so that among honest voters
//! hardly anybody is marked (`tests` in this room measure how many).

mod chance;
mod collusion;
mod expected;
mod habits;
mod pace;
#[cfg(test)]
pub(crate) mod simulated;

use serde::{Deserialize, Serialize};

use crate::{Ballot, BallotKey};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuspicionKind {
    /// The same battle again, by the same voter or from the same place.
    Duplicate,
    /// More votes in a short time than anybody can look into.
    Velocity,
    /// The results were hardly looked at.
    Hasty,
    /// Shown the same again, the voter says the opposite, more often than others do.
    Inconsistent,
    /// One side of the screen wins too often.
    SideBias,
    /// One agent fares too differently with this voter than with all others.
    Partisan,
    /// Two voters stray from everybody else in the same direction.
    Collusion,
    /// Several voters help, or harm, one agent within a short time.
    Campaign,
}

/// A mark on a ballot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suspicion {
    /// Which of the ballots that were looked at, from 0: a duplicate has the key of the first.
    pub at: usize,
    pub ballot: BallotKey,
    pub kind: SuspicionKind,
    /// Of a rule that counts: how often over the limit. Of a test: −log₁₀ of its p-value, corrected for all tests made.
    pub score: f64,
    pub why: String,
}

/// When a ballot is marked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AbuseRules {
    /// Votes of one voter within `window_ms`.
    pub most_in_window: usize,
    /// Votes from one place within `window_ms`: an office may share an address.
    pub most_from_place: usize,
    pub window_ms: u64,
    pub least_look_ms: u64,
    /// The chance, for each rule that is a test, of marking anybody although all are honest.
    pub alpha: f64,
    /// Fewer votes of a voter say nothing about habits.
    pub least_votes: usize,
    pub campaign_window_ms: u64,
    pub campaign_voters: usize,
}

impl Default for AbuseRules {
    fn default() -> Self {
        Self {
            most_in_window: 15,
            most_from_place: 60,
            window_ms: 600_000,
            least_look_ms: 3_000,
            alpha: 0.01,
            least_votes: 8,
            campaign_window_ms: 3_600_000,
            campaign_voters: 3,
        }
    }
}

/// All marks on some ballots, by place and kind. A ballot has at most one of each kind, the strongest.
pub fn suspicions(ballots: &[Ballot], rules: &AbuseRules) -> Vec<Suspicion> {
    let mut all = pace::duplicates(ballots);
    all.extend(pace::velocity(ballots, rules));
    all.extend(pace::hasty(ballots, rules));
    all.extend(habits::inconsistent(ballots, rules));
    all.extend(habits::side_bias(ballots, rules));
    let residuals = expected::residuals_by_voter(ballots);
    all.extend(habits::partisan(ballots, &residuals, rules));
    all.extend(collusion::pairs_of_voters(ballots, &residuals, rules));
    all.extend(collusion::campaigns(ballots, rules));
    all.sort_by(|one, other| {
        (one.at, one.kind).cmp(&(other.at, other.kind)).then(other.score.total_cmp(&one.score))
    });
    all.dedup_by_key(|suspicion| (suspicion.at, suspicion.kind));
    all
}

pub(crate) fn mark(ballots: &[Ballot], at: usize, kind: SuspicionKind, score: f64, why: &str) -> Suspicion {
    Suspicion { at, ballot: ballots[at].key(), kind, score, why: why.to_owned() }
}

#[cfg(test)]
mod tests;
