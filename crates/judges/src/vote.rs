//! What several votes come to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use umpire_model::{Ruling, Vote};

/// How votes become a ruling. Those that are no opinion count for neither side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counting {
    /// More than half of the opinions.
    #[default]
    Majority,
    /// All opinions are one; otherwise the judges abstain.
    Unanimous,
    /// More than half of the weights of the opinions; a model that is not named weighs 1.
    Weighted(BTreeMap<String, f64>),
}

/// What the votes on one attempt come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Count {
    pub ruling: Ruling,
    /// The first reason of the side that prevailed, or what kept the votes from adding up.
    pub reason: String,
    pub pass: u32,
    pub fail: u32,
    pub abstained: u32,
    pub errors: u32,
    pub noted: u32,
}

/// Counts votes of one judge on one attempt. The order of the votes does not matter but for the reason given.
pub fn count(votes: &[&Vote], counting: &Counting) -> Count {
    let number = |ruling: Ruling| votes.iter().filter(|vote| vote.ruling == ruling).count() as u32;
    let weight = |vote: &Vote| match counting {
        Counting::Weighted(weights) => weights.get(&vote.model).copied().unwrap_or(1.0).max(0.0),
        _ => 1.0,
    };
    let side = |ruling: Ruling| -> f64 {
        votes.iter().filter(|vote| vote.ruling == ruling).map(|vote| weight(vote)).sum()
    };
    let (pass, fail) = (side(Ruling::Pass), side(Ruling::Fail));
    let (passes, fails) = (number(Ruling::Pass), number(Ruling::Fail));
    let noted = number(Ruling::Noted);
    let ruling = match (passes, fails) {
        (0, 0) if noted > 0 => Ruling::Noted,
        (0, 0) if number(Ruling::Abstained) > 0 => Ruling::Abstained,
        (0, 0) => Ruling::Error,
        (1.., 1..) if *counting == Counting::Unanimous => Ruling::Abstained,
        _ if pass > fail => Ruling::Pass,
        _ if fail > pass => Ruling::Fail,
        _ => Ruling::Abstained,
    };
    Count {
        ruling,
        reason: reason(votes, ruling, passes, fails),
        pass: passes,
        fail: fails,
        abstained: number(Ruling::Abstained),
        errors: number(Ruling::Error),
        noted,
    }
}

fn reason(votes: &[&Vote], ruling: Ruling, passes: u32, fails: u32) -> String {
    if ruling == Ruling::Abstained && passes + fails > 0 {
        return format!("the votes do not agree: {passes} pass, {fails} fail");
    }
    let telling = votes.iter().find(|vote| vote.ruling == ruling && !vote.reason.is_empty());
    telling.map(|vote| vote.reason.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use umpire_model::{AttemptId, Digest, Shown, VOTE_VERSION};

    use super::*;

    fn vote(model: &str, ruling: Ruling) -> Vote {
        Vote {
            version: VOTE_VERSION,
            attempt: AttemptId::new("a", "i", 1).expect("an id"),
            against: None,
            r#try: 1,
            judge: "j".to_owned(),
            digest: Digest::of(b"j"),
            evidence: Digest::of(b"e"),
            model: model.to_owned(),
            sample: 1,
            ruling,
            reason: format!("{model} says {ruling}"),
            findings: serde_json::Value::Null,
            shown: Shown::default(),
            calls: Vec::new(),
        }
    }

    fn counted(rulings: &[Ruling], counting: &Counting) -> Ruling {
        let votes: Vec<Vote> =
            rulings.iter().zip('a'..).map(|(ruling, name)| vote(&name.to_string(), *ruling)).collect();
        count(&votes.iter().collect::<Vec<_>>(), counting).ruling
    }

    #[test]
    fn only_opinions_count() {
        use Ruling::{Abstained, Error, Fail, Noted, Pass};
        let heavy = Counting::Weighted([("a".to_owned(), 3.0)].into());
        for (votes, majority, unanimous, weighted) in [
            (&[Pass, Pass, Fail][..], Pass, Abstained, Pass),
            (&[Pass, Fail, Fail], Fail, Abstained, Pass),
            (&[Pass, Fail], Abstained, Abstained, Pass),
            (&[Pass, Error, Error], Pass, Pass, Pass),
            (&[Error, Fail, Abstained], Fail, Fail, Fail),
            (&[Error, Error], Error, Error, Error),
            (&[Error, Abstained], Abstained, Abstained, Abstained),
            (&[Noted, Error], Noted, Noted, Noted),
            (&[], Error, Error, Error),
        ] {
            assert_eq!(counted(votes, &Counting::Majority), majority, "{votes:?}");
            assert_eq!(counted(votes, &Counting::Unanimous), unanimous, "{votes:?}");
            assert_eq!(counted(votes, &heavy), weighted, "{votes:?}");
        }
    }

    proptest! {
        #[test]
        fn a_judge_without_an_answer_never_decides(passes in 0u32..5, fails in 0u32..5, errors in 0u32..5) {
            let votes = |errors: u32| -> Vec<Ruling> {
                [(Ruling::Pass, passes), (Ruling::Fail, fails), (Ruling::Error, errors)]
                    .into_iter()
                    .flat_map(|(ruling, times)| std::iter::repeat_n(ruling, times as usize))
                    .collect()
            };
            let with = counted(&votes(errors), &Counting::Majority);
            let without = counted(&votes(0), &Counting::Majority);
            prop_assert_eq!(with, without);
        }
    }
}
