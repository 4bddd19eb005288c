//! Benchmarks. A peer is measured in the same run on the same pages, and the figure is the ratio.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::setup::{
    Done, build_release, cargo, ensure_chromium, ensure_clients, journals, released, root, run, target_dir,
};
use crate::{
    bench_against, bench_agents, bench_judges, bench_ratings, bench_recall, bench_report, bench_rules,
    bench_server, bench_subset, fleet,
};

const STEPS: &str = "30";
/// Both sides take turns, so that a busy moment of the machine hits neither alone.
const TURNS: usize = 3;

pub fn bench(arguments: &[&str]) -> Done {
    if arguments == ["judges"] {
        return bench_judges::judges();
    }
    if arguments == ["ratings"] {
        return bench_ratings::ratings();
    }
    if arguments == ["recall"] {
        return bench_recall::recall();
    }
    if arguments == ["subset"] {
        return bench_subset::subset();
    }
    if let ["server", profile @ ..] = arguments {
        return bench_server::server(profile.first().copied());
    }
    if arguments == ["fleet"] {
        return fleet::bench();
    }
    if let ["against", rest @ ..] = arguments {
        return bench_against::against(rest);
    }
    ensure_chromium()?;
    if arguments == ["report"] {
        return bench_report::report();
    }
    if arguments == ["replay"] {
        return replay();
    }
    build_release()?;
    match arguments {
        ["step"] => step(),
        ["world"] => world(),
        ["start"] => start(),
        ["smoke"] => smoke(),
        ["rules"] => bench_rules::rules(),
        ["looks"] => bench_agents::looks(),
        ["voyager"] => bench_agents::voyager(),
        ["crowd"] => bench_agents::crowd(),
        [] => step()
            .and(world())
            .and(start())
            .and(smoke())
            .and(bench_rules::rules())
            .and(bench_agents::looks())
            .and(bench_agents::voyager())
            .and(bench_agents::crowd())
            .and(bench_judges::judges())
            .and(bench_ratings::ratings())
            .and(bench_recall::recall())
            .and(bench_subset::subset())
            .and(bench_report::report())
            .and(bench_server::server(None))
            .and(fleet::bench()),
        _ => Err(
            "benchmarks: step, world, start, smoke, rules, looks, voyager, crowd, judges, ratings, recall, subset, report, server, replay, fleet, against"
                .to_owned(),
        ),
    }
}

/// Every switch of the privacy suite, recorded and replayed on sites that changed in each of the ways, against the
/// cascade that WebSP-Eval published.
fn replay() -> Done {
    let matrix = ["--test", "stage", "--", "robustness::", "--ignored", "--nocapture"];
    run(cargo().args(["test", "--package", "umpire-stage"]).args(matrix))
}

pub fn ours() -> Command {
    Command::new(target_dir().join("release/umpire-benches"))
}

/// One observe–act–settle step, and one look at 5,000 elements, against playwright-core.
fn step() -> Done {
    let clients = ensure_clients()?;
    let mut us = Vec::new();
    let mut them = Vec::new();
    for _ in 0..TURNS {
        us.push(json_of(ours().args(["step", STEPS]))?);
        let pages = Served::start(ours().arg("serve"))?;
        let mut peer = Command::new("node");
        peer.arg(root().join("benches/peer/step.mjs"))
            .arg(&clients)
            .arg(chromium()?)
            .arg(&pages.address)
            .arg(STEPS);
        them.push(json_of(&mut peer)?);
    }
    println!(
        "\n{:38} {:>10} {:>16} {:>7}   wanted",
        "step, median of turns", "umpire", "playwright-core", "ratio"
    );
    let mut missed = Vec::new();
    for (name, path, unit, limit) in [
        ("shop: observe + click + settle, wall", "/shop/wall_ms", "ms", 1.0),
        ("shop: driver CPU", "/shop/cpu_ms", "ms", 0.25),
        ("5,000 elements: observe, wall", "/large/wall_ms", "ms", 1.0),
        ("5,000 elements: driver CPU", "/large/cpu_ms", "ms", 0.25),
        ("driver memory, peak", "/memory_mb", "MiB", 1.0 / 3.0),
    ] {
        let (a, b) = (median(&us, path)?, median(&them, path)?);
        println!("{name:38} {a:>7.1} {unit:3} {b:>12.1} {unit:3} {:>7.2}   ≤ {limit:.2}", a / b);
        if a / b > limit {
            missed.push(name);
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(format!("missed: {}", missed.join("; "))) }
}

/// A world with all sites: started, created and dropped, two hundred alive, and asked for pages.
fn world() -> Done {
    let found = json_of(ours().arg("world"))?;
    let served = served_pages()?;
    println!("\n{:48} {:>10}   wanted", format!("world with all {} sites", found["sites"]), "umpire");
    let mut missed = Vec::new();
    for (name, source, path, unit, limit) in [
        ("first of its seed in the process", &found, "/first_ms", "ms", At::Most(50.0)),
        ("created and dropped, median", &found, "/median_ms", "ms", At::Most(5.0)),
        ("created and dropped, p99", &found, "/p99_ms", "ms", At::Most(5.0)),
        ("memory of one more world", &found, "/each_mb", "MiB", At::Most(10.0)),
        ("200 alive, with the catalogues they share", &found, "/memory_mb", "MiB", At::Most(1024.0)),
        (
            "pages a second over HTTP, clients on the same cores",
            &served,
            "/per_second",
            "",
            At::Least(2000.0),
        ),
    ] {
        let value = number(source, path)?;
        println!("{name:52} {value:>9.2} {unit:3}   {limit}");
        if !limit.holds(value) {
            missed.push(name);
        }
    }
    println!(
        "pages: {} of {} hosts, {:.0} KiB in the mean",
        served["pages"],
        served["hosts"],
        number(&served, "/mean_kb")?
    );
    if missed.is_empty() { Ok(()) } else { Err(format!("missed: {}", missed.join("; "))) }
}

enum At {
    Most(f64),
    Least(f64),
}

impl At {
    fn holds(&self, value: f64) -> bool {
        match *self {
            Self::Most(limit) => value <= limit,
            Self::Least(limit) => value >= limit,
        }
    }
}

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Most(limit) => write!(f, "≤ {limit:.0}"),
            Self::Least(limit) => write!(f, "≥ {limit:.0}"),
        }
    }
}

