//! Our side of the benchmarks; `cargo xtask bench` runs it beside its peers and prints the ratios.
//!
//! `serve` answers for the benchmark pages, `model` as a model, until their standard input ends; the others print one
//! JSON line.

mod judges;
mod looks;
mod model;
mod pages;
mod patterns;
mod ratings;
mod report;
mod requests;
mod rules;
mod screens;
mod step;
mod subset;
mod world;

use std::process::ExitCode;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

fn main() -> ExitCode {
    // As the `umpire` command does.
    umpire_process::heap::keep_freed_memory();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["serve"] => pages::serve(),
        ["step", steps] => step::measure(steps),
        ["model", delay] => model::serve(delay),
        ["looks", times] => looks::measure(times),
        ["requests", status] => requests::measure(status),
        ["world"] => world::measure(),
        ["rules", suite, folder] => rules::measure(suite, folder),
        ["patterns"] => patterns::measure(),
        ["judges"] => judges::measure(),
        ["ratings", "write", battles, file] => ratings::write(battles, file),
        ["ratings", "measure", file] => ratings::measure(file),
        ["subset", attempts] => subset::measure(attempts),
        ["report", attempts, folder] => report::measure(attempts, folder),
        _ => {
            Err("usage: umpire-benches serve | step STEPS | looks TIMES | model DELAY | world | requests STATUS | rules SUITE FOLDER | patterns | judges | ratings write BATTLES FILE | ratings measure FILE | subset ATTEMPTS | report ATTEMPTS FOLDER".to_owned())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| error.to_string())
}

/// A figure of this process from `/proc/self/status`, in MiB.
pub(crate) fn memory_mb(figure: &str) -> Result<f64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let line = status.lines().find(|line| line.starts_with(figure)).ok_or("no such figure")?;
    let kilobytes: f64 = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).ok_or("not a number")?;
    Ok(kilobytes / 1024.0)
}

/// CPU time of this process, user and system.
pub(crate) fn cpu_ms() -> f64 {
    getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| {
        (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1000.0
    })
}
