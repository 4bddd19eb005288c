use umpire_model::Outcome;
use umpire_report::{Dimension, Summary, console_table, json, summary};

use crate::synthetic;

fn counted() -> Summary {
    let root = tempfile::tempdir().expect("temp");
    summary(&synthetic::write(root.path())).expect("readable")
}

#[test]
fn every_planned_attempt_is_counted_once() {
    let summary = counted();
    assert_eq!(summary.attempts.len(), 48);
    let my_bot = summary.agents.iter().find(|agent| agent.name == "my-bot").expect("planned");
    assert_eq!((my_bot.rate.passed, my_bot.rate.planned, my_bot.outcomes.open), (3, 12, 3));
    assert!((my_bot.rate.infra_high - 0.5).abs() < 1e-12, "three open ones could still pass");
    for agent in &summary.agents {
        for by in Dimension::ALL {
            let planned: usize = agent.slices.iter().filter(|s| s.by == by).map(|s| s.rate.planned).sum();
            assert_eq!(planned, 12, "slices of {} by {}", agent.name, by.title());
        }
    }
}

#[test]
fn an_attempt_without_outcome_says_why() {
    let summary = counted();
    let reason = |instance: &str| {
        let found = summary.attempts.iter().find(|a| a.id.agent == "my-bot" && a.id.instance == instance);
        let attempt = found.expect("planned");
        assert_eq!(attempt.outcome, None);
        attempt.reason.clone()
    };
    assert!(reason("hub-ads@off").contains("not judged"));
    assert!(reason("hub-ads@on").contains("interrupted"));
    assert!(reason("hub-sessions").contains("not run"));
}

#[test]
fn a_retried_attempt_counts_by_its_last_try() {
    let summary = counted();
    let retried = summary.attempts.iter().find(|attempt| attempt.tries == 2).expect("one was lost");
    assert_eq!((retried.id.agent.as_str(), retried.outcome), ("oracle", Some(Outcome::Infra)));
    assert_eq!(retried.steps, Some(4));
}

#[test]
fn the_console_table_reads_well() {
    let mut summary = counted();
    // The only numbers that the clock decides.
    for (agent, seconds) in summary.agents.iter_mut().zip([0.42, 41.2, 9.0, 185.2]) {
        agent.median_seconds = Some(seconds);
    }
    insta::assert_snapshot!(console_table(&summary, false));
    let coloured = console_table(&summary, true);
    assert!(coloured.contains("\x1b[1mrun core-7f3a91c2\x1b[0m"));
}

#[test]
fn json_comes_back_as_the_same_summary() {
    let summary = counted();
    assert_eq!(serde_json::from_value::<Summary>(json(&summary)).expect("our own"), summary);
}
