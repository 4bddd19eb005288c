//! A machine that takes part. It takes from all runs in turn, as much as it has room for, until it is told to leave.

use std::collections::{BTreeSet, HashMap};
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use umpire_model::{Deadline, Outcome};

use crate::adoption::adopt;
use crate::delivery::{COURTESY, Dealt, Delivery};
use crate::index::RunRow;
use crate::kept::hand_in_what_is_kept;
use crate::patience::jittered;
use crate::pulse::{Pulse, Stop};
use crate::shipment::Shipped;
use crate::{Crew, Delivered, Fleet, FleetError, Job, Kept, Refusal, Scratch};

/// For the last word of one that leaves.
const FAREWELL: Duration = Duration::from_secs(3);
/// For giving back what is in hand when there is no more time to end it.
const GIVING_BACK: Duration = COURTESY.saturating_mul(3);
/// So many failures in a row are the machine's fault, not the attempts'.
const MOST_MISFORTUNES: u32 = 5;
/// Taken at a time at most, so that one with many places does not empty the queue for all others.
const TAKEN_AT_ONCE: usize = 16;

/// What a machine has to offer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Capacity {
    pub cores: usize,
    pub memory_mb: u64,
    pub browsers: Vec<String>,
    pub labels: Vec<String>,
    pub umpire: String,
}

#[derive(Clone, Debug)]
pub struct WorkerOptions {
    pub name: String,
    /// Attempts at a time.
    pub slots: usize,
    pub capacity: Capacity,
    /// For what is recorded until it is handed in.
    pub scratch: Arc<Scratch>,
    /// What has not ended so long after the worker was told to leave is given back.
    pub drain_within: Duration,
}

/// How urgently a worker is to leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leave {
    #[default]
    Stay,
    /// Nothing new is taken; what is in hand is ended.
    WhenDone,
    /// What is in hand is given back.
    AtOnce,
}

/// One run as this worker sees it.
enum Part {
    Joined {
        job: Arc<dyn Job>,
        shipped: Arc<Shipped>,
    },
    /// Until then it is not asked again; for good, if there is no such moment.
    Refused {
        until: Option<Instant>,
    },
}

/// A run that this worker takes from.
type Served = (String, Arc<dyn Job>, Arc<Shipped>);

pub struct Worker {
    fleet: Fleet,
    crew: Arc<dyn Crew>,
    options: WorkerOptions,
    labels: BTreeSet<String>,
    pulse: Arc<Pulse>,
    places: Arc<Semaphore>,
    parts: Mutex<HashMap<String, Part>>,
    /// A run is joined once, whoever needs it first.
    joining: tokio::sync::Mutex<()>,
    /// Attempts in a row that came to nothing here.
    misfortunes: AtomicU32,
    /// Which run is first next time.
    turn: AtomicU32,
}

impl Worker {
    pub fn new(fleet: Fleet, crew: Arc<dyn Crew>, options: WorkerOptions) -> Arc<Self> {
        let capacity = serde_json::to_value(&options.capacity).unwrap_or_default();
        let pulse = Pulse::new(fleet.clone(), options.name.clone(), capacity, options.slots);
        Arc::new(Self {
            labels: options.capacity.labels.iter().cloned().collect(),
            places: Arc::new(Semaphore::new(options.slots.max(1))),
            parts: Mutex::default(),
            joining: tokio::sync::Mutex::default(),
            misfortunes: AtomicU32::new(0),
            turn: AtomicU32::new(0),
            fleet,
            crew,
            options,
            pulse,
        })
    }

    /// Its name in the index: another one each time it starts.
    pub fn id(&self) -> &str {
        &self.pulse.worker
    }

