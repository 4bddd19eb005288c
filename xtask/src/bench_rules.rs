//! Recorded attempts at all of WebArena Verified, judged by Umpire and by the released evaluator.
//!
//! There is one attempt at each of the 812 tasks, from the shared vectors, written out in the layout both read. The
//! peer's command is measured whole, as users run it, and inside one process, where its start-up and its reading of the
//! data are not counted. Then come patterns and texts made to be slow.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use serde_json::Value;

use crate::setup::{Done, released, root, run, target_dir};

/// Runs the released evaluator over the same attempts in one process, and prints seconds per task and peak memory.
const PEER: &str = include_str!("../../benches/peer/rules.py");

pub fn rules() -> Done {
    let shared = std::env::var_os("UMPIRE_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let vectors = shared.join("vectors/webarena-verified");
    let suite = shared.join("data/webarena-verified/webarena-verified.json");
    if !vectors.is_dir() || !suite.is_file() {
        println!("rules: {} is not there, so nothing is measured", shared.display());
        return Ok(());
    }
    let folder = bench_folder();
    let _ = fs::remove_dir_all(&folder);
    let count = write_attempts(&vectors, &folder)?;
    let peer = ensure_peer()?;
    let config = folder.join("config.json");
    let attempts = folder.join("attempts");

    let mut command = released();
    command.args(["evaluate", "--mode", "reference", "--suite"]).arg(&suite).arg("--attempts").arg(&attempts);
    command.arg("--sites").arg(&config);
    // A tenth of a second is measured better by several; each finds its attempts without results, as the peer does.
    let mut runs = Vec::new();
    for _ in 0..OUR_RUNS {
        runs.push(measured(&mut command)?);
        remove_results(&attempts)?;
    }
    runs.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
    let ours = &runs[OUR_RUNS / 2];
    let theirs = measured(
        Command::new(peer.join("bin/webarena-verified"))
            .args(["eval-tasks", "--output-dir"])
            .arg(&attempts)
            .arg("--config")
            .arg(&config),
    )?;
    let theirs_inside = inside(Command::new(peer.join("bin/python")).args(["-c", PEER]).arg(&folder))?;
    let ours_inside = inside(crate::bench::ours().arg("rules").arg(&suite).arg(&folder))?;
    println!(
        "\n{count} attempts in reference mode{:>21} {:>18} {:>8}   wanted",
        "umpire", "webarena-verified", "ratio"
    );
    let mut missed = Vec::new();
    for (name, unit, us, them, least) in [
        ("CPU of the whole command", "s", ours.cpu, theirs.cpu, 500.0),
        ("CPU per task inside one process", "ms", ours_inside, theirs_inside, 50.0),
        ("peak memory", "MiB", ours.memory_mb, theirs.memory_mb, 3.0),
    ] {
        let ratio = them / us;
        println!("{name:38} {us:>10.3} {unit:3} {them:>14.3} {unit:3} {ratio:>7.0}×   ≥ {least:.0}×");
        if ratio < least {
            missed.push(name);
        }
    }
    if patterns()? > SLOWEST_PATTERN_MS {
        missed.push("patterns");
    }
    let _ = fs::remove_dir_all(&folder);
    if missed.is_empty() { Ok(()) } else { Err(format!("missed: {}", missed.join("; "))) }
}

const OUR_RUNS: usize = 5;

fn remove_results(attempts: &Path) -> Done {
    for attempt in fs::read_dir(attempts).map_err(|error| error.to_string())?.flatten() {
        let result = attempt.path().join("eval_result.json");
        if result.exists() {
            fs::remove_file(result).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// No pattern may take longer on any text.
const SLOWEST_PATTERN_MS: f64 = 10.0;

/// Prints the slowest input of every engine that patterns run on; returns the slowest of all, in milliseconds.
fn patterns() -> Result<f64, String> {
    let found = answer(crate::bench::ours().arg("patterns"))?;
    println!("\n{:38} {:>10}   wanted", "slowest pattern, compiled and matched", "umpire");
    let mut slowest: f64 = 0.0;
    for engine in found["slowest"].as_array().into_iter().flatten() {
        let took = engine["ms"].as_f64().ok_or("an engine gave no time")?;
        let name = engine["engine"].as_str().unwrap_or_default();
        let input = engine["input"].as_str().unwrap_or_default();
        println!("{name:38} {took:>10.3} ms    ≤ {SLOWEST_PATTERN_MS:.0} ms   {input}");
        slowest = slowest.max(took);
    }
    Ok(slowest)
}

/// In memory where there is a place for it: what a disk and its journal cost is the same for both sides, and some file
/// systems make creating files many times dearer for seconds after files were deleted.
fn bench_folder() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory } else { &target_dir() };
    place.join(format!("umpire-bench-rules-{}", std::process::id()))
}

/// One attempt at every task, right if the vectors have a right one, and the configuration they were recorded with.
pub fn write_attempts(vectors: &Path, folder: &Path) -> Result<usize, String> {
    let text = read(&vectors.join("tasks.jsonl"))?;
    let mut best: BTreeMap<i64, (usize, Value)> = BTreeMap::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let entries = case["network_trace"].as_array().map_or(0, Vec::len);
        // A Playwright trace is no HAR, and an attempt without a request leaves nothing to look at.
        if case["config_id"] != "default" || case["variant"] == "n_playwright" || entries == 0 {
            continue;
        }
        let rank = match case["expected"]["status"].as_str() {
            _ if case["variant"] == "correct" => 0,
            Some("success") => 1,
            Some("failure") => 2,
            _ => 3,
        };
        let task_id = case["task_id"].as_i64().ok_or("a case has no task")?;
        if best.get(&task_id).is_none_or(|(known, _)| rank < *known) {
            best.insert(task_id, (rank, case));
        }
    }
    for (_, case) in best.values() {
        let attempt = folder.join("attempts").join(case["task_id"].to_string());
        fs::create_dir_all(&attempt).map_err(|error| error.to_string())?;
        let har = serde_json::json!({"log": {"version": "1.2", "creator": {"name": "vectors", "version": "1"}, "entries": case["network_trace"]}});
        write(&attempt.join("agent_response.json"), case["agent_response"].as_str().unwrap_or_default())?;
        write(&attempt.join("network.har"), &har.to_string())?;
    }
    let configs: Value =
        serde_json::from_str(&read(&vectors.join("configs.json"))?).map_err(|error| error.to_string())?;
    write(&folder.join("config.json"), &configs["default"].to_string())?;
    if best.is_empty() { Err("the vectors have no attempt".to_owned()) } else { Ok(best.len()) }
}

/// The released evaluator in an environment of its own.
pub fn ensure_peer() -> Result<PathBuf, String> {
    let folder = target_dir().join("webarena-verified");
    if !folder.join("bin/webarena-verified").exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(folder.join("bin/pip")).args(["install", "--quiet", "webarena-verified"]))?;
    }
    Ok(folder)
}

