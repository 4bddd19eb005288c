//! A battle from the queue to the vote. What is not a legal move is an error, and names come out only after a vote is in.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use umpire_model::{AttemptId, Random, RunId};

use crate::Time;
use crate::ballot::{BALLOT_VERSION, Ballot, Choice, Seen, StepAnnotation, VoterKind};

pub const BATTLE_VERSION: u32 = 1;

macro_rules! text_id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id!(
    /// Names a battle, to the server and to the page.
    BattleId
);
text_id!(
    /// A pseudonym of whoever asks and votes; who stands behind it is kept elsewhere, if at all.
    VoterId
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Left,
    Right,
}

/// An agent in a battle, and its recording once there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contestant {
    pub agent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<AttemptId>,
}

impl Contestant {
    pub fn named(agent: impl Into<String>) -> Self {
        Self { agent: agent.into(), run: None, attempt: None }
    }
}

/// What both agents are asked to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// In the words the agents are given.
    pub text: String,
    /// Which task it is: an instance of a suite, or a digest of the words.
    pub task: String,
    /// What leaderboards are filtered by, such as `retrieve` or a suite's category.
    pub kind: String,
}

/// Who may vote on a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Voters {
    /// Whoever asked for it.
    Asker,
    /// Anybody, each once: for battles of finished runs that are put to several voters.
    Anybody,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "kebab-case")]
pub enum Phase {
    Queued,
    Running { since: Time },
    ToVote { since: Time },
    Voted { at: Time },
    Cancelled { at: Time },
    Expired { at: Time },
}

impl Phase {
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running { .. } => "running",
            Self::ToVote { .. } => "to-vote",
            Self::Voted { .. } => "voted",
            Self::Cancelled { .. } => "cancelled",
            Self::Expired { .. } => "expired",
        }
    }

    pub fn is_over(self) -> bool {
        matches!(self, Self::Voted { .. } | Self::Cancelled { .. } | Self::Expired { .. })
    }
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum IllegalMove {
    #[error("battle {battle} is {phase}: it cannot be {wanted}")]
    Phase { battle: BattleId, phase: &'static str, wanted: &'static str },
    #[error("battle {0} is not this voter's to vote on")]
    NotYours(BattleId),
    #[error("this voter has voted on battle {0} already")]
    VotedAlready(BattleId),
    #[error("the ballot is for battle {found}, not {wanted}")]
    OtherBattle { found: BattleId, wanted: BattleId },
}

/// Two agents on one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Battle {
    pub version: u32,
    pub id: BattleId,
    pub asked: Asked,
    pub left: Contestant,
    pub right: Contestant,
    /// Who asked for it.
    pub visitor: VoterId,
    pub at: Time,
    pub votes_from: Voters,
    /// With so many votes it is over.
    pub votes_wanted: u32,
    phase: Phase,
    voted: BTreeSet<VoterId>,
}

/// Who it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Revealed<'a> {
    pub left: &'a str,
    pub right: &'a str,
}

impl Battle {
    /// A battle that waits for its turn. The seed decides who sits on the left; the order of `one` and `other` does not.
    pub fn queued(
        id: BattleId,
        asked: Asked,
        one: Contestant,
        other: Contestant,
        visitor: VoterId,
        at: Time,
        seed: u64,
    ) -> Self {
        let (first, second) = if one.agent <= other.agent { (one, other) } else { (other, one) };
        let mut random = Random::stream(seed, &format!("sides of battle {id}"));
        let (left, right) = if random.below(2) == 0 { (first, second) } else { (second, first) };
        Self {
            version: BATTLE_VERSION,
            id,
            asked,
            left,
            right,
            visitor,
            at,
            votes_from: Voters::Asker,
            votes_wanted: 1,
            phase: Phase::Queued,
            voted: BTreeSet::new(),
        }
    }

