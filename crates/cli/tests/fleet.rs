//! A run on a fleet of two workers with real browsers: one is killed, the planner is killed, and the run is whole.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::servers::Server;
use crate::support::{Ran, folder, umpire};

/// Eight instances, twice.
const PLAN: [&str; 9] = [
    "run",
    "--suite",
    "demo",
    "--agent",
    "oracle",
    "--filter",
    "site=shop and kind=retrieve",
    "--trials",
    "2",
];
const LIMIT: Duration = Duration::from_mins(3);
/// For the browser of a worker that is no more.
const ORPHAN_LIMIT: Duration = Duration::from_mins(1);

struct Fleet {
    nats: Server,
    postgres: Server,
    folder: tempfile::TempDir,
}

impl Fleet {
    fn start() -> Option<Self> {
        Some(Self { nats: Server::nats()?, postgres: Server::postgres()?, folder: folder() })
    }

    fn umpire(&self, runs: &str) -> Command {
        let mut command = umpire(self.folder.path());
        command
            .env("UMPIRE_FLEET", format!("nats://127.0.0.1:{}", self.nats.port()))
            .env("UMPIRE_INDEX", self.postgres.url("postgres", "umpire@127.0.0.1", "postgres"))
            .env("UMPIRE_STORE", format!("file://{}", self.folder.path().join("store").display()))
            .args(["--runs", runs]);
        command
    }

    fn worker(&self, name: &str) -> Running {
        let mut command = self.umpire(&format!("runs-of-{name}"));
        Running::start(command.args(["worker", "--jobs", "2", "--name", name, "--label", "eu"]))
    }
}

/// Killed when dropped, unless it has ended.
struct Running(Option<Child>);

impl Running {
    fn start(command: &mut Command) -> Self {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("umpire starts");
        Self(Some(child))
    }

    fn id(&self) -> u32 {
        self.0.as_ref().expect("running").id()
    }

    fn signal(&self, signal: nix::sys::signal::Signal) {
        let pid = nix::unistd::Pid::from_raw(i32::try_from(self.id()).expect("a process id"));
        nix::sys::signal::kill(pid, signal).expect("signalled");
    }

