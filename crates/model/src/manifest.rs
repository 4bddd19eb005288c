use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Day, Digest, GuardMode, Perturbation, RunId};

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
    /// How the headline is counted, in words a reader of the number needs.
    pub denominator: String,
}

impl Manifest {
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
