//! The built-in suites as a whole: what was found when their checks were last tried, what is asked of all of them alike,
//! and the small one to its end.

use std::collections::BTreeMap;

use serde_json::Value;
use umpire_model::{Difficulty, Instance};
use umpire_runner::{BUILT_IN_SUITES, load_suite};

use crate::support::{folder, run};

const CHECKED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/checked.jsonl");

/// Trying all checks takes an hour, so it is done by hand; this is where a suite is noticed that is another one since.
#[test]
fn the_checks_of_every_suite_were_tried_as_they_are() {
    let text = std::fs::read_to_string(CHECKED).expect("what was found: cargo xtask check-suites");
    let rows: BTreeMap<String, Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a row"))
        .map(|row| (row["suite"].as_str().expect("a suite").to_owned(), row))
        .collect();
    let listed = run(folder().path(), &["suite", "list", "--json"]);
    let mut stale = Vec::new();
    for suite in listed.events() {
        let name = suite["name"].as_str().expect("a name");
        let row = rows.get(name).unwrap_or(&Value::Null);
        if ["digest", "rules", "world"].iter().any(|part| row[part] != suite[part]) {
            stale.push(name.to_owned());
            continue;
        }
        assert_eq!(row["oracle_rejected"]["attempts"], suite["instances"], "all of {name}");
        for kind in ["oracle_rejected", "naive_accepted", "near_misses_accepted"] {
            assert!(row[kind]["attempts"].as_u64() > Some(0), "{name}: no {kind}");
            assert_eq!(row[kind]["wrong"], 0, "{name}: {kind}");
        }
    }
    assert!(
        stale.is_empty(),
        "their checks were not tried as they are now; run: cargo xtask check-suites {}",
        stale.join(" ")
    );
    assert!(rows.keys().all(|name| BUILT_IN_SUITES.contains(&name.as_str())));
    assert_eq!(listed.events().len(), BUILT_IN_SUITES.len());
}

#[test]
fn difficulty_follows_from_the_length_of_the_reference() {
    for name in BUILT_IN_SUITES {
        for task in &load_suite(name).expect(name).tasks {
            let counted =
                |instance: &Instance| instance.reference.iter().filter(|action| action.is_counted()).count();
            let longest = Instance::of(task).iter().map(counted).max().unwrap_or_default();
            let expected = match longest {
                0..=4 => Difficulty::Easy,
                5..=8 => Difficulty::Medium,
                _ => Difficulty::Hard,
            };
            assert_eq!(task.difficulty, expected, "{name}, {}: {longest} actions", task.id);
        }
    }
}

#[test]
fn the_oracle_passes_all_of_the_smallest_suite() {
    let dir = folder();
    let ran = run(dir.path(), &["run", "--suite", "smoke", "--agent", "oracle", "--json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let outcomes = ran.outcomes();
    assert_eq!(outcomes.len(), 20);
    assert!(outcomes.iter().all(|(_, outcome)| outcome == "pass"), "{outcomes:?}");
}
