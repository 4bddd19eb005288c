//! A thousand judgements by a provider that misbehaves: none lost, none twice, every token paid for once.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use umpire_judges::panel::{Panel, PanelOptions};
use umpire_llm::Finish;
use umpire_llm::ModelSpec;
use umpire_llm::scripted::{Act, Answer, Asked, Script};
use umpire_model::{Random, Ruling, Usage, Vote};
use umpire_store::Run;

use crate::court::{Court, Story, asking, run, sit, task};

const ATTEMPTS: usize = 125;
const SAMPLES: u32 = 8;

/// In so many of a hundred requests.
const BUSY: usize = 10;
const BROKEN: usize = 5;
const TRUNCATED: usize = 2;
const HANGING: usize = 1;

/// Answers with its own count of tokens, other for each request, and keeps the sum of what it would charge.
fn misbehaving(charged: &Arc<AtomicU64>, faults: &Arc<AtomicU64>) -> Script {
    let (charged, faults) = (Arc::clone(charged), Arc::clone(faults));
    Script::new(move |asked: &Asked| {
        let dice = Random::new(asked.number as u64 + 99).below(100);
        let fault = |act: Act| {
            faults.fetch_add(1, Ordering::Relaxed);
            act
        };
        if dice < BUSY {
            return fault(Act::busy("0"));
        }
        if dice < BUSY + BROKEN {
            return fault(Act::status(500));
        }
        if dice < BUSY + BROKEN + HANGING {
            return fault(Act::Hang);
        }
        let is_cut = dice < BUSY + BROKEN + HANGING + TRUNCATED;
        let usage = Usage {
            input: 900 + asked.number as u64 % 50,
            output: 40 + asked.number as u64 % 7,
            ..Usage::default()
        };
        charged.fetch_add(2 * usage.input + 8 * usage.output, Ordering::Relaxed);
        let (text, finish) = if is_cut {
            faults.fetch_add(1, Ordering::Relaxed);
            ("{\"thoughts\": \"It is".to_owned(), Finish::Length)
        } else {
            (json!({ "thoughts": "It is off.", "status": "success" }).to_string(), Finish::Complete)
        };
        Act::Answer(Answer { finish, usage: Some(usage), ..Answer::text(text) })
    })
}

fn patient(spec: ModelSpec) -> ModelSpec {
    ModelSpec {
        timeout_seconds: Some(1),
        tries: Some(10),
        concurrency: Some(32),
        breaker_calls: Some(100),
        ..spec
    }
}

fn attempts(court: &Court) -> Run {
    let tasks: Vec<_> = (0..ATTEMPTS).map(|number| task(&format!("t{number}"))).collect();
    run(court.folder.path(), &["a"], &tasks, |id| Story { answer: id.to_string(), ..Story::default() })
}

fn panel(court: &Court, run: &Run) -> Panel {
    court.panel(run, "autonomous", PanelOptions { samples: SAMPLES, jobs: 32, ..asking(&["one"]) })
}

