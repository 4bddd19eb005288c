//! Damage of every kind, done on purpose to every file of a run.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tempfile::TempDir;
use umpire_model::{AttemptId, End, Evidence as _, Media, Outcome, Redactor};
use umpire_store::{Effect, Run, Runs, Status, inspect};

use crate::fixtures::{acted, all_files, attempt_id, ended, instance, manifest, started, verdict};

/// A run of two attempts: one ended at its second try, one was interrupted.
fn run_in(root: &Path) -> Run {
    let instances = [instance("shop-1"), instance("shop-2@on")];
    let run =
        Runs::new(root).create(&manifest("small-1", "2026-01-01T00:00:00Z"), &instances).expect("a new run");
    let attempt = run.attempt(&attempt_id());
    let writer = attempt.writer(Redactor::default()).expect("a writer");
    for (number, end) in [(1, End::Infra), (2, End::Answered)] {
        writer.event(started(number));
        let picture = writer.blob(format!("picture of try {number}").as_bytes(), Media::Png);
        let page = writer.blob(format!("page of try {number}").as_bytes(), Media::Text);
        writer.event(umpire_model::EventBody::StateBefore { state: page });
        writer.event(umpire_model::EventBody::StateAfter { state: picture });
        writer.event(acted("lamp"));
        writer.event(ended(end));
        writer.finish().expect("on disk");
    }
    attempt.append_verdict(&verdict(Outcome::Pass)).expect("filed");
    let other = run.attempt(&interrupted());
    let writer = other.writer(Redactor::default()).expect("a writer");
    writer.event(started(1));
    writer.event(acted("kettle"));
    drop(writer);
    run
}

fn interrupted() -> AttemptId {
    "oracle/shop-2@on/1".parse().expect("well-formed")
}

fn effects(folder: &Path) -> Vec<Effect> {
    let condition = inspect(folder).expect("read to its end");
    condition.damages.into_iter().filter(|damage| !damage.is_harmless()).map(|damage| damage.effect).collect()
}

fn flip(path: &Path, byte: usize, bit: u8) {
    let mut content = fs::read(path).expect("there");
    content[byte] ^= 1 << bit;
    fs::write(path, content).expect("written");
}

#[test]
fn a_run_as_it_was_written_is_sound() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let condition = inspect(run.folder()).expect("readable");
    assert!(condition.is_sound() && condition.damages.is_empty(), "{:#?}", condition.damages);
    assert_eq!((condition.planned, condition.ended, condition.interrupted), (4, 1, 1));
    assert_eq!(condition.blobs, 4);
}

/// Compressed content has bits without a meaning.
fn says_the_same(path: &Path, before: &[u8]) -> bool {
    let unpacked = |content: &[u8]| zstd::stream::decode_all(content).ok();
    let is_packed = path.extension().is_some_and(|extension| extension == "zst");
    is_packed && unpacked(before).is_some() && unpacked(before) == unpacked(&fs::read(path).expect("there"))
}

/// One bit of each byte of every file of the attempt that ended, of the plan and of the blobs: none can change unnoticed.
#[test]
fn no_bit_can_change_unnoticed() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let files: Vec<PathBuf> = all_files(run.folder())
        .into_iter()
        .filter(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            // A seal is not sealed. The attempt without an end is made again whatever it looks like.
            name != "seals.jsonl" && name != "lock" && !path.to_string_lossy().contains("shop-2@on")
        })
        .collect();
    let mut flips = 0;
    for path in &files {
        let content = fs::read(path).expect("there");
        for byte in 0..content.len() {
            flip(path, byte, (byte % 8) as u8);
            let condition = inspect(run.folder()).expect("read to its end");
            assert!(
                !condition.damages.is_empty() || says_the_same(path, &content),
                "bit {} of byte {byte} of {} changed unnoticed",
                byte % 8,
                path.display()
            );
            fs::write(path, &content).expect("written");
            flips += 1;
        }
    }
    assert!(inspect(run.folder()).expect("readable").damages.is_empty());
    assert!(flips > 3000, "only {flips} bits were flipped");
}

