//! Many workers and very many attempts, through the real planner and the real servers, with attempts that only wait. Started
//! by `cargo xtask simulate` and `cargo xtask bench fleet`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use umpire_fleet::{
    Assignment, Capacity, Crew, Ended, Fleet, FleetError, Following, Job, JobError, Kept, Leave, NewRun,
    Refusal, ResultRow, Roster, Scratch, Steward, Timing, Voice, Worker, WorkerOptions, follow,
};
use umpire_model::Outcome;

use crate::ground::{Ground, soon};

/// Connections that all simulated workers share: one for as many as a rack may have.
const CONNECTIONS: usize = 8;
/// Real attempts take half a minute; so do these, a hundred times faster.
const MEAN: Duration = Duration::from_millis(300);
/// One attempt in a hundred takes so many times longer.
const SLOW: u32 = 10;
/// For the benchmark: machines, and attempts at a time on each.
const MACHINES: usize = 32;
const PLACES: usize = 16;
/// What the benchmark must reach on two cores.
const MOST_OVERHEAD_MS: f64 = 5.0;
const LEAST_RATE: f64 = 5_000.0;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask simulate"]
async fn simulate() {
    let number = |name: &str, otherwise: usize| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (attempts, workers) =
        (number("UMPIRE_SIMULATE_ATTEMPTS", 20_000), number("UMPIRE_SIMULATE_WORKERS", 200));
    let deaths_a_second = number("UMPIRE_SIMULATE_DEATHS", 2);
    let ground = Ground::start().expect("nats-server and PostgreSQL are installed");
    let in_memory = in_memory();
    let scratch = Scratch::below(in_memory.path()).expect("made");
    let mut fleets = Vec::new();
    for _ in 0..CONNECTIONS {
        fleets.push(real_time(&ground).await);
    }
    // Three small runs come after the large one, and must not wait for it.
    let small = attempts / 100;
    let runs = [("large", attempts - 3 * small), ("small-1", small), ("small-2", small), ("small-3", small)];
    let mut crowd: Vec<Simulated> = Vec::new();
    for number in 0..workers {
        crowd.push(Simulated::start(&fleets[number % CONNECTIONS], number, 1, MEAN, &scratch));
    }
    let began = Instant::now();
    let mut following = Vec::new();
    for (name, count) in runs {
        following.push((name, count, tokio::spawn(seen_through(fleets[0].clone(), name, count))));
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    // Workers die as they do on rented machines, and others come.
    let mut dice = fastrand::Rng::with_seed(1);
    let mut died = 0;
    while following.iter().any(|(_, _, task)| !task.is_finished()) {
        tokio::time::sleep(Duration::from_secs(1)).await;
        for _ in 0..deaths_a_second {
            let unlucky = dice.usize(0..workers);
            crowd[unlucky] = Simulated::start(&fleets[unlucky % CONNECTIONS], unlucky, 1, MEAN, &scratch);
            died += 1;
        }
    }
    let took = began.elapsed();
    println!("{attempts} attempts, {workers} workers, {died} of them died, {:.1} s", took.as_secs_f64());
    println!(
        "  throughput      {:8.0} attempts/s (the workers could do {:.0})",
        attempts as f64 / took.as_secs_f64(),
        rate_of(workers)
    );
    let mut per_worker: BTreeMap<String, usize> = BTreeMap::new();
    for (name, count, task) in following {
        let Seen { rows, times } = task.await.expect("followed");
        assert_eq!(rows.len(), count, "every attempt of {name} ended once");
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64();
        let dead = rows.values().filter(|row| row.is_dead).count();
        let starts = count_starts(&fleets[0], name).await;
        println!(
            "  {name:9} {count:>8} ended after {:6.1} s; the last hundredth took {:5.1} s; {} begun more than once, {dead} given up",
            at(1.0),
            at(1.0) - at(0.99),
            starts - count
        );
        for row in rows.values() {
            *per_worker.entry(row.worker.clone()).or_default() += 1;
        }
    }
    let counts: Vec<f64> = per_worker.values().map(|count| *count as f64).collect();
    let (sum, squares) = (counts.iter().sum::<f64>(), counts.iter().map(|count| count * count).sum::<f64>());
    println!(
        "  fairness        {:8.3} among workers (Jain; 1 is even)",
        sum * sum / (counts.len() as f64 * squares)
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask bench fleet"]
async fn bench() {
    let ground = Ground::start().expect("nats-server and PostgreSQL are installed");
    let fleet = real_time(&ground).await;
    let in_memory = in_memory();
    let scratch = Scratch::below(in_memory.path()).expect("made");
    // One worker, one at a time, attempts that take nothing: what is left is the fleet's own.
    let lone = Simulated::start(&fleet, 0, 1, Duration::ZERO, &scratch);
    let count = 2000;
    let Seen { times, .. } = seen_through(fleet.clone(), "lone", count).await;
    let overhead = followed_ms(&times, count);
    println!(
        "overhead of the queue, one attempt at a time: {overhead:.2} ms an attempt (wanted: < {MOST_OVERHEAD_MS})"
    );
    drop(lone);
    let mut crowd = Vec::new();
    for number in 0..MACHINES {
        crowd.push(Simulated::start(&fleet, number, PLACES, Duration::ZERO, &scratch));
    }
    let count = 50_000;
    let began = Instant::now();
    let Seen { rows: ended, .. } = seen_through(fleet.clone(), "crowd", count).await;
    assert_eq!(ended.len(), count);
    let rate = count as f64 / began.elapsed().as_secs_f64();
    println!("planned, handed out, begun, ended and read back: {rate:.0} attempts/s (wanted: {LEAST_RATE})");
    // Both are told before one of them fails.
    assert!(overhead < MOST_OVERHEAD_MS, "an attempt costs the queue {overhead:.2} ms");
    assert!(rate >= LEAST_RATE, "only {rate:.0} attempts/s come through planner and index");
}

/// Where all these workers keep what is recorded. Real ones have a disk each, and no disk is given thousands of attempts a
/// second: ext4 would take the longer for a file the more were removed in its last five seconds.
fn in_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("made")
}

/// From the first end to the last, without the time until the worker noticed the run.
fn followed_ms(times: &[Duration], count: usize) -> f64 {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return f64::NAN };
    last.saturating_sub(*first).as_secs_f64() * 1000.0 / count as f64
}

fn rate_of(workers: usize) -> f64 {
    let mean = MEAN.as_secs_f64() * (0.99 + 0.01 * f64::from(SLOW));
    workers as f64 / mean
}

async fn real_time(ground: &Ground) -> Fleet {
    let timing = Timing { poll: Duration::from_millis(250), ..Timing::default() };
    Fleet::connect(&ground.addresses(), "simulation", timing, Voice::new(|text| println!("{text}")))
        .await
        .expect("there")
}

async fn count_starts(fleet: &Fleet, run: &str) -> usize {
    let (mut count, mut seq) = (0, 0);
    loop {
        let page = fleet.index.starts_since(run, seq, soon()).await.expect("asked");
        let Some(last) = page.last() else { return count };
        seq = last.seq;
        count += page.len();
    }
}

/// What a follower saw, and when.
struct Seen {
    rows: BTreeMap<String, ResultRow>,
    times: Vec<Duration>,
}

async fn seen_through(fleet: Fleet, run: &str, count: usize) -> Seen {
    struct Counting {
        began: Instant,
        seen: Seen,
    }
    impl Following for Counting {
        async fn ended(&mut self, results: Vec<ResultRow>) -> Result<(), FleetError> {
            for row in results {
                self.seen.times.push(self.began.elapsed());
                self.seen.rows.insert(row.attempt.clone(), row);
            }
            Ok(())
        }
    }
    let new = NewRun { run: run.to_owned(), attempts: count, needs: Vec::new() };
    let text = count.to_string();
    fleet.depot.put(&format!("{run}/count"), text.into(), soon()).await.expect("put");
    fleet.index.open_run(&new, soon()).await.expect("known");
    let roster = Numbered { run: run.to_owned(), count };
    let steward = Steward::new(fleet.clone(), run, "the planner");
    let (_stop, stopped) = watch::channel(false);
    let mut counting =
        Counting { began: Instant::now(), seen: Seen { rows: BTreeMap::new(), times: Vec::new() } };
    let (tended, followed) = tokio::join!(steward.tend(&roster), follow(&fleet, run, stopped, &mut counting));
    tended.expect("looked after");
    followed.expect("followed");
    counting.seen
}

/// Attempts that need no list.
struct Numbered {
    run: String,
    count: usize,
}

impl Roster for Numbered {
    fn len(&self) -> usize {
        self.count
    }

    fn at(&self, place: usize) -> Assignment {
        let (run, attempt) = (self.run.clone(), format!("sim/{place}/1"));
        Assignment { run, attempt, keys: Vec::new(), repeatable: true, copy: 0 }
    }
}

struct Waiting {
    mean: Duration,
}

struct WaitingJob {
    roster: Numbered,
    mean: Duration,
}

#[async_trait::async_trait]
impl Crew for Waiting {
    async fn join(&self, run: &str, fleet: &Fleet) -> Result<Arc<dyn Job>, Refusal> {
        let text = fleet.depot.get(&format!("{run}/count"), soon()).await;
        let text = text.map_err(|error| Refusal::Passing(error.to_string()))?;
        let count =
            String::from_utf8_lossy(&text).parse().map_err(|_| Refusal::Lasting("no count".to_owned()))?;
        Ok(Arc::new(WaitingJob { roster: Numbered { run: run.to_owned(), count }, mean: self.mean }))
    }
}

#[async_trait::async_trait]
impl Job for WaitingJob {
    fn roster(&self) -> &dyn Roster {
        &self.roster
    }

    async fn attempt(&self, _attempt: &str, _folder: &Path) -> Result<Ended, JobError> {
        let mut span = self.mean.mul_f64(0.5 + fastrand::f64());
        if fastrand::u8(0..100) == 0 {
            span *= SLOW;
        }
        if !span.is_zero() {
            tokio::time::sleep(span).await;
        }
        Ok(Ended { outcome: Outcome::Pass, reason: String::new(), ms: span.as_millis() as u64, steps: 0 })
    }

    async fn give_up(&self, _attempt: &str, reason: &str, _folder: &Path) -> Result<Ended, JobError> {
        Ok(Ended { outcome: Outcome::Infra, reason: reason.to_owned(), ms: 0, steps: 0 })
    }
}

/// A worker in a task; dropped, it dies without a word.
struct Simulated {
    task: JoinHandle<Result<Vec<Kept>, FleetError>>,
    /// One that is gone would be a word.
    _leave: watch::Sender<Leave>,
}

impl Simulated {
    fn start(fleet: &Fleet, number: usize, slots: usize, mean: Duration, scratch: &Arc<Scratch>) -> Self {
        let options = WorkerOptions {
            name: format!("sim-{number}"),
            slots,
            capacity: Capacity::default(),
            scratch: Arc::clone(scratch),
            drain_within: Duration::from_mins(1),
        };
        let worker = Worker::new(fleet.clone(), Arc::new(Waiting { mean }), options);
        let (leave, left) = watch::channel(Leave::Stay);
        Self { task: tokio::spawn(async move { worker.work(left).await }), _leave: leave }
    }
}

impl Drop for Simulated {
    fn drop(&mut self) {
        self.task.abort();
    }
}
