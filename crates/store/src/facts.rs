use serde::{Deserialize, Serialize};
use umpire_model::{Difficulty, Instance, TaskKind};

pub(crate) const FACTS_VERSION: u32 = 1;

/// What a report needs to know of an instance: how to slice by it and what was asked.
///
/// It has no field for checks, reference actions or the world's patch. The run's folder lies open while agents
/// run, and nothing an agent can open may hold an expected answer.
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
    pub sites: Vec<String>,
    pub category: String,
    pub difficulty: Difficulty,
}

impl From<&Instance> for InstanceFacts {
    fn from(instance: &Instance) -> Self {
        Self {
            id: instance.id.clone(),
            task: instance.task.clone(),
            template: instance.template.clone(),
            kind: instance.kind,
            intent: instance.intent.clone(),
            with_hint: instance.with_hint,
            state: instance.state.clone(),
            sites: instance.sites.clone(),
            category: instance.category.clone(),
            difficulty: instance.difficulty,
        }
    }
}

/// `instances.json`.
#[derive(Serialize, Deserialize)]
pub(crate) struct FactsFile {
    pub version: u32,
    pub instances: Vec<InstanceFacts>,
}
