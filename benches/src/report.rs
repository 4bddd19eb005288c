//! The one-file report of a very large run, in memory and from a run's folder.

#[path = "../../crates/model/tests/made_up/mod.rs"]
mod made_up;

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde_json::json;
use umpire_model::{
    AgentEntry, AttemptId, Digest, End, Event, EventBody, Instance, JOURNAL_VERSION, Manifest, Outcome,
    Spending, TaskKind, UsdMicros, VERDICT_VERSION, Verdict, Viewport,
};
use umpire_report::{AttemptSummary, counted, csv, page, parquet, rows, summary};
use umpire_stats::AttemptRow;
use umpire_store::{FiledVerdict, InstanceFacts, Run, Runs};

const AGENTS: usize = 5;
const TRIALS: u32 = 10;
const SITES: [&str; 6] = ["shop", "forum", "hub", "maps", "mail", "wiki"];

pub fn measure(attempts: &str, folder: &str) -> Result<(), String> {
    let attempts: usize = attempts.parse().map_err(|_| "how many attempts?".to_owned())?;
    let instances: Vec<Instance> = (0..attempts / AGENTS / TRIALS as usize).map(instance).collect();
    let manifest = manifest(&instances);
    let (given, table) = attempts_of(&manifest, &instances)?;
    let started = Instant::now();
    let whole = counted(manifest.clone(), given, &facts(&instances));
    let text = page(&whole, &table).map_err(|error| error.to_string())?;
    let render_ms = ms(started);
    fs::write(Path::new(folder).join("report.html"), &text).map_err(|error| error.to_string())?;
    let started = Instant::now();
    let csv_bytes = csv(&whole, &table).map_err(|error| error.to_string())?.len();
    let csv_ms = ms(started);
    let started = Instant::now();
    let parquet_bytes = parquet(&whole, &table).map_err(|error| error.to_string())?.len();
    let parquet_ms = ms(started);
    let disk_ms = from_disk(&manifest, &instances, &whole.attempts)?;
    println!(
        "{}",
        json!({
            "attempts": whole.attempts.len(),
            "page_bytes": text.len(),
            "render_ms": render_ms,
            "csv_bytes": csv_bytes,
            "csv_ms": csv_ms,
            "parquet_bytes": parquet_bytes,
            "parquet_ms": parquet_ms,
            "disk_ms": disk_ms,
        })
    );
    Ok(())
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

/// The same attempts as files, as short as journals can be; then from the folder to the page.
fn from_disk(
    manifest: &Manifest,
    instances: &[Instance],
    attempts: &[AttemptSummary],
) -> Result<f64, String> {
    let root = tempfile::tempdir().map_err(|error| error.to_string())?;
    let run = Runs::new(root.path()).create(manifest, instances).map_err(|error| error.to_string())?;
    for attempt in attempts {
        write_attempt(&run, attempt).map_err(|error| error.to_string())?;
    }
    let started = Instant::now();
    let whole = summary(&run).map_err(|error| error.to_string())?;
    let table = rows(&run, &whole).map_err(|error| error.to_string())?;
    let text = page(&whole, &table).map_err(|error| error.to_string())?;
    let took = ms(started);
    let judged = whole.attempts.iter().filter(|attempt| attempt.outcome.is_some()).count();
    if judged == attempts.len() && text.len() > attempts.len() {
        Ok(took)
    } else {
        Err(format!("{judged} of {} attempts were read", attempts.len()))
    }
}

fn write_attempt(run: &Run, attempt: &AttemptSummary) -> std::io::Result<()> {
    let journal = run.attempt(&attempt.id).journal_path();
    let folder = journal.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let started = EventBody::Started {
        attempt: attempt.id.clone(),
        r#try: 1,
        instance: Digest::of(b"instance"),
        at: "2026-01-01T00:00:00Z".to_owned(),
        browser: "Chromium".to_owned(),
        remote: None,
        viewport: Viewport::default(),
    };
    let ended = EventBody::Ended {
        end: End::Answered,
        detail: String::new(),
        steps: attempt.steps.unwrap_or(0),
        counted: attempt.steps.unwrap_or(0),
    };
    let lines = [started, ended].into_iter().zip(0..).map(|(body, seq)| {
        let event = Event { v: JOURNAL_VERSION, seq, ms: seq * 4000, body };
        serde_json::to_string(&event).unwrap_or_default() + "\n"
    });
    fs::write(&journal, lines.collect::<String>())?;
    let verdict = Verdict {
        version: VERDICT_VERSION,
        attempt: attempt.id.clone(),
        by: "rules".to_owned(),
        digest: Digest::of(b"rules"),
        outcome: attempt.outcome.unwrap_or(Outcome::Fail),
        reason: attempt.reason.clone(),
        response_form: None,
        checks: Vec::new(),
    };
    let filed = serde_json::to_string(&FiledVerdict { r#try: 1, verdict }).unwrap_or_default();
    fs::write(folder.join("verdicts.jsonl"), filed + "\n")
}

fn facts(instances: &[Instance]) -> Vec<InstanceFacts> {
    let fact = |instance: &Instance| InstanceFacts {
        id: instance.id.clone(),
        task: instance.task.clone(),
        template: instance.template.clone(),
        kind: instance.kind,
        intent: instance.intent.clone(),
        with_hint: instance.with_hint,
        state: instance.state.clone(),
        level: instance.level,
        sites: instance.sites.clone(),
        category: instance.category.clone(),
        difficulty: instance.difficulty,
        perturbation: None,
    };
    instances.iter().map(fact).collect()
}

/// Reasons all differ, as those of real verdicts do where an answer is wrong.
fn attempts_of(
    manifest: &Manifest,
    instances: &[Instance],
) -> Result<(Vec<AttemptSummary>, Vec<AttemptRow>), String> {
    let (mut attempts, mut table) = (Vec::new(), Vec::new());
    for (a, agent) in manifest.agents.iter().enumerate() {
        for (i, instance) in instances.iter().enumerate() {
            for trial in 1..=TRIALS {
                let draw = (i * 7919 + a * 104_729 + trial as usize * 31) % 1000;
                let outcome = match draw {
                    d if d < 300 + 100 * a => Outcome::Pass,
                    d if d % 50 == 0 => Outcome::Infra,
                    d if d % 9 == 0 => Outcome::Timeout,
                    _ => Outcome::Fail,
                };
                let id =
                    AttemptId::new(&agent.name, &instance.id, trial).map_err(|error| error.to_string())?;
                let (steps, seconds) = (3 + (draw % 17) as u32, 2.0 + draw as f64 / 7.0);
                let cost = UsdMicros(10_000 + draw as u64 * 100 * (a as u64 + 1));
                table.push(AttemptRow {
                    agent: agent.name.clone(),
                    task: instance.task.clone(),
                    instance: instance.id.clone(),
                    trial,
                    template: instance.template.clone(),
                    site: instance.sites.join(" + "),
                    category: instance.category.clone(),
                    kind: instance.kind.as_str().to_owned(),
                    digest: Some(Digest::of(instance.id.as_bytes()).as_str().to_owned()),
                    outcome: Some(outcome),
                    steps: Some(steps),
                    seconds: Some(seconds),
                    usd: Some(cost.0 as f64 / 1e6),
                    ..AttemptRow::default()
                });
                attempts.push(AttemptSummary {
                    reason: match outcome {
                        Outcome::Pass => "every check held".to_owned(),
                        _ => format!("answer: expected \"{i} lamps\", got \"{draw} <b>chairs</b> of {id}\""),
                    },
                    id,
                    outcome: Some(outcome),
                    tries: 1,
                    steps: Some(steps),
                    counted: Some(steps),
                    seconds: Some(seconds),
                    spending: Spending { calls: 1, cost, ..Spending::default() },
                    perturbation: None,
                    lapses: Vec::new(),
                });
            }
        }
    }
    Ok((attempts, table))
}

fn instance(index: usize) -> Instance {
    let site = SITES[index % SITES.len()];
    Instance {
        template: format!("{site}-template-{}", index / 4),
        intent: format!("Do the thing number {index}."),
        sites: vec![site.to_owned()],
        start_urls: vec![format!("http://{site}.localhost/")],
        category: format!("category {}", index % 14),
        ..Instance::bare(
            &format!("{site}-task-{index}"),
            [TaskKind::Retrieve, TaskKind::Navigate, TaskKind::Mutate][index % 3],
        )
    }
}

fn manifest(instances: &[Instance]) -> Manifest {
    let agents = (0..AGENTS).map(|index| AgentEntry {
        name: format!("agent-{index}"),
        kind: "command".to_owned(),
        settings: std::collections::BTreeMap::new(),
    });
    Manifest {
        umpire: env!("CARGO_PKG_VERSION").to_owned(),
        suite: "bench".to_owned(),
        trials: TRIALS,
        ..made_up::manifest("bench-report", agents.collect(), instances)
    }
}
