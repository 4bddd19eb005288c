//! Recorded sessions replayed on sites that have changed since: what is found again, what is clicked by mistake, and
//! whether a state is ever called reached that is not. The page's own keys and the world's own state are the truth.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::sync::Semaphore;
use umpire_browser::Pool;
use umpire_model::Instance;
use umpire_stage::Session;
use umpire_stage::replay::{Outcome, ReplayError, ReplayEvent, ReplayOptions, Replayer, StepReport, Wanted};

use crate::support::baseline::{Pick, pick};
use crate::support::perturbed::{Perturbation, perturbed};
use crate::support::recording::record;
use crate::support::{heard_seat, instances, pool, soon, switches, world};

/// Replays at a time.
const AT_ONCE: usize = 3;

/// A few controls of every make: native and ARIA boxes, a pressed button, a box that only has a class, radios, a list,
/// behind save buttons, questions, tabs, folds, menus, in frames of another origin.
const FEW: [(&str, &str); 7] = [
    ("hub", "hub-p-birthday"),
    ("social", "social-private-account"),
    ("social", "social-messages-mutual"),
    ("gazette", "gazette-profile-cookies"),
    ("games", "games-playtime"),
    ("learning", "learning-teachers-write"),
    ("video", "video-hold-comments"),
];

struct Trace {
    instance: Instance,
    session: Session,
    /// The keys of the steps' elements.
    truths: Vec<Option<String>>,
    /// The site's state when all was done.
    reached: Value,
}

#[derive(Clone, Debug, Default)]
struct Row {
    replays: u32,
    reached: u32,
    steps: u32,
    found: u32,
    wrong_clicks: u32,
    silent_wrong_states: u32,
    baseline_steps: u32,
    baseline_right: u32,
    baseline_wrong: u32,
    notes: Vec<String>,
}

async fn traced(pool: &Pool, file: &str, task: &str) -> Trace {
    let instance =
        instances(file, task).into_iter().max_by_key(|one| one.reference.len()).expect("an instance");
    let world = world(&instance.sites, &instance.world);
    let hosts = world.hosts();
    let (seat, _) = heard_seat(pool, &hosts, perturbed(&world, Perturbation::Nothing, 1)).await;
    let (session, truths) = record(&seat, &instance).await;
    seat.close(soon()).await;
    Trace { session, truths, reached: world.state(), instance }
}

async fn replayed(pool: &Pool, trace: &Trace, perturbation: Perturbation, seed: u32) -> Row {
    let world = world(&trace.instance.sites, &trace.instance.world);
    let (seat, lines) = heard_seat(pool, &world.hosts(), perturbed(&world, perturbation, seed)).await;
    let picks = Mutex::new((0, 0, 0));
    let watcher = |event: ReplayEvent<'_>| {
        if let ReplayEvent::Found { step, page, at } = event {
            let recorded = &trace.session.steps[step - 1];
            let same = |other: usize| {
                other == at
                    || page.ancestors(other).any(|above| above == at)
                    || page.ancestors(at).any(|above| above == other)
            };
            let mut picks = picks.lock().expect("not poisoned");
            picks.0 += 1;
            match pick(recorded, page) {
                Pick::Element(other) if same(other) => picks.1 += 1,
                Pick::Element(_) => picks.2 += 1,
                Pick::PassedOver | Pick::Nothing => {}
            }
        }
    };
    let options = ReplayOptions { watcher: &watcher, ..ReplayOptions::new(Wanted::Recorded) };
    let result = Replayer::new(&seat, options).replay(&trace.session, soon()).await;
    seat.close(soon()).await;
    let mut row = Row { replays: 1, ..Row::default() };
    let name = &trace.session.name;
    let steps: Vec<StepReport> = match result {
        Ok(replayed) => {
            row.reached = 1;
            if world.state() != trace.reached {
                row.silent_wrong_states = 1;
                row.notes.push(format!("{name}: another state was reached"));
            }
            replayed.steps
        }
        Err(ReplayError::Failed(failure)) => {
            row.notes.push(format!("{name}: {failure}"));
            failure.steps
        }
        Err(ReplayError::Browser(error)) => panic!("{name}: {error}"),
    };
    let clicks: Vec<Vec<String>> = lines
        .all()
        .iter()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("truth ")?).ok())
        .collect();
    let is_meant = |click: &Vec<String>| trace.truths.iter().flatten().any(|truth| click.contains(truth));
    let strays: Vec<&Vec<String>> = clicks.iter().filter(|click| !is_meant(click)).collect();
    row.wrong_clicks = strays.len() as u32;
    row.notes.extend(strays.iter().map(|stray| format!("{name}: a click on {:?}", stray.first())));
    for (step, truth) in
        trace.session.steps.iter().zip(&trace.truths).filter(|(step, _)| step.element.is_some())
    {
        row.steps += 1;
        let number =
            trace.session.steps.iter().position(|other| std::ptr::eq(other, step)).unwrap_or_default() + 1;
        let report = steps.iter().find(|report| report.step == number);
        let was_hit = || truth.as_ref().is_some_and(|truth| clicks.iter().any(|click| click.contains(truth)));
        let is_right = report.is_some_and(|report| {
            report.found.is_some() && (report.outcome == Outcome::Already || was_hit())
        });
        row.found += u32::from(is_right);
    }
    (row.baseline_steps, row.baseline_right, row.baseline_wrong) = *picks.lock().expect("not poisoned");
    row
}

