//! Copies of one run, put together.

use std::path::Path;

use tempfile::TempDir;
use umpire_model::{AttemptId, End, Manifest, Outcome, Redactor};
use umpire_store::{MergeError, Run, Runs, Status, inspect};

use crate::fixtures::{acted, all_files, instance, manifest, started, verdict, write_try};
use umpire_model::Evidence as _;

fn id(text: &str) -> AttemptId {
    text.parse().expect("well-formed")
}

fn copy_in(root: &Path, change: impl Fn(Manifest) -> Manifest) -> Run {
    let manifest =
        change(manifest("small-1", &format!("2026-01-01T00:00:{:02}Z", root.as_os_str().len() % 60)));
    Runs::new(root).create(&manifest, &[instance("shop-1"), instance("shop-2@on")]).expect("a new run")
}

fn make(run: &Run, attempt: &str, end: End) {
    let attempt = run.attempt(&id(attempt));
    let writer = attempt.writer(Redactor::default()).expect("a writer");
    write_try(&writer, 1, end);
    writer.finish().expect("on disk");
    attempt.append_verdict(&verdict(Outcome::Pass)).expect("filed");
}

fn is_ended(run: &Run, attempt: &str) -> bool {
    matches!(run.attempt(&id(attempt)).status().expect("readable"), Status::Ended { .. })
}

#[test]
fn shares_become_one_run_and_merging_again_changes_nothing() {
    let (here, left, right) =
        (TempDir::new().expect("temp"), TempDir::new().expect("temp"), TempDir::new().expect("temp"));
    let (left, right) = (copy_in(left.path(), |same| same), copy_in(right.path(), |same| same));
    make(&left, "oracle/shop-1/1", End::Answered);
    make(&left, "oracle/shop-1/2", End::Stopped);
    make(&right, "oracle/shop-2@on/1", End::Answered);

    let runs = Runs::new(here.path());
    let (run, merged) = runs.merge(&[left.clone(), right.clone()]).expect("merged");
    assert_eq!((merged.taken, merged.known, merged.open), (3, 0, 1));
    assert!(merged.made_twice.is_empty() && merged.damaged.is_empty());
    for made in ["oracle/shop-1/1", "oracle/shop-1/2", "oracle/shop-2@on/1"] {
        assert!(is_ended(&run, made), "{made}");
    }
    let condition = inspect(run.folder()).expect("readable");
    assert!(condition.damages.is_empty(), "blobs, verdicts and seals came along: {:#?}", condition.damages);

    let before: Vec<_> = all_files(run.folder());
    let (_, again) = runs.merge(&[left, right.clone()]).expect("merged");
    assert_eq!((again.taken, again.known), (0, 3));
    assert_eq!(all_files(run.folder()), before);

    // The last share comes later, and a verdict that was filed meanwhile comes along.
    make(&right, "oracle/shop-2@on/2", End::Answered);
    right.attempt(&id("oracle/shop-2@on/1")).append_verdict(&verdict(Outcome::Fail)).expect("filed");
    let (run, last) = runs.merge(&[right]).expect("merged");
    assert_eq!((last.taken, last.known, last.open), (1, 1, 0));
    assert_eq!(run.attempt(&id("oracle/shop-2@on/1")).verdicts().expect("readable").len(), 2);
    assert!(inspect(run.folder()).expect("readable").damages.is_empty());
}

#[test]
fn an_end_stands_before_none_and_the_first_before_the_second() {
    let (left, right) = (TempDir::new().expect("temp"), TempDir::new().expect("temp"));
    let (left, right) = (copy_in(left.path(), |same| same), copy_in(right.path(), |same| same));
    let writer = left.attempt(&id("oracle/shop-1/1")).writer(Redactor::default()).expect("a writer");
    writer.event(started(1));
    writer.event(acted("lamp"));
    drop(writer);
    make(&right, "oracle/shop-1/1", End::Answered);
    make(&left, "oracle/shop-1/2", End::Stopped);
    make(&right, "oracle/shop-1/2", End::Answered);

    let runs = Runs::new(left.folder().parent().expect("its folder"));
    let (run, merged) = runs.merge(&[right]).expect("merged into the copy that is here");
    assert_eq!(merged.taken, 1);
    assert_eq!(merged.made_twice, [id("oracle/shop-1/2")]);
    assert!(is_ended(&run, "oracle/shop-1/1"));
    let Status::Ended { end, .. } = run.attempt(&id("oracle/shop-1/2")).status().expect("readable") else {
        panic!("it ended");
    };
    assert_eq!(end, End::Stopped, "what was here first");
    assert!(run.folder().join("set-aside/attempts/oracle/shop-1/1/journal.jsonl").exists());
}

#[test]
fn damage_does_not_spread() {
    let (here, left) = (TempDir::new().expect("temp"), TempDir::new().expect("temp"));
    let left = copy_in(left.path(), |same| same);
    make(&left, "oracle/shop-1/1", End::Answered);
    make(&left, "oracle/shop-1/2", End::Answered);
    let journal = left.attempt(&id("oracle/shop-1/2")).journal_path();
    let text = std::fs::read_to_string(&journal).expect("there");
    std::fs::write(&journal, text.replace("lamp", "lump")).expect("written");
    let (run, merged) = Runs::new(here.path()).merge(std::slice::from_ref(&left)).expect("merged");
    assert_eq!((merged.taken, merged.open), (1, 3));
    assert_eq!(merged.damaged.len(), 1);
    assert_eq!(merged.damaged[0].0, id("oracle/shop-1/2"));
    assert!(inspect(run.folder()).expect("readable").is_sound());

    // Without its one blob, which both refer to, neither can be taken.
    for blob in all_files(&left.folder().join("blobs")) {
        std::fs::remove_file(blob).expect("gone");
    }
    let elsewhere = TempDir::new().expect("temp");
    let (_, merged) = Runs::new(elsewhere.path()).merge(&[left]).expect("merged");
    assert_eq!((merged.taken, merged.damaged.len()), (0, 2));
}

#[test]
fn only_copies_of_one_run_are_merged() {
    let (here, left, right) =
        (TempDir::new().expect("temp"), TempDir::new().expect("temp"), TempDir::new().expect("temp"));
    let runs = Runs::new(here.path());
    let one = copy_in(left.path(), |same| same);
    let newer = copy_in(right.path(), |same| Manifest { browser: "Chromium/2".to_owned(), ..same });
    let error = runs.merge(&[one.clone(), newer]).expect_err("two browsers");
    assert!(
        matches!(&error, MergeError::OtherMaker { differs, .. } if differs.contains("Chromium/2")),
        "{error}"
    );
    let other = TempDir::new().expect("temp");
    let other = copy_in(other.path(), |same| Manifest { run: "small-2".parse().expect("a name"), ..same });
    assert!(matches!(runs.merge(&[one.clone(), other]), Err(MergeError::OtherRun { .. })));
    assert!(matches!(runs.merge(&[]), Err(MergeError::Nothing)));
    let _lock = one.lock().expect("free");
    assert!(matches!(runs.merge(std::slice::from_ref(&one)), Err(MergeError::BeingWritten { .. })));
    assert!(runs.list().expect("readable").runs.is_empty(), "nothing was begun");
}
