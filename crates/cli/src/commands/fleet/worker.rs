//! `umpire worker`: this machine takes part in the runs of a fleet until it is told to leave.

use std::sync::Arc;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};
use umpire_fleet::{Capacity, Kept, Leave, Scratch, Worker, WorkerOptions};
use umpire_runner::browser_version;
use umpire_store::Runs;

use super::crew::Browsers;
use super::{connect, told};
use crate::args::{Global, WorkerArgs};
use crate::commands::run::default_jobs;
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

pub async fn worker(
    args: &WorkerArgs,
    global: &Global,
    config: &Config,
    runs: &Runs,
) -> Result<Exit, Failure> {
    let addresses = args.servers.required()?;
    let name = args.name.clone().unwrap_or_else(host_name);
    let jobs = args.jobs.unwrap_or_else(default_jobs).max(1);
    let browser = browser_version(global.chromium.clone(), global.remote.remote()?).await?;
    let fleet = connect(&addresses, &format!("umpire worker {name}")).await?;
    // It lies among the runs, which agents cannot open.
    let scratch = Scratch::below(&runs.root().join(".fleet")).map_err(told)?;
    // What happens within an attempt nobody watches here.
    let (events, _) = mpsc::unbounded_channel();
    let crew = Browsers {
        global: global.clone(),
        config: config.clone(),
        runs: runs.clone(),
        jobs,
        history: args.history.clone(),
        scratch: scratch.folder().to_owned(),
        events,
    };
    let capacity = Capacity {
        cores: default_jobs(),
        memory_mb: memory_mb(),
        browsers: vec![browser.clone()],
        labels: args.labels.clone(),
        umpire: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let options = WorkerOptions { name, slots: jobs, capacity, scratch, drain_within: args.drain_within };
    let worker = Worker::new(fleet, Arc::new(crew), options);
    say!(
        "{:>8} as {}: {jobs} at a time, {browser}; Ctrl-C or SIGTERM leaves when what is in hand has ended",
        "Joined",
        worker.id()
    );
    tracing::info!(worker = worker.id(), jobs, browser, "joined the fleet");
    let (leave, left) = watch::channel(Leave::Stay);
    let signals = tokio::spawn(until_told(leave));
    let kept = worker.work(left).await.map_err(told)?;
    signals.abort();
    for Kept { run, attempt, folder, .. } in &kept {
        say!("{:>8} {run} {attempt}: {}", "Kept", folder.display());
    }
    tracing::info!(worker = worker.id(), kept = kept.len(), "left the fleet");
    if kept.is_empty() {
        say!("{:>8} nothing is in hand", "Left");
        return Ok(Exit::Ok);
    }
    let (count, root) = (kept.len(), runs.root().display());
    say!(
        "{:>8} {count} not handed in; `umpire --runs {root} worker` does it when the servers are there",
        "Left"
    );
    Ok(Exit::Incomplete)
}

/// The first signal lets what is in hand end; the second gives it back.
async fn until_told(leave: watch::Sender<Leave>) {
    let (Ok(mut term), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return std::future::pending().await;
    };
    for (how, said) in [
        (Leave::WhenDone, "takes nothing new; what is in hand is ended, a second signal gives it back"),
        (Leave::AtOnce, "gives back what is in hand, and keeps what has ended"),
    ] {
        tokio::select! {
            _ = term.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("{said}");
        say!("{:>8} {said}", "Leaving");
        leave.send_replace(how);
    }
    std::future::pending::<()>().await;
}

fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "worker".to_owned() } else { name.trim().to_owned() }
}

fn memory_mb() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("MemTotal:"));
    let kilobytes = line.and_then(|line| line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() / 1024
}
