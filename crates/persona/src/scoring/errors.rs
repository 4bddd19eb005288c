//! The four ways in which personalization goes wrong.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use umpire_model::FailureCategory;

use super::by_rule::Access;

/// Two accesses whose hits overlap this much asked for the same.
const SAME_HITS: f64 = 0.5;
/// So do two whose words overlap this much.
const SAME_WORDS: f64 = 0.8;

/// An error of an attempt, with what it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Error {
    pub kind: ErrorKind,
    /// None for redundant access, which is about no part alone.
    pub part: Option<Part>,
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    RedundantAccess,
    HallucinatedPreference,
    RetrievalFailure,
    UtilizationFailure,
}

/// A part of the ground truth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    Website,
    /// By its key.
    Preference(String),
    Location,
}

impl ErrorKind {
    /// Its name in the taxonomy that labels and reports use.
    pub fn category(self) -> FailureCategory {
        let name = match self {
            Self::RedundantAccess => "persona2web/redundant-history-access",
            Self::HallucinatedPreference => "persona2web/personalization-hallucination",
            Self::RetrievalFailure => "persona2web/history-retrieval-failure",
            Self::UtilizationFailure => "persona2web/history-utilization-failure",
        };
        name.parse().expect("a category of ours")
    }
}

/// The first access that asks again for what an earlier one asked for: in the same words, with the same hits, or in words
/// that mean the same, where somebody found out which do.
pub fn redundant(accesses: &[Access], alike: &[(usize, usize)]) -> Option<Error> {
    for (at, later) in accesses.iter().enumerate() {
        for (before, earlier) in accesses[..at].iter().enumerate() {
            let hits = |access: &Access| access.hits.iter().map(|hit| hit.entry).collect::<BTreeSet<usize>>();
            let why = if overlap(&words(&earlier.query), &words(&later.query)) >= SAME_WORDS {
                "asks in the same words"
            } else if overlap(&hits(earlier), &hits(later)) >= SAME_HITS {
                "gets mostly the same entries"
            } else if alike.contains(&(before, at)) {
                "means the same"
            } else {
                continue;
            };
            let why = format!("step {} {why} as step {}: `{}`", later.step, earlier.step, later.query);
            return Some(Error { kind: ErrorKind::RedundantAccess, part: None, why });
        }
    }
    None
}

fn words(query: &str) -> BTreeSet<String> {
    let words = query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// What two sets have in common, of all they have; nothing in common where both are empty.
fn overlap<T: Ord>(first: &BTreeSet<T>, second: &BTreeSet<T>) -> f64 {
    let all = first.union(second).count();
    if all == 0 { 0.0 } else { first.intersection(second).count() as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::super::by_rule::Hit;
    use super::*;

    fn access(step: u32, query: &str, hits: &[usize]) -> Access {
        let hits = hits.iter().map(|&entry| Hit { entry, score: 0.9 }).collect();
        Access { step, query: query.to_owned(), hits, answer: None }
    }

    #[test]
    fn asking_twice_is_told_by_words_or_by_what_comes_back() {
        for (accesses, is_redundant) in [
            (vec![], false),
            (vec![access(1, "usual shop", &[1, 2])], false),
            (vec![access(1, "usual shop", &[1, 2]), access(4, "shirt size", &[7, 8])], false),
            (vec![access(1, "usual shop", &[]), access(4, "shirt size", &[])], false),
            (vec![access(1, "usual shop", &[]), access(2, "Usual shop?", &[])], true),
            (vec![access(1, "usual shop", &[1, 2, 3]), access(2, "where do they buy", &[1, 2, 4])], true),
            (vec![access(1, "usual shop", &[1, 2, 3]), access(2, "where do they buy", &[3, 4, 5])], false),
        ] {
            assert_eq!(redundant(&accesses, &[]).is_some(), is_redundant, "{accesses:?}");
        }
        let unlike = [access(1, "usual shop", &[1]), access(4, "where do they buy", &[7])];
        let error = redundant(&unlike, &[(0, 1)]).expect("means the same");
        assert!(error.why.contains("step 4 means the same as step 1"), "{}", error.why);
    }

    #[test]
    fn every_kind_is_a_category_that_labels_know() {
        for kind in [
            ErrorKind::RedundantAccess,
            ErrorKind::HallucinatedPreference,
            ErrorKind::RetrievalFailure,
            ErrorKind::UtilizationFailure,
        ] {
            assert!(String::from(kind.category()).starts_with("persona2web/"));
        }
    }
}
