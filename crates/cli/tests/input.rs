//! Bad input: each gets a clear message that names the place, and the documented exit code.

use std::fs;
use std::path::Path;

use crate::support::{folder, run};

/// A suite of one task on the hub, with one part of its files replaced.
fn write_suite(dir: &Path, from: &str, to: &str) {
    let toml = "version = 1\nname = \"mine\"\ndescription = \"d\"\nworld = \"built-in\"\nseed = 7\n";
    let task = r#"{"id":"a","template":"a","kind":"retrieve","intent":"Which year is it?","sites":["hub"],"start_urls":["http://hub.localhost/"],"category":"c","difficulty":"easy","checks":[{"type":"response","status":"SUCCESS","results":[2026],"schema":{"type":"number"}}]}"#;
    fs::create_dir_all(dir.join("suite")).expect("folder");
    fs::write(dir.join("suite/suite.toml"), toml.replace(from, to)).expect("suite.toml");
    fs::write(dir.join("suite/tasks.jsonl"), format!("{}\n", task.replace(from, to))).expect("tasks");
}

#[test]
fn a_broken_suite_names_file_and_line() {
    for (from, to, expected) in [
        ("version = 1", "version = 9", "suite/suite.toml: version 9 is not known"),
        ("seed = 7", "sead = 7", "suite/suite.toml:5: "),
        ("\"checks\":[", "\"checks\":[5,", "suite/tasks.jsonl:1: "),
        ("\"category\"", "\"categroy\"", "suite/tasks.jsonl:1: unknown field `categroy`"),
        ("[\"hub\"]", "[\"bank\"]", "there is no built-in site `bank`"),
        ("http://hub.localhost/", "file:///etc/passwd", "is not an http(s) URL"),
    ] {
        let dir = folder();
        write_suite(dir.path(), from, to);
        let ran = run(dir.path(), &["run", "--suite", "suite", "--agent", "zero"]);
        assert_eq!(ran.code, Some(1), "{to}: {}", ran.stderr);
        // The message is wrapped to the terminal's width; compare without line breaks.
        let flat = ran.stderr.replace("\n  │ ", " ").replace('\n', " ");
        assert!(flat.contains(expected), "{to}: {}", ran.stderr);
    }
}

#[test]
fn unknown_names_say_what_there_is() {
    let dir = folder();
    for (arguments, expected) in [
        (
            &["run", "--suite", "nowhere", "--agent", "zero"][..],
            "built in (demo, obstacles, persona, privacy, smoke, verified)",
        ),
        (&["run", "--suite", "demo", "--agent", "orcale"], "did you mean oracle"),
        (&["run", "--suite", "demo"], "no agent was named"),
        (&["run", "--agent", "zero"], "no suite was named"),
        (&["run", "--suite", "demo", "--agent", "zero", "--agent", "zero"], "named twice"),
        (&["run", "--suite", "demo", "--agent", "zero", "--filter", "sight=shop"], "expected one of id"),
        (&["run", "--suite", "demo", "--agent", "zero", "--gate", "speed>1"], "the gate is not understood"),
        (&["run", "--suite", "demo", "--agent", "zero", "--trials", "0"], "at least 1"),
        (&["run", "--suite", "demo", "--agent", "zero", "--profile", "ci"], "no profile `ci`"),
        (&["report", "demo-1234"], "demo-1234"),
        (&["report"], "there is no run"),
        (&["show", "nonsense"], "there is no run"),
    ] {
        let ran = run(dir.path(), arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.stderr);
        let flat = ran.stderr.replace("\n  │ ", " ").replace("\n        ", " ").replace('\n', " ");
        assert!(flat.contains(expected), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn a_filter_that_leaves_nothing_has_its_own_exit_code() {
    let dir = folder();
    let ran = run(dir.path(), &["run", "--suite", "demo", "--agent", "zero", "--filter", "site=moon"]);
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    assert!(ran.stderr.contains("matches the filter"), "{}", ran.stderr);
}

#[test]
fn a_missing_chromium_is_explained() {
    let dir = folder();
    let arguments = ["run", "--suite", "demo", "--agent", "zero", "--chromium", "/nowhere/chromium"];
    let ran = run(dir.path(), &arguments);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("/nowhere/chromium"), "{}", ran.stderr);
    let doctor = run(dir.path(), &["doctor", "--json", "--chromium", "/nowhere/chromium"]);
    assert_eq!(doctor.code, Some(1));
    let findings: serde_json::Value = serde_json::from_str(&doctor.stdout).expect("JSON");
    assert_eq!((&findings[0]["check"], &findings[0]["level"]), (&"Chromium".into(), &"fail".into()));
    assert!(findings[0]["remedy"].as_str().is_some_and(|remedy| remedy.contains("apt-get install chromium")));
}

#[test]
fn an_unreadable_run_is_named() {
    let dir = folder();
    fs::create_dir_all(dir.path().join("runs/demo-broken")).expect("folder");
    fs::write(dir.path().join("runs/demo-broken/manifest.json"), "{\"version\": 1, ").expect("manifest");
    let ran = run(dir.path(), &["report", "demo-broken"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("manifest.json"), "{}", ran.stderr);
    fs::write(dir.path().join("runs/demo-broken/manifest.json"), "{\"version\": 99}").expect("manifest");
    let ran = run(dir.path(), &["report", "demo-broken"]);
    assert!(ran.stderr.contains("99"), "{}", ran.stderr);
}

#[test]
fn a_disk_that_is_full_or_read_only_stops_the_run_with_its_reason() {
    let dir = folder();
    fs::write(dir.path().join("runs"), "a file where the folder should be").expect("file");
    let ran = run(dir.path(), &["run", "--suite", "demo", "--agent", "zero", "--filter", "site=hub"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stderr.contains("runs"), "{}", ran.stderr);
}
