use serde::{Deserialize, Serialize};
use umpire_model::Outcome;

/// One planned attempt as the counters see it: a row of every table they are given.
///
/// What is unknown is absent, and a counter that needs it says how many rows it had to leave out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AttemptRow {
    pub agent: String,
    pub task: String,
    pub instance: String,
    pub trial: u32,
    /// Tasks of one template differ in their values only; a task without one is its own.
    pub template: String,
    /// `shop`, or `shop + map` for a task over several.
    pub site: String,
    pub category: String,
    pub kind: String,
    /// `on`, `off`, …: the state the instance begins in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<usize>,
    pub with_hint: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perturbation: Option<String>,
    /// Of the instance as the agent met it; runs are compared by it, for a name can stay while its task changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// None while it has not run or waits for its verdict.
    pub outcome: Option<Outcome>,
    /// The task cannot be done, and saying so is the right answer.
    pub impossible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Steps of somebody who did the task right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_steps: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
}

impl AttemptRow {
    /// Every planned attempt counts; one without an outcome, or lost by the harness, is no success.
    pub fn passed(&self) -> bool {
        self.outcome == Some(Outcome::Pass)
    }

    /// Whether it says something about the agent.
    pub fn is_judged(&self) -> bool {
        self.outcome.is_some_and(|outcome| outcome != Outcome::Infra)
    }

    /// The unit over which macro rates are taken.
    pub fn template(&self) -> &str {
        if self.template.is_empty() { &self.task } else { &self.template }
    }
}
