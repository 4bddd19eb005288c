//! Benchmarks of agents with a model: what a step costs beside the model's time, alone and in a crowd, and what it costs to
//! show a page to a model, beside browser-use.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::{Served, chromium, json_of, median, ours};
use crate::setup::{Done, ensure_all_clients, journals, released, root, target_dir};

const LOOKS: &str = "15";
/// Both sides take turns.
const TURNS: usize = 3;
/// A tenth of the three seconds that the reference sleeps after every action.
const STEP_MS: f64 = 300.0;
const CROWD: usize = 16;
const CROWD_STEP_MS: f64 = 1000.0;

/// Elements, outline and marked screenshot of five pages, against browser-use's own extraction of the same pages.
pub fn looks() -> Done {
    ensure_all_clients()?;
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
    let mut steps = run_voyager(1, "0")?.steps.concat();
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
    let mut worst: Vec<f64> =
        ran.steps.iter().map(|steps| steps.iter().copied().fold(0.0, f64::max)).collect();
    worst.sort_by(f64::total_cmp);
    let mut all = ran.steps.concat();
    all.sort_by(f64::total_cmp);
    let most = *worst.last().ok_or("no attempt was made")?;
    println!(
        "\n{CROWD} attempts at a time, {} in all, {} steps: overhead of a step median {:.0} ms, p95 {:.0} ms, \
         longest {most:.0} ms (wanted ≤ {CROWD_STEP_MS:.0} ms); memory {:.0} MiB per attempt",
        worst.len(),
        all.len(),
        all[all.len() / 2],
        all[all.len() * 95 / 100],
        ran.peak_mb / CROWD as f64,
    );
    if most <= CROWD_STEP_MS { Ok(()) } else { Err("missed: crowd".to_owned()) }
}

struct Ran {
    /// Milliseconds between the end of one call of the model and the start of the next, by attempt.
    steps: Vec<Vec<f64>>,
    /// Of all processes of the run together.
    peak_mb: f64,
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
    let peak_mb = watch(&mut running)?;
    let steps = journals(&folder).iter().map(|journal| steps_of(journal)).collect::<Result<Vec<_>, _>>()?;
    Ok(Ran { steps: steps.into_iter().filter(|steps| !steps.is_empty()).collect(), peak_mb })
}

/// Waits for the run, and looks at its memory meanwhile.
fn watch(running: &mut Child) -> Result<f64, String> {
    const LIMIT: Duration = Duration::from_mins(10);
    let (started, mut peak) = (Instant::now(), 0.0_f64);
    loop {
        match running.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => return Ok(peak),
            Some(status) => return Err(format!("umpire ended with {status}")),
            None if started.elapsed() > LIMIT => {
                let _ = running.kill();
                return Err("the run did not end".to_owned());
            }
            None => peak = peak.max(memory_of_tree(running.id())),
        }
        // Adding up the pages of forty processes costs the cores that are measured.
        std::thread::sleep(Duration::from_secs(2));
    }
}

/// Proportional memory of a process and all its descendants, in MiB.
fn memory_of_tree(root: u32) -> f64 {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        children.entry(parent.unwrap_or_default()).or_default().push(pid);
    }
    let mut waiting = vec![root];
    let mut total = 0.0;
    while let Some(pid) = waiting.pop() {
        waiting.extend(children.get(&pid).into_iter().flatten());
        let rollup =
            std::fs::read_to_string(PathBuf::from(format!("/proc/{pid}/smaps_rollup"))).unwrap_or_default();
        let pss = rollup
            .lines()
            .find_map(|line| line.strip_prefix("Pss:")?.split_whitespace().next()?.parse::<f64>().ok());
        total += pss.unwrap_or_default() / 1024.0;
    }
    total
}

/// The time between calls of the model, in one attempt.
fn steps_of(journal: &Path) -> Result<Vec<f64>, String> {
    let text = std::fs::read_to_string(journal).map_err(|error| error.to_string())?;
    let mut ended: Option<f64> = None;
    let mut steps = Vec::new();
    for event in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        if event["type"] != "model_called" {
            continue;
        }
        let (now, took) =
            (event["ms"].as_f64().unwrap_or_default(), event["took_ms"].as_f64().unwrap_or_default());
        steps.extend(ended.map(|ended| now - took - ended));
        ended = Some(now);
    }
    Ok(steps)
}
