use serde::{Deserialize, Serialize};
use umpire_model::{Difficulty, Perturbed, TaskKind};

pub(crate) const INSTANCES_VERSION: u32 = 1;

/// What a report needs to know of an instance: how to slice by it and what was asked. A view of `instances.json` that
/// leaves checks, reference actions and the world's patch out, so that no page can show them by accident.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstanceFacts {
    pub id: String,
    pub task: String,
    pub template: String,
    pub kind: TaskKind,
    pub intent: String,
    pub with_hint: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<usize>,
    pub sites: Vec<String>,
    pub category: String,
    pub difficulty: Difficulty,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perturbation: Option<Perturbed>,
}

/// `instances.json`, seen as facts or as whole instances.
#[derive(Serialize, Deserialize)]
pub(crate) struct InstancesFile<T> {
    pub version: u32,
    pub instances: Vec<T>,
}
