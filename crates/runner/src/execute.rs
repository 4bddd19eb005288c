//! Carries a plan out with a local pool of workers.
//!
//! Workers share nothing but the queue; what they tell goes through one channel, in order. A worker never lets an
//! attempt escape its deadline, and a panic in one becomes an `infra` try of that attempt alone.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;
use tracing::{Instrument as _, Span};
use umpire_agents::{AgentSpec, Remote};
use umpire_model::{Deadline, Outcome, Verdict};
use umpire_store::{AttemptDir, JournalWriter, Run, Status, StoreError};
use umpire_worlds::miniwob::{Folder, FolderError};

use crate::attempt::{Closing, Setting, run_try};
use crate::entrance::take_turn;
use crate::judge::judge;
use crate::watched::{Watched, run_begun, run_ended, run_span, tried_again};
use crate::{Plan, Progress, RunEvent, Stage, Unit};

/// What an attempt may take beyond its own limit before the harness itself is taken for stuck.
const HARNESS_GRACE: Duration = Duration::from_mins(5);

#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Browser(#[from] umpire_browser::PoolError),
    #[error(
        "run `{run}` was begun with another Umpire or another Chromium, and a run has one of each; `--repeat 1` begins a new one"
    )]
    OtherPlan { run: String },
    #[error("command agents cannot be kept away from the expected answers: {0}")]
    Confinement(String),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("the guard process could not be started: {0}")]
    Guard(#[from] umpire_process::guard::GuardError),
}

/// How far a plan was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Execution {
    pub tally: Progress,
    /// The run's own time was up before all attempts were made.
    pub out_of_time: bool,
    /// What models may cost in the whole run was spent before.
    pub out_of_money: bool,
}

impl Execution {
    /// What the disk says after a run was given up in the middle.
    pub fn abandoned(plan: &Plan, run: &Run) -> Result<Self, ExecuteError> {
        Self::on_disk(plan, run, plan.request.retries)
    }

    /// The same of a copy of a fleet's run: what has ended there is not tried again, however few its tries were.
    pub fn of_copy(plan: &Plan, run: &Run) -> Result<Self, ExecuteError> {
        Self::on_disk(plan, run, 0)
    }

    fn on_disk(plan: &Plan, run: &Run, retries: u32) -> Result<Self, ExecuteError> {
        let mut tally = Progress::default();
        for unit in &plan.units {
            match finished(run, unit, retries)? {
                Some(outcome) => tally.add(outcome),
                None => tally.unfinished += 1,
            }
        }
        Ok(Self { tally, out_of_time: false, out_of_money: false })
    }
}

/// The outcome of an attempt that needs no further try. One that ended without a verdict is judged here.
pub(crate) fn finished(run: &Run, unit: &Unit, retries: u32) -> Result<Option<Outcome>, StoreError> {
    let attempt = run.attempt(&unit.id);
    let Status::Ended { verdict, .. } = attempt.status()? else {
        return Ok(None);
    };
    let verdict = match verdict {
        Some(verdict) => verdict,
        None => judge(&attempt, &unit.instance, run)?,
    };
    let another = verdict.outcome == Outcome::Infra && ended_tries(&attempt)? <= retries;
    Ok((!another).then_some(verdict.outcome))
}

/// Tries that came to an end. Only an `infra` one is followed by another, so they count the retries; a try that was
/// interrupted from outside is none of them.
fn ended_tries(attempt: &AttemptDir) -> Result<u32, StoreError> {
    Ok(attempt.tries()?.iter().filter(|one| one.end.is_some()).count() as u32)
}

struct Work {
    queue: Mutex<Queue>,
    /// An account became free.
    freed: Notify,
    run: Run,
    setting: Arc<Setting>,
    retries: u32,
    deadline: Option<Deadline>,
    stop: watch::Receiver<bool>,
    out_of_time: AtomicBool,
    out_of_money: AtomicBool,
}

