use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::sync::Arc;

use crate::fixtures::{acted, attempt_id, ended, run_in, started, verdict, write_try};
use proptest::prelude::*;
use tempfile::TempDir;
use umpire_model::{BlobSource as _, End, EventBody, Evidence, Media, Outcome, Redactor};
use umpire_store::{AttemptDir, Status, StoreError};

fn attempt(root: &TempDir) -> AttemptDir {
    run_in(root.path()).attempt(&attempt_id())
}

fn append_raw(attempt: &AttemptDir, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(attempt.journal_path()).expect("a journal");
    file.write_all(bytes).expect("written");
}

#[test]
fn what_is_written_is_read_back_in_order() {
    let root = TempDir::new().expect("temp");
    let attempt = attempt(&root);
    assert_eq!(attempt.status().expect("readable"), Status::NotStarted);
    assert_eq!(attempt.read().expect("readable").events.len(), 0);

    let writer = attempt.writer(Redactor::default()).expect("a writer");
    let state = write_try(&writer, 1, End::Answered);
    writer.finish().expect("on disk");

    let trajectory = attempt.read().expect("readable");
    assert_eq!((trajectory.tries, trajectory.damaged_lines), (1, 0));
    assert_eq!(trajectory.events.iter().map(|event| event.seq).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(trajectory.events[2].body, acted("lamp"));
    assert_eq!(trajectory.state_before(), Some(&state));
    assert_eq!(trajectory.end(), Some((End::Answered, "done")));
    let content = run_at(&root).blobs().read(&state).expect("stored");
    assert_eq!(content, b"{\"try\":1}");
}

fn run_at(root: &TempDir) -> umpire_store::Run {
    umpire_store::Run::at(&root.path().join("small-1")).expect("the run")
}

#[test]
fn only_the_last_try_counts_and_every_try_is_kept() {
    let root = TempDir::new().expect("temp");
    let attempt = attempt(&root);
    for (number, end) in [(1, End::Infra), (2, End::Infra), (3, End::Stopped)] {
        let writer = attempt.writer(Redactor::default()).expect("a writer");
        write_try(&writer, number, end);
        writer.finish().expect("on disk");
    }
    let journal = attempt.journal().expect("readable");
    assert_eq!(journal.trajectory.tries, 3);
    assert_eq!(journal.trajectory.events.len(), 6);
    assert_eq!(journal.trajectory.events[0].seq, 12, "numbers go on over all tries");
    let ends: Vec<_> =
        journal.tries.iter().map(|one| (one.number, one.end.as_ref().map(|end| end.end))).collect();
    assert_eq!(ends, [(1, Some(End::Infra)), (2, Some(End::Infra)), (3, Some(End::Stopped))]);
    assert_eq!(attempt.tries().expect("readable"), journal.tries, "the quick way sees the same");
}

#[test]
fn a_try_killed_at_any_byte_loses_nothing_that_was_finished() {
    let root = TempDir::new().expect("temp");
    let whole = attempt(&root);
    let writer = whole.writer(Redactor::default()).expect("a writer");
    write_try(&writer, 1, End::Infra);
    write_try(&writer, 2, End::Answered);
    writer.finish().expect("on disk");
    let bytes = fs::read(whole.journal_path()).expect("written");
    // A line counts from its closing brace on; the line break adds nothing to it.
    let text = String::from_utf8(bytes.clone()).expect("JSON is UTF-8");
    let mut ends = Vec::new();
    let mut position = 0;
    for line in text.lines() {
        position += line.len();
        if line.contains("\"type\":\"ended\"") {
            ends.push(position);
        }
        position += 1;
    }
    assert_eq!(ends.len(), 2);

    let cut_run = run_at(&root);
    let cut = cut_run.attempt(&"oracle/shop-2@on/1".parse().expect("well-formed"));
    fs::create_dir_all(cut.journal_path().parent().expect("a folder")).expect("created");
    for length in 0..=bytes.len() {
        fs::write(cut.journal_path(), &bytes[..length]).expect("written");
        let finished_before = ends.iter().filter(|end| **end <= length).count();
        let finished = |tries: &[umpire_store::Try]| tries.iter().filter(|one| one.end.is_some()).count();
        assert_eq!(finished(&cut.tries().expect("readable")), finished_before, "cut at {length}");
        match cut.status().expect("readable") {
            Status::Ended { end, tries, .. } => {
                assert_eq!(end, if tries == 1 { End::Infra } else { End::Answered }, "cut at {length}");
            }
            Status::Interrupted | Status::NotStarted => {}
        }

        let writer = cut.writer(Redactor::default()).expect("a writer");
        write_try(&writer, 9, End::Stopped);
        drop(writer);
        let journal = cut.journal().expect("readable");
        assert_eq!(finished(&journal.tries), finished_before + 1, "cut at {length}");
        assert!(journal.trajectory.damaged_lines <= 1, "cut at {length}");
        assert_eq!(journal.trajectory.events.len(), 6, "cut at {length}");
        assert_eq!(journal.trajectory.end(), Some((End::Stopped, "done")), "cut at {length}");
        let seqs: Vec<u64> = journal.trajectory.events.iter().map(|event| event.seq).collect();
        assert!(seqs.windows(2).all(|pair| pair[0] + 1 == pair[1]), "cut at {length}: {seqs:?}");
    }
}

#[test]
fn damaged_doubled_and_unknown_lines_are_told_apart() {
    let root = TempDir::new().expect("temp");
    let attempt = attempt(&root);
    let writer = attempt.writer(Redactor::default()).expect("a writer");
    write_try(&writer, 1, End::Answered);
    writer.finish().expect("on disk");
    let once = fs::read(attempt.journal_path()).expect("written");
    append_raw(&attempt, &once);
    append_raw(&attempt, b"{\"v\":1,\"seq\":90,\"ms\":1,\"type\":\"smelled\",\"scent\":\"rose\"}\n");
    append_raw(&attempt, b"\xff\xfe not even text\n\n{\"v\":1,\"seq\":91,\"ms\":1,\"type\":\"thought\"}\n");
    let journal = attempt.journal().expect("readable");
    assert_eq!(journal.trajectory.events.len(), 6, "a copy adds no event");
    assert_eq!((journal.trajectory.damaged_lines, journal.unknown_events, journal.tries.len()), (2, 1, 1));
}

#[test]
fn a_newer_journal_is_refused_by_name() {
    let root = TempDir::new().expect("temp");
    let attempt = attempt(&root);
    let writer = attempt.writer(Redactor::default()).expect("a writer");
    writer.event(started(1));
    writer.finish().expect("on disk");
    append_raw(&attempt, b"{\"v\":2,\"seq\":1,\"at\":\"later\",\"type\":\"ended\"}\n");
    for error in [attempt.read().expect_err("newer"), attempt.tries().expect_err("newer")] {
        assert!(matches!(error, StoreError::NewerFormat { found: 2, known: 1, .. }), "{error}");
        assert!(error.to_string().contains("journal.jsonl:2"), "{error}");
    }
}

#[test]
fn nothing_follows_the_end_of_a_try() {
    let root = TempDir::new().expect("temp");
    let attempt = attempt(&root);
    let writer = attempt.writer(Redactor::default()).expect("a writer");
    write_try(&writer, 1, End::Answered);
    let straggler = EventBody::Thought { step: 9, text: "too late".to_owned() };
    assert_eq!(writer.event(straggler), 5, "points at the end");
    writer.finish().expect("on disk");
    drop(writer);
    assert!(matches!(
        attempt.read().expect("readable").events.last().map(|event| &event.body),
        Some(EventBody::Ended { .. })
    ));
}

#[test]
fn a_verdict_belongs_to_its_try() {
    let root = TempDir::new().expect("temp");
    let attempt = attempt(&root);
    let writer = attempt.writer(Redactor::default()).expect("a writer");
    write_try(&writer, 1, End::Infra);
    writer.finish().expect("on disk");
    attempt.append_verdict(&verdict(Outcome::Infra)).expect("filed");
    attempt.append_verdict(&verdict(Outcome::Infra)).expect("filed");
    assert_eq!(attempt.verdicts().expect("readable").len(), 1, "judging again is no news");

    writer.event(started(2));
    writer.finish().expect("on disk");
    assert_eq!(attempt.status().expect("readable"), Status::Interrupted);
    writer.event(ended(End::Answered));
    writer.finish().expect("on disk");
    let unjudged = Status::Ended { end: End::Answered, tries: 2, verdict: None };
    assert_eq!(attempt.status().expect("readable"), unjudged, "the old verdict is not about this try");

    attempt.append_verdict(&verdict(Outcome::Fail)).expect("filed");
    let mut by_person = verdict(Outcome::Pass);
    by_person.by = "alice".to_owned();
    attempt.append_verdict(&by_person).expect("filed");
    let judged = Status::Ended { end: End::Answered, tries: 2, verdict: Some(verdict(Outcome::Fail)) };
    assert_eq!(attempt.status().expect("readable"), judged);
}

#[test]
fn a_torn_verdict_is_fenced_off() {
    let root = TempDir::new().expect("temp");
    let attempt = attempt(&root);
    let writer = attempt.writer(Redactor::default()).expect("a writer");
    write_try(&writer, 1, End::Answered);
    writer.finish().expect("on disk");
    let path = attempt.journal_path().with_file_name("verdicts.jsonl");
    attempt.append_verdict(&verdict(Outcome::Fail)).expect("filed");
    let line = fs::read(&path).expect("written");
    for length in 0..line.len() {
        fs::write(&path, &line[..length]).expect("written");
        attempt.append_verdict(&verdict(Outcome::Pass)).expect("filed");
        let outcomes: Vec<_> =
            attempt.verdicts().expect("readable").iter().map(|filed| filed.verdict.outcome).collect();
        assert_eq!(outcomes.last(), Some(&Outcome::Pass), "cut at {length}");
        assert_eq!(outcomes.len(), if length == line.len() - 1 { 2 } else { 1 }, "cut at {length}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_remembered_until_the_end() {
    let root = TempDir::new().expect("temp");
    let attempt = attempt(&root);
    let path = attempt.journal_path();
    fs::create_dir_all(path.parent().expect("a folder")).expect("created");
    std::os::unix::fs::symlink("/dev/full", &path).expect("linked");
    let writer = attempt.writer(Redactor::default()).expect("a writer");
    write_try(&writer, 1, End::Answered);
    for _ in 0..2 {
        let error = writer.finish().expect_err("no space");
        assert!(error.to_string().contains("No space left"), "{error}");
    }
}

#[test]
fn a_blob_that_cannot_be_stored_is_remembered_until_the_end() {
    let root = TempDir::new().expect("temp");
    let attempt = attempt(&root);
    fs::write(root.path().join("small-1/blobs"), "a file where a folder should be").expect("written");
    let writer = attempt.writer(Redactor::default()).expect("a writer");
    let blob = writer.blob(b"hello", Media::Text);
    assert_eq!(blob.bytes, 5, "recording code goes on");
    assert!(writer.finish().is_err());
}

#[test]
fn attempts_are_written_at_the_same_time() {
    let root = TempDir::new().expect("temp");
    let run = Arc::new(run_in(root.path()));
    let ids = run.planned().expect("well-formed");
    assert_eq!(ids.len(), 4);
    std::thread::scope(|scope| {
        for id in &ids {
            let run = Arc::clone(&run);
            scope.spawn(move || {
                let writer = run.attempt(id).writer(Redactor::default()).expect("a writer");
                // Two recorders of one attempt, as network and observation are.
                std::thread::scope(|recorders| {
                    writer.event(started(1));
                    for _ in 0..2 {
                        recorders.spawn(|| {
                            for number in 0..200_u32 {
                                let text = writer.blob(format!("shared {number}").as_bytes(), Media::Text);
                                writer.event(EventBody::StateBefore { state: text });
                            }
                        });
                    }
                });
                writer.event(ended(End::Answered));
                writer.finish().expect("on disk");
            });
        }
    });
    for id in &ids {
        let trajectory = run.attempt(id).read().expect("readable");
        assert_eq!((trajectory.events.len(), trajectory.damaged_lines), (402, 0), "{id}");
        assert!(trajectory.events.iter().enumerate().all(|(index, event)| event.seq == index as u64), "{id}");
        for event in &trajectory.events {
            if let EventBody::StateBefore { state } = &event.body {
                run.blobs().read(state).expect("stored whole");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let root = TempDir::new().expect("temp");
        let attempt = attempt(&root);
        fs::create_dir_all(attempt.journal_path().parent().expect("a folder")).expect("created");
        fs::write(attempt.journal_path(), &bytes).expect("written");
        let _ = attempt.status();
        prop_assert!(attempt.read().is_ok_and(|trajectory| trajectory.events.is_empty()));
    }
}
