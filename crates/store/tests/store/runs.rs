use std::fs;

use crate::fixtures::{instance, manifest, run_in};
use tempfile::TempDir;
use umpire_store::{Run, Runs, StoreError};

#[test]
fn a_run_is_found_by_name_and_by_any_prefix_that_names_it_alone() {
    let root = TempDir::new().expect("temp");
    let runs = Runs::new(root.path());
    for name in ["core-7f3a", "core-7f3b", "core-7", "demo-1"] {
        runs.create(&manifest(name, "2026-01-01T00:00:00Z"), &[]).expect("a new run");
    }
    for (wanted, found) in
        [("demo", "demo-1"), ("core-7f3a", "core-7f3a"), ("core-7", "core-7"), ("d", "demo-1")]
    {
        assert_eq!(runs.open(wanted).expect(wanted).manifest().run.as_str(), found);
    }
    match runs.open("core-7f") {
        Err(StoreError::AmbiguousRun { candidates, .. }) => {
            assert_eq!(candidates, ["core-7f3a", "core-7f3b"]);
        }
        other => panic!("{other:?}"),
    }
    for wanted in ["x", "", "../core-7", "core-7/../demo-1"] {
        let error = runs.open(wanted).expect_err("no such run");
        assert!(matches!(error, StoreError::NoSuchRun { .. }), "{wanted}: {error}");
        assert!(error.to_string().contains("demo-1"), "names what there is: {error}");
    }
    assert!(runs.find(&"core-7f".parse().expect("a name")).expect("readable").is_none(), "exact names only");
    assert!(runs.find(&"core-7".parse().expect("a name")).expect("readable").is_some());
}

#[test]
fn an_absent_folder_holds_no_runs() {
    let runs = Runs::new("/nonexistent/runs");
    assert!(runs.list().expect("nothing there").runs.is_empty());
    assert!(runs.latest().expect("nothing there").is_none());
    assert!(runs.open("x").expect_err("nothing there").to_string().contains("there are none"));
}

#[test]
fn the_latest_run_is_the_youngest() {
    let root = TempDir::new().expect("temp");
    let runs = Runs::new(root.path());
    for (name, created) in
        [("b", "2026-01-01T10:00:00Z"), ("a", "2026-01-01T10:00:00.25Z"), ("c", "2025-12-31T23:59:59Z")]
    {
        runs.create(&manifest(name, created), &[]).expect("a new run");
    }
    let names: Vec<String> =
        runs.list().expect("readable").runs.iter().map(|run| run.manifest().run.to_string()).collect();
    assert_eq!(names, ["c", "b", "a"]);
    assert_eq!(runs.latest().expect("readable").expect("one").manifest().run.as_str(), "a");
}

#[test]
fn a_broken_manifest_names_its_place_and_hides_no_other_run() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let broken = root.path().join("broken");
    fs::create_dir(&broken).expect("created");
    fs::write(broken.join("manifest.json"), "{\n  \"version\": 1,\n  \"run\": 5\n}").expect("written");
    let error = Run::at(&broken).expect_err("broken").to_string();
    assert!(error.contains("manifest.json:3"), "{error}");
    let listing = Runs::new(root.path()).list().expect("readable");
    assert_eq!((listing.runs.len(), listing.unreadable.len()), (1, 1));
    assert_eq!(listing.runs[0].manifest(), run.manifest());

    fs::write(broken.join("manifest.json"), r#"{"version": 2, "shape": "unheard of"}"#).expect("written");
    let error = Run::at(&broken).expect_err("newer");
    assert!(matches!(error, StoreError::NewerFormat { found: 2, .. }), "{error}");
}

#[test]
fn a_run_begins_once() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let again = Runs::new(root.path()).create(run.manifest(), &[]);
    assert!(matches!(again, Err(StoreError::RunExists { .. })));
    assert_eq!(run.instances().expect("kept").len(), 2, "and is not changed by the attempt");

    // Killed before its manifest was written, it never began.
    fs::remove_file(run.folder().join("manifest.json")).expect("removed");
    assert!(Runs::new(root.path()).list().expect("readable").runs.is_empty());
    Runs::new(root.path()).create(run.manifest(), &[instance("shop-1")]).expect("begins again");
}

#[test]
fn a_run_keeps_what_was_asked_and_what_was_expected() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    assert_eq!(run.instances().expect("kept")[0].intent, "Put two lamps into the cart.");
    let expected = run.expectations().expect("kept");
    assert_eq!(
        expected.iter().map(|instance| &instance.id).collect::<Vec<_>>(),
        run.manifest().instances.iter().collect::<Vec<_>>()
    );
    assert!(serde_json::to_string(&expected).expect("JSON").contains("gold"));
}

#[test]
fn two_runners_never_write_one_run() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let held = run.lock().expect("free");
    let error = Run::at(run.folder()).expect("the run").lock().expect_err("held");
    assert!(
        matches!(&error, StoreError::Locked { holder: Some(pid), .. } if *pid == std::process::id()),
        "{error}"
    );
    drop(held);
    run.lock().expect("free again");
}

#[test]
fn the_lock_clears_away_what_a_killed_writer_left() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let left = run.folder().join("blobs/unfinished");
    fs::create_dir_all(&left).expect("created");
    fs::write(left.join(".new-abc"), "half").expect("written");
    let _lock = run.lock().expect("free");
    assert!(!left.exists());
}