/// Runs what is not finished yet. Returns when all is done, or when `stop` turned true and the attempts under way
/// have ended.
pub async fn execute(
    plan: &Plan,
    run: &Run,
    stage: &Arc<Stage>,
    jobs: usize,
    deadline: Option<Deadline>,
    stop: watch::Receiver<bool>,
    events: mpsc::UnboundedSender<RunEvent>,
) -> Result<Execution, ExecuteError> {
    let _lock = run.lock()?;
    if plan.units.iter().any(|unit| matches!(unit.agent, AgentSpec::Command(_))) {
        stage.try_confinement().await?;
    }
    stage.options.models.count_earlier(run, &plan.units)?;
    let mut tally = Progress::default();
    let mut queue = VecDeque::new();
    for unit in &plan.units {
        match finished(run, unit, plan.request.retries)? {
            Some(outcome) => tally.add(outcome),
            None => queue.push_back(unit.clone()),
        }
    }
    let _ = events.send(RunEvent::Planned {
        run: plan.run.clone(),
        attempts: plan.units.len(),
        already_finished: tally.finished(),
        jobs,
    });
    run_begun(plan, tally.finished(), jobs);
    stage.pool.expect_seats(queue.len());
    let work = Arc::new(Work {
        queue: Mutex::new(Queue {
            units: queue,
            shares_accounts: plan.suite.file.world != "built-in",
            busy: BTreeSet::new(),
        }),
        freed: Notify::new(),
        run: run.clone(),
        setting: Arc::new(setting(plan, stage, events)?),
        retries: plan.request.retries,
        deadline,
        stop,
        out_of_time: AtomicBool::new(false),
        out_of_money: AtomicBool::new(false),
    });
    let span = run_span(plan);
    let mut workers = JoinSet::new();
    for _ in 0..jobs.max(1) {
        workers.spawn(worker(Arc::clone(&work)).instrument(span.clone()));
    }
    let mut failure = None;
    while let Some(joined) = workers.join_next().await {
        match joined {
            Ok(Ok(finished)) => finished.into_iter().for_each(|outcome| tally.add(outcome)),
            Ok(Err(error)) => failure = Some(error),
            // A worker only panics outside of an attempt; its unfinished attempts are resumable.
            Err(_) => {}
        }
    }
    if let Some(error) = failure {
        return Err(error.into());
    }
    tally.unfinished = plan.units.len() - tally.finished();
    run_ended(&plan.run, tally);
    Ok(Execution {
        tally,
        out_of_time: work.out_of_time.load(Ordering::Relaxed),
        out_of_money: work.out_of_money.load(Ordering::Relaxed),
    })
}

/// What all attempts of a plan share.
pub(crate) fn setting(
    plan: &Plan,
    stage: &Arc<Stage>,
    events: mpsc::UnboundedSender<RunEvent>,
) -> Result<Setting, FolderError> {
    Ok(Setting {
        stage: Arc::clone(stage),
        run_seed: plan.request.seed,
        world_seed: (plan.suite.file.world == "built-in").then_some(plan.suite.file.seed),
        folder: plan.suite.file.folder.as_ref().map(Folder::of_suite).transpose()?.map(Arc::new),
        hosts: plan.hosts.clone(),
        limits: plan.request.limits,
        sessions: Arc::clone(&plan.sessions),
        today: plan.today,
        events,
    })
}

