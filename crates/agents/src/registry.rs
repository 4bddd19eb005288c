use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use umpire_model::{AttemptId, Random, TaskBrief};

use crate::agent::Agent;
use crate::command::{BadCommand, CommandSpec, check_command};
use crate::detours::Reference;
use crate::heuristic::Heuristic;
use crate::miniwob::Scripted;
use crate::naive::Naive;
use crate::names::nearest;
use crate::oracle::Oracle;

const ORACLE: &str = "oracle";
const HEURISTIC: &str = "heuristic";
const MINIWOB: &str = "miniwob";
const COMMAND: &str = "command";

/// An agent that comes with Umpire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Oracle,
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
        [] => format!("built in are {}", built_in_kinds().join(", ")),
        near => format!("did you mean {}?", near.join(" or ")),
    }
}

/// Names of all built-in agents: the oracle, the heuristic, the one for `MiniWoB++`, then the naive ones.
pub fn built_in_kinds() -> Vec<&'static str> {
    [ORACLE, HEURISTIC, MINIWOB].into_iter().chain(naive_kinds()).collect()
}

/// Those that are of use on any suite.
pub fn general_kinds() -> Vec<&'static str> {
    built_in_kinds().into_iter().filter(|kind| *kind != MINIWOB).collect()
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
            Kind::Heuristic => HEURISTIC,
            Kind::Miniwob => MINIWOB,
            Kind::Naive(naive) => naive.name(),
        }
    }

    /// True for the one agent that may be handed the reference actions.
    pub fn wants_reference(self) -> bool {
        self.0 == Kind::Oracle
    }

    /// A fresh agent for one attempt. `seed` comes from [`agent_seed`]; `reference` reaches the oracle only.
    pub fn create(self, task: &TaskBrief, seed: u64, reference: Option<Reference>) -> Box<dyn Agent> {
        match self.0 {
            Kind::Oracle => Box::new(Oracle::new(reference.unwrap_or_default())),
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
            HEURISTIC => Ok(Self(Kind::Heuristic)),
            MINIWOB => Ok(Self(Kind::Miniwob)),
            _ => match Naive::ALL.into_iter().find(|naive| naive.name() == name) {
                Some(naive) => Ok(Self(Kind::Naive(naive))),
                None => Err(UnknownAgent { name: name.to_owned(), near: nearest(name, built_in_kinds()) }),
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

/// An agent as `umpire.toml` describes it.
///
/// ```toml
/// [agents.baseline]
/// kind = "heuristic"
///
/// [agents.mine]
/// kind = "command"
/// command = ["node", "my-agent.mjs"]
/// env = { MODEL = "small" }
/// grace_seconds = 5
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SpecFields", into = "SpecFields")]
pub enum AgentSpec {
    BuiltIn(BuiltIn),
    Command(CommandSpec),
}

impl AgentSpec {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::BuiltIn(built_in) => built_in.name(),
            Self::Command(_) => COMMAND,
        }
    }

    pub fn built_in(name: &str) -> Result<Self, UnknownAgent> {
        name.parse().map(Self::BuiltIn)
    }

    /// Takes the files a command names as relative to `base`, the folder of the configuration.
    #[must_use]
    pub fn anchored(self, base: &Path) -> Self {
        match self {
            Self::BuiltIn(built_in) => Self::BuiltIn(built_in),
            Self::Command(spec) => Self::Command(spec.anchored(base)),
        }
    }

    /// What can be known to go wrong before anything runs.
    pub fn check(&self) -> Result<(), BadCommand> {
        match self {
            Self::BuiltIn(_) => Ok(()),
            Self::Command(spec) => check_command(spec),
        }
    }

    /// What the manifest keeps beside the kind. Values of environment variables may be keys, so of them only the
    /// names are kept.
    pub fn settings(&self) -> BTreeMap<String, String> {
        let Self::Command(spec) = self else {
            return BTreeMap::new();
        };
        let names: Vec<&str> = spec.env.keys().map(String::as_str).collect();
        let command = serde_json::to_string(&spec.command).unwrap_or_default();
        let mut settings = BTreeMap::from([
            ("command".to_owned(), command),
            ("digest".to_owned(), spec.digest().to_string()),
            ("grace_seconds".to_owned(), spec.grace_seconds.to_string()),
        ]);
        if !names.is_empty() {
            settings.insert("env".to_owned(), names.join(" "));
        }
        settings
    }
}

/// The keys as they are written; which of them go together is checked on the way to [`AgentSpec`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpecFields {
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    env: Option<BTreeMap<String, String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grace_seconds: Option<u64>,
}

