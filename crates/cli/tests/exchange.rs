//! Trajectories in and out, as a user does it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{folder, run};

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(path)
        .canonicalize()
        .expect("an example")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

#[test]
fn imported_attempts_are_judged_as_where_they_were_recorded() {
    let place = folder();
    let (tasks, sites) = (example("webarena/tasks.json"), example("webarena/config.json"));
    let attempts = place.path().join("attempts");
    copy(&example("webarena/attempts"), &attempts);
    let direct = run(
        place.path(),
        &[
            "evaluate",
            "--suite",
            text(&tasks),
            "--attempts",
            text(&attempts),
            "--sites",
            text(&sites),
            "--json",
        ],
    );
    assert_eq!(direct.code, Some(0), "{}", direct.stderr);
    let mut expected = BTreeMap::new();
    for entry in fs::read_dir(&attempts).expect("readable").flatten().filter(|entry| entry.path().is_dir()) {
        let result = fs::read(entry.path().join("eval_result.json")).expect("judged");
        let result: Value = serde_json::from_slice(&result).expect("JSON");
        let task = entry.file_name().into_string().expect("text");
        expected.insert(task, result["score"].as_f64() == Some(1.0));
    }
    assert!(
        expected.values().any(|passed| *passed) && expected.values().any(|passed| !*passed),
        "{expected:?}"
    );

    let suite =
        run(place.path(), &["suite", "import", text(&tasks), "--sites", text(&sites), "--out", "suite"]);
    assert_eq!(suite.code, Some(0), "{}", suite.stderr);
    let import = run(
        place.path(),
        &["import", "webarena-verified", text(&attempts), "--suite", "suite", "--agent", "theirs"],
    );
    assert_eq!(import.code, Some(0), "{}{}", import.stdout, import.stderr);
    let judged = run(place.path(), &["evaluate", "--json"]);
    assert_eq!(judged.code, Some(0), "{}", judged.stderr);
    let found: BTreeMap<String, bool> = judged
        .events()
        .iter()
        .map(|verdict| {
            let task = verdict["attempt"].as_str().expect("an id").split('/').nth(1).expect("a task");
            (task.to_owned(), verdict["outcome"] == "pass")
        })
        .collect();
    assert_eq!(found, expected);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("readable").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

#[test]
fn an_import_without_checks_is_shown_and_not_judged() {
    let place = folder();
    let source = example("trajectories/online-mind2web");
    let import = run(place.path(), &["import", "online-mind2web", text(&source), "--agent", "theirs"]);
    assert_eq!(import.code, Some(0), "{}{}", import.stdout, import.stderr);
    assert!(
        import.stdout.contains("not recorded: ") && import.stdout.contains("network"),
        "{}",
        import.stdout
    );
    let report = run(place.path(), &["report", "--out", "report"]);
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    for told in ["imported from online-mind2web", "1 attempt without an outcome: imported and not judged"] {
        assert!(report.stdout.contains(told), "{}", report.stdout);
    }
    let row = report.stdout.lines().find(|line| line.trim_start().starts_with("theirs")).expect("its row");
    assert!(row.contains('–') && !row.contains("0.0 "), "an unjudged run has no rate: {row}");
    let page = fs::read_to_string(place.path().join("report/index.html")).expect("a report");
    assert!(page.contains("Not judged") && page.contains("not recorded"));
    let judged = run(place.path(), &["evaluate"]);
    assert_eq!(judged.code, Some(4), "nothing was judged: {}", judged.stdout);
    let show = run(place.path(), &["show", "theirs/cheapest-lamp/1"]);
    assert!(show.stdout.contains("coords(80, 14) -> CLICK"), "{}", show.stdout);
    assert!(show.stdout.contains("answered The cheapest desk lamp costs $19.99."), "{}", show.stdout);
}

#[test]
fn what_is_left_out_is_named_and_shows_in_the_exit_code() {
    let place = folder();
    let source = place.path().join("in");
    copy(&example("trajectories/online-mind2web"), &source);
    fs::create_dir(source.join("broken")).expect("made");
    fs::write(source.join("broken/result.json"), "{").expect("written");
    let import = run(place.path(), &["import", "online-mind2web", "in"]);
    assert_eq!(import.code, Some(1), "{}", import.stdout);
    assert!(
        import.stdout.contains("1 attempts imported") && import.stdout.contains("broken/result.json:1"),
        "{}",
        import.stdout
    );
    let strict = run(place.path(), &["import", "online-mind2web", "in", "--strict", "--runs", "other"]);
    assert_eq!(strict.code, Some(1));
    assert!(strict.stderr.contains("broken/result.json"), "{}", strict.stderr);
    for (arguments, told) in [
        (["import", "excel", "in"], "not one of webvoyager"),
        (["import", "online-mind2web", "nowhere"], "No such file"),
        (["import", "webvoyager", "in"], "looked for"),
    ] {
        let refused = run(place.path(), &arguments);
        assert_eq!(refused.code, Some(1));
        assert!(refused.stderr.contains(told), "{}", refused.stderr);
    }
    let export = run(place.path(), &["export", "har", "imported/cheapest-lamp/1", "--out", "in"]);
    assert_eq!(export.code, Some(1));
    assert!(export.stderr.contains("there already"), "{}", export.stderr);
}