async fn worker(work: Arc<Work>) -> Result<Vec<Outcome>, StoreError> {
    let mut outcomes = Vec::new();
    while let Some(unit) = work.next_unit().await {
        let started = Instant::now();
        let in_use = InUse { work: &work, unit: &unit };
        let watched = Watched::begin(&work.run.manifest().run, &Span::current(), &unit.id);
        let attempted = attempt(&work, &unit).instrument(watched.span()).await;
        drop(in_use);
        // One that was not carried out may be followed by others that can be.
        let Some((outcome, reason, steps)) = attempted? else { continue };
        watched.ended(outcome, steps);
        drop(watched);
        let ms = started.elapsed().as_millis() as u64;
        let _ = work.setting.events.send(RunEvent::Finished { attempt: unit.id, outcome, reason, ms, steps });
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// Attempts to be made, and the accounts that attempts under way use.
struct Queue {
    units: VecDeque<Unit>,
    /// Whether two attempts with one account would meet: not where each has a world of its own.
    shares_accounts: bool,
    busy: BTreeSet<String>,
}

impl Queue {
    /// The first attempt whose account nobody uses.
    fn take(&mut self) -> Option<Unit> {
        let is_free =
            |unit: &Unit| unit.instance.account.as_ref().is_none_or(|account| !self.busy.contains(account));
        let at = self.units.iter().position(is_free)?;
        let unit = self.units.remove(at)?;
        if self.shares_accounts {
            self.busy.extend(unit.instance.account.clone());
        }
        Some(unit)
    }
}

/// An attempt's use of its account; ends with it, however that ends.
struct InUse<'a> {
    work: &'a Work,
    unit: &'a Unit,
}

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        if let Some(account) = &self.unit.instance.account {
            self.work.queue().busy.remove(account);
            self.work.freed.notify_waiters();
        }
    }
}

impl Work {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next attempt, once there is one whose account is free; none, if there is nothing left to begin.
    async fn next_unit(&self) -> Option<Unit> {
        loop {
            let freed = self.freed.notified();
            if *self.stop.borrow() {
                return None;
            }
            if self.deadline.is_some_and(Deadline::passed) {
                self.out_of_time.store(true, Ordering::Relaxed);
                return None;
            }
            {
                let mut queue = self.queue();
                if self.setting.stage.options.models.is_spent() {
                    // Those that ask no model can still run.
                    let before = queue.units.len();
                    queue.units.retain(|unit| !unit.agent.asks_models());
                    if queue.units.len() < before {
                        self.out_of_money.store(true, Ordering::Relaxed);
                    }
                }
                if let Some(unit) = queue.take() {
                    return Some(unit);
                }
                if queue.units.is_empty() {
                    return None;
                }
            }
            // Whoever uses the account frees it at the latest when its own attempt is out of time.
            freed.await;
        }
    }

    /// Ends when the whole run's time is up; never, if it has no limit.
    async fn time_is_up(&self) {
        match self.deadline {
            Some(deadline) => tokio::time::sleep_until(deadline.at().into()).await,
            None => std::future::pending().await,
        }
        self.out_of_time.store(true, Ordering::Relaxed);
    }
}