#[derive(Debug, thiserror::Error)]
enum BadSpec {
    #[error(transparent)]
    Unknown(#[from] UnknownAgent),
    #[error("an agent of kind `command` needs `command = [\"program\", \"argument\", …]`")]
    NoCommand,
    #[error("`{key}` belongs to agents of kind `command`, not `{kind}`")]
    NotForBuiltIn { key: &'static str, kind: String },
}

impl TryFrom<SpecFields> for AgentSpec {
    type Error = BadSpec;

    fn try_from(fields: SpecFields) -> Result<Self, BadSpec> {
        if fields.kind == COMMAND {
            let command = fields.command.filter(|words| !words.is_empty()).ok_or(BadSpec::NoCommand)?;
            let default = CommandSpec::new(command);
            return Ok(Self::Command(CommandSpec {
                env: fields.env.unwrap_or_default(),
                grace_seconds: fields.grace_seconds.unwrap_or(default.grace_seconds),
                ..default
            }));
        }
        let built_in = fields.kind.parse()?;
        let given = [
            ("command", fields.command.is_some()),
            ("env", fields.env.is_some()),
            ("grace_seconds", fields.grace_seconds.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((key, _)) => Err(BadSpec::NotForBuiltIn { key, kind: fields.kind }),
            None => Ok(Self::BuiltIn(built_in)),
        }
    }
}

impl From<AgentSpec> for SpecFields {
    fn from(spec: AgentSpec) -> Self {
        let kind = spec.kind().to_owned();
        match spec {
            AgentSpec::BuiltIn(_) => Self { kind, command: None, env: None, grace_seconds: None },
            AgentSpec::Command(spec) => Self {
                kind,
                command: Some(spec.command),
                env: (!spec.env.is_empty()).then_some(spec.env),
                grace_seconds: Some(spec.grace_seconds),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(toml: &str) -> Result<AgentSpec, String> {
        toml::from_str(toml).map_err(|error| error.to_string())
    }

    #[test]
    fn every_built_in_kind_parses_to_itself() {
        for kind in built_in_kinds() {
            assert_eq!(kind.parse::<BuiltIn>().map(BuiltIn::name), Ok(kind));
        }
        assert_eq!(built_in_kinds().len(), 15);
    }

    #[test]
    fn an_unknown_agent_names_its_neighbours() {
        let error = "orcale".parse::<BuiltIn>().expect_err("misspelt");
        assert_eq!(error.near.first(), Some(&"oracle"));
        assert!(error.to_string().contains("did you mean oracle"), "{error}");
        let error = "xxxxxx".parse::<BuiltIn>().expect_err("unlike any");
        assert!(error.to_string().contains("built in are oracle, heuristic, miniwob, yes"), "{error}");
    }

    #[test]
    fn specs_read_from_toml() {
        assert_eq!(parse("kind = \"echo\"").map(|spec| spec.kind()), Ok("echo"));
        let spec = parse("kind = \"command\"\ncommand = [\"node\", \"a.mjs\"]\nenv = { KEY = \"s3cret\" }")
            .expect("spec");
        let AgentSpec::Command(command) = &spec else { panic!("{spec:?}") };
        assert_eq!(command.command, ["node", "a.mjs"]);
        assert_eq!(spec.settings()["env"], "KEY");
        assert!(!format!("{:?}", spec.settings()).contains("s3cret"));
        let again: AgentSpec = toml::from_str(&toml::to_string(&spec).expect("prints")).expect("parses");
        assert_eq!(again, spec);
    }

    #[test]
    fn specs_that_do_not_fit_say_why() {
        for (toml, reason) in [
            ("kind = \"command\"", "needs `command"),
            ("kind = \"command\"\ncommand = []", "needs `command"),
            ("kind = \"yes\"\nenv = {}", "`env` belongs to agents of kind `command`"),
            ("kind = \"heuristc\"", "did you mean heuristic"),
            ("kind = \"yes\"\ncomand = [\"x\"]", "unknown field `comand`"),
        ] {
            let error = parse(toml).expect_err(toml);
            assert!(error.contains(reason), "{toml}: {error}");
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
