use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dates::{has_dates, tell_all};
use crate::task::is_default;
use crate::{
    Action, BadDate, Check, Day, Difficulty, Digest, Limits, Persona, Perturbation, Perturbed,
    ReplayedSession, SetupOrder, StatesBy, Task, TaskKind, Validity,
};

/// The states that a recorded session alone makes.
const TWINS: [&str; 2] = ["on", "off"];

/// A task in one variant and one initial state: what an agent is given, and what it is checked against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Instance {
    /// `task`, `task@on`, `task@nav`, `task@on.nav`, `task@2`; `…+popups` where it is perturbed.
    pub id: String,
    pub task: String,
    pub template: String,
    pub kind: TaskKind,
    pub intent: String,
    pub with_hint: bool,
    pub state: Option<String>,
    /// How much the intent leaves unsaid, from 0 (nothing) to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<usize>,
    pub sites: Vec<String>,
    pub start_urls: Vec<String>,
    pub category: String,
    pub ui_elements: Vec<String>,
    pub difficulty: Difficulty,
    /// Merge patch on the world's state.
    pub world: Value,
    /// Sessions done again before the attempt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replay: Vec<ReplayedSession>,
    /// Merge patch that the world must agree with once they are.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub reached: Value,
    /// The session that could set the state, where the task has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<ReplayedSession>,
    /// What the deployment's own backend is told to do before that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<SetupOrder>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    pub reference: Vec<Action>,
    /// How many actions a person needed, where that is known and their actions are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_length: Option<u32>,
    pub checks: Vec<Check>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub extra_sessions: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub validity: Validity,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perturbation: Option<Perturbed>,
    /// Whose wish it is: for judges; an agent is never shown it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<Persona>,
}

impl Instance {
    /// A task in one variant of which nothing more is known: where it begins, and what is set up and checked, is for the
    /// caller to add.
    pub fn bare(id: &str, kind: TaskKind) -> Self {
        Self {
            id: id.to_owned(),
            task: id.to_owned(),
            template: id.to_owned(),
            kind,
            intent: String::new(),
            with_hint: false,
            state: None,
            level: None,
            sites: Vec::new(),
            start_urls: Vec::new(),
            category: String::new(),
            ui_elements: Vec::new(),
            difficulty: Difficulty::Easy,
            world: Value::Null,
            replay: Vec::new(),
            reached: Value::Null,
            session: None,
            orders: Vec::new(),
            account: None,
            reference: Vec::new(),
            reference_length: None,
            checks: Vec::new(),
            extra_sessions: 0,
            validity: Validity::default(),
            perturbation: None,
            persona: None,
        }
    }

    /// All instances of a task: every ambiguity level in every state, with and without the navigation hint.
    pub fn of(task: &Task) -> Vec<Self> {
        let levels: Vec<Option<usize>> =
            if task.levels.is_empty() { vec![None] } else { (0..=task.levels.len()).map(Some).collect() };
        let states: Vec<Option<&str>> = match (&task.session, task.states.is_empty()) {
            (Some(_), true) => TWINS.map(Some).to_vec(),
            (None, true) => vec![None],
            (_, false) => task.states.keys().map(|name| Some(name.as_str())).collect(),
        };
        let has_hint = task.hint.is_some() || task.intent_with_hint.is_some();
        let hints: &[bool] = if has_hint { &[false, true] } else { &[false] };
        let mut instances = Vec::new();
        for &level in &levels {
            for &state in &states {
                for &with_hint in hints {
                    instances.push(Self::one(task, level, state, with_hint));
                }
            }
        }
        instances
    }

