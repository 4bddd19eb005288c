//! What a voter hands in about a battle.

use serde::{Deserialize, Serialize};
use umpire_model::{FailureCategory, StepVerdict};
use umpire_stats::ratings::Winner;

use crate::{BattleId, Side, Time, VoterId};

pub const BALLOT_VERSION: u32 = 1;

/// Which side did better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    Left,
    Right,
    /// Both did it equally well.
    Tie,
    /// Neither did it.
    BothBad,
}

impl Choice {
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Tie, Self::BothBad];

    pub fn is_decided(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }

    /// The same opinion with the sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Tie | Self::BothBad => self,
        }
    }

    /// The word of battle files, side A being the left one.
    pub fn winner(self) -> Winner {
        match self {
            Self::Left => Winner::A,
            Self::Right => Winner::B,
            Self::Tie => Winner::Tie,
            Self::BothBad => Winner::BothBad,
        }
    }
}

/// What a voter says about one step of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepAnnotation {
    pub side: Side,
    /// As the trace, the film and the report number them.
    pub step: u32,
    pub verdict: StepVerdict,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureCategory>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VoterKind {
    #[default]
    Person,
    /// A model judge, by its name.
    Model(String),
}

/// What is known of how the voter came to the opinion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// Milliseconds between showing the results and the vote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked_ms: Option<u64>,
    /// A keyed hash of where the vote came from. The address itself is never part of a ballot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Names that were hidden in what was shown: a trace that speaks of itself may have given its author away.
    #[serde(default)]
    pub names_hidden: u32,
}

/// One vote with all that counting needs: it stands by itself, without a join to anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ballot {
    pub version: u32,
    pub battle: BattleId,
    pub voter: VoterId,
    #[serde(default)]
    pub by: VoterKind,
    pub choice: Choice,
    /// The agents as they sat for this voter.
    pub left: String,
    pub right: String,
    /// Which task it was: its instance in a suite, or a digest of a visitor's words.
    pub task: String,
    pub task_kind: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<StepAnnotation>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(default)]
    pub seen: Seen,
    pub at: Time,
}

/// A voter has one ballot a battle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BallotKey {
    pub battle: BattleId,
    pub voter: VoterId,
}

impl Ballot {
    pub fn key(&self) -> BallotKey {
        BallotKey { battle: self.battle.clone(), voter: self.voter.clone() }
    }

    /// The two agents in the order of their names, whichever side they sat on.
    pub fn pair(&self) -> (&str, &str) {
        let (left, right) = (self.left.as_str(), self.right.as_str());
        (left.min(right), left.max(right))
    }

    /// The opinion seen from the agent whose name comes first: `Left` is a win of that one.
    pub fn choice_by_name(&self) -> Choice {
        if self.left <= self.right { self.choice } else { self.choice.mirrored() }
    }

    /// What this agent got of the one point; `None` if it took no part, or met itself.
    pub fn points_of(&self, agent: &str) -> Option<f64> {
        let points = self.choice.winner().points_of_a();
        match (self.left == agent, self.right == agent) {
            (true, false) => Some(points),
            (false, true) => Some(1.0 - points),
            _ => None,
        }
    }
}