fn on_disk(run: &Run) -> Vec<Vote> {
    let plan = run.planned().expect("a plan");
    plan.iter().flat_map(|id| run.attempt(id).votes().expect("votes")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_judgements_come_through() {
    let (charged, faults) = (Arc::default(), Arc::default());
    let court = Court::with(misbehaving(&charged, &faults), patient, None).await;
    let run = attempts(&court);
    let (_, first) = sit(&panel(&court, &run)).await;
    assert_eq!((first.cast, first.unpaid), (1_000, 0));
    // An answer that was cut off twice is an error of the judge; the same command asks again for those alone.
    let mut spent = first.spent.cost.0;
    let mut asked_again = 0;
    while let errors @ 1.. = on_disk_without_opinion(&run) {
        assert!(errors < 10 && asked_again < 10, "{errors} errors");
        let (_, again) = sit(&panel(&court, &run)).await;
        assert_eq!((again.kept, again.cast), (1_000 - errors, errors));
        spent += again.spent.cost.0;
        asked_again += 1;
    }
    let votes = on_disk(&run);
    let opinions: Vec<_> = votes.iter().filter(|vote| vote.ruling == Ruling::Pass).map(Vote::key).collect();
    let keys: HashSet<_> = opinions.iter().collect();
    assert_eq!((opinions.len(), keys.len()), (1_000, 1_000), "none lost, none twice");
    let faults = faults.load(Ordering::Relaxed);
    println!(
        "1,000 judgements over {} requests, {faults} of them faulty; asked again {asked_again} times",
        court.provider.asked().len()
    );
    assert!(faults > 120, "it did misbehave: {faults}");
    let charged = charged.load(Ordering::Relaxed);
    assert_eq!(spent, charged, "every answer is paid for, once");
    assert_eq!(court.budget.spent().money.0, charged);
}

/// Votes of which no cast has an opinion yet.
fn on_disk_without_opinion(run: &Run) -> u64 {
    let votes = on_disk(run);
    let (errors, opinions): (Vec<&Vote>, Vec<&Vote>) =
        votes.iter().partition(|vote| vote.ruling == Ruling::Error);
    let decided: HashSet<_> = opinions.iter().map(|vote| vote.key()).collect();
    let open: HashSet<_> =
        errors.iter().map(|vote| vote.key()).filter(|key| !decided.contains(key)).collect();
    open.len() as u64
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sitting_that_was_broken_off_goes_on_where_it_was() {
    let (charged, faults) = (Arc::default(), Arc::default());
    let cache = tempfile::tempdir().expect("a folder");
    let court = Court::with(misbehaving(&charged, &faults), patient, Some(cache.path())).await;
    let run = attempts(&court);
    for wanted in [100, 400] {
        let panel = panel(&court, &run);
        let docket = panel.docket().expect("a docket");
        let (heard, enough) = (AtomicU64::new(0), tokio::sync::Notify::new());
        let sitting = panel.sit(&docket, |_| {
            if heard.fetch_add(1, Ordering::Relaxed) + 1 == wanted {
                enough.notify_one();
            }
        });
        tokio::select! {
            _ = sitting => panic!("it was to be broken off"),
            () = enough.notified() => {}
        }
    }
    let before = on_disk(&run).len();
    assert!((100..1_000).contains(&before), "{before}");
    let open = on_disk_without_opinion(&run);
    let (_, sitting) = sit(&panel(&court, &run)).await;
    assert_eq!((sitting.kept + sitting.cast, sitting.kept), (1_000, before as u64 - open));
    let votes = on_disk(&run);
    let keys: HashSet<_> = votes.iter().map(Vote::key).collect();
    assert_eq!((votes.len() as u64, keys.len()), (1_000 + open, 1_000), "none lost, none twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_ends_a_sitting_and_more_money_goes_on() {
    let (charged, faults) = (Arc::default(), Arc::default());
    let mut court = Court::with(misbehaving(&charged, &faults), patient, None).await;
    let run = attempts(&court);
    let limits =
        umpire_llm::Limits { money: Some(umpire_model::UsdMicros(500_000)), ..umpire_llm::Limits::default() };
    court.budget = umpire_llm::Budget::new("judge", limits);
    let (_, sitting) = sit(&panel(&court, &run)).await;
    assert_eq!(sitting.cast + sitting.unpaid, 1_000);
    assert!(sitting.unpaid > 500, "{}", sitting.unpaid);
    assert!(sitting.spent.cost.0 < 500_000 + 3_000, "passed by one call at most: {}", sitting.spent.cost);
    let judged = run
        .planned()
        .expect("a plan")
        .iter()
        .filter(|id| !run.attempt(id).verdicts().expect("read").is_empty())
        .count();
    assert!(judged < ATTEMPTS, "no verdict from half of the votes");
    court.budget = umpire_llm::Budget::new("judge", umpire_llm::Limits::default());
    let (_, rest) = sit(&panel(&court, &run)).await;
    assert_eq!(rest.kept + rest.cast, 1_000);
    assert!(rest.kept + 10 > sitting.cast, "{} of {}", rest.kept, sitting.cast);
}
