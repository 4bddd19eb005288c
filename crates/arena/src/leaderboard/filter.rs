use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{Ballot, Time, VoterKind};

/// Whose votes count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VotersCounted {
    #[default]
    People,
    Models,
    Everybody,
}

/// Which ballots are counted. As it comes: all that people cast.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BallotFilter {
    /// Only tasks of these kinds; none means all.
    pub task_kinds: BTreeSet<String>,
    /// Only tasks by these names; none means all.
    pub tasks: BTreeSet<String>,
    pub from: Option<Time>,
    /// Up to, and without, this moment.
    pub until: Option<Time>,
    pub voters: VotersCounted,
}

impl BallotFilter {
    pub fn takes(&self, ballot: &Ballot) -> bool {
        let named = |wanted: &BTreeSet<String>, name: &str| wanted.is_empty() || wanted.contains(name);
        let by = match self.voters {
            VotersCounted::People => ballot.by == VoterKind::Person,
            VotersCounted::Models => ballot.by != VoterKind::Person,
            VotersCounted::Everybody => true,
        };
        by && named(&self.task_kinds, &ballot.task_kind)
            && named(&self.tasks, &ballot.task)
            && self.from.is_none_or(|from| ballot.at >= from)
            && self.until.is_none_or(|until| ballot.at < until)
    }
}
