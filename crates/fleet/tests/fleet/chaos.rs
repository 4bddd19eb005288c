//! Everything dies, in an order and at moments that a seed decides, and every attempt ends once all the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use umpire_fleet::{Addresses, Fleet, ResultRow, RunState};
use umpire_model::Outcome;

use crate::blows::{Blow, DECK};
use crate::ground::{Ground, QUICK, followed, letters, soon, starts_of, steward};
use crate::process::Actor;
use crate::simulated::{SimPlan, outcome_of};
use crate::wire::Wire;

const SEEDS: u64 = 10;
const WORKERS: usize = 3;
const SLOTS: usize = 4;
const ATTEMPTS: usize = 300;
/// So long that the work lasts beyond the last blow.
const MEAN_MS: u64 = 1500;
/// Longer than a lease, so that the other side gives up on those behind it.
const CUT: Duration = Duration::from_secs(10);
/// For what is left of a run after the last blow, on a machine with other things to do.
const LIMIT: Duration = Duration::from_mins(3);
/// Dead workers are started again as a supervisor would.
const LOOK: Duration = Duration::from_millis(100);

#[test]
fn nothing_is_lost_and_nothing_counts_twice() {
    // They wait most of the time, so all go on at once. Servers die with the thread that starts them: each seed has one.
    let play = |seed: u64| {
        move || {
            let Some(ground) = Ground::start() else { return };
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(one_seed(ground, seed));
        }
    };
    let named = |seed: u64| std::thread::Builder::new().name(format!("seed {seed}"));
    let lanes: Vec<_> =
        (1..=SEEDS).map(|seed| (seed, named(seed).spawn(play(seed)).expect("a thread"))).collect();
    let failed: Vec<u64> =
        lanes.into_iter().filter_map(|(seed, lane)| lane.join().is_err().then_some(seed)).collect();
    assert!(failed.is_empty(), "seeds {failed:?} failed");
}

/// A fleet of processes. One worker and the planner are behind wires that can be cut.
struct Scene {
    ground: Ground,
    plan: SimPlan,
    wires: (Wire, Wire),
    far: Addresses,
    scratch: PathBuf,
    planner: Option<Actor>,
    workers: Vec<Actor>,
}

impl Scene {
    fn open(ground: Ground, plan: SimPlan) -> Self {
        let wire = |port| Wire::to(port).expect("a free port");
        let wires = (wire(ground.nats.port()), wire(ground.postgres.port()));
        let far = ground.addresses_at(wires.0.port, wires.1.port);
        let scratch = ground.scratch();
        let mut scene = Self { ground, plan, wires, far, scratch, planner: None, workers: Vec::new() };
        scene.start_planner();
        scene.workers = (0..WORKERS).map(|number| scene.worker(number)).collect();
        scene
    }

    fn start_planner(&mut self) {
        // The old one dies before the new one lives.
        self.planner = None;
        self.planner = Some(Actor::planner(&self.far, &self.scratch, &self.plan));
    }

    fn worker(&self, number: usize) -> Actor {
        let near = self.ground.addresses();
        let addresses = if number == 0 { &self.far } else { &near };
        Actor::worker(addresses, &self.scratch, &format!("worker-{number}"), SLOTS, QUICK.lease)
    }

    fn replace_the_dead(&mut self) {
        for number in 0..WORKERS {
            if !self.workers[number].is_alive() {
                self.workers[number] = self.worker(number);
            }
        }
    }

    async fn wait(&mut self, span: Duration) {
        let began = Instant::now();
        while began.elapsed() < span {
            tokio::time::sleep(LOOK.min(span.saturating_sub(began.elapsed()))).await;
            self.replace_the_dead();
        }
    }

    async fn deal(&mut self, blow: Blow, dice: &mut fastrand::Rng) {
        let pause = Duration::from_millis(dice.u64(0..500));
        match blow {
            Blow::Worker => {
                self.workers[dice.usize(0..WORKERS)].kill();
                self.replace_the_dead();
            }
            Blow::Planner => self.start_planner(),
            Blow::Queue => {
                self.ground.nats.kill();
                tokio::time::sleep(pause).await;
                self.ground.nats.restart();
            }
            Blow::Index => {
                self.ground.postgres.kill();
                tokio::time::sleep(pause).await;
                self.ground.postgres.restart();
            }
            Blow::CutFromQueue | Blow::CutFromBoth => {
                self.wires.0.cut(true);
                self.wires.1.cut(matches!(blow, Blow::CutFromBoth));
                self.wait(CUT).await;
                self.wires.0.cut(false);
                self.wires.1.cut(false);
            }
        }
    }

    /// Everything that was told to one who follows to the end.
    async fn seen_through(&mut self, fleet: &Fleet) -> BTreeMap<String, ResultRow> {
        let run = self.plan.run.clone();
        let mut following = std::pin::pin!(followed(fleet, &run, LIMIT));
        loop {
            tokio::select! {
                rows = &mut following => return rows,
                () = tokio::time::sleep(LOOK) => self.replace_the_dead(),
            }
        }
    }
}

