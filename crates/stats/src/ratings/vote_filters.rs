use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::{Battles, ModelId, Winner};

/// Who cast a vote, and when, beside a row of [`Battles`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vote<'a> {
    pub judge: &'a str,
    /// Seconds since 1970, UTC.
    pub time: f64,
}

/// Which votes are among the first `most` of their judge on their day (UTC, so that the answer is the same everywhere).
pub fn within_daily_limit(votes: &[Vote<'_>], most: usize) -> Vec<bool> {
    let mut cast: HashMap<(i64, &str), usize> = HashMap::new();
    let mut kept = vec![false; votes.len()];
    for at in in_time(votes) {
        let day = (votes[at].time / 86_400.0).floor() as i64;
        let before = cast.entry((day, votes[at].judge)).or_default();
        kept[at] = *before < most;
        *before += 1;
    }
    kept
}

fn in_time(votes: &[Vote<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..votes.len()).collect();
    order.sort_by(|&one, &other| votes[one].time.total_cmp(&votes[other].time));
    order
}

/// What all votes on two models say, from the view of the one whose name comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PairStats {
    pub win: usize,
    pub loss: usize,
    pub tie: usize,
}

impl PairStats {
    fn decided(self) -> f64 {
        (self.win + self.loss) as f64
    }
}

/// By the names of both models, in order.
pub fn pair_stats(battles: &Battles) -> BTreeMap<(&str, &str), PairStats> {
    let mut stats: BTreeMap<(&str, &str), PairStats> = BTreeMap::new();
    for (a, b, winner) in battles.rows() {
        let (pair, points) = seen_from_first(battles, a, b, winner);
        let stats = stats.entry(pair).or_default();
        match points {
            Points::All => stats.win += 1,
            Points::None => stats.loss += 1,
            Points::Half => stats.tie += 1,
        }
    }
    stats
}

#[derive(Clone, Copy, PartialEq)]
enum Points {
    None,
    Half,
    All,
}

fn seen_from_first(battles: &Battles, a: ModelId, b: ModelId, winner: Winner) -> ((&str, &str), Points) {
    let (a, b) = (battles.models.name(a), battles.models.name(b));
    let (first, second) = (a.min(b), a.max(b));
    let points = match winner {
        Winner::Tie | Winner::BothBad | Winner::Unknown => Points::Half,
        Winner::A if a == first => Points::All,
        Winner::B if b == first => Points::All,
        Winner::A | Winner::B => Points::None,
    };
    ((first, second), points)
}

/// When a judge is held to vote unlike all others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlaggingRule {
    /// Fewer votes than these say nothing.
    pub least_votes: usize,
    /// Votes looked at, from the first on.
    pub most_votes: usize,
    /// The chance of flagging that one accepts for a judge who votes as all do.
    pub alpha: f64,
}

impl Default for FlaggingRule {
    fn default() -> Self {
        Self { least_votes: 5, most_votes: 100, alpha: 0.05 }
    }
}

/// Judges whose votes are too unlikely in one direction, by the sequential test of Chatbot Arena: the product of 1/(2p)
/// over their votes, p being the share of all decided votes on that pair that are as low (or as high), passes 1/α.
///
/// Their own votes are among "all", and nobody corrects for the number of judges that are tested, so it is a hint where
/// to look, not a verdict.
pub fn flagged_judges<'a>(battles: &Battles, votes: &[Vote<'a>], rule: FlaggingRule) -> Vec<&'a str> {
    let stats = pair_stats(battles);
    let mut by_judge: BTreeMap<&'a str, Vec<usize>> = BTreeMap::new();
    for at in in_time(votes) {
        by_judge.entry(votes[at].judge).or_default().push(at);
    }
    by_judge.retain(|_, rows| rows.len() >= rule.least_votes);
    let flagged = by_judge.iter().filter(|(_, rows)| {
        let (mut too_low, mut too_high) = (1.0, 1.0);
        rows.iter().take(rule.most_votes).any(|&at| {
            let (a, b, winner) = battles.row(at);
            let (pair, points) = seen_from_first(battles, a, b, winner);
            let all = stats[&pair];
            if all.decided() > 0.0 {
                let not_higher = if points == Points::All { all.decided() } else { all.loss as f64 };
                let not_lower = if points == Points::None { all.decided() } else { all.win as f64 };
                too_low *= all.decided() / (2.0 * not_higher);
                too_high *= all.decided() / (2.0 * not_lower);
            }
            too_low > 1.0 / rule.alpha || too_high > 1.0 / rule.alpha
        })
    });
    flagged.map(|(judge, _)| *judge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_days_in_utc() {
        let vote = |judge, time| Vote { judge, time };
        // The last second of 1970-01-01 and the first of the next day, out of order.
        let votes = [vote("u", 86_400.0), vote("u", 86_399.0), vote("v", 5.0), vote("u", 3.0)];
        assert_eq!(within_daily_limit(&votes, 1), [true, false, true, true]);
        assert_eq!(within_daily_limit(&votes, 2), [true; 4]);
    }

    #[test]
    fn who_votes_against_everybody_is_flagged() {
        let mut battles = Battles::default();
        let mut votes = Vec::new();
        for n in 0..90 {
            battles.push("p", "q", Winner::A);
            votes.push(Vote { judge: if n % 2 == 0 { "one" } else { "two" }, time: f64::from(n) });
        }
        for n in 0..10 {
            battles.push("q", "p", Winner::A);
            votes.push(Vote { judge: "hostile", time: 100.0 + f64::from(n) });
        }
        assert_eq!(pair_stats(&battles)[&("p", "q")], PairStats { win: 90, loss: 10, tie: 0 });
        // 1 / (2 · 0.1) = 5 a vote: 25 > 20 after the second.
        assert_eq!(flagged_judges(&battles, &votes, FlaggingRule::default()), ["hostile"]);
        let patient = FlaggingRule { least_votes: 11, ..FlaggingRule::default() };
        assert!(flagged_judges(&battles, &votes, patient).is_empty());
    }
}
