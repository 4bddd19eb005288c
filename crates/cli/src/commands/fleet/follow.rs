//! `umpire run --fleet`: plans a run, leaves the work to the workers, and brings what they recorded here, where it is a run
//! like any other.

use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};
use umpire_fleet::{
    Fleet, FleetError, Followed, Following, NewRun, ResultRow, Roster, RunState, StartRow, Steward, fetch,
    follow,
};
use umpire_model::{AttemptId, GuardMode, Manifest};
use umpire_runner::{Execution, Plan, RunEvent, browser_version, now};
use umpire_store::{Run, Runs, Status};

use super::commission::Commission;
use super::{connect, soon, told};
use crate::args::{Global, RunArgs};
use crate::aside::remark;
use crate::commands::run::{Carried, next, show};
use crate::config::Settings;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// Attempts on their way here at a time.
const FETCHED_AT_ONCE: usize = 4;
/// For clearing up when all has ended.
const CLOSING: Duration = Duration::from_secs(10);
/// Says that the run's truth is a fleet's: what is here is a copy.
const MARK: &str = "fleet.json";

/// What became of a run on a fleet.
pub enum OnFleet {
    Carried(Box<Carried>),
    /// There is nothing to show.
    Over(Exit),
}

pub async fn run(
    plan: &Plan,
    suite_name: &str,
    args: &RunArgs,
    settings: &Settings,
    global: &Global,
    runs: &Runs,
) -> Result<OnFleet, Failure> {
    refuse_what_is_local(plan, args, settings)?;
    let fleet = connect(&args.fleet.servers.required()?, "umpire run").await?;
    let id = plan.run.as_str();
    if args.fleet.cancel {
        return cancel(&fleet, id).await.map(OnFleet::Over);
    }
    let commission = if let Some(found) = Commission::find(&fleet.depot, id).await? {
        found
    } else {
        let browser = browser_version(global.chromium.clone(), global.remote.remote()?).await?;
        let manifest = plan.manifest(now(), browser);
        let model = settings.model.clone();
        let new = Commission::new(plan, manifest, suite_name, model, args.fleet.per_site)?;
        new.put(&fleet.depot, Path::new(suite_name)).await?
    };
    let manifest = &commission.manifest;
    if plan.manifest(manifest.created.clone(), manifest.browser.clone()) != *manifest {
        return Err(Failure::new(format!("run `{id}` was begun with another Umpire, and a run has one"))
            .help("`--repeat 1` begins a new one"));
    }
    let run = local_copy(plan, manifest, runs)?;
    let _lock = run.lock().map_err(|error| Failure::new(error.to_string()))?;
    // The run becomes known after what it consists of, so whoever knows of it finds that.
    let roster = commission.roster(plan);
    let new = NewRun { run: id.to_owned(), attempts: roster.len(), needs: args.fleet.needs.clone() };
    fleet.index.open_run(&new, soon()).await.map_err(told)?;
    let steward = Steward::new(fleet.clone(), id, &format!("umpire run {}", std::process::id()));
    let started = Instant::now();
    let mut console = (!global.json).then(|| Console::new(global.colour));
    let (events, mut received) = mpsc::unbounded_channel();
    announce(&fleet, plan, &run, &events).await?;
    let here = Here { fleet: &fleet, run: &run, events };
    let followed = attend(&steward, &roster, here, &mut received, console.as_mut()).await?;
    // Whoever looks after the run next need not wait until this one is missed.
    steward.resign(soon()).await;
    while let Ok(event) = received.try_recv() {
        show(&event, console.as_mut());
    }
    let execution = Execution::of_copy(plan, &run)?;
    let took = started.elapsed();
    let done = RunEvent::Done { run: plan.run.clone(), tally: execution.tally, ms: took.as_millis() as u64 };
    show(&done, console.as_mut());
    match followed {
        Followed::Cancelled => Err(told(FleetError::Cancelled(id.to_owned()))),
        Followed::Stopped => {
            remark(
                "   fleet: the workers go on; the same command follows the run again, and --cancel ends it",
            );
            Ok(OnFleet::Carried(Box::new(Carried { run, execution, took })))
        }
        Followed::ToTheEnd => Ok(OnFleet::Carried(Box::new(Carried { run, execution, took }))),
    }
}

/// Looks after the run and follows it until it has ended or the user has seen enough.
async fn attend(
    steward: &Steward,
    roster: &dyn Roster,
    mut here: Here<'_>,
    received: &mut mpsc::UnboundedReceiver<RunEvent>,
    mut console: Option<&mut Console>,
) -> Result<Followed, Failure> {
    let (stop, stopped) = watch::channel(false);
    let (fleet, id) = (here.fleet, here.run.manifest().run.as_str());
    let following = async {
        let mut tending = std::pin::pin!(steward.tend(roster));
        let mut following = std::pin::pin!(follow(fleet, id, stopped, &mut here));
        tokio::select! {
            followed = &mut following => {
                if matches!(followed, Ok(Followed::ToTheEnd | Followed::Cancelled)) {
                    // What was published just before the end goes with it. Should there be no time, a worker closes
                    // what is done.
                    let _ = tokio::time::timeout(CLOSING, tending).await;
                }
                followed
            }
            tended = &mut tending => match tended {
                Ok(()) => following.await,
                Err(error) => Err(error),
            },
        }
    };
    let mut following = std::pin::pin!(following);
    let mut interrupts = signal(SignalKind::interrupt()).ok();
    loop {
        tokio::select! {
            biased;
            Some(event) = received.recv() => show(&event, console.as_deref_mut()),
            followed = &mut following => return followed.map_err(told),
            () = next(&mut interrupts) => { stop.send_replace(true); }
        }
    }
}