/// What `umpire worlds serve` gives to a few clients.
fn served_pages() -> Result<Value, String> {
    let mut server = released()
        .args(["--json", "worlds", "serve", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("umpire worlds serve: {error}"))?;
    let mut status = String::new();
    let read = server.stdout.take().map(|stdout| BufReader::new(stdout).read_line(&mut status));
    let found = match read {
        Some(Ok(_)) => json_of(ours().args(["requests", &status])),
        _ => Err("umpire worlds serve printed nothing".to_owned()),
    };
    let _ = server.kill();
    let _ = server.wait();
    found
}

/// The smoke suite, from the command to its end.
fn smoke() -> Done {
    let out = target_dir().join("bench-smoke");
    let _ = std::fs::remove_dir_all(&out);
    let mut umpire = released();
    umpire.arg("--runs").arg(&out).args(["run", "--suite", "smoke", "--agent", "oracle", "--json"]);
    let started = Instant::now();
    run(umpire.stdout(Stdio::null()))?;
    let seconds = started.elapsed().as_secs_f64();
    println!("\nsuite smoke with the oracle, all of it: {seconds:.1} s (wanted < 20 s)");
    if seconds < 20.0 { Ok(()) } else { Err("missed: smoke".to_owned()) }
}

/// From the start of a try to its first observation, in a real run.
fn start() -> Done {
    let out = target_dir().join("bench-start");
    let _ = std::fs::remove_dir_all(&out);
    let mut umpire = released();
    umpire.arg("--runs").arg(&out).args(["run", "--suite", "demo", "--agent", "oracle", "--json"]);
    umpire.stdout(Stdio::null());
    run(&mut umpire)?;
    let mut firsts: Vec<f64> = first_looks(&out);
    firsts.sort_by(f64::total_cmp);
    let count = firsts.len();
    if count < 20 {
        return Err(format!("only {count} attempts were observed"));
    }
    let (median, p90) = (firsts[count / 2], firsts[count * 9 / 10]);
    println!(
        "\nfrom try to first observation, {count} attempts in flight: median {median:.0} ms, p90 {p90:.0} ms (wanted < 300 ms)"
    );
    if median < 300.0 { Ok(()) } else { Err("missed: start".to_owned()) }
}

/// When each attempt's page was first seen, in milliseconds of its try.
fn first_looks(folder: &Path) -> Vec<f64> {
    let first = |journal: PathBuf| {
        let text = std::fs::read_to_string(journal).unwrap_or_default();
        let mut events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        events.find(|event| event["type"] == "observed").and_then(|event| event["ms"].as_f64())
    };
    journals(folder).into_iter().filter_map(first).collect()
}

/// A server in a process of its own, so that its cost is not the peer's: it says its address first, and ends with its
/// standard input.
pub struct Served {
    child: Child,
    pub address: String,
}

impl Served {
    pub fn start(command: &mut Command) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut address = String::new();
        let stdout = child.stdout.take().ok_or("no output")?;
        BufReader::new(stdout).read_line(&mut address).map_err(|error| error.to_string())?;
        Ok(Self { child, address: address.trim().to_owned() })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// The browser that we choose ourselves, so that both sides have the same: as a whole path, because a peer does not search.
pub fn chromium() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("UMPIRE_CHROMIUM").filter(|named| !named.is_empty()) {
        return std::path::absolute(&named)
            .ok()
            .filter(|file| file.is_file())
            .ok_or_else(|| format!("UMPIRE_CHROMIUM is no file: {}", named.display()));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| file.is_file())
        .ok_or_else(|| "Chromium was not found".to_owned())
}

pub fn json_of(command: &mut Command) -> Result<Value, String> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line)
        .map_err(|_| format!("{command:?} ended with {} and printed: {text}", output.status))
}

pub fn number(value: &Value, path: &str) -> Result<f64, String> {
    value.pointer(path).and_then(Value::as_f64).ok_or_else(|| format!("no {path} in {value}"))
}

pub fn median(values: &[Value], path: &str) -> Result<f64, String> {
    let mut numbers = values.iter().map(|value| number(value, path)).collect::<Result<Vec<_>, _>>()?;
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().ok_or_else(|| "nothing was measured".to_owned())
}