#[test]
fn a_changed_word_that_still_reads_as_an_event_is_noticed() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let journal = run.attempt(&attempt_id()).journal_path();
    let text = fs::read_to_string(&journal).expect("there");
    let before = run.attempt(&attempt_id()).journal().expect("readable");
    fs::write(&journal, text.replacen("lamp", "lump", 2)).expect("written");
    let after = run.attempt(&attempt_id()).journal().expect("readable");
    assert_eq!(after.trajectory.damaged_lines, 0, "no line is damaged");
    assert_ne!(after.trajectory.events, before.trajectory.events);
    assert_eq!(effects(run.folder()), [Effect::Evidence]);
}

#[test]
fn each_damage_has_its_effect() {
    struct Case {
        what: &'static str,
        harm: fn(&Run),
        effect: &'static str,
    }
    let cases = [
        Case {
            what: "the journal is cut in the middle of its last line",
            harm: |run| {
                let path = run.attempt(&attempt_id()).journal_path();
                let content = fs::read(&path).expect("there");
                fs::write(path, &content[..content.len() - 20]).expect("written");
            },
            effect: "evidence",
        },
        Case {
            what: "a line of the journal is missing",
            harm: |run| {
                let path = run.attempt(&attempt_id()).journal_path();
                let text = fs::read_to_string(&path).expect("there");
                let kept: Vec<&str> =
                    text.lines().enumerate().filter(|(line, _)| *line != 8).map(|(_, text)| text).collect();
                fs::write(path, kept.join("\n") + "\n").expect("written");
            },
            effect: "evidence",
        },
        Case {
            what: "the journal is gone",
            harm: |run| fs::remove_file(run.attempt(&attempt_id()).journal_path()).expect("gone"),
            effect: "evidence",
        },
        Case {
            what: "verdicts say something else",
            harm: |run| {
                let path = run.attempt(&attempt_id()).telling_files()[1].clone();
                let text = fs::read_to_string(&path).expect("there");
                assert!(text.contains("\"pass\""), "{text}");
                fs::write(path, text.replace("\"pass\"", "\"fail\"")).expect("written");
            },
            effect: "verdicts",
        },
        Case {
            what: "the manifest is empty",
            harm: |run| fs::write(run.folder().join("manifest.json"), b"").expect("written"),
            effect: "plan",
        },
        Case {
            what: "the instances are gone",
            harm: |run| fs::remove_file(run.folder().join("instances.json")).expect("gone"),
            effect: "plan",
        },
    ];
    for Case { what, harm, effect } in cases {
        let root = TempDir::new().expect("temp");
        let run = run_in(root.path());
        harm(&run);
        let found = effects(run.folder());
        let told: Vec<String> = found.iter().map(|effect| format!("{effect:?}").to_lowercase()).collect();
        assert_eq!(told, [effect], "{what}");
    }
}

#[test]
fn blobs_that_are_gone_or_changed_are_told_by_whether_they_count() {
    for (content, media, counts) in [
        ("page of try 2", Media::Text, true),
        ("picture of try 2", Media::Png, true),
        ("page of try 1", Media::Text, false),
    ] {
        for is_gone in [true, false] {
            let root = TempDir::new().expect("temp");
            let run = run_in(root.path());
            let blob = run.blobs().put(content.as_bytes(), media).expect("there already");
            let named = |path: &PathBuf| path.to_string_lossy().contains(blob.digest.as_str());
            let path = all_files(run.folder()).into_iter().find(named).expect("the blob");
            if is_gone {
                fs::remove_file(&path).expect("gone");
            } else {
                flip(&path, 3, 2);
            }
            let condition = inspect(run.folder()).expect("readable");
            let [damage] = condition.damages.as_slice() else { panic!("{:#?}", condition.damages) };
            assert_eq!(damage.is_harmless(), !counts, "{content}, {damage:?}");
            assert_eq!(damage.what.ends_with("is gone"), is_gone, "{}", damage.what);
        }
    }
}

