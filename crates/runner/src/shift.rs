//! Attempts that begin when a fleet hands them out. Each is written in a folder of its own, which leaves this machine when
//! the attempt has ended; all else is as in any run.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;
use tracing::{Instrument as _, Span};
use umpire_agents::AgentSpec;
use umpire_model::{EventBody, Evidence as _, Manifest, Outcome, Verdict};
use umpire_store::{Run, StoreError};

use crate::attempt::{Closing, Setting};
use crate::execute::{close, one_try, setting};
use crate::ground::viewport;
use crate::judge::judge;
use crate::stage::now;
use crate::watched::{Watched, run_span, tried_again};
use crate::{ExecuteError, Plan, RunEvent, Stage, Unit};

#[derive(Debug, thiserror::Error)]
pub enum ShiftError {
    #[error("there is no attempt `{0}` in this run")]
    Unknown(String),
    #[error("what models may cost here is spent")]
    Spent,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// One machine's part in a run.
pub struct Shift {
    manifest: Manifest,
    units: HashMap<String, Unit>,
    setting: Arc<Setting>,
    retries: u32,
    /// Of the run, as far as this machine has a part in it.
    span: Span,
}

impl Shift {
    /// `manifest` is the whole run's; the plan must be the one it was made of.
    pub async fn begin(
        plan: &Plan,
        manifest: Manifest,
        stage: &Arc<Stage>,
        events: mpsc::UnboundedSender<RunEvent>,
    ) -> Result<Self, ExecuteError> {
        if plan.manifest(manifest.created.clone(), stage.browser().to_owned()) != manifest {
            return Err(ExecuteError::OtherPlan { run: plan.run.to_string() });
        }
        if plan.units.iter().any(|unit| matches!(unit.agent, AgentSpec::Command(_))) {
            stage.try_confinement().await?;
        }
        tracing::info!(run = %plan.run, suite = plan.suite.file.name, "takes part in a run");
        Ok(Self {
            manifest,
            span: run_span(plan),
            units: plan.units.iter().map(|unit| (unit.id.to_string(), unit.clone())).collect(),
            setting: Arc::new(setting(plan, stage, events)?),
            retries: plan.request.retries,
        })
    }

    /// Tries until a try is not `infra` or the retries are used up. Gives back the verdict, the steps and the milliseconds.
    pub async fn attempt(&self, attempt: &str, folder: &Path) -> Result<(Verdict, u32, u64), ShiftError> {
        let unit = self.unit(attempt)?;
        let run = Run::away(self.manifest.clone(), folder);
        let watched = Watched::begin(&self.manifest.run, &self.span, &unit.id);
        let started = Instant::now();
        for number in 1.. {
            let trying = one_try(&run, &self.setting, unit, number, None);
            let tried = trying.instrument(watched.span()).await?;
            if self.setting.stage.options.models.ended_by_run(&tried.closing) {
                return Err(ShiftError::Spent);
            }
            let (steps, verdict, so_far) = close(run.clone(), unit.clone(), tried).await?;
            if verdict.outcome != Outcome::Infra || so_far > self.retries {
                watched.ended(verdict.outcome, steps);
                return Ok((verdict, steps, started.elapsed().as_millis() as u64));
            }
            tried_again(&unit.id, number);
        }
        unreachable!("tries are limited")
    }

    /// Writes that an attempt was given up without a further try, and why.
    pub fn give_up(&self, attempt: &str, reason: &str, folder: &Path) -> Result<Verdict, ShiftError> {
        let unit = self.unit(attempt)?;
        let run = Run::away(self.manifest.clone(), folder);
        tracing::warn!(run = %self.manifest.run, attempt, "attempt given up");
        let files = run.attempt(&unit.id);
        let journal = files.writer(self.setting.stage.redactor())?;
        journal.event(EventBody::Started {
            attempt: unit.id.clone(),
            r#try: 1,
            instance: unit.instance.digest(),
            at: now(),
            browser: self.setting.stage.browser().to_owned(),
            remote: self.setting.stage.remote().cloned().map(Box::new),
            viewport: viewport(&self.setting, &unit.instance),
        });
        Closing::infra(reason).write(&journal)?;
        Ok(judge(&files, &unit.instance, &run)?)
    }

    fn unit(&self, attempt: &str) -> Result<&Unit, ShiftError> {
        self.units.get(attempt).ok_or_else(|| ShiftError::Unknown(attempt.to_owned()))
    }
}

impl Drop for Shift {
    fn drop(&mut self) {
        tracing::info!(run = %self.manifest.run, "has no part in a run any more");
    }
}
