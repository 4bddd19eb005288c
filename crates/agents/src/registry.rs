use std::fmt;
use std::str::FromStr;

use umpire_model::{AttemptId, Random, TaskBrief};

use crate::agent::Agent;
use crate::detours::Reference;
use crate::heuristic::Heuristic;
use crate::miniwob::Scripted;
use crate::naive::Naive;
use crate::names::nearest;
use crate::oracle::Oracle;
use crate::with_model::ModelKind;

const ORACLE: &str = "oracle";
const NEAR_MISS: &str = "near-miss";
const HEURISTIC: &str = "heuristic";
const MINIWOB: &str = "miniwob";

/// An agent that comes with Umpire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Oracle,
    NearMiss,
    Heuristic,
    Miniwob,
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

/// Names of all built-in agents without a model: the oracle and its double, the heuristic, the one for `MiniWoB++`, then
/// the naive ones.
pub fn built_in_kinds() -> Vec<&'static str> {
    [ORACLE, NEAR_MISS, HEURISTIC, MINIWOB].into_iter().chain(naive_kinds()).collect()
}

fn all_kinds() -> Vec<&'static str> {
    built_in_kinds().into_iter().chain(model_kinds()).collect()
}

/// Those that are of use on any suite.
pub fn general_kinds() -> Vec<&'static str> {
    built_in_kinds().into_iter().filter(|kind| ![MINIWOB, NEAR_MISS].contains(kind)).collect()
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
            Kind::Naive(naive) => naive.name(),
        }
    }

    /// True for the two agents that may be handed the reference actions.
    pub fn wants_reference(self) -> bool {
        matches!(self.0, Kind::Oracle | Kind::NearMiss)
    }

    /// A fresh agent for one attempt. `seed` comes from [`agent_seed`]; `reference` reaches only those that want it.
    pub fn create(self, task: &TaskBrief, seed: u64, reference: Option<Reference>) -> Box<dyn Agent> {
        match self.0 {
            Kind::Oracle => Box::new(Oracle::new(reference.unwrap_or_default())),
            Kind::NearMiss => Box::new(Oracle::new(reference.unwrap_or_default().without_last_deed())),
            Kind::Heuristic => Box::new(Heuristic::new(task)),
            Kind::Miniwob => Box::new(Scripted::default()),
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
        assert_eq!(built_in_kinds().len(), 16);
    }

    #[test]
    fn an_unknown_agent_names_its_neighbours() {
        let error = "orcale".parse::<BuiltIn>().expect_err("misspelt");
        assert_eq!(error.near.first(), Some(&"oracle"));
        assert!(error.to_string().contains("did you mean oracle"), "{error}");
        let error = "xxxxxx".parse::<BuiltIn>().expect_err("unlike any");
        assert!(
            error.to_string().contains("built in are oracle, near-miss, heuristic, miniwob, yes"),
            "{error}"
        );
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
