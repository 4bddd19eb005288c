//! `[arena]` of `umpire.toml`: who meets there, on what, and how much anybody may ask for.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use umpire_arena::{HostRule, InformationGain, Pairing, QueueLimits, TaskRules};
use umpire_stats::ratings::PairSampler;

/// Seconds an attempt may take where nobody says otherwise: somebody is watching.
const SECONDS: u64 = 180;
const ACTIONS: u32 = 30;
const VOTE_WITHIN_HOURS: u64 = 24;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ArenaConfig {
    /// Names of agents, as for `umpire run`.
    pub agents: Vec<String>,
    /// Suites that tasks are drawn from, by name or folder.
    pub suites: Vec<String>,
    /// Hosts beyond the built-in sites that visitors may send agents to.
    pub hosts: Vec<HostRule>,
    /// Visitors may ask in their own words.
    pub own_tasks: bool,
    pub most_characters: usize,
    pub pairing: PairingKind,
    /// How often an agent is drawn; one that is not named weighs 1.
    pub weights: BTreeMap<String, f64>,
    pub boosts: BTreeSet<String>,
    pub outages: BTreeSet<String>,
    pub information_gain: InformationGain,
    pub limits: QueueLimits,
    pub seconds: u64,
    pub actions: u32,
    /// For agents that name none.
    pub model: Option<String>,
    /// What models may cost in one battle.
    pub budget: Option<String>,
    /// What happens before something that cannot be undone. Where agents may leave the built-in sites, it is held back.
    pub guard: Option<String>,
    pub moderation: Option<ModerationConfig>,
    pub vote_within_hours: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairingKind {
    Uniform,
    Weighted,
    #[default]
    InformationGain,
}

/// The operator's own look at a task: a command that reads it, or an address that it is posted to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModerationConfig {
    #[serde(default)]
    pub command: Vec<String>,
    pub url: Option<String>,
    #[serde(default = "moderation_seconds")]
    pub seconds: u64,
}

fn moderation_seconds() -> u64 {
    10
}

impl Default for ArenaConfig {
    fn default() -> Self {
        Self {
            agents: Vec::new(),
            suites: Vec::new(),
            hosts: Vec::new(),
            own_tasks: true,
            most_characters: TaskRules::default().most_characters,
            pairing: PairingKind::default(),
            weights: BTreeMap::new(),
            boosts: BTreeSet::new(),
            outages: BTreeSet::new(),
            information_gain: InformationGain::default(),
            limits: QueueLimits::default(),
            seconds: SECONDS,
            actions: ACTIONS,
            model: None,
            budget: None,
            guard: None,
            moderation: None,
            vote_within_hours: VOTE_WITHIN_HOURS,
        }
    }
}

impl ArenaConfig {
    pub fn pairing(&self) -> Pairing {
        let sampler = PairSampler {
            models: self.agents.clone(),
            weights: self.weights.clone(),
            boosts: self.boosts.clone(),
            outages: self.outages.clone(),
            ..PairSampler::default()
        };
        match self.pairing {
            PairingKind::Uniform => Pairing::Uniform { agents: self.agents.clone() },
            PairingKind::Weighted => Pairing::Weighted(sampler),
            PairingKind::InformationGain => {
                Pairing::InformationGain { among: sampler, by: self.information_gain }
            }
        }
    }
}