/// What one machine would do alone, and a fleet cannot keep a promise about.
fn refuse_what_is_local(plan: &Plan, args: &RunArgs, settings: &Settings) -> Result<(), Failure> {
    let tapes = &args.models.spending.tapes;
    let refused = [
        (
            settings.budget.is_some(),
            "--budget is for a run on one machine; `budget` in an agent's table limits attempts",
        ),
        (tapes.cassette.is_some(), "--cassette is for a run on one machine"),
        (tapes.model_cache.is_some(), "--model-cache is for a run on one machine"),
        (
            args.shard.is_some(),
            "--shard is for machines that share no server; workers share the run among them",
        ),
        (args.run_seconds.is_some(), "--run-seconds is for a run on one machine; Ctrl-C stops following"),
        (
            plan.request.guard == GuardMode::Ask,
            "--guard ask needs a person at the machine, and workers have none",
        ),
    ];
    match refused.iter().find(|(is_asked, _)| *is_asked) {
        Some((_, problem)) => Err(Failure::new(format!("with --fleet: {problem}"))),
        None => Ok(()),
    }
}

async fn cancel(fleet: &Fleet, run: &str) -> Result<Exit, Failure> {
    let no_such = || told(FleetError::NoSuchRun(run.to_owned()));
    let found = fleet.index.find_run(run, soon()).await.map_err(told)?.ok_or_else(no_such)?;
    if found.state == RunState::Open {
        fleet.index.close_run(run, RunState::Cancelled, soon()).await.map_err(told)?;
    }
    // Also of one that was ended by somebody who did not come to it.
    fleet.queue.close(run, soon()).await.map_err(told)?;
    if found.state == RunState::Open {
        say!("{:>8} run {run}; workers drop what they have of it within seconds", "Stopped");
    } else {
        say!("{:>8} run {run} is {} already", "Stopped", found.state.as_str());
    }
    Ok(Exit::Ok)
}

/// The run's folder here. One that was begun without a fleet is not mixed with one.
fn local_copy(plan: &Plan, manifest: &Manifest, runs: &Runs) -> Result<Run, Failure> {
    let failed = |error: umpire_store::StoreError| Failure::new(error.to_string());
    let run = match runs.find(&plan.run).map_err(failed)? {
        None => runs.create(manifest, plan.instances.iter().map(std::sync::Arc::as_ref)).map_err(failed)?,
        Some(run) => {
            if !run.folder().join(MARK).exists() || run.manifest() != manifest {
                let folder = run.folder().display();
                return Err(Failure::new(format!(
                    "{folder} holds this run, but not as a copy of the fleet's"
                ))
                .help("`--repeat 1` begins a new one; `--runs DIR` keeps the copy elsewhere"));
            }
            run
        }
    };
    let mark = run.folder().join(MARK);
    std::fs::write(&mark, "{\"version\":1}\n")
        .map_err(|error| Failure::new(format!("{}: {error}", mark.display())))?;
    Ok(run)
}

async fn announce(
    fleet: &Fleet,
    plan: &Plan,
    run: &Run,
    events: &mpsc::UnboundedSender<RunEvent>,
) -> Result<(), Failure> {
    let workers = fleet.index.workers(soon()).await.map_err(told)?;
    let jobs =
        workers.iter().filter(|worker| !worker.is_lost).map(|worker| worker.slots).sum::<u64>() as usize;
    let already_finished = plan.units.iter().filter(|unit| is_here(run, &unit.id)).count();
    let _ = events.send(RunEvent::Planned {
        run: plan.run.clone(),
        attempts: plan.units.len(),
        already_finished,
        jobs,
    });
    if jobs == 0 {
        remark(
            "   fleet: no worker is there yet; `umpire worker` joins, on any machine that reaches the same servers",
        );
    }
    Ok(())
}

fn is_here(run: &Run, id: &AttemptId) -> bool {
    matches!(run.attempt(id).status(), Ok(Status::Ended { .. }))
}

/// Brings results here and tells of them.
struct Here<'a> {
    fleet: &'a Fleet,
    run: &'a Run,
    events: mpsc::UnboundedSender<RunEvent>,
}

impl Following for Here<'_> {
    fn begun(&mut self, start: &StartRow) {
        if let Ok(attempt) = start.attempt.parse::<AttemptId>()
            && !is_here(self.run, &attempt)
        {
            let _ = self.events.send(RunEvent::Started { attempt, r#try: 1 });
        }
    }

    async fn ended(&mut self, results: Vec<ResultRow>) -> Result<(), FleetError> {
        let (fleet, run) = (self.fleet, self.run);
        let fetched = results.into_iter().map(|row| async move {
            let id: AttemptId =
                row.attempt.parse().map_err(|error: umpire_model::BadName| FleetError::Malformed {
                    place: "a result in the index".to_owned(),
                    problem: error.to_string(),
                })?;
            if is_here(run, &id) {
                return Ok(None);
            }
            let patience = umpire_model::Deadline::after(fleet.timing.outage);
            fetch(&fleet.depot, run.manifest().run.as_str(), row.ticket, run.folder(), patience).await?;
            Ok::<_, FleetError>(Some((id, row)))
        });
        let mut fetched = stream::iter(fetched).buffer_unordered(FETCHED_AT_ONCE);
        while let Some(arrived) = fetched.try_next().await? {
            let Some((attempt, row)) = arrived else { continue };
            let ResultRow { outcome, reason, ms, steps, .. } = row;
            let _ = self.events.send(RunEvent::Finished { attempt, outcome, reason, ms, steps });
        }
        Ok(())
    }
}