    fn ended(mut self) -> Ran {
        Ran::of(&self.0.take().expect("running").wait_with_output().expect("ended"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn journals(folder: &Path) -> usize {
    files(folder, "journal.jsonl")
}

fn files(folder: &Path, name: &str) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.path() {
            path if path.is_dir() => files(&path, name),
            path => usize::from(path.ends_with(name)),
        })
        .sum()
}

/// Processes with a profile that the process of this id made for its browsers.
fn browsers_of(id: u32) -> usize {
    let profile = format!("umpire-chromium-{id}-");
    let processes = std::fs::read_dir("/proc").expect("there").flatten();
    let commands = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    commands.filter(|command| String::from_utf8_lossy(command).contains(&profile)).count()
}

#[test]
fn a_run_on_a_fleet_is_a_run_like_any_other() {
    let Some(fleet) = Fleet::start() else { return };
    let began = Instant::now();
    let first = fleet.worker("first");
    let planner = Running::start(fleet.umpire("runs").args(PLAN).args(["--needs", "eu", "--json"]));
    let copies = fleet.folder.path().join("runs");
    while journals(&copies) < 2 {
        assert!(began.elapsed() < LIMIT, "nothing arrived: {}", planner.ended().stderr);
        std::thread::sleep(Duration::from_millis(50));
    }
    // Nobody says goodbye.
    drop(planner);
    let killed = first.id();
    assert!(browsers_of(killed) > 0, "whoever works has a browser");
    drop(first);
    let dead = Instant::now();
    while browsers_of(killed) > 0 {
        assert!(dead.elapsed() < ORPHAN_LIMIT, "the browser of a worker that was killed goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
    let second = fleet.worker("second");
    let followed = Running::start(fleet.umpire("runs").args(PLAN).args(["--needs", "eu", "--json"])).ended();
    assert_eq!(followed.code, Some(0), "{}\n{}", followed.stdout, followed.stderr);
    let events = followed.events();
    let (first, done) = (events.first().expect("events"), events.last().expect("events"));
    let attempts = first["attempts"].as_u64().expect("a number");
    assert!(attempts >= 10, "too few to prove anything: {attempts}");
    assert_eq!(done["tally"]["pass"], attempts, "the oracle knows the way: {done}");
    assert_eq!(journals(&copies) as u64, attempts);

    // What came from the workers can be judged again here, and comes to the same.
    let judged = Ran::of(&fleet.umpire("runs").args(["evaluate", "--json"]).output().expect("umpire starts"));
    assert_eq!(
        (judged.code, judged.stdout.matches("\"pass\"").count() as u64 >= attempts),
        (Some(0), true),
        "{}",
        judged.stdout
    );
    // Elsewhere the same command brings the same run.
    let elsewhere =
        Running::start(fleet.umpire("elsewhere").args(PLAN).args(["--needs", "eu", "--json"])).ended();
    assert_eq!(elsewhere.code, Some(0), "{}", elsewhere.stderr);
    assert_eq!(journals(&fleet.folder.path().join("elsewhere")) as u64, attempts);

    let top = Ran::of(&fleet.umpire("runs").args(["top", "--once"]).output().expect("umpire starts"));
    assert_eq!(top.code, Some(0), "{}", top.stderr);
    assert!(top.stdout.contains("second") && top.stdout.contains("done"), "{}", top.stdout);
    second.signal(nix::sys::signal::Signal::SIGTERM);
    let left = second.ended();
    assert_eq!(left.code, Some(0), "{}", left.stderr);
    assert!(left.stdout.contains("Left nothing is in hand"), "{}", left.stdout);
    println!("{attempts} attempts in {:.1?}", began.elapsed());
}

#[test]
fn a_worker_that_leaves_without_servers_says_what_it_kept() {
    let Some(mut fleet) = Fleet::start() else { return };
    let began = Instant::now();
    let mut command = fleet.umpire("runs-of-one");
    let worker =
        Running::start(command.args(["worker", "--jobs", "2", "--name", "one", "--drain-within", "20s"]));
    let planner = Running::start(fleet.umpire("runs").args(PLAN).arg("--json"));
    let copies = fleet.folder.path().join("runs");
    while journals(&copies) < 2 {
        assert!(began.elapsed() < LIMIT, "nothing arrived: {}", planner.ended().stderr);
        std::thread::sleep(Duration::from_millis(20));
    }
    fleet.nats.kill();
    fleet.postgres.kill();
    // What is in hand ends, and nobody takes it.
    let scratch = fleet.folder.path().join("runs-of-one/.fleet");
    while files(&scratch, "kept.json") == 0 {
        assert!(began.elapsed() < LIMIT, "nothing ended: {}", worker.ended().stderr);
        std::thread::sleep(Duration::from_millis(20));
    }
    worker.signal(nix::sys::signal::Signal::SIGTERM);
    let left = worker.ended();
    assert_eq!(left.code, Some(5), "{}\n{}", left.stdout, left.stderr);
    let path = left.stdout.lines().find(|line| line.trim_start().starts_with("Kept ")).expect("it says what");
    let path = fleet.folder.path().join(path.rsplit(": ").next().expect("a path"));
    assert!(path.starts_with(&scratch) && path.join("kept.json").exists(), "{}", path.display());

    fleet.nats.restart();
    fleet.postgres.restart();
    let next = Running::start(fleet.umpire("runs-of-one").args(["worker", "--jobs", "2", "--name", "one"]));
    let followed = planner.ended();
    assert_eq!(followed.code, Some(0), "{}\n{}", followed.stdout, followed.stderr);
    let done = followed.events().pop().expect("events");
    assert_eq!(done["tally"]["pass"], journals(&copies) as u64, "each once: {done}");
    next.signal(nix::sys::signal::Signal::SIGTERM);
    let left = next.ended();
    assert_eq!(left.code, Some(0), "{}\n{}", left.stdout, left.stderr);
    assert!(left.stderr.contains("is handed in"), "{}", left.stderr);
    assert_eq!(files(&scratch, "kept.json"), 0, "what is handed in is not kept");
}

#[test]
fn half_a_fleet_is_refused_with_what_is_missing() {
    let folder = folder();
    let tried = |arguments: &[&str]| {
        let ran = Ran::of(&umpire(folder.path()).args(arguments).output().expect("umpire starts"));
        (ran.code, ran.stderr)
    };
    let (code, said) = tried(&["worker"]);
    assert!(code == Some(1) && said.contains("no fleet was named"), "{said}");
    let (code, said) = tried(&["worker", "--fleet", "nats://127.0.0.1:1", "--store", "file:///tmp/x"]);
    assert!(code == Some(1) && said.contains("needs --index"), "{said}");
    for local in
        [["--budget", "1usd"], ["--shard", "1/2"], ["--model-cache", "replies"], ["--cassette", "tape"]]
    {
        let (code, said) = tried(&[&PLAN[..], &["--fleet", "nats://127.0.0.1:1"], &local].concat());
        assert!(
            code == Some(1) && said.contains("with --fleet") && said.contains(local[0]),
            "{local:?}: {said}"
        );
    }
    let (code, said) = tried(&[&PLAN[..], &["--cancel"]].concat());
    assert!(code == Some(1) && said.contains("--cancel"), "{said}");
}
