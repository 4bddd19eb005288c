//! Takes part in runs with browsers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use clap::ValueEnum as _;
use tokio::sync::mpsc;
use umpire_fleet::{Assignment, Crew, Ended, Fleet, Job, JobError, Refusal, Roster};
use umpire_model::Verdict;
use umpire_runner::{RunEvent, Shift, Stage};
use umpire_store::Runs;

use super::commission::Commission;
use crate::args::{Global, HistoryArgs, MethodArg};
use crate::commands::conduct::Conduct;
use crate::commands::run::stage_options;
use crate::config::Config;
use crate::failure::Failure;

pub struct Browsers {
    pub global: Global,
    pub config: Config,
    pub runs: Runs,
    pub jobs: usize,
    pub history: HistoryArgs,
    /// Where suites are kept while their runs last.
    pub scratch: PathBuf,
    pub events: mpsc::UnboundedSender<RunEvent>,
}

#[async_trait]
impl Crew for Browsers {
    async fn join(&self, run: &str, fleet: &Fleet) -> Result<Arc<dyn Job>, Refusal> {
        let lasting = |failure: Failure| Refusal::Lasting(failure.to_string());
        // The run is known before what it consists of could be lost, so this is a store that is not there.
        let found = Commission::find(&fleet.depot, run).await;
        let Some(commission) = found.map_err(|failure| Refusal::Passing(failure.to_string()))? else {
            return Err(Refusal::Passing("nothing in the store says what it consists of".to_owned()));
        };
        let folder = self.scratch.join(format!("suite-{run}"));
        let planned = commission.plan(&fleet.depot, &folder, &self.config).await;
        let (plan, suite_name) = planned.map_err(lasting)?;
        let conduct =
            Conduct { history: self.history_of(&commission), ..Conduct::with_jobs(Some(self.jobs)) };
        let options = stage_options(&plan, &suite_name, &conduct, &self.global, &self.config, &self.runs);
        let stage = Stage::set(options.map_err(lasting)?)
            .await
            .map_err(|error| Refusal::Passing(error.to_string()))?;
        if stage.browser() != commission.manifest.browser {
            let (theirs, ours) = (&commission.manifest.browser, stage.browser());
            return Err(Refusal::Lasting(format!(
                "it runs with {theirs}, and here is {ours}; a run has one browser"
            )));
        }
        let shift = Shift::begin(&plan, commission.manifest.clone(), &stage, self.events.clone()).await;
        let shift = shift.map_err(|error| Refusal::Lasting(error.to_string()))?;
        Ok(Arc::new(Part { shift, roster: commission.roster(&plan), run: run.to_owned(), _stage: stage }))
    }
}

impl Browsers {
    /// The run says how histories are asked, this machine where they are.
    fn history_of(&self, commission: &Commission) -> HistoryArgs {
        let asked = &commission.history;
        HistoryArgs {
            history_method: MethodArg::from_str(&asked.method, true).unwrap_or(self.history.history_method),
            history_keys: asked.keys.clone(),
            history_accesses: asked.accesses,
            history_most: asked.most,
            history_threshold: asked.threshold,
            ..self.history.clone()
        }
    }
}

/// One run that this machine takes part in.
struct Part {
    shift: Shift,
    roster: Vec<Assignment>,
    run: String,
    _stage: Arc<Stage>,
}

#[async_trait]
impl Job for Part {
    fn roster(&self) -> &dyn Roster {
        &self.roster
    }

    async fn attempt(&self, attempt: &str, folder: &Path) -> Result<Ended, JobError> {
        let done = self.shift.attempt(attempt, folder).await.map_err(|error| JobError(error.to_string()))?;
        let (verdict, steps, ms) = done;
        let outcome = verdict.outcome.as_str().to_uppercase();
        say!("{outcome:>8} [{:>7.2}s] {} {attempt}", ms as f64 / 1000.0, self.run);
        Ok(ended(verdict, steps, ms))
    }

    async fn give_up(&self, attempt: &str, reason: &str, folder: &Path) -> Result<Ended, JobError> {
        let verdict =
            self.shift.give_up(attempt, reason, folder).map_err(|error| JobError(error.to_string()))?;
        say!("{:>8} {} {attempt}: {reason}", "GIVEN UP", self.run);
        Ok(ended(verdict, 0, 0))
    }
}

fn ended(verdict: Verdict, steps: u32, ms: u64) -> Ended {
    Ended { outcome: verdict.outcome, reason: verdict.reason, ms, steps }
}
