//! `umpire top`: who works, on what, how fast.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::time::Duration;

use serde_json::{Value, json};
use umpire_fleet::{Overview, RunGlance, WorkerRow};

use super::{connect, soon, told};
use crate::args::{Global, TopArgs};
use crate::commands::remote::until_stopped;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::grid::{count, grid};

const EVERY: Duration = Duration::from_secs(1);
/// Where only metrics are wanted: they are fetched more seldom, and the index counts all results for each look.
const EVERY_UNSEEN: Duration = Duration::from_secs(5);
/// Workers and runs that fit on a screen.
const SHOWN: usize = 20;

pub async fn top(args: &TopArgs, global: &Global) -> Result<Exit, Failure> {
    let fleet = connect(&args.servers.required()?, "umpire top").await?;
    let is_screen = !global.json && std::io::stdout().is_terminal();
    // Whoever asks for metrics comes again and again.
    let is_live = !args.once && (is_screen || global.telemetry.metrics.is_some());
    let pause = if is_screen { EVERY } else { EVERY_UNSEEN };
    let mut is_first = true;
    let mut stopped = std::pin::pin!(until_stopped());
    loop {
        let overview = fleet.index.overview(soon()).await.map_err(told)?;
        count_for_watchers(&overview);
        // Without a screen it would only fill a log.
        if is_screen || is_first {
            if global.json {
                say!("{}", as_json(&overview));
            } else {
                let clear = if is_screen && is_live { "\u{1b}[H\u{1b}[2J" } else { "" };
                say!("{clear}{}", screen(&overview).trim_end());
            }
        }
        if !is_live {
            return Ok(Exit::Ok);
        }
        is_first = false;
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = &mut stopped => return Ok(Exit::Ok),
        }
    }
}

/// What an autoscaler goes by.
fn count_for_watchers(overview: &Overview) {
    let waiting = |run: &RunGlance| run.attempts.saturating_sub(run.ended + run.running);
    let open = overview.runs.iter().filter(|run| run.state == "open");
    tracing::event!(target: "umpire::metrics", tracing::Level::INFO, {
        gauge.umpire_queue_waiting = open.map(waiting).sum::<u64>(),
        gauge.umpire_workers = overview.workers.iter().filter(|worker| !worker.is_lost).count() as u64
    });
}

fn screen(overview: &Overview) -> String {
    let mut out = String::new();
    let (there, lost): (Vec<&WorkerRow>, Vec<&WorkerRow>) =
        overview.workers.iter().partition(|worker| !worker.is_lost);
    let slots: u64 = there.iter().map(|worker| worker.slots).sum();
    let running: u64 = there.iter().map(|worker| worker.running).sum();
    let _ = writeln!(out, "Workers: {}. Places in use: {running} of {slots}.", there.len());
    if !lost.is_empty() {
        let _ = writeln!(out, "Went silent without leaving: {}.", lost.len());
    }
    if !overview.runs.is_empty() {
        out.push('\n');
        let header =
            ["run", "state", "ended", "of", "pass", "infra", "given up", "running", "a minute", "left"];
        let rows: Vec<Vec<String>> = overview.runs.iter().take(SHOWN).map(run_row).collect();
        grid(&header, &rows, &mut out);
        if let more @ 1.. = overview.runs.len().saturating_sub(SHOWN) {
            // Of runs that are over the index names only the latest.
            let _ = writeln!(out, "  … and at least {more} more");
        }
    }
    if !overview.workers.is_empty() {
        out.push('\n');
        let rows: Vec<Vec<String>> = overview.workers.iter().take(SHOWN).map(worker_row).collect();
        grid(&["worker", "in use", "cores", "memory", "seen", "labels", "browser"], &rows, &mut out);
        if let more @ 1.. = overview.workers.len().saturating_sub(SHOWN) {
            let _ = writeln!(out, "  … and {more} more");
        }
    }
    let noted: Vec<&WorkerRow> = overview.workers.iter().filter(|worker| !worker.note.is_empty()).collect();
    for worker in noted.iter().take(SHOWN) {
        let _ = writeln!(out, "\n  {}: {}", worker.name, worker.note);
    }
    if let more @ 1.. = noted.len().saturating_sub(SHOWN) {
        let _ = writeln!(out, "\n  … and notes of {more} more");
    }
    if !overview.holds.is_empty() {
        let holds: Vec<String> =
            overview.holds.iter().map(|hold| format!("{} ({})", hold.name, hold.in_use)).collect();
        let _ = writeln!(out, "\n  in use: {}", holds.join(", "));
    }
    for dead in &overview.dead {
        let _ = writeln!(out, "\n  given up: {} {}: {}", dead.run, dead.attempt, dead.reason);
    }
    out
}

fn run_row(run: &RunGlance) -> Vec<String> {
    let number = |value: u64| count(usize::try_from(value).unwrap_or(usize::MAX));
    vec![
        run.run.clone(),
        if run.published < run.attempts && run.state == "open" {
            "planning".to_owned()
        } else {
            run.state.clone()
        },
        number(run.ended),
        number(run.attempts),
        number(run.passed),
        number(run.infra),
        number(run.dead),
        number(run.running),
        number(run.in_last_minute),
        left(run),
    ]
}

