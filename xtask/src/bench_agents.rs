//! Benchmarks of agents with a model: what a step costs beside the model's time, alone and in a crowd, and what it costs to
//! show a page to a model, beside browser-use.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::{Served, chromium, json_of, median, ours};
use crate::process_tree::{CpuByKind, memory_mb, tree};
use crate::setup::{Done, ensure_clients, journals, released, root, target_dir};

const LOOKS: &str = "15";
/// Both sides take turns.
const TURNS: usize = 3;
/// A tenth of the three seconds that the reference sleeps after every action.
const STEP_MS: f64 = 300.0;
const CROWD: usize = 16;
const CROWD_STEP_MS: f64 = 1000.0;
/// Steps that are told apart: which took longest, and what it did.
const LONGEST_SHOWN: usize = 5;

/// Elements, outline and marked screenshot of five pages, against browser-use's own extraction of the same pages.
pub fn looks() -> Done {
    ensure_clients()?;
    let python = target_dir().join("clients/venv-browser-use/bin/python3");
    let (mut us, mut them) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        us.push(json_of(ours().args(["looks", LOOKS]))?);
        let pages = Served::start(ours().arg("serve"))?;
        let mut peer = Command::new(&python);
        peer.arg(root().join("benches/peer/looks.py")).arg(chromium()?).arg(&pages.address).arg(LOOKS);
        them.push(json_of(&mut peer)?);
    }
    println!(
        "\n{:38} {:>10} {:>12} {:>7}   wanted",
        "a look, median of turns", "umpire", "browser-use", "ratio"
    );
    let pages: Vec<String> = us[0].as_object().into_iter().flat_map(|pages| pages.keys().cloned()).collect();
    let mut missed = Vec::new();
    for page in pages {
        let path = format!("/{}/wall_ms", page.replace('/', "~1"));
        let (a, b) = (median(&us, &path)?, median(&them, &path)?);
        println!("{page:38} {a:>7.1} ms {b:>9.1} ms {:>7.2}   < 1.00", a / b);
        if a >= b {
            missed.push(page);
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(format!("missed: {}", missed.join("; "))) }
}

/// One step of `voyager` without the model's time: act, settle, observe, draw, record.
pub fn voyager() -> Done {
    let mut steps: Vec<f64> = run_voyager(1, "0")?.steps.iter().map(|step| step.overhead).collect();
    steps.sort_by(f64::total_cmp);
    let middle = *steps.get(steps.len() / 2).ok_or("no step was made")?;
    println!(
        "\na step of voyager without the model's time, {} steps: median {middle:.0} ms (wanted ≤ {STEP_MS:.0} ms)",
        steps.len()
    );
    if middle <= STEP_MS { Ok(()) } else { Err("missed: voyager".to_owned()) }
}

/// Sixteen attempts at once, with a model that takes a second.
pub fn crowd() -> Done {
    let ran = run_voyager(CROWD, "1000")?;
    let mut steps = ran.steps;
    steps.sort_by(|a, b| a.overhead.total_cmp(&b.overhead));
    let attempts: BTreeSet<&str> = steps.iter().map(|step| step.instance.as_str()).collect();
    let all: Vec<f64> = steps.iter().map(|step| step.overhead).collect();
    let most = *all.last().ok_or("no attempt was made")?;
    println!(
        "\n{CROWD} attempts at a time, {} in all, {} steps: overhead of a step median {:.0} ms, p95 {:.0} ms, \
         longest {most:.0} ms (wanted ≤ {CROWD_STEP_MS:.0} ms); memory {:.0} MiB per attempt",
        attempts.len(),
        all.len(),
        all[all.len() / 2],
        all[all.len() * 95 / 100],
        ran.peak_mb / CROWD as f64,
    );
    println!("the longest:");
    for step in steps.iter().rev().take(LONGEST_SHOWN) {
        println!("  {step}");
    }
    let failed = steps.iter().filter(|step| step.error.is_some()).count();
    println!("{failed} actions had no effect");
    let by_step = |seconds: f64| seconds * 1000.0 / all.len() as f64;
    let kinds = ran.cpu.seconds();
    let total: f64 = kinds.iter().map(|(_, seconds)| seconds).sum();
    let kinds = kinds.iter().filter(|(_, seconds)| by_step(*seconds) >= 1.0);
    let kinds: Vec<String> =
        kinds.map(|(kind, seconds)| format!("{kind} {:.0}", by_step(*seconds))).collect();
    println!("CPU of a step, starts included: {:.0} ms ({})", by_step(total), kinds.join(", "));
    if most <= CROWD_STEP_MS { Ok(()) } else { Err("missed: crowd".to_owned()) }
}

struct Ran {
    steps: Vec<Step>,
    /// Of all processes of the run together.
    peak_mb: f64,
    cpu: CpuByKind,
}

