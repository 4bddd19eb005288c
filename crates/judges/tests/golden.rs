//! Every recorded behaviour of the released evaluators, row by row, against [`umpire_judges::answer::reference`].
//!
//! Prompts are compared by their structure: order of the sections, contents, numbering, what is left out. The headings
//! are the release's own words; they are learned from the recorded rows, must be the same in every row of a mode, and
//! are not part of our sources. What the release prints on the way is not compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use umpire_judges::answer::reference::{
    Crash, Heading, Known, MOST_PICTURES, Mode, PictureMode, Scored, Section, chunk_sizes, declared_media,
    encodes, key_points, laid_out, score, screenshot_sort_key, sections, select, status,
};

#[test]
fn every_recorded_row_agrees() {
    let Some(path) = shared("data/online-mind2web/parser_golden.jsonl") else { return };
    let text = fs::read_to_string(path).expect("readable");
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    let mut words = Words::default();
    for (index, line) in text.lines().enumerate() {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        let kind = row["kind"].as_str().expect("a kind");
        match kind {
            "status" => compare_status(&row),
            "key_points" => {
                assert_eq!(key_points(text_of(&row, "response")), text_of(&row, "upstream"), "{row}");
            }
            "score" => compare_score(&row),
            "judge_prompt" => compare_outcome_prompt(&row, &mut words),
            "prompt" => compare_prompt(&row, &mut words),
            "encode_image" => {
                let mode = PictureMode::parse(text_of(&row, "pil_mode")).expect("a known mode");
                compare(&row, encodes(mode).map(|()| json!(true)));
            }
            "sort_key" => {
                compare(&row, screenshot_sort_key(text_of(&row, "name")).map(|key| json!(key as u64)));
            }
            "chunking" => {
                let (tasks, workers) = (number(&row, "tasks"), number(&row, "workers"));
                // The recording names the first eight.
                let sizes = chunk_sizes(tasks, workers);
                compare(
                    &row,
                    sizes.map(|all| json!({"processes": all.len(), "sizes": &all[..all.len().min(8)]})),
                );
            }
            other => panic!("row {index}: nothing compares `{other}`"),
        }
        *counted.entry(kind.to_owned()).or_default() += 1;
    }
    println!("{counted:?}, {} rows, all as recorded", counted.values().sum::<usize>());
    assert_eq!(counted.values().sum::<usize>(), 194);
}

/// `upstream` is a value, or tells which exception ended the evaluator.
fn compare(row: &Value, ours: Result<Value, Crash>) {
    let crashed = row["upstream"].as_str().is_some_and(|text| text.starts_with("EXC "));
    match ours {
        Ok(value) => assert_eq!(value, row["upstream"], "{row}"),
        Err(crash) => assert!(crashed, "{row}: {crash}"),
    }
}

fn compare_status(row: &Value) {
    compare(row, status(mode_of(row), row["response"].as_str()).map(|success| json!(u8::from(success))));
}

fn compare_score(row: &Value) {
    let scored = score(mode_of(row), text_of(row, "response"));
    assert_eq!(json!(scored.score), row["upstream_score"], "{row}");
    let selection = select(&[scored], 3).expect("no crash above threshold 0");
    assert_eq!(json!(selection.pictures.len()), row["kept"], "{row}");
    let lines = if selection.pictures.is_empty() { Value::Null } else { json!(selection.numbered()) };
    assert_eq!(lines, row["thought_lines"], "{row}");
}

/// What a model said to get these scores; the recording has the outcome alone.
fn ratings(case: &str) -> Vec<String> {
    let rating = |reason: &str, score: u8| format!("**Reasoning**: {reason}\n\n**Score**: {score}");
    match case {
        "two_of_three" => vec![rating("r0", 5), rating("r1", 2), rating("r2", 3)],
        "zero_kept" => vec![rating("r0", 1), rating("r1", 2)],
        "no_screens" => vec![],
        "empty_reason_shifts_numbering" => vec![rating("", 5), rating("r1", 4)],
        "threshold_0_parse_fail_first" => vec!["nothing to see".to_owned(), rating("r1", 5)],
        "threshold_0_parse_fail_second" => vec![rating("r0", 5), "nothing to see".to_owned()],
        "sixty_kept" => (0..60).map(|index| rating(&format!("r{index}"), 5)).collect(),
        other => panic!("no ratings for `{other}`"),
    }
}

