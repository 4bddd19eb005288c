//! The same battles put to several voters, people and models: how far they agree.

use std::collections::BTreeMap;

use serde::Serialize;
use umpire_stats::agreement::{Kappa, Share, krippendorff_alpha};

use crate::{Ballot, BattleId, Choice, VoterKind};

/// What was said about a battle, whichever side the agents sat on for the voter: the first is the one whose name comes
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    First,
    Second,
    Tie,
    BothBad,
}

impl Verdict {
    pub fn of(ballot: &Ballot) -> Self {
        match ballot.choice_by_name() {
            Choice::Left => Self::First,
            Choice::Right => Self::Second,
            Choice::Tie => Self::Tie,
            Choice::BothBad => Self::BothBad,
        }
    }

    fn is_decided(self) -> bool {
        matches!(self, Self::First | Self::Second)
    }
}

/// What the voters on one battle come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Majority {
    pub battle: BattleId,
    pub votes: usize,
    /// What more than half of them say; none if nothing is.
    pub verdict: Option<Verdict>,
}

/// How often two opinions on the same battles are the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    pub share: Share,
    /// The same among battles that both decide for one of the two.
    pub decided: Share,
    pub kappa: Option<Kappa>,
}

impl Agreement {
    pub fn between(pairs: &[(Verdict, Verdict)]) -> Self {
        let both_decide = pairs.iter().filter(|(one, other)| one.is_decided() && other.is_decided());
        Self {
            share: Share::counting(pairs.iter().map(|(one, other)| one == other)),
            decided: Share::counting(both_decide.map(|(one, other)| one == other)),
            kappa: Kappa::of(pairs),
        }
    }
}

/// Ballots by battle. Of several by one voter on one battle the first counts.
#[derive(Clone, Debug, Default)]
pub struct ReVotes {
    battles: BTreeMap<BattleId, BTreeMap<(VoterKind, String), Verdict>>,
}

impl ReVotes {
    pub fn of(ballots: &[Ballot]) -> Self {
        let mut battles: BTreeMap<BattleId, BTreeMap<(VoterKind, String), Verdict>> = BTreeMap::new();
        let mut in_time: Vec<&Ballot> = ballots.iter().collect();
        in_time.sort_by_key(|ballot| ballot.at);
        for ballot in in_time {
            let voter = (ballot.by.clone(), ballot.voter.0.clone());
            battles.entry(ballot.battle.clone()).or_default().entry(voter).or_insert(Verdict::of(ballot));
        }
        Self { battles }
    }

    fn of_people(votes: &BTreeMap<(VoterKind, String), Verdict>) -> Vec<Verdict> {
        votes.iter().filter(|((by, _), _)| *by == VoterKind::Person).map(|(_, verdict)| *verdict).collect()
    }

    /// What people say about each battle that at least `voters` of them voted on.
    pub fn majorities(&self, voters: usize) -> Vec<Majority> {
        let battles = self.battles.iter().map(|(battle, votes)| (battle, Self::of_people(votes)));
        let enough = battles.filter(|(_, votes)| votes.len() >= voters.max(1));
        let majority = enough.map(|(battle, votes)| Majority {
            battle: battle.clone(),
            votes: votes.len(),
            verdict: majority_of(&votes),
        });
        majority.collect()
    }

    /// Two people on the same battle, over all such pairs, with Krippendorff's α over all their votes.
    pub fn among_people(&self) -> (Agreement, Option<f64>) {
        let units: Vec<Vec<Verdict>> = self.battles.values().map(Self::of_people).collect();
        let pairs: Vec<(Verdict, Verdict)> = units
            .iter()
            .flat_map(|votes| {
                (0..votes.len()).flat_map(move |one| (0..one).map(move |other| (votes[other], votes[one])))
            })
            .collect();
        (Agreement::between(&pairs), krippendorff_alpha(&units))
    }

