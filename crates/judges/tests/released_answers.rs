//! The answers that models gave to the released `WebJudge`, read in both ways.
//!
//! In reference mode every label and score must be the released one. In strict mode, whatever is unread or differs is
//! named in `tests/data/`, with an argument; `docs/judge-answers.md` tells what was found in them. An answer that is not
//! named there fails the test, and so does a name without an answer.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;
use umpire_judges::answer::Status;
use umpire_judges::answer::reference::{self, Mode};
use umpire_judges::answer::strict;

#[test]
fn verdicts() {
    let Some(rows) = rows("om2w_outcome_responses.jsonl.gz") else { return };
    let mut argued = argued(include_str!("data/strict_verdicts.tsv"));
    let (mut read, mut new) = (0, Vec::new());
    for row in &rows {
        let (answer, released) = (text_of(row, "response"), row["predicted"].as_u64() == Some(1));
        for mode in [Mode::WebJudgeOnline, Mode::WebJudgeGeneral, Mode::Autonomous, Mode::AgentTrek] {
            assert_eq!(reference::status(mode, Some(answer)), Ok(released), "{row}");
        }
        let strictly = strict::status(answer);
        let name =
            format!("{} {} {}", text_of(row, "task_id"), text_of(row, "agent"), text_of(row, "judge_model"));
        if strictly == Ok(if released { Status::Success } else { Status::Failure }) {
            read += 1;
        } else {
            let strictly = strictly.map_or("unread".to_owned(), |status| status.to_string());
            let released = if released { "success" } else { "failure" };
            if argued.remove(&name) != Some(format!("{released} {strictly}")) {
                new.push(format!("{name}\t{released}\t{strictly}\t{answer:?}"));
            }
        }
    }
    assert!(new.is_empty(), "not argued:\n{}", new.join("\n"));
    println!("{} verdicts: {read} as released, {} argued", rows.len(), rows.len() - read);
    assert!(argued.is_empty(), "argued, but not there: {argued:?}");
    assert_eq!(rows.len(), 2380);
}

#[test]
fn scores() {
    let Some(rows) = rows("om2w_score_responses_hard.jsonl.gz") else { return };
    let mut argued = argued(include_str!("data/strict_scores.tsv"));
    let (mut read, mut misread, mut new) = (0, 0, Vec::new());
    for row in &rows {
        let answer = text_of(row, "response");
        let released = u64::from(reference::score(Mode::WebJudgeOnline, answer).score);
        assert_eq!(Some(released), row["upstream_score"].as_u64(), "{row}");
        let strictly = strict::score(answer).map(|scored| u64::from(scored.score)).ok();
        // The score the model gave at last, where it gave one.
        let given = row["last_score"].as_u64();
        if strictly.is_some() && strictly == given {
            read += 1;
            misread += usize::from(strictly != Some(released));
            continue;
        }
        let [task, agent, judge] = ["task_id", "agent", "judge_model"].map(|field| text_of(row, field));
        let name = format!("{task} {agent} {judge} {}", row["index"]);
        let given = given.map_or("none".to_owned(), |score| score.to_string());
        let strictly = strictly.map_or("unread".to_owned(), |score| score.to_string());
        if argued.remove(&name) != Some(format!("{given} {strictly}")) {
            new.push(format!("{name}\t{given}\t{strictly}\t{answer:?}"));
        }
    }
    assert!(new.is_empty(), "not argued:\n{}", new.join("\n"));
    println!(
        "{} ratings: {read} as the model gave them ({misread} of them another number in reference mode), {} argued",
        rows.len(),
        rows.len() - read
    );
    assert!(argued.is_empty(), "argued, but not there: {argued:?}");
    assert_eq!((rows.len(), read, misread), (276, 258, 41));
}

/// The whole reasoning reaches the judge, and no score with it.
#[test]
fn reasons() {
    let Some(rows) = rows("om2w_score_responses_hard.jsonl.gz") else { return };
    let (mut ours, mut released, mut with_score) = (0, 0, 0);
    for row in &rows {
        let answer = text_of(row, "response");
        let Ok(scored) = strict::score(answer) else { continue };
        let reason = reference::score(Mode::WebJudgeOnline, answer).reason.unwrap_or_default();
        ours += scored.reason.len();
        released += reason.len();
        with_score += usize::from(reason.contains("Score: ") || reason.contains("Score**: "));
        assert!(strict::score(&scored.reason).is_err(), "{}", scored.reason);
        assert!(!scored.reason.is_empty() && !scored.reason.starts_with("**"), "{row}");
    }
    println!(
        "reasons: {ours} characters, {released} in reference mode, {with_score} of those with the score inside"
    );
    assert!(ours > released);
}

/// `name TAB released TAB strict TAB argument`, as `name` → `released strict`.
fn argued(list: &str) -> BTreeMap<String, String> {
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entries = lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, released, strictly, argument] = fields[..] else { panic!("four fields: {line}") };
        assert!(!argument.is_empty(), "{line}");
        (name.to_owned(), format!("{released} {strictly}"))
    });
    entries.collect()
}

fn rows(name: &str) -> Option<Vec<Value>> {
    let shared = std::env::var_os("UMPIRE_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = shared.join("data/online-mind2web").join(name);
    let Ok(file) = File::open(&path) else {
        println!("skipped: {} does not exist", path.display());
        return None;
    };
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    Some(lines.map(|line| serde_json::from_str(&line.expect("readable")).expect("a row is JSON")).collect())
}

fn text_of<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_else(|| panic!("{row} has no text `{field}`"))
}
