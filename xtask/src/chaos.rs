//! A fleet of real workers with real browsers, in which everything is killed, in an order and at moments that a seed decides:
//! workers, the planner, the queue, the index, the network. Then everything is counted, and must be what one machine comes to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::blows::{Blow, DECK};
use crate::kill_test::{count, processes_with};
use crate::servers::Server;
use crate::setup::{Done, build_release, ensure_chromium, ensure_databases, journals, root, target_dir};
use crate::wire::Wire;

const WORKERS: usize = 3;
/// Twenty instances and five agents, of which four need no page, three times.
const PLAN: [&str; 6] = ["--suite", "smoke", "--agent", "oracle,yes,no,zero,echo", "--trials", "3"];
const ATTEMPTS: usize = 300;
const CUT: Duration = Duration::from_secs(10);
const SEED_LIMIT: Duration = Duration::from_mins(10);
/// Killed processes leave the clearing up to their guards.
const CLEARING_LIMIT: Duration = Duration::from_secs(20);
/// A program that is built already, instead of the release build.
const PROGRAM: &str = "UMPIRE_PROGRAM";

pub fn chaos(arguments: &[&str]) -> Done {
    let seeds: u64 = match arguments {
        [seeds] => seeds.parse().map_err(|_| format!("`{seeds}` is no number of seeds"))?,
        _ => 10,
    };
    ensure_chromium()?;
    ensure_databases()?;
    let program = if let Some(program) = std::env::var_os(PROGRAM) {
        std::path::absolute(program).map_err(|error| error.to_string())?
    } else {
        build_release()?;
        target_dir().join("release/umpire")
    };
    let expected = outcomes_on_one_machine(&program)?;
    for seed in 1..=seeds {
        let began = Instant::now();
        let out = emptied(&format!("chaos/{seed}"))?;
        let Played { deck, ended, deaths } = one_seed(seed, &program, &out)?;
        println!("seed {seed}: {} s; {ended} had ended when {deck:?} was dealt", began.elapsed().as_secs());
        let outcomes = count(&out.join("runs"))?.outcomes;
        compare(&outcomes, &expected, &deaths)?;
    }
    Ok(())
}

fn emptied(name: &str) -> Result<PathBuf, String> {
    let out = target_dir().join(name);
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir_all(&out).map_err(|error| error.to_string())?;
    Ok(out)
}

fn outcomes_on_one_machine(program: &Path) -> Result<BTreeMap<String, String>, String> {
    let out = emptied("chaos/alone")?;
    let mut command = Command::new(program);
    command.current_dir(root()).arg("--runs").arg(&out).arg("run").args(PLAN).stdout(Stdio::null());
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if !status.success() {
        return Err(format!("the run without a fleet ended with {status}"));
    }
    let outcomes = count(&out)?.outcomes;
    if outcomes.len() != ATTEMPTS {
        return Err(format!("{} attempts, and {ATTEMPTS} were meant", outcomes.len()));
    }
    Ok(outcomes)
}

/// Each as on one machine, but for those whose workers died twice.
fn compare(
    found: &BTreeMap<String, String>,
    expected: &BTreeMap<String, String>,
    deaths: &BTreeMap<String, usize>,
) -> Done {
    for (attempt, expected) in expected {
        let found = found.get(attempt).map_or("nothing", String::as_str);
        let deaths = deaths.get(attempt).copied().unwrap_or_default();
        if found != expected && !(found == "infra" && deaths >= 2) {
            return Err(format!(
                "{attempt} came to {found} with {deaths} workers dead, and to {expected} on one machine"
            ));
        }
    }
    match found.keys().find(|attempt| !expected.contains_key(*attempt)) {
        Some(attempt) => Err(format!("nobody planned {attempt}")),
        None => Ok(()),
    }
}

struct Fleet {
    program: PathBuf,
    out: PathBuf,
    nats: Server,
    postgres: Server,
    wires: (Wire, Wire),
    /// Every worker and planner there ever was.
    processes: Vec<u32>,
}

impl Fleet {
    /// A command of this fleet; one that is far is behind the wires that are cut.
    fn umpire(&self, runs: &str, is_far: bool) -> Command {
        let (nats, postgres) = if is_far {
            (self.wires.0.port, self.wires.1.port)
        } else {
            (self.nats.port(), self.postgres.port())
        };
        let mut command = Command::new(&self.program);
        command.current_dir(root()).arg("--runs").arg(self.out.join(runs));
        command.env("UMPIRE_FLEET", format!("nats://127.0.0.1:{nats}"));
        command.env("UMPIRE_INDEX", format!("postgres://umpire@127.0.0.1:{postgres}/postgres"));
        command.env("UMPIRE_STORE", format!("file://{}", self.out.join("store").display()));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(self.log());
        command
    }

    fn log(&self) -> Stdio {
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(self.out.join("log"));
        opened.map_or_else(|_| Stdio::null(), Stdio::from)
    }

    fn worker(&mut self, number: usize) -> Result<Killed, String> {
        let mut command = self.umpire(&format!("worker-{number}"), number == 0);
        command.args(["worker", "--jobs", "2", "--name", &format!("worker-{number}")]);
        self.started(&mut command)
    }

