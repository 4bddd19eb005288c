//! Models for the attempts of a run: who pays for a call, and where it is recorded.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::OnceCell;
use umpire_agents::{Agent, Deciding, Memory, ModelAgentSpec, Turn};
use umpire_llm::{AskError, Budget, Caller, Gateway, GatewayServer, Limits, Pass, Spent};
use umpire_model::{Deadline, End, TaskBrief, UsdMicros};
use umpire_store::{JournalWriter, Run, StoreError};

use crate::attempt::Closing;
use crate::{StageOptions, Unit};

/// What attempts need to ask models.
#[derive(Clone, Debug)]
pub struct Models {
    pub gateway: Arc<Gateway>,
    /// What all attempts of the run spend from.
    budget: Arc<Budget>,
    /// For foreign agents; started when the first of them needs it.
    server: Arc<OnceCell<GatewayServer>>,
}

impl Models {
    pub fn new(gateway: Arc<Gateway>, run_limit: Option<UsdMicros>) -> Self {
        let limits = Limits { money: run_limit, ..Limits::default() };
        Self { gateway, budget: Budget::new("run", limits), server: Arc::default() }
    }

    /// Counts what earlier parts of the same run spent, before it is resumed.
    pub(crate) fn count_earlier(&self, run: &Run, units: &[Unit]) -> Result<(), StoreError> {
        if self.budget.limits() == Limits::default() {
            return Ok(());
        }
        for unit in units {
            for one in run.attempt(&unit.id).tries()? {
                let tokens = one.spending.usage.input + one.spending.usage.output;
                self.budget.add(Spent { money: one.spending.cost, tokens, calls: one.spending.calls });
            }
        }
        Ok(())
    }

    /// Whether all attempts together may spend only so much.
    pub fn are_limited(&self) -> bool {
        self.budget.limits().money.is_some()
    }

    /// True once no attempt of the run may ask any more.
    pub(crate) fn is_spent(&self) -> bool {
        self.budget.is_spent()
    }

    /// True for an end that was the run's doing, not the attempt's. A harness that may not ask any more is the run's, too.
    pub(crate) fn ended_by_run(&self, closing: &Closing) -> bool {
        matches!(closing.end, End::Money | End::Infra) && self.is_spent()
    }

    /// A foreign agent's way to the models it may ask, until the pass is dropped; none if it may ask none.
    pub(crate) async fn admit(
        &self,
        models: &[String],
        limit: Option<UsdMicros>,
        unit: &Unit,
        journal: &Arc<JournalWriter>,
        clock: Deadline,
    ) -> Result<Option<Pass>, Closing> {
        if models.is_empty() {
            return Ok(None);
        }
        let starting = || GatewayServer::start(Arc::clone(&self.gateway));
        let failed = |error: String| Closing::infra(format!("no gateway for the agent: {error}"));
        let server =
            self.server.get_or_try_init(starting).await.map_err(|error| failed(error.to_string()))?;
        let caller = self.caller(unit, limit, journal);
        let pass = server.admit(caller, models.to_vec(), clock);
        pass.map(Some).map_err(|error| failed(error.to_string()))
    }

    /// On whose behalf the harness asks for an attempt: the run pays, and the attempt's record tells it.
    pub(crate) fn caller_of_harness(&self, unit: &Unit, journal: &Arc<JournalWriter>) -> Caller {
        Caller::new(unit.id.to_string(), vec![Arc::clone(&self.budget)], Arc::clone(journal) as _)
    }

    /// On whose behalf an attempt asks: the attempt pays first, then the run.
    pub(crate) fn caller(
        &self,
        unit: &Unit,
        limit: Option<UsdMicros>,
        journal: &Arc<JournalWriter>,
    ) -> Caller {
        let of_attempt = Budget::new("attempt", Limits { money: limit, ..Limits::default() });
        let budgets = vec![of_attempt, Arc::clone(&self.budget)];
        Caller::new(unit.id.to_string(), budgets, Arc::clone(journal) as _)
    }
}

/// What the end of a foreign agent comes to, given what its last call of a model failed with: one that got no answer was
/// not at fault, whether it stopped or asked again until its time was over.
pub(crate) fn excused(closing: Closing, last_error: Option<AskError>) -> Closing {
    let has_stopped = closing.end == End::Stopped;
    match last_error {
        Some(error @ AskError::Budget(_)) if has_stopped => {
            Closing { end: End::Money, detail: error.to_string(), ..closing }
        }
        Some(error @ (AskError::Unavailable(_) | AskError::Rejected(_) | AskError::NotOnCassette(_)))
            if has_stopped || closing.end == End::Time =>
        {
            Closing { end: End::Infra, detail: error.to_string(), ..closing }
        }
        _ => closing,
    }
}

/// What makes a model agent for one attempt.
pub(crate) struct ModelMind<'a> {
    spec: &'a ModelAgentSpec,
    prompts: umpire_agents::Prompts,
    ask: Arc<dyn umpire_llm::Ask>,
    memory: Option<Arc<dyn Memory>>,
    step: Arc<AtomicU32>,
}

impl<'a> ModelMind<'a> {
    /// Everything that could be wrong here was looked for before the run; what still is, is the harness's fault.
    pub fn new(
        options: &StageOptions,
        spec: &'a ModelAgentSpec,
        unit: &Unit,
        journal: &Arc<JournalWriter>,
    ) -> Result<Self, Closing> {
        let prompts = spec.prompts().map_err(|error| Closing::infra(error.to_string()))?;
        let models = &options.models;
        let caller = models.caller(unit, spec.options.budget, journal);
        let step = Arc::clone(&caller.step);
        let name = spec.model.as_deref().unwrap_or_default();
        let ask = models.gateway.asker(name, caller).map_err(|error| Closing::infra(error.to_string()))?;
        let memory = options.memories.of(models, unit, journal);
        Ok(Self { spec, prompts, ask: Arc::new(ask), memory, step })
    }

    pub fn create(&self, task: &TaskBrief) -> Box<dyn Agent> {
        let agent = self.spec.create(task, self.prompts.clone(), Arc::clone(&self.ask), self.memory.clone());
        Box::new(Stepping { agent, step: Arc::clone(&self.step) })
    }
}

/// Tells the gateway which step its calls belong to.
struct Stepping {
    agent: Box<dyn Agent>,
    step: Arc<AtomicU32>,
}

impl Agent for Stepping {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        self.step.store(turn.step, Ordering::Relaxed);
        self.agent.decide(turn)
    }

    fn needs_page(&self) -> bool {
        self.agent.needs_page()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_that_got_no_answer_is_not_at_fault() {
        let dead = || Some(AskError::Unavailable("503".to_owned()));
        let poor = || Some(AskError::Budget("spent".to_owned()));
        for (end, error, expected) in [
            (End::Stopped, dead(), End::Infra),
            (End::Time, dead(), End::Infra),
            (End::Answered, dead(), End::Answered),
            (End::Stopped, poor(), End::Money),
            (End::Time, poor(), End::Time),
            (End::Time, Some(AskError::Deadline), End::Time),
            (End::Time, None, End::Time),
        ] {
            let closing = excused(Closing::new(end, ""), error.clone());
            assert_eq!(closing.end, expected, "{end:?} after {error:?}");
        }
    }
}
