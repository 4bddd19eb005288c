//! A run made in shares and merged, damaged and mended, with real attempts.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{folder, run};

const PLAN: [&str; 7] =
    ["run", "--suite", "smoke", "--agent", "oracle,yes", "--filter", "site=shop or site=hub"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    PLAN.iter().copied().chain(more.iter().copied()).collect()
}

fn only_run_in(root: &Path) -> PathBuf {
    let mut found = fs::read_dir(root).expect("runs").map(|entry| entry.expect("entry").path());
    let only = found.next().expect("a run");
    assert_eq!(found.next(), None);
    only
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn shares_are_made_apart_merged_damaged_and_mended() {
    let dir = folder();
    let whole = run(dir.path(), &with(&["--plan", "--json"]));
    let planned = whole.stdout.lines().count();
    assert!(planned >= 4, "{}", whole.stdout);

    let mut made = 0;
    for share in ["1", "2"] {
        let ran = run(dir.path(), &with(&["--shard", &format!("{share}/2"), "--runs", share, "--json"]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        made += ran.outcomes().len();
    }
    assert_eq!(made, planned, "each attempt once");
    let shares: Vec<PathBuf> = ["1", "2"].iter().map(|share| only_run_in(&dir.path().join(share))).collect();
    let names: Vec<&str> = shares.iter().map(|share| share.to_str().expect("a path")).collect();

    let half = run(dir.path(), &["merge", names[0]]);
    assert_eq!(half.code, Some(5), "not all attempts have ended: {}", half.stdout);
    let merged = run(dir.path(), &["merge", "--json", names[0], names[1]]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    let told: serde_json::Value = serde_json::from_str(&merged.stdout).expect("JSON");
    assert_eq!((told["open"].as_u64(), told["damaged"].as_array().map(Vec::len)), (Some(0), Some(0)));
    // Nothing is left to do for the command without shares, which knows the run as its own.
    let resumed = run(dir.path(), &with(&["--json"]));
    assert_eq!((resumed.code, resumed.outcomes().len()), (Some(0), 0), "{}", resumed.stderr);
    let name = told["run"].as_str().expect("a name");
    let sound = run(dir.path(), &["doctor", name]);
    assert_eq!(sound.code, Some(0), "{}", sound.stdout);
    assert!(sound.stdout.contains("everything is as it was written"), "{}", sound.stdout);

    // A page that the evidence refers to is changed on the disk.
    let merged = only_run_in(&dir.path().join("runs"));
    let journal = files_below(&merged.join("attempts/oracle"))
        .into_iter()
        .find(|path| path.ends_with("journal.jsonl"))
        .expect("a journal");
    let text = fs::read_to_string(&journal).expect("text");
    let changed = text.replacen("\"type\":\"acted\"", "\"type\":\"acned\"", 1);
    assert_ne!(changed, text);
    fs::write(&journal, changed).expect("written");
    let ill = run(dir.path(), &["doctor", name]);
    assert_eq!(ill.code, Some(1), "{}", ill.stdout);
    assert!(ill.stdout.contains("was changed after it was written"), "{}", ill.stdout);
    assert!(ill.stdout.contains("the attempt has to be made again"), "{}", ill.stdout);

    let mended = run(dir.path(), &["doctor", name, "--mend"]);
    assert_eq!(mended.code, Some(0), "{}{}", mended.stdout, mended.stderr);
    let again = run(dir.path(), &with(&["--json"]));
    assert_eq!((again.code, again.outcomes().len()), (Some(0), 1), "{}", again.stderr);
    assert_eq!(run(dir.path(), &["doctor", name]).code, Some(0));
    assert!(merged.join("set-aside").is_dir(), "nothing is thrown away");
}

#[test]
fn a_share_needs_two_numbers_and_has_no_gate() {
    let dir = folder();
    let bad = run(dir.path(), &with(&["--shard", "3/2"]));
    assert_eq!(bad.code, Some(1), "{}", bad.stderr);
    assert!(bad.stderr.contains("`3/2` is no share"), "{}", bad.stderr);
    let gated = run(dir.path(), &with(&["--shard", "1/2", "--gate", "pass>=0.5"]));
    assert_eq!(gated.code, Some(1));
    assert!(gated.stderr.contains("a gate is for a whole run"), "{}", gated.stderr);
    let nothing = run(dir.path(), &["merge", "nowhere"]);
    assert_eq!(nothing.code, Some(1));
    assert!(nothing.stderr.contains("nowhere"), "{}", nothing.stderr);
}