    /// Works until it is told to leave. Returns when nothing is in hand any more, with what has ended here and could not be
    /// handed in.
    pub async fn work(self: &Arc<Self>, leave: watch::Receiver<Leave>) -> Result<Vec<Kept>, FleetError> {
        let scratch = &self.options.scratch;
        let joined = tokio::select! {
            joined = self.pulse.join(self.fleet.patience()) => joined,
            () = told(leave.clone(), Leave::WhenDone) => return Ok(scratch.kept()),
        };
        if !joined {
            let problem = "it did not hear of this worker".to_owned();
            return Err(FleetError::OutOfPatience { what: "the index", problem });
        }
        let mut beside = JoinSet::new();
        beside.spawn({
            let pulse = Arc::clone(&self.pulse);
            async move { pulse.go_on().await }
        });
        beside.spawn(adopt(Arc::clone(self)));
        beside.spawn(hand_in_what_is_kept(self.fleet.clone(), Arc::clone(scratch)));
        let mut under_way = JoinSet::new();
        {
            let mut working = pin!(async {
                self.take_until_told(&leave, &mut under_way).await;
                self.pulse.serve(Vec::new());
                all_ended(&mut under_way).await;
            });
            tokio::select! {
                () = &mut working => {}
                () = overdue(leave.clone(), self.options.drain_within) => {
                    self.pulse.stop_all(Stop::Leaving);
                    // What was just being taken is given back with the rest.
                    let _ = tokio::time::timeout(GIVING_BACK, working).await;
                }
            }
        }
        under_way.shutdown().await;
        beside.shutdown().await;
        let _ = tokio::join!(
            self.pulse.leave(Deadline::after(FAREWELL)),
            tokio::time::timeout(FAREWELL, self.fleet.queue.flush())
        );
        Ok(scratch.kept())
    }

    async fn take_until_told(self: &Arc<Self>, leave: &watch::Receiver<Leave>, under_way: &mut JoinSet<()>) {
        loop {
            // What has ended is not waited for, only forgotten.
            while under_way.try_join_next().is_some() {}
            let found = async {
                let places = self.free_places().await;
                (places, self.runs_to_serve().await)
            };
            // What was asked of the queue is not dropped half-way: it would be nobody's until its lease is over.
            let taken = tokio::select! {
                biased;
                () = told(leave.clone(), Leave::WhenDone) => return,
                (places, runs) = found => match runs {
                    Ok(runs) => {
                        self.take_and_begin(places, &runs, under_way).await;
                        Ok(runs.is_empty())
                    }
                    Err(error) => Err(error),
                },
            };
            let is_idle = taken.unwrap_or_else(|error| {
                self.fleet.voice.say(&error.to_string());
                true
            });
            if is_idle {
                tokio::select! {
                    () = told(leave.clone(), Leave::WhenDone) => return,
                    () = tokio::time::sleep(jittered(self.fleet.timing.poll)) => {}
                }
            }
        }
    }

    /// At least one, when there is one.
    async fn free_places(&self) -> Vec<OwnedSemaphorePermit> {
        let rest = self.misfortunes.load(Ordering::Relaxed) >= MOST_MISFORTUNES;
        if rest {
            tokio::time::sleep(self.fleet.timing.lease).await;
        }
        let Ok(first) = Arc::clone(&self.places).acquire_owned().await else {
            return std::future::pending().await;
        };
        let mut places = vec![first];
        while !rest
            && places.len() < TAKEN_AT_ONCE
            && let Ok(next) = Arc::clone(&self.places).try_acquire_owned()
        {
            places.push(next);
        }
        places
    }

    async fn take_and_begin(
        self: &Arc<Self>,
        mut places: Vec<OwnedSemaphorePermit>,
        runs: &[Served],
        under_way: &mut JoinSet<()>,
    ) {
        let first = self.turn.fetch_add(1, Ordering::Relaxed) as usize % runs.len().max(1);
        for place in 0..runs.len() {
            let (run, job, shipped) = &runs[(first + place) % runs.len()];
            // The last one asked is waited for, else an idle worker would ask without end.
            let wait = (place + 1 == runs.len()).then_some(self.fleet.timing.pull);
            let Ok(taken) = self.fleet.queue.take(run, places.len(), wait).await else {
                tokio::time::sleep(jittered(self.fleet.timing.busy)).await;
                continue;
            };
            if taken.is_empty() {
                continue;
            }
            for delivered in taken {
                let Some(place) = places.pop() else {
                    delivered.give_back(Duration::ZERO).await;
                    continue;
                };
                let delivery = Delivery {
                    fleet: self.fleet.clone(),
                    pulse: Arc::clone(&self.pulse),
                    job: Arc::clone(job),
                    shipped: Arc::clone(shipped),
                    scratch: Arc::clone(&self.options.scratch),
                };
                let worker = Arc::clone(self);
                under_way.spawn(async move { worker.carry_out(delivery, delivered, place).await });
            }
            break;
        }
    }