/// At the rate of the last minute.
fn left(run: &RunGlance) -> String {
    if run.state != "open" || run.in_last_minute == 0 {
        return "–".to_owned();
    }
    let minutes = (run.attempts.saturating_sub(run.ended)) as f64 / run.in_last_minute as f64;
    match minutes {
        under if under < 1.0 => "< 1 min".to_owned(),
        some if some < 100.0 => format!("{some:.0} min"),
        many => format!("{:.0} h", many / 60.0),
    }
}

fn worker_row(worker: &WorkerRow) -> Vec<String> {
    let of = |field: &str| worker.capacity.get(field).cloned().unwrap_or_default();
    let listed = |field: &str| {
        let values = of(field);
        let words: Vec<&str> = values.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if words.is_empty() { "–".to_owned() } else { words.join(" ") }
    };
    let seen = match worker.silent_ms / 1000 {
        seconds if worker.is_lost => format!("{seconds} s ago"),
        _ => "now".to_owned(),
    };
    vec![
        worker.name.clone(),
        format!("{}/{}", worker.running, worker.slots),
        of("cores").to_string(),
        format!("{} GiB", of("memory_mb").as_u64().unwrap_or_default() / 1024),
        seen,
        listed("labels"),
        listed("browsers"),
    ]
}

fn as_json(overview: &Overview) -> Value {
    let workers: Vec<Value> = overview
        .workers
        .iter()
        .map(|worker| {
            json!({
                "worker": worker.worker, "name": worker.name, "slots": worker.slots, "running": worker.running,
                "lost": worker.is_lost, "silent_ms": worker.silent_ms, "capacity": worker.capacity, "note": worker.note,
            })
        })
        .collect();
    let runs: Vec<Value> = overview
        .runs
        .iter()
        .map(|run| {
            json!({
                "run": run.run, "state": run.state, "attempts": run.attempts, "published": run.published,
                "ended": run.ended, "pass": run.passed, "infra": run.infra, "given_up": run.dead,
                "running": run.running, "in_last_minute": run.in_last_minute, "age_ms": run.age_ms,
            })
        })
        .collect();
    let holds: Vec<Value> =
        overview.holds.iter().map(|hold| json!({ "name": hold.name, "in_use": hold.in_use })).collect();
    let dead: Vec<Value> = overview
        .dead
        .iter()
        .map(|dead| json!({ "run": dead.run, "attempt": dead.attempt, "reason": dead.reason }))
        .collect();
    json!({ "workers": workers, "runs": runs, "in_use": holds, "given_up": dead })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glance() -> RunGlance {
        RunGlance {
            run: "demo-1a2b3c4d".to_owned(),
            state: "open".to_owned(),
            attempts: 1200,
            published: 1200,
            ended: 900,
            passed: 700,
            infra: 3,
            dead: 1,
            running: 8,
            in_last_minute: 100,
            age_ms: 540_000,
        }
    }

    fn anna() -> WorkerRow {
        WorkerRow {
            worker: "anna-1".to_owned(),
            name: "anna".to_owned(),
            capacity: json!({"cores": 8, "memory_mb": 32_768, "browsers": ["Chrome/1"], "labels": ["eu"]}),
            slots: 8,
            running: 8,
            note: String::new(),
            silent_ms: 900,
            is_lost: false,
        }
    }

    #[test]
    fn a_screen_says_who_works_on_what() {
        let overview = Overview { workers: vec![anna()], runs: vec![glance()], ..Overview::default() };
        let text = screen(&overview);
        assert_eq!(
            text,
            "Workers: 1. Places in use: 8 of 8.\n\n  \
             run            state  ended     of  pass  infra  given up  running  a minute   left\n  \
             demo-1a2b3c4d   open    900  1,200   700      3         1        8       100  3 min\n\n  \
             worker  in use  cores  memory  seen  labels   browser\n  \
             anna       8/8      8  32 GiB   now      eu  Chrome/1\n"
        );
    }

    #[test]
    fn what_does_not_fit_on_the_screen_is_counted() {
        let full = Overview {
            workers: (0..SHOWN).map(|_| anna()).collect(),
            runs: (0..SHOWN).map(|_| glance()).collect(),
            ..Overview::default()
        };
        assert!(!screen(&full).contains('…'), "all of it fits");
        let noted = || WorkerRow { note: "all fails here".to_owned(), ..anna() };
        let overview = Overview {
            workers: (0..SHOWN + 2).map(|_| noted()).collect(),
            runs: (0..SHOWN + 3).map(|_| glance()).collect(),
            ..Overview::default()
        };
        let text = screen(&overview);
        let told: Vec<&str> = text.lines().filter(|line| line.contains('…')).collect();
        assert_eq!(told, ["  … and at least 3 more", "  … and 2 more", "  … and notes of 2 more"]);
    }

    #[test]
    fn what_is_left_is_told_only_where_it_can_be_known() {
        assert_eq!(left(&glance()), "3 min");
        assert_eq!(left(&RunGlance { in_last_minute: 0, ..glance() }), "–");
        assert_eq!(left(&RunGlance { state: "done".to_owned(), ..glance() }), "–");
    }
}