    fn planner(&mut self, is_far: bool) -> Result<Killed, String> {
        let mut command = self.umpire("runs", is_far);
        self.started(command.arg("run").args(PLAN))
    }

    fn started(&mut self, command: &mut Command) -> Result<Killed, String> {
        let process = command.spawn().map(Killed).map_err(|error| format!("{command:?}: {error}"))?;
        self.processes.push(process.0.id());
        Ok(process)
    }

    /// Browsers that outlived whoever started them.
    fn orphans(&self) -> Vec<String> {
        let browsers = |process: &u32| processes_with(&format!("umpire-chromium-{process}-"));
        self.processes.iter().flat_map(browsers).collect()
    }

    /// How many workers died with each attempt in hand. Of each name the last one is alive.
    fn deaths(&self) -> Result<BTreeMap<String, usize>, String> {
        let mut command = Command::new("psql");
        command.args(["--host=127.0.0.1", "--username=umpire", "--dbname=postgres", "--tuples-only"]);
        command.args(["--no-align", &format!("--port={}", self.postgres.port()), "--command"]).arg(
            "select count(*), attempt from fleet_starts where worker not in
                 (select distinct on (name) worker from fleet_workers order by name, joined desc)
             group by attempt",
        );
        let output = command.output().map_err(|error| format!("psql: {error}"))?;
        if !output.status.success() {
            return Err(format!("psql: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let row = |line: &str| {
            let (count, attempt) = line.split_once('|')?;
            Some((attempt.to_owned(), count.parse().ok()?))
        };
        Ok(text.lines().filter_map(row).collect())
    }
}

/// A process that is killed when it is dropped.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Played {
    deck: [Blow; 8],
    /// Attempts that had arrived when the last blow had fallen.
    ended: usize,
    deaths: BTreeMap<String, usize>,
}

fn one_seed(seed: u64, program: &Path, out: &Path) -> Result<Played, String> {
    let (Some(nats), Some(postgres)) = (Server::nats(), Server::postgres()) else {
        return Err("nats-server and PostgreSQL are needed".to_owned());
    };
    let wire = |port| Wire::to(port).map_err(|error| error.to_string());
    let wires = (wire(nats.port())?, wire(postgres.port())?);
    let (program, processes) = (program.to_owned(), Vec::new());
    let mut fleet = Fleet { program, out: out.to_owned(), nats, postgres, wires, processes };
    let mut dice = Dice(seed);
    let mut planner = fleet.planner(true)?;
    let mut workers = (0..WORKERS).map(|number| fleet.worker(number)).collect::<Result<Vec<_>, _>>()?;
    let began = Instant::now();
    while journals(&out.join("runs")).is_empty() {
        if began.elapsed() > SEED_LIMIT {
            return Err(format!("nothing arrived; see {}", out.display()));
        }
        sleep(Duration::from_millis(50));
    }
    let deck = dice.shuffled(DECK);
    for blow in deck {
        sleep(Duration::from_millis(500 + dice.below(1500)));
        let pause = Duration::from_millis(dice.below(2000));
        match blow {
            Blow::Worker => {
                let number = dice.below(WORKERS as u64) as usize;
                workers[number].0.kill().map_err(|error| error.to_string())?;
                workers[number] = fleet.worker(number)?;
            }
            Blow::Planner => {
                planner.0.kill().map_err(|error| error.to_string())?;
                planner = fleet.planner(true)?;
            }
            Blow::Queue => {
                fleet.nats.kill();
                sleep(pause);
                fleet.nats.restart();
            }
            Blow::Index => {
                fleet.postgres.kill();
                sleep(pause);
                fleet.postgres.restart();
            }
            Blow::CutFromQueue | Blow::CutFromBoth => {
                fleet.wires.0.cut(true);
                fleet.wires.1.cut(matches!(blow, Blow::CutFromBoth));
                sleep(CUT);
                fleet.wires.0.cut(false);
                fleet.wires.1.cut(false);
            }
        }
    }
    let ended = journals(&out.join("runs")).len();
    // Whoever types the same command follows the run to its end.
    drop(planner);
    let mut last = fleet.planner(false)?;
    let began = Instant::now();
    loop {
        match last.0.try_wait() {
            Ok(Some(status)) if status.success() => break,
            Ok(Some(status)) => {
                return Err(format!("the last follower ended with {status}; see {}", out.display()));
            }
            Ok(None) if began.elapsed() < SEED_LIMIT => sleep(Duration::from_millis(100)),
            _ => return Err(format!("the run did not end in time; see {}", out.display())),
        }
    }
    let deaths = fleet.deaths()?;
    drop(workers);
    let began = Instant::now();
    while !fleet.orphans().is_empty() {
        if began.elapsed() > CLEARING_LIMIT {
            return Err(format!("browsers without a worker: {:?}", fleet.orphans()));
        }
        sleep(Duration::from_millis(100));
    }
    Ok(Played { deck, ended, deaths })
}

/// A linear congruential step is random enough to pick a moment.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn shuffled<const N: usize>(&mut self, mut cards: [Blow; N]) -> [Blow; N] {
        for last in (1..N).rev() {
            cards.swap(last, self.below(last as u64 + 1) as usize);
        }
        cards
    }
}