    async fn carry_out(&self, delivery: Delivery, delivered: Delivered, _place: OwnedSemaphorePermit) {
        match delivery.deal_with(delivered).await {
            Dealt::Passed | Dealt::Kept(None) => {}
            Dealt::Ended(outcome) if outcome != Outcome::Infra => {
                if self.misfortunes.swap(0, Ordering::Relaxed) >= MOST_MISFORTUNES {
                    self.pulse.note("");
                }
            }
            Dealt::Ended(_) => self.misfortune("attempts end as infra here"),
            Dealt::Kept(Some(problem)) | Dealt::Failed(problem) => {
                self.fleet.voice.say(&problem);
                self.misfortune(&problem);
            }
        }
    }

    /// A machine that breaks everything it touches must not go through the whole queue.
    fn misfortune(&self, problem: &str) {
        if self.misfortunes.fetch_add(1, Ordering::Relaxed) + 1 == MOST_MISFORTUNES {
            let note = format!("takes one at a time after {MOST_MISFORTUNES} failures in a row: {problem}");
            self.fleet.voice.say(&note);
            self.pulse.note(&note);
        }
    }

    /// Open runs that this worker has joined or can join now.
    async fn runs_to_serve(&self) -> Result<Vec<Served>, FleetError> {
        let open = self.fleet.index.open_runs(Deadline::after(self.fleet.timing.lease)).await?;
        {
            let is_open = |run: &String| open.iter().any(|row| row.run == *run);
            self.parts().retain(|run, _| is_open(run));
        }
        let mut served = Vec::new();
        for row in open.iter().filter(|row| row.needs.iter().all(|need| self.labels.contains(need))) {
            if let Some((job, shipped)) = self.part_in(row).await {
                served.push((row.run.clone(), job, shipped));
            }
        }
        self.pulse.serve(served.iter().map(|(run, ..)| run.clone()).collect());
        Ok(served)
    }

    pub(crate) async fn job(&self, row: &RunRow) -> Option<Arc<dyn Job>> {
        Some(self.part_in(row).await?.0)
    }

    async fn part_in(&self, row: &RunRow) -> Option<(Arc<dyn Job>, Arc<Shipped>)> {
        let _alone = self.joining.lock().await;
        match self.parts().get(&row.run) {
            Some(Part::Joined { job, shipped }) => return Some((Arc::clone(job), Arc::clone(shipped))),
            Some(Part::Refused { until }) if until.is_none_or(|until| Instant::now() < until) => return None,
            _ => {}
        }
        match self.crew.join(&row.run, &self.fleet).await {
            Ok(job) => {
                let shipped = Arc::<Shipped>::default();
                let part = Part::Joined { job: Arc::clone(&job), shipped: Arc::clone(&shipped) };
                self.parts().insert(row.run.clone(), part);
                Some((job, shipped))
            }
            Err(refusal) => {
                let until = match &refusal {
                    Refusal::Lasting(_) => None,
                    Refusal::Passing(_) => Some(Instant::now() + self.fleet.timing.lease),
                };
                let note = format!("takes no part in {}: {refusal}", row.run);
                self.fleet.voice.say(&note);
                self.pulse.note(&note);
                self.parts().insert(row.run.clone(), Part::Refused { until });
                None
            }
        }
    }

    pub(crate) fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    fn parts(&self) -> MutexGuard<'_, HashMap<String, Part>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends when the worker is told to leave at least so urgently.
async fn told(mut leave: watch::Receiver<Leave>, how: Leave) {
    if leave.wait_for(|told| *told >= how).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Ends when what is in hand can be waited for no longer.
async fn overdue(leave: watch::Receiver<Leave>, drain_within: Duration) {
    let draining = async {
        told(leave.clone(), Leave::WhenDone).await;
        tokio::time::sleep(drain_within).await;
    };
    tokio::select! {
        () = draining => {}
        () = told(leave.clone(), Leave::AtOnce) => {}
    }
}

async fn all_ended(under_way: &mut JoinSet<()>) {
    while under_way.join_next().await.is_some() {}
}
