//! Attempts that begin when somebody comes and asks for one, not when a worker is free. They are attempts of a planned
//! run like any other: in the same files, under the same limits, judged by the same rules.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::mpsc;
use tracing::{Instrument as _, Span};
use umpire_agents::Remote;
use umpire_model::{AttemptId, Verdict};
use umpire_store::{Run, RunLock, StoreError};

use crate::attempt::Setting;
use crate::execute::{finished, one_try, setting};
use crate::judge::judge;
use crate::watched::{Watched, run_span};
use crate::{ExecuteError, Models, Plan, RunEvent, Stage, Unit};

#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    #[error("there is no instance `{0}` in this run")]
    Unknown(String),
    #[error("{0} are under way already, which is the limit")]
    Full(usize),
    #[error("what models may cost in this run is spent; the same command goes on with a larger --budget")]
    Spent,
    #[error("nothing is left to begin: every attempt asked for is finished or under way")]
    NothingLeft,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Hands out the attempts of one run.
pub struct Desk {
    run: Run,
    setting: Arc<Setting>,
    units: Vec<Unit>,
    /// In the plan's order.
    instances: Vec<String>,
    retries: u32,
    most: usize,
    under_way: Arc<Mutex<BTreeSet<AttemptId>>>,
    span: Span,
    _lock: RunLock,
}

/// An attempt that was handed out and is nobody else's until this is dropped.
pub struct Taken {
    unit: Unit,
    under_way: Arc<Mutex<BTreeSet<AttemptId>>>,
}

impl Taken {
    pub fn unit(&self) -> &Unit {
        &self.unit
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        locked(&self.under_way).remove(&self.unit.id);
    }
}

impl Desk {
    /// Takes the run for writing. At most `most` attempts are under way at a time.
    pub fn open(
        plan: &Plan,
        run: &Run,
        stage: &Arc<Stage>,
        most: usize,
        events: mpsc::UnboundedSender<RunEvent>,
    ) -> Result<Self, ExecuteError> {
        let lock = run.lock()?;
        stage.options.models.count_earlier(run, &plan.units)?;
        Ok(Self {
            span: run_span(plan),
            _lock: lock,
            run: run.clone(),
            setting: Arc::new(setting(plan, stage, events)?),
            units: plan.units.clone(),
            instances: plan.instances.iter().map(|instance| instance.id.clone()).collect(),
            retries: plan.request.retries,
            most,
            under_way: Arc::default(),
        })
    }

    /// Whether every attempt of the plan is finished.
    pub fn is_done(plan: &Plan, run: &Run) -> Result<bool, StoreError> {
        for unit in &plan.units {
            if finished(run, unit, plan.request.retries)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The first attempt of the plan that is neither finished nor under way: of this instance and trial, if they are
    /// named. A seed chooses the instance where none is named, always the same one.
    pub fn take(
        &self,
        instance: Option<&str>,
        trial: Option<u32>,
        seed: Option<u64>,
    ) -> Result<Taken, DeskError> {
        let drawn = seed.and_then(|seed| {
            let place = seed.checked_rem(self.instances.len() as u64)?;
            self.instances.get(usize::try_from(place).ok()?)
        });
        let instance = instance.or(drawn.map(String::as_str));
        if let Some(name) = instance.filter(|name| !self.instances.iter().any(|known| known == name)) {
            return Err(DeskError::Unknown(name.to_owned()));
        }
        if self.models().is_spent() {
            return Err(DeskError::Spent);
        }
        let mut under_way = locked(&self.under_way);
        if under_way.len() >= self.most {
            return Err(DeskError::Full(self.most));
        }
        for unit in &self.units {
            let is_meant = instance.is_none_or(|name| unit.id.instance == name)
                && trial.is_none_or(|trial| unit.id.trial == trial);
            if is_meant && !under_way.contains(&unit.id) && finished(&self.run, unit, self.retries)?.is_none()
            {
                under_way.insert(unit.id.clone());
                return Ok(Taken { unit: unit.clone(), under_way: Arc::clone(&self.under_way) });
            }
        }
        Err(DeskError::NothingLeft)
    }

    /// Runs one try of the attempt and judges it. One that ends as `infra` is not tried again by itself: whoever decides
    /// in it has to begin anew. None if the run's money ended it, which says nothing about the attempt.
    pub async fn attempt(&self, taken: Taken, remote: Remote) -> Result<Option<Verdict>, StoreError> {
        let started = Instant::now();
        let unit = taken.unit();
        let attempt = self.run.attempt(&unit.id);
        let number = attempt.tries()?.len() as u32 + 1;
        let tell = |event| drop(self.setting.events.send(event));
        tell(RunEvent::Started { attempt: unit.id.clone(), r#try: number });
        let watched = Watched::begin(&self.run.manifest().run, &self.span, &unit.id);
        let trying = one_try(&self.run, &self.setting, unit, number, Some(remote));
        let tried = trying.instrument(watched.span()).await?;
        if self.models().ended_by_run(&tried.closing) {
            return Ok(None);
        }
        let steps = tried.write()?;
        let verdict = judge(&attempt, &unit.instance, &self.run)?;
        watched.ended(verdict.outcome, steps);
        tell(RunEvent::Finished {
            attempt: unit.id.clone(),
            outcome: verdict.outcome,
            reason: verdict.reason.clone(),
            ms: started.elapsed().as_millis() as u64,
            steps,
        });
        Ok(Some(verdict))
    }

    fn models(&self) -> &Models {
        &self.setting.stage.options.models
    }
}

fn locked(under_way: &Mutex<BTreeSet<AttemptId>>) -> MutexGuard<'_, BTreeSet<AttemptId>> {
    under_way.lock().unwrap_or_else(PoisonError::into_inner)
}