    /// The models that voted.
    pub fn models(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .battles
            .values()
            .flat_map(BTreeMap::keys)
            .filter_map(|(by, _)| match by {
                VoterKind::Model(name) => Some(name.clone()),
                VoterKind::Person => None,
            })
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// A model, by the majority of its own votes, against the majority of at least `voters` people.
    pub fn model_with_people(&self, model: &str, voters: usize) -> Agreement {
        let people: BTreeMap<BattleId, Verdict> = self
            .majorities(voters)
            .into_iter()
            .filter_map(|majority| majority.verdict.map(|verdict| (majority.battle, verdict)))
            .collect();
        let of_model = |votes: &BTreeMap<(VoterKind, String), Verdict>| {
            let own: Vec<Verdict> = votes
                .iter()
                .filter(|((by, _), _)| matches!(by, VoterKind::Model(name) if name == model))
                .map(|(_, verdict)| *verdict)
                .collect();
            majority_of(&own)
        };
        let pairs: Vec<(Verdict, Verdict)> = self
            .battles
            .iter()
            .filter_map(|(battle, votes)| Some((*people.get(battle)?, of_model(votes)?)))
            .collect();
        Agreement::between(&pairs)
    }

    /// The first vote, of whoever asked for the battle, against the majority of those who were asked later.
    pub fn original_with_majority(
        &self,
        originals: &BTreeMap<BattleId, Verdict>,
        voters: usize,
    ) -> Agreement {
        let pairs: Vec<(Verdict, Verdict)> = self
            .majorities(voters)
            .into_iter()
            .filter_map(|majority| Some((*originals.get(&majority.battle)?, majority.verdict?)))
            .collect();
        Agreement::between(&pairs)
    }
}

fn majority_of(votes: &[Verdict]) -> Option<Verdict> {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for vote in votes {
        *counts.entry(*vote).or_default() += 1;
    }
    counts.into_iter().find(|(_, count)| 2 * count > votes.len()).map(|(verdict, _)| verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abuse::simulated::ballot;

    /// `votes` are one letter a voter: f(irst), s(econd), t(ie), b(oth bad). Every other voter sees the sides exchanged.
    fn study(battles: &[&str]) -> Vec<Ballot> {
        let mut ballots = Vec::new();
        for (battle, votes) in battles.iter().enumerate() {
            for (voter, letter) in votes.chars().enumerate() {
                let choice = match letter {
                    'f' => Choice::Left,
                    's' => Choice::Right,
                    't' => Choice::Tie,
                    _ => Choice::BothBad,
                };
                let mut cast = if voter % 2 == 0 {
                    ballot(&format!("v{voter}"), "ash", "elm", choice, voter as u64)
                } else {
                    ballot(&format!("v{voter}"), "elm", "ash", choice.mirrored(), voter as u64)
                };
                cast.battle = BattleId::new(format!("b{battle}"));
                ballots.push(cast);
            }
        }
        ballots
    }

    #[test]
    fn more_than_half_is_a_majority_whichever_side_they_saw() {
        let majorities = ReVotes::of(&study(&["ffs", "fst", "ttb", "ff", "f"])).majorities(2);
        let verdicts: Vec<Option<Verdict>> = majorities.iter().map(|majority| majority.verdict).collect();
        assert_eq!(verdicts, [Some(Verdict::First), None, Some(Verdict::Tie), Some(Verdict::First)]);
        assert_eq!(majorities[0].votes, 3);
    }

    #[test]
    fn agreement_among_people_counts_every_two() {
        let (agreement, alpha) = ReVotes::of(&study(&["ffs", "ss"])).among_people();
        // Of ff, fs, fs and ss two agree; all are decided.
        assert_eq!((agreement.share.value(), agreement.decided.value()), (Some(0.5), Some(0.5)));
        // By hand: disagreements 4 of units (ffs: 4/2 = 2, ss: 0), ratings 5; expected (20 − 2·1 − 3·2)/4 = 3.
        assert!((alpha.expect("two categories") - (1.0 - 2.0 / 3.0)).abs() < 1e-12);
    }

    #[test]
    fn models_are_held_against_what_most_people_say() {
        let mut ballots = study(&["fff", "sss", "fff", "fts"]);
        for (battle, choice) in [(0, Choice::Left), (1, Choice::Right), (2, Choice::Right), (3, Choice::Left)]
        {
            for sample in 0..3 {
                let mut cast = ballot(&format!("judge-{sample}"), "ash", "elm", choice, 99);
                cast.by = VoterKind::Model("judge".to_owned());
                cast.battle = BattleId::new(format!("b{battle}"));
                // One sample of three strays, and is outvoted.
                if sample == 0 {
                    cast.choice = Choice::BothBad;
                }
                ballots.push(cast);
            }
        }
        let votes = ReVotes::of(&ballots);
        assert_eq!(votes.models(), ["judge"]);
        let agreement = votes.model_with_people("judge", 3);
        assert_eq!(agreement.share, Share::new(2, 3), "people are split on the fourth");
        assert_eq!(votes.model_with_people("judge", 4).share, Share::new(0, 0));
        let originals = [(BattleId::new("b0"), Verdict::First), (BattleId::new("b1"), Verdict::Tie)].into();
        let original = votes.original_with_majority(&originals, 3);
        assert_eq!((original.share, original.decided), (Share::new(1, 2), Share::new(1, 1)));
    }
}