/// What happened between two calls of the model.
#[derive(Debug, PartialEq)]
struct Step {
    instance: String,
    number: u64,
    /// Milliseconds between the end of one call of the model and the start of the next.
    overhead: f64,
    /// Of these, until the page was at rest again after the action; the rest is looking and drawing.
    acting: f64,
    action: String,
    /// Why the action had no effect: one that waits for an element it cannot hit takes its time on any machine.
    error: Option<String>,
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { instance, number, overhead, acting, action, error } = self;
        write!(f, "{overhead:>6.0} ms, {acting:.0} until rest: {instance}, step {number}, {action}")?;
        error.iter().try_for_each(|error| write!(f, ", no effect: {error}"))
    }
}

fn run_voyager(jobs: usize, delay: &str) -> Result<Ran, String> {
    let model = Served::start(ours().args(["model", delay]))?;
    let folder = target_dir().join("bench-agents");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let config = format!(
        "[models.scripted]\nprovider = \"openai-compatible\"\nmodel = \"scripted\"\nbase_url = \"{}\"\nconcurrency = 64\n",
        model.address
    );
    std::fs::write(folder.join("umpire.toml"), config).map_err(|error| error.to_string())?;
    let mut umpire = released();
    umpire
        .current_dir(&folder)
        .args(["run", "--suite", "smoke", "--agent", "voyager", "--model", "scripted"]);
    umpire.args(["-j", &jobs.to_string(), "--json"]).stdout(Stdio::null());
    let mut running = umpire.spawn().map_err(|error| format!("umpire: {error}"))?;
    let (peak_mb, cpu) = watch(&mut running)?;
    let steps = journals(&folder).iter().map(|journal| steps_of(journal)).collect::<Result<Vec<_>, _>>()?;
    Ok(Ran { steps: steps.into_iter().flatten().collect(), peak_mb, cpu })
}

/// Waits for the run, and looks at its memory and where its time goes meanwhile.
fn watch(running: &mut Child) -> Result<(f64, CpuByKind), String> {
    const LIMIT: Duration = Duration::from_mins(10);
    // Adding up the pages of forty processes costs the cores that are measured.
    const LOOKS_AT_MEMORY: u32 = 20;
    let (started, mut peak, mut cpu) = (Instant::now(), 0.0_f64, CpuByKind::default());
    for look in 1.. {
        match running.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => break,
            Some(status) => return Err(format!("umpire ended with {status}")),
            None if started.elapsed() > LIMIT => {
                let _ = running.kill();
                return Err("the run did not end".to_owned());
            }
            None => {
                let processes = tree(running.id());
                cpu.look(&processes);
                if look % LOOKS_AT_MEMORY == 0 {
                    peak = peak.max(memory_mb(&processes));
                }
            }
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    Ok((peak, cpu))
}

/// The steps of one attempt, each from the end of a call of the model to the start of the next.
fn steps_of(journal: &Path) -> Result<Vec<Step>, String> {
    let text = std::fs::read_to_string(journal).map_err(|error| error.to_string())?;
    // …/attempts/AGENT/INSTANCE/TRIAL/journal.jsonl
    let instance = journal.ancestors().nth(2).and_then(Path::file_name).unwrap_or_default();
    let events = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    Ok(steps(&instance.to_string_lossy(), events))
}

fn steps(instance: &str, events: impl Iterator<Item = Value>) -> Vec<Step> {
    let mut ended: Option<f64> = None;
    let mut acted = Value::Null;
    let mut steps = Vec::new();
    for event in events {
        match event["type"].as_str() {
            Some("acted") => acted = event,
            Some("model_called") => {
                let [now, took] = ["ms", "took_ms"].map(|field| event[field].as_f64().unwrap_or_default());
                steps.extend(ended.map(|ended| Step {
                    instance: instance.to_owned(),
                    number: acted["step"].as_u64().unwrap_or_default(),
                    overhead: now - took - ended,
                    acting: acted["took_ms"].as_f64().unwrap_or_default(),
                    action: acted["action"].as_str().unwrap_or("no action").to_owned(),
                    error: acted["error"].as_str().map(str::to_owned),
                }));
                (ended, acted) = (Some(now), Value::Null);
            }
            _ => {}
        }
    }
    steps
}

#[cfg(test)]
mod check {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_step_is_what_happens_between_two_calls() {
        let events = [
            json!({"type": "model_called", "ms": 1_500, "took_ms": 1_000}),
            json!({"type": "acted", "step": 1, "action": "click [3]", "took_ms": 300, "error": "covered"}),
            json!({"type": "observed", "ms": 1_900}),
            json!({"type": "model_called", "ms": 2_900, "took_ms": 1_000}),
        ];
        let expected = Step {
            instance: "hub-1".to_owned(),
            number: 1,
            overhead: 400.0,
            acting: 300.0,
            action: "click [3]".to_owned(),
            error: Some("covered".to_owned()),
        };
        let shown = expected.to_string();
        assert_eq!(steps("hub-1", events.into_iter()), [expected]);
        assert!(shown.contains("hub-1, step 1, click [3], no effect: covered"), "{shown}");
    }
}