#[test]
fn a_line_torn_by_a_killed_writer_is_harmless() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let other = run.attempt(&interrupted());
    let content = fs::read(other.journal_path()).expect("there");
    fs::write(other.journal_path(), &content[..content.len() - 10]).expect("torn");
    let writer = other.writer(Redactor::default()).expect("a writer");
    writer.event(started(2));
    writer.event(ended(End::Answered));
    writer.finish().expect("on disk");
    other.append_verdict(&verdict(Outcome::Fail)).expect("filed");
    let condition = inspect(run.folder()).expect("readable");
    assert!(condition.is_sound(), "{:#?}", condition.damages);
    assert_eq!(condition.damages.len(), 1, "and told: {:#?}", condition.damages);
}

#[test]
fn mending_restores_sets_aside_and_leaves_the_rest() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let other = Runs::new(root.path())
        .create(&manifest("other-1", "2026-01-02T00:00:00Z"), &[instance("shop-1"), instance("shop-2@on")])
        .expect("a second run");
    let blob = other.blobs().put(b"page of try 2", Media::Text).expect("stored");
    let named = |path: &PathBuf| path.to_string_lossy().contains(blob.digest.as_str());
    let path = all_files(run.folder()).into_iter().find(named).expect("the blob");
    flip(&path, 3, 2);
    let (mended, after) = inspect(run.folder()).expect("readable").mend(run.folder()).expect("mended");
    assert_eq!((mended.blobs, mended.attempts.len(), mended.files.len()), (1, 0, 0));
    assert!(after.damages.is_empty(), "{:#?}", after.damages);

    // What nobody else has is set aside, and the attempt is one that has not begun.
    let picture = run.blobs().put(b"picture of try 2", Media::Png).expect("there already");
    let named = |path: &PathBuf| path.to_string_lossy().contains(picture.digest.as_str());
    let path = all_files(run.folder()).into_iter().find(named).expect("the blob");
    fs::remove_file(path).expect("gone");
    let (mended, after) = inspect(run.folder()).expect("readable").mend(run.folder()).expect("mended");
    assert_eq!(mended.attempts, [attempt_id()]);
    assert!(after.is_sound(), "{:#?}", after.damages);
    assert_eq!(run.attempt(&attempt_id()).status().expect("readable"), Status::NotStarted);
    assert!(run.folder().join("set-aside/attempts/oracle/shop-1/1/journal.jsonl").exists());

    // A plan that cannot be read is begun again by the same command, and has what is there.
    fs::write(run.folder().join("manifest.json"), b"{").expect("written");
    let (mended, after) = inspect(run.folder()).expect("readable").mend(run.folder()).expect("mended");
    assert_eq!(mended.files, [PathBuf::from("manifest.json")]);
    assert!(!after.is_sound(), "until it is written again");
    let instances = [instance("shop-1"), instance("shop-2@on")];
    let again = Runs::new(root.path())
        .create(&manifest("small-1", "2026-01-03T00:00:00Z"), &instances)
        .expect("begun again");
    let condition = inspect(again.folder()).expect("readable");
    assert!(condition.is_sound(), "{:#?}", condition.damages);
    assert_eq!(condition.interrupted, 1);
}

#[test]
fn changed_verdicts_are_set_aside_to_be_judged_again() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let [_, verdicts] = run.attempt(&attempt_id()).telling_files();
    flip(&verdicts, 30, 1);
    let (mended, after) = inspect(run.folder()).expect("readable").mend(run.folder()).expect("mended");
    assert_eq!(mended.files, [PathBuf::from("attempts/oracle/shop-1/1/verdicts.jsonl")]);
    let left: Vec<&Effect> = after.damages.iter().map(|damage| &damage.effect).collect();
    assert_eq!(left, [&Effect::NoVerdict]);
    run.attempt(&attempt_id()).append_verdict(&verdict(Outcome::Pass)).expect("filed");
    assert!(inspect(run.folder()).expect("readable").damages.is_empty());
}

