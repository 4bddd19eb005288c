//! Servers for one test, and what every test does with them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use umpire_fleet::{
    Addresses, Capacity, Fleet, FleetError, Followed, Following, Kept, Leave, NewRun, ResultRow, Scratch,
    Steward, Timing, Voice, Worker, WorkerOptions, follow,
};
use umpire_model::Deadline;

use crate::servers::Server;
use crate::simulated::{SimCrew, SimPlan};

/// Seconds become tenths.
pub const QUICK: Timing = Timing {
    lease: Duration::from_millis(1500),
    poll: Duration::from_millis(100),
    pull: Duration::from_millis(300),
    busy: Duration::from_millis(50),
    straggle: Duration::from_secs(1),
    outage: Duration::from_mins(1),
};

/// The same where signs of life must not be missed although the machine is busy.
pub const EASY: Timing = Timing { lease: Duration::from_secs(5), ..QUICK };

pub struct Ground {
    pub nats: Server,
    pub postgres: Server,
    pub folder: TempDir,
}

impl Ground {
    /// None where the servers are not installed.
    pub fn start() -> Option<Self> {
        let (nats, postgres) = (Server::nats()?, Server::postgres()?);
        Some(Self { nats, postgres, folder: TempDir::new().expect("temp") })
    }

    pub fn addresses(&self) -> Addresses {
        self.addresses_at(self.nats.port(), self.postgres.port())
    }

    /// The same servers behind other ports.
    pub fn addresses_at(&self, nats: u16, postgres: u16) -> Addresses {
        Addresses {
            queue: format!("nats://127.0.0.1:{nats}"),
            index: format!("postgres://umpire@127.0.0.1:{postgres}/postgres"),
            store: format!("file://{}", self.folder.path().join("depot").display()),
        }
    }

    pub async fn fleet(&self) -> Fleet {
        connect(&self.addresses()).await
    }

    pub fn scratch(&self) -> PathBuf {
        self.folder.path().join("scratch")
    }
}

pub async fn connect(addresses: &Addresses) -> Fleet {
    connect_with(addresses, QUICK).await
}

pub async fn connect_with(addresses: &Addresses, timing: Timing) -> Fleet {
    let give_up = Deadline::after(Duration::from_mins(2));
    loop {
        let voice = Voice::new(|text| println!("{text}"));
        match Fleet::connect(addresses, "test", timing, voice).await {
            Ok(fleet) => return fleet,
            // Its limit is for a wrong address, not for a machine that starts forty processes at once.
            Err(FleetError::OutOfPatience { .. }) if !give_up.passed() => {}
            Err(error) => panic!("all three are there: {error}"),
        }
    }
}