fn compare_outcome_prompt(row: &Value, words: &mut Words) {
    let mode = Mode::WebJudgeOnline;
    let rated: Vec<Scored> = ratings(text_of(row, "case")).iter().map(|answer| score(mode, answer)).collect();
    let threshold = row["threshold"].as_u64().unwrap_or(3) as u8;
    let selection = match select(&rated, threshold) {
        Ok(selection) => selection,
        Err(crash) => return compare(row, Err(crash)),
    };
    assert_eq!(json!(selection.pictures.len()), row["n_images"], "{row}");
    if let Some(first) = row["first"].as_str() {
        let lines = selection.numbered();
        assert_eq!((lines.lines().next(), lines.lines().last()), (Some(first), row["last"].as_str()));
        return;
    }
    assert_eq!(json!(rated.iter().map(|scored| scored.score).collect::<Vec<_>>()), row["scores"], "{row}");
    let mimes = vec![format!("data:{}", declared_media(mode).mime()); selection.pictures.len()];
    assert_eq!(json!(mimes), row["mimes"], "{row}");
    let key_points = text_of(row, "key_points");
    let known = Known { task: "T", actions: &["a", "b"], key_points, selection, ..Known::default() };
    words.compare(mode, &sections(mode, &known).expect("laid out"), text_of(row, "input_text"));
}

fn compare_prompt(row: &Value, words: &mut Words) {
    let mode = mode_of(row);
    let case = row["case"].as_str().unwrap_or_default();
    let thoughts: Option<&[Option<&str>]> = match case {
        "3 actions 2 thoughts" => Some(&[Some("t1"), Some("t2")]),
        "a null thought" | "3 actions 2 thoughts one null" => Some(&[Some("t1"), None]),
        _ => None,
    };
    let actions: &[&str] = if case.starts_with("3 actions") { &["a", "b", "c"] } else { &["a", "b"] };
    let rated = score(mode, "### Reasoning: r\n### Score: 5");
    let selection = select(&[rated], 3).expect("no crash above threshold 0");
    let known =
        Known { task: "T", actions, thoughts, key_points: "\n1. A", selection, response: None, pictures: 60 };
    match sections(mode, &known) {
        Err(crash) => compare(row, Err(crash)),
        Ok(sections) => words.compare(mode, &sections, text_of(row, "input_text")),
    }
    if let Some(mime) = row["mime"].as_str() {
        assert_eq!(mime, format!("data:{}", declared_media(mode).mime()), "{row}");
    }
    if let Some(shown) = row["n_images"].as_u64() {
        assert_eq!(shown as usize, known.pictures.min(MOST_PICTURES), "{row}");
    }
}

/// The words around each content, by mode and heading, as the recorded rows have them.
#[derive(Default)]
struct Words(BTreeMap<(&'static str, Heading), (String, String)>);

impl Words {
    fn compare(&mut self, mode: Mode, sections: &[Section], recorded: &str) {
        let mut rest = recorded;
        for section in sections {
            let at =
                rest.find(&section.content).unwrap_or_else(|| panic!("{section:?} is not in {recorded:?}"));
            let (at, content) =
                if section.content.is_empty() { (rest.len(), "") } else { (at, &*section.content) };
            let (before, after) = (&rest[..at], &rest[at + content.len()..]);
            let (after, next) = after.split_once("\n\n").unwrap_or((after, ""));
            assert!(!before.contains('\n') && !after.contains('\n'), "{section:?}: {before:?} {after:?}");
            let learned = (before.to_owned(), after.to_owned());
            let known = self.0.entry((mode.name(), section.heading)).or_insert_with(|| learned.clone());
            assert_eq!(*known, learned, "{recorded:?}");
            rest = next;
        }
        let ours = laid_out(sections, |heading| self.0[&(mode.name(), heading)].clone());
        assert_eq!(ours, recorded);
    }
}

fn mode_of(row: &Value) -> Mode {
    Mode::parse(text_of(row, "mode")).expect("a known mode")
}

fn text_of<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_else(|| panic!("{row} has no text `{field}`"))
}

fn number(row: &Value, field: &str) -> usize {
    row[field].as_u64().expect("a number") as usize
}

fn shared(path: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("UMPIRE_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let found = shared.join(path);
    if !found.exists() {
        println!("skipped: {} does not exist", found.display());
        return None;
    }
    Some(found)
}
