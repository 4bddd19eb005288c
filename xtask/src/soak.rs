//! A long run on one machine: the runner's memory, files and ports stay flat, browsers are replaced, nothing stays behind.
//! What it prints is also what the chapter on sizing is made of.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::kill_test::processes_with;
use crate::ports::{listening, listening_of};
use crate::process_tree::{memory_mb, tree};
use crate::setup::{Done, build_release, ensure_chromium, released, root, target_dir};

const ATTEMPTS: usize = 2000;
const JOBS: &str = "8";
/// Instances of the suite smoke; as many trials of each as make up the number.
const INSTANCES: usize = 20;
/// The last quarter may take so much of the second: the first is for caches to fill.
const GROWTH: f64 = 1.1;

/// What was seen when an attempt ended.
#[derive(Clone, Copy)]
struct Sample {
    memory: u64,
    files: usize,
    /// Sockets that listen.
    ports: usize,
}

pub fn soak(arguments: &[&str]) -> Done {
    ensure_chromium()?;
    build_release()?;
    let wanted = match arguments {
        [count] => count.parse().map_err(|_| format!("`{count}` is not a number of attempts"))?,
        _ => ATTEMPTS,
    };
    let out = target_dir().join("soak");
    let _ = std::fs::remove_dir_all(&out);
    let trials = wanted.div_ceil(INSTANCES).to_string();
    let mut umpire = released();
    umpire.current_dir(root()).arg("--runs").arg(&out).stdout(Stdio::piped());
    umpire.args([
        "run", "--suite", "smoke", "--agent", "oracle", "--json", "--jobs", JOBS, "--trials", &trials,
    ]);
    let started = Instant::now();
    let mut child = umpire.spawn().map_err(|error| error.to_string())?;
    let runner = child.id();
    let marker = format!("umpire-chromium-{runner}-");
    let told = child.stdout.take().ok_or("no output to read")?;
    let mut samples = Vec::new();
    let (mut browsers, mut ports) = (BTreeSet::new(), BTreeSet::new());
    let mut most_in_browsers = 0;
    for line in BufReader::new(told).lines() {
        let line = line.map_err(|error| error.to_string())?;
        if line.contains("\"event\":\"finished\"") {
            let listening = listening_of(runner);
            samples.extend(sample(runner, listening.len()));
            ports.extend(listening);
            if samples.len() % 50 == 0 {
                browsers.extend(profiles(&marker));
                most_in_browsers = most_in_browsers.max(memory_below(runner));
                println!(
                    "{:5} attempts, {:4} MB, {} files, {} ports",
                    samples.len(),
                    last(&samples, |sample| sample.memory),
                    last(&samples, |sample| sample.files as u64),
                    last(&samples, |sample| sample.ports as u64)
                );
            }
        }
    }
    let ended = child.wait().map_err(|error| error.to_string())?;
    let took = started.elapsed();
    if !ended.success() {
        return Err(format!("the run ended with {ended}"));
    }
    std::thread::sleep(Duration::from_secs(2));
    report(&samples, took, &out, browsers.len());
    println!(
        "{most_in_browsers} MB in all browser processes at most, {JOBS} attempts at a time and two spares"
    );
    let left = processes_with(&marker);
    if !left.is_empty() || !profiles(&marker).is_empty() {
        return Err(format!("processes {left:?} and folders {:?} stayed behind", profiles(&marker)));
    }
    let open = listening().intersection(&ports).count();
    println!("{} sockets listened in the runner in all, {open} of them still do", ports.len());
    if open > 0 {
        return Err(format!("{open} ports stayed open"));
    }
    judge(&samples, wanted, browsers.len())
}

fn sample(runner: u32, ports: usize) -> Option<Sample> {
    let status = std::fs::read_to_string(format!("/proc/{runner}/status")).ok()?;
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let memory = memory.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? / 1024;
    Some(Sample { memory, files: std::fs::read_dir(format!("/proc/{runner}/fd")).ok()?.count(), ports })
}

/// What all processes below the runner have for themselves, and their share of what they have in common, in MB.
fn memory_below(runner: u32) -> u64 {
    memory_mb(tree(runner).get(1..).unwrap_or_default()) as u64
}

/// Profiles of browsers that the runner has, or has left, in the folder for temporary files.
fn profiles(marker: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(marker)).collect()
}

fn last(samples: &[Sample], of: impl Fn(&Sample) -> u64) -> u64 {
    samples.last().map_or(0, of)
}

fn mean(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

fn quarter(samples: &[Sample], number: usize) -> &[Sample] {
    let size = samples.len() / 4;
    &samples[number * size..(number + 1) * size]
}

fn report(samples: &[Sample], took: Duration, out: &Path, browsers: usize) {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let hours = took.as_secs_f64() / 3600.0;
    let bytes = bytes_below(out) / samples.len().max(1) as u64;
    println!(
        "{} attempts in {:.0} s on {cores} cores, {browsers} browsers",
        samples.len(),
        took.as_secs_f64()
    );
    println!(
        "{:.0} attempts an hour and core, {} KiB an attempt",
        samples.len() as f64 / hours / cores as f64,
        bytes >> 10
    );
}

fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_below(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

fn judge(samples: &[Sample], wanted: usize, browsers: usize) -> Done {
    if samples.len() < wanted {
        return Err(format!("{} of {wanted} attempts were seen to end", samples.len()));
    }
    let memory = |number| mean(quarter(samples, number), |sample| sample.memory as f64);
    let files = |number| mean(quarter(samples, number), |sample| sample.files as f64);
    let ports = |number| mean(quarter(samples, number), |sample| sample.ports as f64);
    println!("memory by quarter: {:.0}, {:.0}, {:.0}, {:.0} MB", memory(0), memory(1), memory(2), memory(3));
    println!("open files by quarter: {:.0}, {:.0}, {:.0}, {:.0}", files(0), files(1), files(2), files(3));
    println!("open ports by quarter: {:.1}, {:.1}, {:.1}, {:.1}", ports(0), ports(1), ports(2), ports(3));
    println!(
        "last quarter against the second: memory {:.2}, files {:.2}, ports {:.2} (wanted: at most {GROWTH})",
        memory(3) / memory(1),
        files(3) / files(1),
        ports(3) / ports(1)
    );
    if [memory(3) / memory(1), files(3) / files(1), ports(3) / ports(1)].iter().any(|grown| *grown > GROWTH) {
        return Err("the runner grew".to_owned());
    }
    if browsers < 2 {
        return Err("no browser was replaced".to_owned());
    }
    Ok(())
}