/// Waits until so many workers take from a run, and all of them know that of each other.
pub async fn served(ground: &Ground, run: &str, by: i64) {
    let index = sqlx::PgPool::connect(&ground.addresses().index).await.expect("there");
    let counting = async {
        loop {
            let asking = sqlx::query_scalar("select count(*) from fleet_workers where $1 = any(serves)");
            let count: i64 = asking.bind(run).fetch_one(&index).await.expect("asked");
            if count >= by {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), counting).await.expect("all take part");
}

/// Everything the index knows of who began an attempt: the worker, its name, and whether it was given back or came second.
pub async fn starts_of(ground: &Ground, run: &str, attempt: &str) -> Vec<(String, String, bool)> {
    let index = sqlx::PgPool::connect(&ground.addresses().index).await.expect("there");
    let asking = sqlx::query_as(
        "select s.worker, w.name, s.ended is not null from fleet_starts s join fleet_workers w using (worker)
         where run = $1 and attempt = $2 order by s.seq",
    );
    asking.bind(run).bind(attempt).fetch_all(&index).await.expect("asked")
}

/// The attempts that letters tell of, with the reasons.
pub async fn letters(ground: &Ground, run: &str) -> BTreeMap<String, String> {
    let client = async_nats::connect(&ground.addresses().queue).await.expect("there");
    let stream = async_nats::jetstream::new(client).get_stream("UMPIRE_DEAD").await.expect("there");
    let mut told = BTreeMap::new();
    let state = stream.cached_info().state.clone();
    for number in state.first_sequence..=state.last_sequence {
        let Ok(letter) = stream.get_raw_message(number).await else { continue };
        let letter: serde_json::Value = serde_json::from_slice(&letter.payload).expect("json");
        let text = |field: &str| letter[field].as_str().expect("a text").to_owned();
        if text("run") == run {
            told.insert(text("attempt"), text("reason"));
        }
    }
    told
}

pub fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

/// Makes a run known, without publishing any of it.
pub async fn announce(fleet: &Fleet, plan: &SimPlan) {
    plan.put(fleet).await;
    let new = NewRun { run: plan.run.clone(), attempts: plan.roster().len(), needs: Vec::new() };
    fleet.index.open_run(&new, soon()).await.expect("known");
}

pub struct Working {
    pub id: String,
    pub leave: watch::Sender<Leave>,
    pub task: JoinHandle<Result<Vec<Kept>, FleetError>>,
}

impl Working {
    /// What it kept.
    pub async fn dismiss(self, how: Leave) -> Vec<Kept> {
        self.leave.send_replace(how);
        self.task.await.expect("it did not panic").expect("it left in order")
    }
}

/// A worker in this process.
pub async fn worker(ground: &Ground, name: &str, slots: usize) -> Working {
    labelled_worker(ground, name, slots, &[]).await
}

/// The same with a timing of its own.
pub async fn worker_with(ground: &Ground, name: &str, slots: usize, timing: Timing) -> Working {
    working(connect_with(&ground.addresses(), timing).await, options(&ground.scratch(), name, slots))
}

pub async fn labelled_worker(ground: &Ground, name: &str, slots: usize, labels: &[&str]) -> Working {
    let capacity =
        Capacity { labels: labels.iter().map(|label| (*label).to_owned()).collect(), ..Capacity::default() };
    working(ground.fleet().await, WorkerOptions { capacity, ..options(&ground.scratch(), name, slots) })
}

pub fn options(scratch: &Path, name: &str, slots: usize) -> WorkerOptions {
    WorkerOptions {
        name: name.to_owned(),
        slots,
        capacity: Capacity::default(),
        scratch: Scratch::below(scratch).expect("made"),
        drain_within: Duration::from_mins(1),
    }
}

pub fn working(fleet: Fleet, options: WorkerOptions) -> Working {
    let worker = Worker::new(fleet, Arc::new(SimCrew), options);
    let (leave, left) = watch::channel(Leave::Stay);
    let id = worker.id().to_owned();
    let task = tokio::spawn(async move { worker.work(left).await });
    Working { id, leave, task }
}

/// Who looks after the run while it is followed.
pub fn steward(fleet: &Fleet, plan: &SimPlan) -> JoinHandle<()> {
    let (steward, roster) = (Steward::new(fleet.clone(), &plan.run, "the planner"), plan.roster());
    tokio::spawn(async move { steward.tend(&roster).await.expect("looked after") })
}

/// Everything that was told of a run.
#[derive(Clone, Default)]
pub struct Told(pub Arc<Mutex<BTreeMap<String, ResultRow>>>);

impl Following for Told {
    async fn ended(&mut self, results: Vec<ResultRow>) -> Result<(), FleetError> {
        let mut told = self.0.lock().expect("nobody panics");
        for row in results {
            let twice = told.insert(row.attempt.clone(), row);
            assert!(twice.is_none(), "told twice: {twice:?}");
        }
        Ok(())
    }
}

/// Follows to the end, or fails after `limit`.
pub async fn followed(fleet: &Fleet, run: &str, limit: Duration) -> BTreeMap<String, ResultRow> {
    let mut told = Told::default();
    let (_stop, stopped) = watch::channel(false);
    let following = tokio::time::timeout(limit, follow(fleet, run, stopped, &mut told)).await;
    let rows = told.0.lock().expect("nobody panics").clone();
    let Ok(end) = following else { panic!("only {} attempts of {run} ended within {limit:?}", rows.len()) };
    assert_eq!(end.expect("followed"), Followed::ToTheEnd);
    rows
}
