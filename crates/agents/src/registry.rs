use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use umpire_model::{AgentEntry, AttemptId, Random, TaskBrief};

use crate::agent::Agent;
use crate::detours::Reference;
use crate::heuristic::Heuristic;
use crate::miniwob::Scripted;
use crate::naive::Naive;
use crate::names::nearest;
use crate::oracle::Oracle;
use crate::recaller::{Recaller, Source};
use crate::spec::{COMMAND, HISTORY_SETTING, INTERFACE_SETTING, REMOTE};
use crate::with_model::{Memory, ModelKind};

const ORACLE: &str = "oracle";
const NEAR_MISS: &str = "near-miss";
const HEURISTIC: &str = "heuristic";
const MINIWOB: &str = "miniwob";
const RECALLER: &str = "recaller";
const STRANGER: &str = "stranger";

/// An agent that comes with Umpire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Oracle,
    NearMiss,
    Heuristic,
    Miniwob,
    Recaller,
    Stranger,
    Naive(Naive),
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("there is no agent `{name}`; {}", suggestion(near))]
pub struct UnknownAgent {
    pub name: String,
    /// Names that look like it, best first.
    pub near: Vec<&'static str>,
}

fn suggestion(near: &[&str]) -> String {
    match near {
        [] => format!("built in are {}", all_kinds().join(", ")),
        near => format!("did you mean {}?", near.join(" or ")),
    }
}

/// Names of the agents that ask a model.
pub fn model_kinds() -> impl Iterator<Item = &'static str> {
    ModelKind::ALL.into_iter().map(ModelKind::name)
}

/// Names of all built-in agents without a model: the oracle and its double, the heuristic, the one for `MiniWoB++`, those
/// who have to find out about the person, then the naive ones.
pub fn built_in_kinds() -> Vec<&'static str> {
    [ORACLE, NEAR_MISS, HEURISTIC, MINIWOB, RECALLER, STRANGER].into_iter().chain(naive_kinds()).collect()
}

fn all_kinds() -> Vec<&'static str> {
    built_in_kinds().into_iter().chain(model_kinds()).collect()
}

/// Whether an agent of a run could look into histories, if the run had any: some that are built in, whoever came by a door,
/// and those whose settings say so.
pub fn could_ask_history(entry: &AgentEntry) -> bool {
    let says = |name: &str| entry.settings.contains_key(name);
    says(HISTORY_SETTING)
        || match entry.kind.parse() {
            Ok(built_in) => BuiltIn::may_ask_history(built_in),
            Err(_) => entry.kind == REMOTE || (entry.kind == COMMAND && says(INTERFACE_SETTING)),
        }
}

/// Those that are of use on any suite.
pub fn general_kinds() -> Vec<&'static str> {
    let special = [MINIWOB, NEAR_MISS, RECALLER, STRANGER];
    built_in_kinds().into_iter().filter(|kind| !special.contains(kind)).collect()
}

/// Names of the baselines that must not score.
pub fn naive_kinds() -> impl Iterator<Item = &'static str> {
    Naive::ALL.into_iter().map(Naive::name)
}

/// Names of those among them that browse without reading what is asked: tasks that start alike are one to them.
pub fn browsing_kinds() -> impl Iterator<Item = &'static str> {
    Naive::ALL.into_iter().filter(|naive| naive.ignores_intent()).map(Naive::name)
}

