//! Kills the runner at random moments and shows that nothing is lost, nothing runs twice, and nothing stays behind.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::setup::{Done, build_release, ensure_chromium, journals, released, root, target_dir};

const ROUNDS: u32 = 10;
/// Twenty-four instances with three agents: more than sixty attempts.
const FILTER: &str = "site=shop";
const AGENTS: &str = "oracle,heuristic,link-follower";

pub fn kill_test(arguments: &[&str]) -> Done {
    ensure_chromium()?;
    build_release()?;
    let seed = match arguments {
        [seed] => seed.parse().map_err(|_| format!("`{seed}` is not a seed"))?,
        _ => SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| u64::from(now.subsec_nanos())),
    };
    println!("seed {seed}: `cargo xtask kill-test {seed}` draws the same moments");
    let out = target_dir().join("kill-test");
    let _ = std::fs::remove_dir_all(&out);
    let mut random = seed;
    for round in 1..=ROUNDS {
        // A linear congruential step is random enough to pick a moment.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let wait = Duration::from_millis(300 + (random >> 33) % 3000);
        let mut child =
            umpire(&out).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|e| e.to_string())?;
        let pid = child.id();
        let started = Instant::now();
        while started.elapsed() < wait && child.try_wait().is_ok_and(|ended| ended.is_none()) {
            std::thread::sleep(Duration::from_millis(10));
        }
        child.kill().map_err(|error| error.to_string())?;
        let _ = child.wait();
        let left = wait_until_gone(pid)?;
        println!("round {round:2}: killed after {:>5} ms, cleaned up {left} ms later", wait.as_millis());
    }
    let last = umpire(&out).stdout(Stdio::null()).status().map_err(|error| error.to_string())?;
    if !last.success() {
        return Err(format!("the last resume ended with {last}"));
    }
    let Counted { outcomes, interrupted } = count(&out)?;
    let attempts = outcomes.len();
    if attempts < 60 || interrupted == 0 {
        return Err(format!("{attempts} attempts, {interrupted} interrupted: the test proves too little"));
    }
    Ok(())
}

fn umpire(out: &Path) -> Command {
    let mut command = released();
    command.current_dir(root()).arg("--runs").arg(out);
    command.args(["run", "--suite", "demo", "--agent", AGENTS, "--filter", FILTER, "--json"]);
    command
}

/// Waits until no process of the dead runner is left; an orphan is an error.
fn wait_until_gone(runner: u32) -> Result<u128, String> {
    let started = Instant::now();
    let marker = format!("umpire-chromium-{runner}-");
    loop {
        let alive = processes_with(&marker);
        if alive.is_empty() {
            return Ok(started.elapsed().as_millis());
        }
        if started.elapsed() > Duration::from_secs(10) {
            return Err(format!("processes {alive:?} survived runner {runner}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub fn processes_with(marker: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter(|entry| {
            let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(marker)
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// What was found in a folder of runs.
pub struct Counted {
    /// Of each attempt, by its name.
    pub outcomes: BTreeMap<String, String>,
    /// Tries that did not end.
    pub interrupted: usize,
}

/// Every attempt must have exactly one finished try and one outcome.
pub fn count(out: &Path) -> Result<Counted, String> {
    let mut interrupted = 0;
    let mut outcomes = BTreeMap::new();
    for journal in journals(out) {
        let text = std::fs::read_to_string(&journal).map_err(|error| error.to_string())?;
        let events: Vec<serde_json::Value> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let started = events.iter().filter(|event| event["type"] == "started").count();
        let ended = events.iter().filter(|event| event["type"] == "ended").count();
        interrupted += started - ended.min(started);
        if ended != 1 {
            return Err(format!("{} ran {ended} times to completion", journal.display()));
        }
        let verdicts = std::fs::read_to_string(journal.with_file_name("verdicts.jsonl")).unwrap_or_default();
        let last =
            verdicts.lines().last().and_then(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let outcome = last.and_then(|v| v["outcome"].as_str().map(str::to_owned));
        let outcome = outcome.ok_or_else(|| format!("{} has no verdict", journal.display()))?;
        outcomes.insert(name_of(&journal), outcome);
    }
    let mut tally: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in outcomes.values() {
        *tally.entry(outcome).or_default() += 1;
    }
    println!(
        "{} attempts, each with one outcome ({tally:?}); {interrupted} tries were interrupted and run again",
        outcomes.len()
    );
    Ok(Counted { outcomes, interrupted })
}

/// Agent, instance and trial.
fn name_of(journal: &Path) -> String {
    let folders: Vec<_> = journal.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    let name = folders.len().saturating_sub(4)..folders.len().saturating_sub(1);
    folders[name].join("/")
}