/// Tries until a try is not `infra` or the retries are used up, then judges. `None` if the run's time was up before.
async fn attempt(work: &Arc<Work>, unit: &Unit) -> Result<Option<(Outcome, String, u32)>, StoreError> {
    loop {
        let number = work.run.attempt(&unit.id).tries()?.len() as u32 + 1;
        let _ = work.setting.events.send(RunEvent::Started { attempt: unit.id.clone(), r#try: number });
        let trying = one_try(&work.run, &work.setting, unit, number, None);
        let tried = tokio::select! {
            tried = trying => tried?,
            // The try has no end then, as if the runner had been killed, and resuming runs it again.
            () = work.time_is_up() => return Ok(None),
        };
        if work.setting.stage.options.models.ended_by_run(&tried.closing) {
            // The run has no money left, which says nothing about the attempt.
            work.out_of_money.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        let (steps, verdict, so_far) = close(work.run.clone(), unit.clone(), tried).await?;
        if verdict.outcome != Outcome::Infra || so_far > work.retries {
            return Ok(Some((verdict.outcome, verdict.reason, steps)));
        }
        let reason = verdict.reason;
        tried_again(&unit.id, number);
        let _ =
            work.setting.events.send(RunEvent::Retrying { attempt: unit.id.clone(), r#try: number, reason });
    }
}

/// Writes the try's last line and its verdict, and gives back the steps, the verdict and the tries so far. Waiting for
/// the disk is not for the threads that all other attempts are served by.
pub(crate) async fn close(run: Run, unit: Unit, tried: Tried) -> Result<(u32, Verdict, u32), StoreError> {
    let closing = tokio::task::spawn_blocking(move || {
        let attempt = run.attempt(&unit.id);
        let steps = tried.write()?;
        let verdict = judge(&attempt, &unit.instance, &run)?;
        Ok((steps, verdict, ended_tries(&attempt)?))
    });
    match closing.await {
        Ok(closed) => closed,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => unreachable!("nobody cancels it"),
        },
    }
}

/// A try that is over, but for its last line.
pub(crate) struct Tried {
    pub(crate) closing: Closing,
    journal: Arc<JournalWriter>,
}

impl Tried {
    /// Writes how it ended; returns its steps.
    pub fn write(self) -> Result<u32, StoreError> {
        let steps = self.closing.steps;
        self.closing.write(&self.journal)?;
        Ok(steps)
    }
}

/// One try in a task of its own, so that a panic or a hang in it stays its own. Its clock starts when its account is free.
pub(crate) async fn one_try(
    run: &Run,
    setting: &Arc<Setting>,
    unit: &Unit,
    number: u32,
    remote: Option<Remote>,
) -> Result<Tried, StoreError> {
    let journal = Arc::new(run.attempt(&unit.id).writer(setting.stage.redactor())?);
    let turn = take_turn(setting, unit).await;
    let limit = Duration::from_secs(setting.limits.seconds) + HARNESS_GRACE;
    let mut task = {
        let (setting, unit, journal) = (Arc::clone(setting), unit.clone(), Arc::clone(&journal));
        let trying = async move { run_try(&setting, &unit, number, turn, remote, &journal).await };
        // A task of its own is outside of the span it was begun in.
        AbortOnDrop(tokio::spawn(trying.in_current_span()))
    };
    let closing = match tokio::time::timeout(limit, &mut task.0).await {
        Ok(Ok(closing)) => closing,
        Ok(Err(panic)) => Closing::infra(format!("the harness broke: {panic}")),
        Err(_) => Closing::infra("the harness did not end the attempt in time"),
    };
    drop(task);
    Ok(Tried { closing, journal })
}

/// A try that is given up must not go on acting behind our back.
struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use umpire_model::{EventBody, Evidence as _, Redactor};
    use umpire_store::Runs;

    use super::*;
    use crate::{PlanRequest, load_suite, now};

    #[test]
    fn what_a_fleet_gave_up_at_its_first_try_has_ended_in_the_copy() {
        let folder = tempfile::tempdir().expect("temp");
        let request = PlanRequest { retries: 2, ..PlanRequest::of(&["oracle"]) };
        let plan = Plan::build(load_suite("smoke").expect("built in"), request).expect("a plan");
        let manifest = plan.manifest(now(), "Chromium/1".to_owned());
        let run = Runs::new(folder.path()).create(&manifest, plan.instances.iter().map(Arc::as_ref));
        let run = run.expect("a new run");
        let unit = &plan.units[0];
        let journal = run.attempt(&unit.id).writer(Redactor::default()).expect("a writer");
        journal.event(EventBody::Started {
            attempt: unit.id.clone(),
            r#try: 1,
            instance: unit.instance.digest(),
            at: now(),
            browser: manifest.browser.clone(),
            remote: None,
            viewport: manifest.viewport,
        });
        Closing::infra("given up").write(&journal).expect("on disk");
        let all = plan.units.len();
        let here = Execution::abandoned(&plan, &run).expect("readable").tally;
        assert_eq!((here.infra, here.unfinished), (0, all), "here it would be tried again");
        let copied = Execution::of_copy(&plan, &run).expect("readable").tally;
        assert_eq!((copied.infra, copied.unfinished), (1, all - 1), "there it is not");
    }
}