impl BuiltIn {
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Oracle => ORACLE,
            Kind::NearMiss => NEAR_MISS,
            Kind::Heuristic => HEURISTIC,
            Kind::Miniwob => MINIWOB,
            Kind::Recaller => RECALLER,
            Kind::Stranger => STRANGER,
            Kind::Naive(naive) => naive.name(),
        }
    }

    /// True for the agents that may be handed the reference actions.
    pub fn wants_reference(self) -> bool {
        matches!(self.0, Kind::Oracle | Kind::NearMiss) || self.wants_blanks()
    }

    /// True for those among them that must not be handed what the wish leaves unsaid.
    pub fn wants_blanks(self) -> bool {
        matches!(self.0, Kind::Recaller | Kind::Stranger)
    }

    pub fn may_ask_history(self) -> bool {
        self.0 == Kind::Recaller
    }

    /// A fresh agent for one attempt. `seed` comes from [`agent_seed`]; `reference` and `memory` reach only those that
    /// want them.
    pub fn create(
        self,
        task: &TaskBrief,
        seed: u64,
        reference: Option<Reference>,
        memory: Option<Arc<dyn Memory>>,
    ) -> Box<dyn Agent> {
        let finding_out = |reference: Option<Reference>, source| {
            Box::new(Recaller::new(reference.unwrap_or_default(), source))
        };
        match self.0 {
            Kind::Oracle => Box::new(Oracle::new(reference.unwrap_or_default())),
            Kind::NearMiss => Box::new(Oracle::new(reference.unwrap_or_default().without_last_deed())),
            Kind::Heuristic => Box::new(Heuristic::new(task)),
            Kind::Miniwob => Box::new(Scripted::default()),
            Kind::Recaller => finding_out(reference, Source::History(memory)),
            Kind::Stranger => finding_out(reference, Source::Nowhere),
            Kind::Naive(naive) => naive.create(task, seed),
        }
    }
}

impl FromStr for BuiltIn {
    type Err = UnknownAgent;

    fn from_str(name: &str) -> Result<Self, UnknownAgent> {
        match name {
            ORACLE => Ok(Self(Kind::Oracle)),
            NEAR_MISS => Ok(Self(Kind::NearMiss)),
            HEURISTIC => Ok(Self(Kind::Heuristic)),
            MINIWOB => Ok(Self(Kind::Miniwob)),
            RECALLER => Ok(Self(Kind::Recaller)),
            STRANGER => Ok(Self(Kind::Stranger)),
            _ => match Naive::ALL.into_iter().find(|naive| naive.name() == name) {
                Some(naive) => Ok(Self(Kind::Naive(naive))),
                None => Err(UnknownAgent { name: name.to_owned(), near: nearest(name, all_kinds()) }),
            },
        }
    }
}

impl fmt::Display for BuiltIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The seed of one attempt's agent: the same in every run with that seed, and independent of the order of attempts.
pub fn agent_seed(run_seed: u64, attempt: &AttemptId) -> u64 {
    Random::stream(run_seed, &attempt.to_string()).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_kind_parses_to_itself() {
        for kind in built_in_kinds() {
            assert_eq!(kind.parse::<BuiltIn>().map(BuiltIn::name), Ok(kind));
        }
        assert_eq!(built_in_kinds().len(), 18);
    }

    #[test]
    fn an_unknown_agent_names_its_neighbours() {
        let error = "orcale".parse::<BuiltIn>().expect_err("misspelt");
        assert_eq!(error.near.first(), Some(&"oracle"));
        assert!(error.to_string().contains("did you mean oracle"), "{error}");
        let error = "xxxxxx".parse::<BuiltIn>().expect_err("unlike any");
        assert!(
            error
                .to_string()
                .contains("built in are oracle, near-miss, heuristic, miniwob, recaller, stranger, yes"),
            "{error}"
        );
    }

    #[test]
    fn who_could_ask_a_history_is_told_from_the_manifest() {
        for (kind, settings, could) in [
            ("recaller", &[][..], true),
            ("stranger", &[], false),
            ("remote", &["interface"], true),
            ("command", &["command", "interface"], true),
            // Once, those with a browser of their own were not told where.
            ("command", &["command"], false),
            ("command", &["command", "history"], true),
            ("occam", &["model"], false),
            ("occam", &["model", "history"], true),
            ("imported", &[], false),
        ] {
            let settings = settings.iter().map(|name| ((*name).to_owned(), "x".to_owned())).collect();
            let entry = AgentEntry { name: "mine".to_owned(), kind: kind.to_owned(), settings };
            assert_eq!(could_ask_history(&entry), could, "{entry:?}");
        }
    }

    #[test]
    fn seeds_differ_by_attempt_and_by_run_and_repeat() {
        let first: AttemptId = "random-clicker/shop-1/1".parse().expect("id");
        let second: AttemptId = "random-clicker/shop-1/2".parse().expect("id");
        assert_eq!(agent_seed(7, &first), agent_seed(7, &first));
        assert_ne!(agent_seed(7, &first), agent_seed(7, &second));
        assert_ne!(agent_seed(7, &first), agent_seed(8, &first));
    }
}
