use serde::Serialize;

use super::Share;
use super::rank::{direction, pearson, spearman};

/// How far scores prefer what people prefer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preferences {
    /// What the scores prefer: 1 the first, -1 the second, 0 neither.
    pub by_scores: Vec<i64>,
    /// How often that is what people said, ties included.
    pub accuracy: Share,
    pub pearson: Option<f64>,
    pub spearman: Option<f64>,
}

/// Turns pairs of (score of the first, score of the second, what people prefer: 1, 0, -1) into preferences and compares
/// them with people's. Only exactly equal scores tie: scores of a rubric are few and exact.
pub fn preferences_from_scores(pairs: &[(f64, f64, i64)]) -> Preferences {
    let by_scores: Vec<i64> = pairs.iter().map(|&(first, second, _)| direction(first, second)).collect();
    let accuracy = Share::counting(by_scores.iter().zip(pairs).map(|(scored, pair)| *scored == pair.2));
    let scored: Vec<f64> = by_scores.iter().map(|&preference| preference as f64).collect();
    let human: Vec<f64> = pairs.iter().map(|pair| pair.2 as f64).collect();
    let (pearson, spearman) = (pearson(&scored, &human), spearman(&scored, &human));
    Preferences { by_scores, accuracy, pearson, spearman }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_that_prefer_what_people_prefer_correlate_fully() {
        let same = preferences_from_scores(&[(0.0, 1.0, -1), (0.5, 0.0, 1), (0.5, 0.75, -1), (0.5, 0.5, 0)]);
        assert_eq!(same.by_scores, [-1, 1, -1, 0]);
        assert_eq!((same.accuracy, same.pearson), (Share::new(4, 4), Some(1.0)));
    }

    #[test]
    fn people_who_always_tie_leave_nothing_to_correlate() {
        let tied = preferences_from_scores(&[(0.0, 1.0, 0), (1.0, 0.0, 0)]);
        assert_eq!((tied.accuracy, tied.pearson, tied.spearman), (Share::new(0, 2), None, None));
    }
}