    fn one(task: &Task, level: Option<usize>, state: Option<&str>, with_hint: bool) -> Self {
        let mut initial = state.and_then(|name| task.states.get(name)).cloned().unwrap_or_default();
        let session = task.session.clone().zip(state).map(|(session, state)| ReplayedSession {
            session,
            state: initial.replayed_for.take().unwrap_or_else(|| state.to_owned()),
        });
        if task.states.is_empty() {
            initial.replay.extend(session.clone());
        }
        let variant: Vec<String> = [
            level.map(|level| level.to_string()),
            state.map(str::to_owned),
            with_hint.then(|| "nav".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect();
        let id =
            if variant.is_empty() { task.id.clone() } else { format!("{}@{}", task.id, variant.join(".")) };
        let said = match level {
            Some(level @ 1..) => task.levels.get(level - 1).unwrap_or(&task.intent),
            _ => &task.intent,
        };
        let intent = match (&task.intent_with_hint, &task.hint) {
            (Some(whole), _) if with_hint => whole.clone(),
            (None, Some(hint)) if with_hint => format!("{said} {hint}"),
            _ => said.clone(),
        };
        Self {
            id,
            task: task.id.clone(),
            template: task.template.clone(),
            kind: task.kind,
            intent,
            with_hint,
            state: state.map(str::to_owned),
            level,
            sites: task.sites.clone(),
            start_urls: task.start_urls.clone(),
            category: task.category.clone(),
            ui_elements: task.ui_elements.clone(),
            difficulty: task.difficulty,
            world: initial.world,
            replay: initial.replay,
            reached: Value::Null,
            session,
            orders: initial.orders,
            account: task.account.clone(),
            reference: initial.reference.unwrap_or_else(|| task.reference.clone()),
            reference_length: None,
            checks: initial.checks.unwrap_or_else(|| task.checks.clone()),
            extra_sessions: task.extra_sessions,
            validity: task.validity.clone(),
            perturbation: None,
            persona: task.persona.clone(),
        }
    }

    /// The same instance with its relative dates told from `today`.
    pub fn on(self, today: Day) -> Result<Self, BadDate> {
        if !self.has_dates() {
            return Ok(self);
        }
        let mut told = serde_json::to_value(&self).unwrap_or_default();
        tell_all(&mut told, today)?;
        // Only texts have changed, and every text may be any text, except those that are read as something else.
        serde_json::from_value(told).map_err(|error| BadDate::Placeholder(error.to_string()))
    }

    /// Whether the day of the run decides what is asked, or whether it can be asked.
    pub fn depends_on_day(&self) -> bool {
        self.validity.from.is_some() || self.validity.until.is_some() || self.has_dates()
    }

    fn has_dates(&self) -> bool {
        serde_json::to_string(self).is_ok_and(|text| has_dates(&text))
    }

    /// The same under a perturbation, whose choices are drawn from the run's seed.
    #[must_use]
    pub fn perturbed(&self, by: &Perturbation, run_seed: u64) -> Self {
        Self {
            id: format!("{}+{by}", self.id),
            perturbation: Some(Perturbed::new(by, run_seed, &self.id)),
            ..self.clone()
        }
    }

    /// The same with its state brought about in this way; unchanged where there is no other.
    #[must_use]
    pub fn staged(mut self, by: StatesBy) -> Self {
        if let (StatesBy::Replay, true, Some(session)) = (by, self.replay.is_empty(), &self.session) {
            self.replay.push(session.clone());
            self.reached = std::mem::take(&mut self.world);
        }
        self
    }

    /// Its id without the perturbation.
    pub fn plain_id(&self) -> &str {
        self.perturbation.as_ref().map_or(&self.id, |perturbed| &perturbed.plain)
    }

    pub fn digest(&self) -> Digest {
        Digest::of_json(self)
    }

    /// The part of an instance that an agent may see. It does not say that anything is perturbed.
    pub fn brief(&self, limits: &Limits) -> TaskBrief {
        TaskBrief {
            id: self.plain_id().to_owned(),
            kind: self.kind,
            intent: self.intent.clone(),
            sites: self.sites.clone(),
            start_urls: self.start_urls.clone(),
            limits: *limits,
        }
    }
}

/// What an agent is told. It has no field for checks, states or reference actions, so none can leak through it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskBrief {
    pub id: String,
    pub kind: TaskKind,
    pub intent: String,
    pub sites: Vec<String>,
    pub start_urls: Vec<String>,
    pub limits: Limits,
}