    /// A battle of attempts that have ended long ago, put to `votes_wanted` voters.
    #[must_use]
    pub fn of_finished(mut self, votes_wanted: u32) -> Self {
        self.votes_from = Voters::Anybody;
        self.votes_wanted = votes_wanted.max(1);
        self.phase = Phase::ToVote { since: self.at };
        self
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    pub fn contestant(&self, side: Side) -> &Contestant {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    pub fn start(&mut self, now: Time) -> Result<(), IllegalMove> {
        match self.phase {
            Phase::Queued => {
                self.phase = Phase::Running { since: now };
                Ok(())
            }
            _ => self.refuse("started"),
        }
    }

    /// Both sides have ended.
    pub fn finish(&mut self, now: Time) -> Result<(), IllegalMove> {
        match self.phase {
            Phase::Running { .. } => {
                self.phase = Phase::ToVote { since: now };
                Ok(())
            }
            _ => self.refuse("put to the vote"),
        }
    }

    pub fn cancel(&mut self, now: Time) -> Result<(), IllegalMove> {
        self.end(Phase::Cancelled { at: now })
    }

    /// Its deadline has passed, wherever it stood.
    pub fn expire(&mut self, now: Time) -> Result<(), IllegalMove> {
        self.end(Phase::Expired { at: now })
    }

    fn end(&mut self, as_what: Phase) -> Result<(), IllegalMove> {
        if self.phase.is_over() {
            return self.refuse(as_what.name());
        }
        self.phase = as_what;
        Ok(())
    }

    fn refuse(&self, wanted: &'static str) -> Result<(), IllegalMove> {
        Err(IllegalMove::Phase { battle: self.id.clone(), phase: self.phase.name(), wanted })
    }

    /// Whether this voter may vote now.
    pub fn may_vote(&self, voter: &VoterId) -> Result<(), IllegalMove> {
        if self.voted.contains(voter) {
            return Err(IllegalMove::VotedAlready(self.id.clone()));
        }
        if self.votes_from == Voters::Asker && *voter != self.visitor {
            return Err(IllegalMove::NotYours(self.id.clone()));
        }
        match self.phase {
            Phase::ToVote { .. } => Ok(()),
            _ => self.refuse("voted on"),
        }
    }

    /// The ballot to be stored. The battle itself does not change until [`Battle::stored`] says that it was.
    pub fn ballot(
        &self,
        voter: &VoterId,
        by: VoterKind,
        choice: Choice,
        annotations: Vec<StepAnnotation>,
        seen: Seen,
        now: Time,
    ) -> Result<Ballot, IllegalMove> {
        self.may_vote(voter)?;
        Ok(self.filled_in(voter.clone(), by, choice, annotations, seen, now))
    }

    /// What a model says of two attempts that have ended. It takes nobody's place: as many people are wanted as before.
    pub fn ballot_of_model(
        &self,
        (model, sample): (&str, u32),
        choice: Choice,
        seen: Seen,
        now: Time,
    ) -> Result<Ballot, IllegalMove> {
        if !matches!(self.phase, Phase::ToVote { .. } | Phase::Voted { .. }) {
            self.refuse("judged")?;
        }
        let (voter, by) = (Self::model_voter(model, sample), VoterKind::Model(model.to_owned()));
        Ok(self.filled_in(voter, by, choice, Vec::new(), seen, now))
    }

    /// Under which name a model's vote is kept; each sample of it is one.
    pub fn model_voter(model: &str, sample: u32) -> VoterId {
        VoterId(format!("m-{model}#{sample}"))
    }

    fn filled_in(
        &self,
        voter: VoterId,
        by: VoterKind,
        choice: Choice,
        annotations: Vec<StepAnnotation>,
        seen: Seen,
        now: Time,
    ) -> Ballot {
        Ballot {
            version: BALLOT_VERSION,
            battle: self.id.clone(),
            voter,
            by,
            choice,
            left: self.left.agent.clone(),
            right: self.right.agent.clone(),
            task: self.asked.task.clone(),
            task_kind: self.asked.kind.clone(),
            annotations,
            text: String::new(),
            seen,
            at: now,
        }
    }

    /// Takes note of a ballot that is safely stored. From here on its voter may know the names.
    pub fn stored(&mut self, ballot: &Ballot) -> Result<(), IllegalMove> {
        if ballot.battle != self.id {
            return Err(IllegalMove::OtherBattle { found: ballot.battle.clone(), wanted: self.id.clone() });
        }
        self.may_vote(&ballot.voter)?;
        self.voted.insert(ballot.voter.clone());
        if self.voted.len() as u32 >= self.votes_wanted {
            self.phase = Phase::Voted { at: ballot.at };
        }
        Ok(())
    }

    pub fn votes(&self) -> usize {
        self.voted.len()
    }

    /// The names, for somebody whose vote is stored.
    pub fn reveal_to(&self, voter: &VoterId) -> Option<Revealed<'_>> {
        let known = self.voted.contains(voter);
        known.then(|| Revealed { left: &self.left.agent, right: &self.right.agent })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn battle(seed: u64) -> Battle {
        let asked = Asked { text: "Buy a lamp".into(), task: "lamp".into(), kind: "mutate".into() };
        Battle::queued(
            BattleId::new("b1"),
            asked,
            Contestant::named("oak"),
            Contestant::named("elm"),
            VoterId::new("ann"),
            Time(1),
            seed,
        )
    }

    #[test]
    fn a_model_takes_nobodys_place() {
        let (waiting, mut battle) = (battle(1), battle(1).of_finished(1));
        let says = |battle: &Battle| {
            battle.ballot_of_model(("pairwise/tiny", 1), Choice::Right, Seen::default(), Time(5))
        };
        let ballot = says(&battle).expect("both have ended");
        assert_eq!(ballot.by, VoterKind::Model("pairwise/tiny".to_owned()));
        assert_eq!((ballot.voter.as_str(), battle.votes()), ("m-pairwise/tiny#1", 0));
        let own = vote(&battle, "ann").expect("a person is still wanted");
        battle.stored(&own).expect("stored");
        assert!(says(&battle).is_ok(), "nor is it too late after the last person");
        assert!(says(&waiting).is_err(), "one that waits has nothing to judge");
    }

    fn vote(battle: &Battle, voter: &str) -> Result<Ballot, IllegalMove> {
        let (voter, seen) = (VoterId::new(voter), Seen::default());
        battle.ballot(&voter, VoterKind::Person, Choice::Left, Vec::new(), seen, Time(9))
    }

    #[test]
    fn names_come_out_after_the_vote_is_stored_and_not_before() {
        let (ann, ben) = (VoterId::new("ann"), VoterId::new("ben"));
        let mut battle = battle(3);
        battle.start(Time(2)).expect("queued");
        battle.finish(Time(3)).expect("running");
        let ballot = vote(&battle, "ann").expect("hers");
        assert_eq!(battle.reveal_to(&ann), None, "cast, but not stored");
        battle.stored(&ballot).expect("once");
        assert!(battle.reveal_to(&ann).is_some());
        assert_eq!(battle.reveal_to(&ben), None, "he did not vote");
        assert_eq!(battle.stored(&ballot), Err(IllegalMove::VotedAlready(battle.id.clone())));
    }

    #[test]
    fn only_the_asker_votes_on_a_live_battle_and_anybody_once_on_a_finished_one() {
        let mut live = battle(3);
        live.start(Time(2)).expect("queued");
        live.finish(Time(3)).expect("running");
        assert_eq!(vote(&live, "ben"), Err(IllegalMove::NotYours(live.id.clone())));
        let mut open = battle(3).of_finished(2);
        for voter in ["ben", "cat"] {
            assert!(open.phase() == Phase::ToVote { since: Time(1) });
            let ballot = vote(&open, voter).expect("anybody");
            open.stored(&ballot).expect("stored");
        }
        assert_eq!(open.phase(), Phase::Voted { at: Time(9) });
        assert!(vote(&open, "dan").is_err(), "two were wanted");
    }

    #[test]
    fn sides_are_shuffled_by_seed_whatever_order_the_agents_come_in() {
        let left = (0..2000).filter(|seed| battle(*seed).left.agent == "oak").count();
        assert!((900..1100).contains(&left), "{left}");
        assert_eq!(battle(5), battle(5));
    }

    #[test]
    fn a_battle_reads_back_as_it_was_written() {
        let mut battle = battle(3).of_finished(1);
        let ballot = vote(&battle, "ben").expect("anybody");
        battle.stored(&ballot).expect("stored");
        let text = serde_json::to_string(&battle).expect("plain data");
        assert!(text.contains(r#""version":1"#) && text.contains(r#"{"phase":"voted","at":9}"#), "{text}");
        assert_eq!(serde_json::from_str::<Battle>(&text).expect("our own"), battle);
        let text = serde_json::to_string(&ballot).expect("plain data");
        assert_eq!(serde_json::from_str::<Ballot>(&text).expect("our own"), ballot);
    }

    /// The whole table of moves, written out once: rows are phases, columns start, finish, vote, cancel, expire.
    fn is_legal(phase: &str, wanted: usize) -> bool {
        let legal = match phase {
            "queued" => [true, false, false, true, true],
            "running" => [false, true, false, true, true],
            "to-vote" => [false, false, true, true, true],
            _ => [false; 5],
        };
        legal[wanted]
    }

    proptest! {
        #[test]
        fn illegal_moves_are_errors_and_change_nothing(moves in proptest::collection::vec(0..5_usize, 0..12)) {
            let mut battle = battle(1);
            for (at, wanted) in moves.into_iter().enumerate() {
                let before = battle.clone();
                let now = Time(10 + at as u64);
                let done = match wanted {
                    0 => battle.start(now),
                    1 => battle.finish(now),
                    2 => vote(&battle, "ann").and_then(|ballot| battle.stored(&ballot)),
                    3 => battle.cancel(now),
                    _ => battle.expire(now),
                };
                prop_assert_eq!(done.is_ok(), is_legal(before.phase().name(), wanted));
                prop_assert!(done.is_ok() || battle == before);
            }
        }
    }
}
