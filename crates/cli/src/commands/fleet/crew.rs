//! Takes part in runs with browsers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use clap::ValueEnum as _;
use tokio::sync::mpsc;
use umpire_fleet::{Assignment, Crew, Ended, Fleet, Job, JobError, Refusal, Roster};
use umpire_model::{HistorySettings, Verdict};
use umpire_runner::{RunEvent, Shift, Stage};
use umpire_store::Runs;

use super::commission::Commission;
use crate::args::{Global, HistoryArgs, MethodArg};
use crate::commands::conduct::Conduct;
use crate::commands::run::stage_options;
use crate::config::Config;
use crate::failure::Failure;
use crate::histories;

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
        let history = if plan.asks_histories() {
            history_of(&self.history, &commission.history, &self.config).map_err(lasting)?
        } else {
            self.history.clone()
        };
        let conduct = Conduct { history, ..Conduct::with_jobs(Some(self.jobs)) };
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

/// The run says how histories are asked, this machine where they are; they have to be the same ones.
fn history_of(own: &HistoryArgs, asked: &HistorySettings, config: &Config) -> Result<HistoryArgs, Failure> {
    let method = MethodArg::from_str(&asked.method, true);
    let history = HistoryArgs {
        history_method: method.map_err(|_| {
            Failure::new(format!("it searches histories by `{}`, which is not known here", asked.method))
        })?,
        history_keys: asked.keys.clone(),
        history_accesses: asked.accesses,
        history_most: asked.most,
        history_threshold: asked.threshold,
        ..own.clone()
    };
    let here = histories::settings(&history, config)?;
    for (what, flag, ours, theirs) in [
        ("other histories", "--histories", &here.histories, &asked.histories),
        ("another embedder", "--embedder", &here.embedder, &asked.embedder),
    ] {
        if ours != theirs {
            let problem =
                format!("it was planned with {what} than {flag} names here; a run has the same everywhere");
            return Err(Failure::new(problem));
        }
    }
    Ok(history)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_has_the_histories_of_the_run_or_does_not_take_part() {
        let (mine, theirs) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        std::fs::write(mine.path().join("ida.json"), "[]").expect("written");
        let config = Config::default();
        let with = |folder: Option<&Path>| HistoryArgs {
            histories: folder.map(Path::to_owned),
            ..HistoryArgs::default()
        };
        let asked = |folder| histories::settings(&with(folder), &config).expect("settings");
        let (mine, theirs) = (Some(mine.path()), Some(theirs.path()));
        for (planned, brought, is_taken) in [
            (asked(None), None, true),
            (asked(mine), mine, true),
            (asked(mine), theirs, false),
            (asked(mine), None, false),
            (asked(None), mine, false),
            (HistorySettings { method: "telepathy".to_owned(), ..asked(None) }, None, false),
        ] {
            let history = history_of(&with(brought), &planned, &config);
            assert_eq!(history.is_ok(), is_taken, "{planned:?} {brought:?}");
        }
        let planned = HistorySettings { keys: "all".to_owned(), accesses: 2, ..asked(None) };
        let history = history_of(&with(None), &planned, &config).expect("history");
        assert_eq!((history.history_keys.as_str(), history.history_accesses), ("all", 2), "the run says how");
    }
}