#[test]
fn what_seems_to_be_of_a_newer_format_is_told_and_left_alone() {
    for what in ["the attempt's seals", "the attempt's journal", "the run's seals"] {
        let root = TempDir::new().expect("temp");
        let run = run_in(root.path());
        let journal = run.attempt(&attempt_id()).journal_path();
        let seals = journal.with_file_name("seals.jsonl");
        let (path, old, new) = match what {
            "the attempt's seals" => (seals, "\"version\":1", "\"version\":3"),
            "the attempt's journal" => {
                fs::remove_file(seals).expect("gone");
                (journal.clone(), "\"v\":1", "\"v\":3")
            }
            _ => (run.folder().join("seals.jsonl"), "\"version\":1", "\"version\":3"),
        };
        let text = fs::read_to_string(&path).expect("there");
        assert!(text.contains(old), "{what}: {text}");
        fs::write(&path, text.replacen(old, new, 1)).expect("written");
        assert_eq!(effects(run.folder()), [Effect::Newer], "{what}");
        let condition = inspect(run.folder()).expect("read to its end");
        assert_eq!(condition.interrupted, 1, "{what} hide the other attempt");
        let (mended, after) = condition.mend(run.folder()).expect("mended");
        assert_eq!((mended.attempts.len(), mended.files.len()), (0, 0), "{what}");
        assert!(!after.is_sound() && journal.exists(), "{what}");
    }
}

#[test]
fn labels_are_kept_up_to_the_damage() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let label = |by: &str| -> umpire_model::HumanLabel {
        serde_json::from_value(serde_json::json!({
            "version": 1, "attempt": attempt_id(), "task": "Buy.", "trajectory": "t", "try": 2, "success": null, "annotator": by,
        }))
        .expect("a label")
    };
    run.append_labels(&[label("ann")]).expect("filed");
    run.append_labels(&[label("bob")]).expect("filed");
    let text = fs::read_to_string(run.labels_path()).expect("there");
    fs::write(run.labels_path(), text.replace("bob", "rob")).expect("written");
    assert_eq!(effects(run.folder()), [Effect::Labels]);
    let (mended, after) = inspect(run.folder()).expect("readable").mend(run.folder()).expect("mended");
    assert_eq!(mended.files, [PathBuf::from("labels.jsonl")]);
    assert!(after.is_sound(), "{:#?}", after.damages);
    assert_eq!(run.labels().expect("readable"), [label("ann")]);
    let aside = fs::read_to_string(run.folder().join("set-aside/labels.jsonl")).expect("kept");
    assert!(aside.contains("rob"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever a file is made to hold, looking at the run and mending it come to an end, and what is left is sound or
    /// waits for the command that began it or for a newer Umpire.
    #[test]
    fn arbitrary_bytes_anywhere_are_survived(
        file in 0_usize..12, cut in 0.0_f64..1.0, bytes in prop::collection::vec(any::<u8>(), 0..64), keep in any::<bool>(),
    ) {
        let root = TempDir::new().expect("temp");
        let run = run_in(root.path());
        let files = all_files(run.folder());
        let path = &files[file % files.len()];
        let mut content = fs::read(path).expect("there");
        let at = (content.len() as f64 * cut) as usize;
        let tail = content.split_off(at);
        content.extend_from_slice(&bytes);
        if keep { content.extend_from_slice(&tail) }
        fs::write(path, content).expect("written");
        let condition = inspect(run.folder()).expect("read to its end");
        let (_, after) = condition.mend(run.folder()).expect("mended");
        let waits = |effect: &Effect| matches!(effect, Effect::Plan | Effect::NoVerdict | Effect::Newer);
        prop_assert!(after.damages.iter().all(|damage| damage.is_harmless() || waits(&damage.effect)), "{:#?}", after.damages);
    }
}