async fn one_seed(ground: Ground, seed: u64) {
    let began = Instant::now();
    let mut dice = fastrand::Rng::with_seed(seed);
    let poison = dice.usize(0..ATTEMPTS);
    let plan =
        SimPlan { poison: [poison].into(), ..SimPlan::new(&format!("chaos-{seed}"), ATTEMPTS, MEAN_MS) };
    let run = plan.run.clone();
    let mut scene = Scene::open(ground, plan);
    let fleet = scene.ground.fleet().await;
    known(&fleet, &run).await;
    let mut deck = DECK;
    dice.shuffle(&mut deck);
    for blow in deck {
        scene.wait(Duration::from_millis(dice.u64(500..2000))).await;
        scene.deal(blow, &mut dice).await;
    }
    let (dealt, ended) = (began.elapsed(), fleet.index.count_results(&run, soon()).await.expect("asked"));
    assert!(ended < ATTEMPTS as u64, "the run was over before {deck:?} was dealt, after {dealt:.1?}");
    // The planner never comes back.
    scene.planner = None;
    let rows = scene.seen_through(&fleet).await;
    let dead = every_attempt_ended_as_it_should(&scene, &fleet, &rows, poison).await;
    closed(&fleet, &scene.plan).await;
    let counted: BTreeSet<String> = rows.values().map(|row| format!("{:016x}", row.ticket)).collect();
    // Whoever closes a run sweeps up after it; a worker that leaves meanwhile would leave that to nobody.
    let swept = async {
        while recorded(&fleet, &run).await != counted {
            tokio::time::sleep(LOOK).await;
        }
    };
    let _ = tokio::time::timeout(LIMIT, swept).await;
    for worker in scene.workers {
        assert!(worker.dismissed(LIMIT).await, "it left in order, and kept nothing");
    }
    let left: Vec<_> = std::fs::read_dir(&scene.scratch).expect("there").flatten().collect();
    assert!(left.is_empty(), "what workers left behind: {left:?}");
    assert_eq!(
        recorded(&fleet, &run).await,
        counted,
        "one record an attempt: that of the result that counts"
    );
    println!(
        "seed {seed}: {ended} of {ATTEMPTS} had ended when all was dealt after {dealt:.1?}; whole after {:.1?}, {dead} given up",
        began.elapsed()
    );
}

/// The tickets under which something is in the store.
async fn recorded(fleet: &Fleet, run: &str) -> BTreeSet<String> {
    let places = fleet.depot.list(&format!("{run}/attempts"), soon()).await.expect("listed");
    places.iter().filter_map(|place| Some(place.split('/').next()?.to_owned())).collect()
}

/// How many were given up: the poison, and what was in hand when workers died twice.
async fn every_attempt_ended_as_it_should(
    scene: &Scene,
    fleet: &Fleet,
    rows: &BTreeMap<String, ResultRow>,
    poison: usize,
) -> usize {
    let run = &scene.plan.run;
    assert_eq!(rows.len(), ATTEMPTS);
    let poison = format!("sim/task-{poison}/1");
    assert!(rows[&poison].is_dead, "whoever began it died");
    let workers = fleet.index.workers(soon()).await.expect("asked");
    let alive: BTreeSet<&str> =
        workers.iter().filter(|worker| !worker.is_lost).map(|worker| worker.worker.as_str()).collect();
    let letters = letters(&scene.ground, run).await;
    for (attempt, row) in rows {
        let journal = format!("{run}/attempts/{:016x}/attempts/{attempt}/journal.jsonl", row.ticket);
        let recorded = fleet.depot.get(&journal, soon()).await.expect("what was recorded is there");
        assert_eq!(recorded, attempt.as_bytes(), "and it is this attempt's");
        if !row.is_dead {
            assert_eq!(row.outcome, outcome_of(attempt), "{attempt}");
            continue;
        }
        assert_eq!(row.outcome, Outcome::Infra, "{attempt}");
        assert!(letters.contains_key(attempt), "nobody was told of {attempt}");
        let starts = starts_of(&scene.ground, run, attempt).await;
        let killed = starts.iter().filter(|(worker, ..)| !alive.contains(worker.as_str())).count();
        assert!(killed >= 2, "{attempt} was given up though {killed} of {starts:?} died");
    }
    rows.values().filter(|row| row.is_dead).count()
}

/// A planner that dies before it has said a word leaves nothing that others could go on with.
async fn known(fleet: &Fleet, run: &str) {
    let opened = async {
        while fleet.index.find_run(run, soon()).await.expect("asked").is_none() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(LIMIT, opened).await.expect("opened in time");
}

/// Whoever tends it closes it; here, if no worker has done so yet.
async fn closed(fleet: &Fleet, plan: &SimPlan) {
    tokio::time::timeout(LIMIT, steward(fleet, plan)).await.expect("closed in time").expect("closed");
    let run = fleet.index.find_run(&plan.run, soon()).await.expect("asked").expect("there");
    assert_eq!((run.state, run.published), (RunState::Done, ATTEMPTS as u64));
}
