use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Day, Digest, GuardMode, HistorySettings, Perturbation, RunId, StatesBy};

pub const MANIFEST_VERSION: u32 = 1;

/// What a number needs in order to mean something: written once, when the run is planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    pub version: u32,
    pub run: RunId,
    /// RFC 3339, UTC.
    pub created: String,
    pub umpire: String,
    pub suite: String,
    pub suite_digest: Digest,
    pub rules_digest: Digest,
    pub agents: Vec<AgentEntry>,
    pub instances: Vec<String>,
    pub trials: u32,
    pub seed: u64,
    /// Perturbations under which instances run a second time, beside the plain ones. Their choices come from `seed`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub perturbations: Vec<Perturbation>,
    pub browser: String,
    /// Set if the browser was not started by Umpire, on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<RemoteBrowser>,
    pub viewport: Viewport,
    pub locale: String,
    pub timezone: String,
    /// The day the tasks were told from, where they depend on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub today: Option<Day>,
    pub limits: Limits,
    pub retries: u32,
    /// What happened to attempts at what cannot be undone.
    #[serde(default)]
    pub guard: GuardMode,
    /// How initial states were brought about where a task knows more than one way.
    #[serde(default, skip_serializing_if = "StatesBy::is_default")]
    pub states: StatesBy,
    /// How histories could be asked, where any agent could ask them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<HistorySettings>,
    /// How the headline is counted, in words a reader of the number needs.
    pub denominator: String,
    /// Set if the attempts were recorded elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
}

/// A browser that somebody else started, and what that may change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteBrowser {
    /// Scheme, host and port; never what lets anybody in.
    pub at: String,
    /// Switches of Umpire's own that it was started without: pages may behave differently there. `None` if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<Vec<String>>,
}

/// Where the attempts of an imported run come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imported {
    pub format: String,
    /// Digest of every file that was read.
    pub source: Digest,
    /// What the source does not tell; fields that stand for it mean nothing.
    pub not_recorded: Vec<NotRecorded>,
    /// What a reader of single attempts should know, such as pictures and actions that do not pair up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// Something that our own runs always have and a foreign trajectory may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotRecorded {
    Intents,
    /// Whether tasks ask to retrieve, to navigate or to mutate.
    Kinds,
    Difficulties,
    Limits,
    Browser,
    Viewport,
    Locale,
    Times,
    Addresses,
    Screenshots,
    Outlines,
    Thoughts,
    Actions,
    Network,
    State,
}

impl NotRecorded {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Intents => "intents",
            Self::Kinds => "kinds of tasks",
            Self::Difficulties => "difficulties",
            Self::Limits => "limits",
            Self::Browser => "browser",
            Self::Viewport => "viewport",
            Self::Locale => "locale",
            Self::Times => "times",
            Self::Addresses => "addresses",
            Self::Screenshots => "screenshots",
            Self::Outlines => "outlines",
            Self::Thoughts => "thoughts",
            Self::Actions => "actions",
            Self::Network => "network",
            Self::State => "state",
        }
    }
}

impl Imported {
    pub fn lacks(&self, what: NotRecorded) -> bool {
        self.not_recorded.contains(&what)
    }

    /// `times, network, state`.
    pub fn lacking(&self) -> String {
        self.not_recorded.iter().map(|what| what.as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl Manifest {
    /// Whether the attempts were recorded elsewhere, without this.
    pub fn lacks(&self, what: NotRecorded) -> bool {
        self.imported.as_ref().is_some_and(|imported| imported.lacks(what))
    }

    /// Whether attempts under one of these may stand beside attempts under the other: all is the same but when they were
    /// planned and in which of several remote browsers they ran.
    pub fn is_alike(&self, other: &Self) -> bool {
        let there = Self { created: other.created.clone(), remote: other.remote.clone(), ..self.clone() };
        self.remote.is_some() == other.remote.is_some() && there == *other
    }

    /// Planned attempts, perturbed ones among them.
    pub fn planned(&self) -> usize {
        self.agents.len() * self.instances.len() * self.trials as usize
    }
}

/// A named agent configuration. Command agents list their command; built-in ones their kind and settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentEntry {
    pub name: String,
    pub kind: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewport {
    pub width: u32,
    pub height: u32,
}

impl Default for Viewport {
    fn default() -> Self {
        Self { width: 1280, height: 1024 }
    }
}

/// The budgets that bind one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Counted actions; scrolling and waiting are free.
    pub actions: u32,
    pub seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { actions: 20, seconds: 600 }
    }
}