async fn matrix(tasks: &[(String, String)], seeds: &[u32]) -> BTreeMap<Perturbation, Row> {
    let pool = Arc::new(pool(AT_ONCE).await);
    let mut traces = Vec::new();
    for (file, task) in tasks {
        traces.push(Arc::new(traced(&pool, file, task).await));
    }
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut cells = Vec::new();
    for perturbation in Perturbation::ALL {
        for trace in &traces {
            for &seed in seeds {
                let (pool, trace, places) = (Arc::clone(&pool), Arc::clone(trace), Arc::clone(&places));
                cells.push(tokio::spawn(async move {
                    let _place = places.acquire_owned().await.expect("open");
                    (perturbation, replayed(&pool, &trace, perturbation, seed).await)
                }));
            }
        }
    }
    let mut rows: BTreeMap<Perturbation, Row> = BTreeMap::new();
    for cell in cells {
        let (perturbation, cell) = cell.await.expect("replayed");
        let row = rows.entry(perturbation).or_default();
        row.replays += cell.replays;
        row.reached += cell.reached;
        row.steps += cell.steps;
        row.found += cell.found;
        row.wrong_clicks += cell.wrong_clicks;
        row.silent_wrong_states += cell.silent_wrong_states;
        row.baseline_steps += cell.baseline_steps;
        row.baseline_right += cell.baseline_right;
        row.baseline_wrong += cell.baseline_wrong;
        row.notes.extend(cell.notes);
    }
    rows
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * f64::from(part) / f64::from(whole) }
}

fn print(rows: &BTreeMap<Perturbation, Row>) {
    println!(
        "\n{:10} {:>8} {:>8} {:>14} {:>7} {:>7}   published cascade: right, wrong",
        "changed", "replays", "reached", "steps found", "wrong", "silent"
    );
    for (perturbation, row) in rows {
        println!(
            "{:10} {:>8} {:>8} {:>5}/{:<3} {:>3.0} % {:>7} {:>7}   {:>3.0} % {:>3.0} % of {}",
            perturbation.name(),
            row.replays,
            row.reached,
            row.found,
            row.steps,
            share(row.found, row.steps),
            row.wrong_clicks,
            row.silent_wrong_states,
            share(row.baseline_right, row.baseline_steps),
            share(row.baseline_wrong, row.baseline_steps),
            row.baseline_steps,
        );
    }
    for (perturbation, row) in rows {
        for note in &row.notes {
            println!("{}: {note}", perturbation.name());
        }
    }
}

fn judge(rows: &BTreeMap<Perturbation, Row>) {
    let sum = |of: fn(&Row) -> u32| rows.values().map(of).sum::<u32>();
    let (found, steps) = (sum(|row| row.found), sum(|row| row.steps));
    println!("all: {found} of {steps} steps found again, {:.1} %", share(found, steps));
    assert_eq!(sum(|row| row.wrong_clicks), 0, "no wrong click");
    assert_eq!(sum(|row| row.silent_wrong_states), 0, "no silent wrong state");
    assert!(share(found, steps) >= 95.0, "{found} of {steps}");
    let unchanged = &rows[&Perturbation::Nothing];
    assert_eq!((unchanged.reached, unchanged.found), (unchanged.replays, unchanged.steps));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sites_that_changed_are_replayed_without_a_wrong_click() {
    let few = FEW.map(|(file, task)| (file.to_owned(), task.to_owned()));
    let rows = matrix(&few, &[5]).await;
    print(&rows);
    judge(&rows);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes ten minutes: cargo xtask bench replay"]
async fn every_switch_of_the_privacy_suite_is_found_again() {
    let rows = matrix(&switches(), &[5]).await;
    print(&rows);
    judge(&rows);
}
