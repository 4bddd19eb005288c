//! The suite `privacy` with its initial states made and with them replayed: the oracle must fare the same, instance by
//! instance.

use std::collections::BTreeMap;
use std::process::Stdio;

use serde_json::Value;

use crate::setup::{Done, build_release, ensure_chromium, released, root, target_dir};

pub fn both_ways() -> Done {
    ensure_chromium()?;
    build_release()?;
    let (made, _) = outcomes("world")?;
    let (replayed, sessions) = outcomes("replay")?;
    let passed =
        |outcomes: &BTreeMap<String, String>| outcomes.values().filter(|outcome| *outcome == "pass").count();
    println!(
        "\noracle on privacy: {}/{} with states made, {}/{} with states replayed, {sessions} of them by a session",
        passed(&made),
        made.len(),
        passed(&replayed),
        replayed.len()
    );
    let differ: Vec<&str> = made
        .iter()
        .filter(|(id, outcome)| replayed.get(*id) != Some(outcome))
        .map(|(id, _)| id.as_str())
        .collect();
    match (differ.is_empty(), sessions) {
        (true, 1..) => Ok(()),
        (true, 0) => Err("no state was replayed".to_owned()),
        (false, _) => Err(format!("they differ: {}", differ.join(", "))),
    }
}

/// The oracle's outcomes by instance, and how many attempts began with a replay.
fn outcomes(states: &str) -> Result<(BTreeMap<String, String>, usize), String> {
    let out = target_dir().join("both-ways").join(states);
    let _ = std::fs::remove_dir_all(&out);
    let mut umpire = released();
    umpire.current_dir(root()).arg("--runs").arg(&out);
    umpire.args(["run", "--suite", "privacy", "--agent", "oracle", "--states", states, "--json"]);
    let output = umpire.stderr(Stdio::inherit()).output().map_err(|error| format!("umpire: {error}"))?;
    let events = String::from_utf8_lossy(&output.stdout);
    let mut outcomes = BTreeMap::new();
    for event in events.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        if let (Some("finished"), Some(attempt), Some(outcome)) =
            (event["event"].as_str(), event["attempt"].as_str(), event["outcome"].as_str())
        {
            outcomes.insert(attempt.to_owned(), outcome.to_owned());
        }
    }
    let staged = |journal: &std::path::PathBuf| {
        std::fs::read_to_string(journal).is_ok_and(|text| text.contains("\"type\":\"staged\""))
    };
    Ok((outcomes, crate::setup::journals(&out).iter().filter(|journal| staged(journal)).count()))
}