pub struct Measured {
    pub cpu: f64,
    memory_mb: f64,
}

/// CPU time and peak memory of a command. Children are waited for one by one, so the difference is this one's.
pub fn measured(command: &mut Command) -> Result<Measured, String> {
    let cpu = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        Ok::<f64, String>(micros as f64 / 1e6)
    };
    let before = cpu()?;
    // GNU time knows the peak of this one command; what `getrusage` knows is the largest child so far.
    let mut timed = Command::new("/usr/bin/time");
    timed.args(["-f", "%M", "--quiet"]).arg(command.get_program()).args(command.get_args());
    let output = timed.output().map_err(|error| format!("/usr/bin/time (Debian package `time`): {error}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{command:?} ended with {}: {errors}", output.status));
    }
    let kilobytes: f64 = errors
        .lines()
        .last()
        .and_then(|line| line.trim().parse().ok())
        .ok_or("no peak memory was reported")?;
    Ok(Measured { cpu: cpu()? - before, memory_mb: kilobytes / 1024.0 })
}

/// Milliseconds of CPU per task, as a process measured it itself.
fn inside(command: &mut Command) -> Result<f64, String> {
    answer(command)?["ms_per_task"].as_f64().ok_or_else(|| format!("{command:?} gave no time"))
}

/// The last line a command printed, which is JSON.
fn answer(command: &mut Command) -> Result<Value, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.lines().last().unwrap_or_default())
        .map_err(|_| format!("{command:?} printed {text}{}", String::from_utf8_lossy(&output.stderr)))
}

pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

pub fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
