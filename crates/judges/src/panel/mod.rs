//! Judges at work on a run: every judge with every model, so many samples each, as many at a time as they may; what was
//! said is on the disk before the next is asked, so that nothing is paid for twice.

mod estimate;
mod sample;
mod sitting;
mod voting;

use std::sync::Arc;
use std::time::Duration;

use umpire_llm::{Budget, Gateway, GatewayError};
use umpire_model::{AttemptId, End, Instance};
use umpire_store::{Run, Status, StoreError};

use crate::asking::Parser;
use crate::frames::Darkroom;
use crate::judge::Judge;
use crate::vote::Counting;

pub use estimate::{Estimate, ModelEstimate};
pub use sample::{Stratum, stratified};
pub use sitting::{Heard, Ruled, Sitting};

/// A vote takes no longer than this, retries included.
const LONGEST_VOTE: Duration = Duration::from_mins(20);

#[derive(Clone, Debug)]
pub struct PanelOptions {
    /// By their names in the configuration.
    pub models: Vec<String>,
    /// Votes of each model.
    pub samples: u32,
    pub parser: Parser,
    pub counting: Counting,
    /// Votes at a time.
    pub jobs: usize,
    /// Judge only so many attempts, spread over the kinds there are.
    pub at_most: Option<usize>,
}

impl Default for PanelOptions {
    fn default() -> Self {
        Self {
            models: Vec::new(),
            samples: 1,
            parser: Parser::default(),
            counting: Counting::default(),
            jobs: 8,
            at_most: None,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PanelError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    #[error("the run has an attempt at `{0}`, which its own instances do not list")]
    Stranger(String),
    #[error("the evidence of {attempt} cannot be read: {problem}")]
    Evidence { attempt: AttemptId, problem: String },
    #[error("a judge needs a model: name one with --model")]
    NoModel,
}

/// One judge, the run it looks at, and the models it asks.
pub struct Panel {
    pub run: Run,
    pub judge: Judge,
    pub gateway: Arc<Gateway>,
    pub budget: Arc<Budget>,
    pub darkroom: Arc<Darkroom>,
    pub options: PanelOptions,
}

/// An attempt that can be judged.
#[derive(Clone, Debug)]
pub struct Brought {
    pub attempt: AttemptId,
    pub instance: Arc<Instance>,
    pub r#try: u32,
    pub end: End,
    /// The other attempt and its try, for a judge that compares.
    pub against: Option<(AttemptId, u32)>,
}

/// What lies before a panel.
#[derive(Clone, Debug, Default)]
pub struct Docket {
    pub brought: Vec<Brought>,
    /// Attempts that did not end, or ended by the harness's fault: nobody can say what the agent would have done.
    pub unjudgeable: Vec<AttemptId>,
    /// Attempts that were left out because a sample was asked for.
    pub left_out: usize,
}

impl Panel {
    /// What there is to judge, and what models it would take: everything that could keep the panel from working is said
    /// here, before anything is spent.
    pub fn docket(&self) -> Result<Docket, PanelError> {
        if self.options.models.is_empty() {
            return Err(PanelError::NoModel);
        }
        let in_money = self.budget.limits().money.is_some();
        for model in &self.options.models {
            self.gateway.check(model, in_money)?;
        }
        let instances = self.run.expectations()?;
        let instances: std::collections::HashMap<String, Arc<Instance>> =
            instances.into_iter().map(|instance| (instance.id.clone(), Arc::new(instance))).collect();
        let mut docket = Docket::default();
        for id in self.run.planned()? {
            let Status::Ended { end, tries, .. } = self.run.attempt(&id).status()? else {
                docket.unjudgeable.push(id);
                continue;
            };
            if matches!(end, End::Infra | End::Invalid) {
                docket.unjudgeable.push(id);
                continue;
            }
            let instance =
                instances.get(&id.instance).ok_or_else(|| PanelError::Stranger(id.instance.clone()))?;
            docket.brought.push(Brought {
                attempt: id,
                instance: Arc::clone(instance),
                r#try: tries,
                end,
                against: None,
            });
        }
        if self.judge.compares() {
            docket.brought = paired(&docket.brought);
        }
        if let Some(most) = self.options.at_most {
            let all = docket.brought.len();
            docket.brought = stratified(std::mem::take(&mut docket.brought), most);
            docket.left_out = all - docket.brought.len();
        }
        Ok(docket)
    }
}

/// Every two attempts at one instance and trial by different agents, the earlier agent of the plan first.
fn paired(brought: &[Brought]) -> Vec<Brought> {
    let mut pairs = Vec::new();
    for (place, one) in brought.iter().enumerate() {
        for other in &brought[place + 1..] {
            let is_same =
                one.attempt.instance == other.attempt.instance && one.attempt.trial == other.attempt.trial;
            if is_same && one.attempt.agent != other.attempt.agent {
                pairs.push(Brought { against: Some((other.attempt.clone(), other.r#try)), ..one.clone() });
            }
        }
    }
    pairs
}
