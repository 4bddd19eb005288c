//! Benchmarks. A peer is measured in the same run on the same pages, and the figure is the ratio.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::bench_rules;
use crate::setup::{Done, cargo, ensure_chromium, ensure_clients, journals, root, run, target_dir};

const STEPS: &str = "30";
/// Both sides take turns, so that a busy moment of the machine hits neither alone.
const TURNS: usize = 3;

pub fn bench(arguments: &[&str]) -> Done {
    ensure_chromium()?;
    run(cargo().args([
        "build",
        "--quiet",
        "--release",
        "--package",
        "umpire-benches",
        "--package",
        "umpire",
    ]))?;
    match arguments {
        ["step"] => step(),
        ["world"] => world(),
        ["start"] => start(),
        ["rules"] => bench_rules::rules(),
        [] => step().and(world()).and(start()).and(bench_rules::rules()),
        _ => Err("benchmarks: step, world, start, rules".to_owned()),
    }
}

fn ours() -> Command {
    Command::new(target_dir().join("release/umpire-benches"))
}

/// One observe–act–settle step, and one look at 5,000 elements, against playwright-core.
fn step() -> Done {
    let clients = ensure_clients()?;
    let mut us = Vec::new();
    let mut them = Vec::new();
    for _ in 0..TURNS {
        us.push(json_of(ours().args(["step", STEPS]))?);
        let pages = Pages::serve()?;
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

/// A world created and dropped, and two hundred alive.
fn world() -> Done {
    let found = json_of(ours().arg("world"))?;
    let (median, p99) = (number(&found, "/median_ms")?, number(&found, "/p99_ms")?);
    let (first, memory) = (number(&found, "/first_ms")?, number(&found, "/memory_mb")?);
    println!(
        "\nworld with all sites, created and dropped: median {median:.2} ms, p99 {p99:.2} ms (wanted < 5 ms)"
    );
    println!(
        "first of its seed in the process: {first:.1} ms; 200 alive: {memory:.0} MiB (wanted < 1024 MiB)"
    );
    if p99 < 5.0 && memory < 1024.0 { Ok(()) } else { Err("missed: world".to_owned()) }
}

/// From the start of a try to its first observation, in a real run.
fn start() -> Done {
    let out = target_dir().join("bench-start");
    let _ = std::fs::remove_dir_all(&out);
    let mut umpire = Command::new(target_dir().join("release/umpire"));
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

/// The benchmark pages in a process of their own, so that their cost is not the peer's.
struct Pages {
    child: Child,
    address: String,
}

impl Pages {
    fn serve() -> Result<Self, String> {
        let mut child = ours()
            .arg("serve")
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

impl Drop for Pages {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn chromium() -> Result<PathBuf, String> {
    let named = std::env::var_os("UMPIRE_CHROMIUM").map(PathBuf::from);
    let found =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    named
        .into_iter()
        .chain(found)
        .find(|path| path.exists())
        .ok_or_else(|| "Chromium was not found".to_owned())
}

fn json_of(command: &mut Command) -> Result<Value, String> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line)
        .map_err(|_| format!("{command:?} ended with {} and printed: {text}", output.status))
}

fn number(value: &Value, path: &str) -> Result<f64, String> {
    value.pointer(path).and_then(Value::as_f64).ok_or_else(|| format!("no {path} in {value}"))
}

fn median(values: &[Value], path: &str) -> Result<f64, String> {
    let mut numbers = values.iter().map(|value| number(value, path)).collect::<Result<Vec<_>, _>>()?;
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().ok_or_else(|| "nothing was measured".to_owned())
}
