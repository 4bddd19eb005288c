//! Arbitrary bytes as any file of a run: looked at, read, mended and looked at again. The first byte chooses the file.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use umpire_store::{Effect, Run, inspect};

const ATTEMPT: &str = "attempts/oracle/shop/1";
const FILES: [&str; 8] = [
    "attempts/oracle/shop/1/journal.jsonl",
    "attempts/oracle/shop/1/verdicts.jsonl",
    "attempts/oracle/shop/1/votes.jsonl",
    "attempts/oracle/shop/1/seals.jsonl",
    "manifest.json",
    "instances.json",
    "labels.jsonl",
    BLOB,
];
/// What the journal below refers to.
const BLOB: &str = "blobs/2c/2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824.zst";
const MANIFEST: &str = r#"{"version":1,"run":"core-1","created":"2026-01-01T00:00:00Z","umpire":"0.1.0","suite":"core",
"suite_digest":"","rules_digest":"","agents":[{"name":"oracle","kind":"oracle","settings":{}}],"instances":[],"trials":1,"seed":1,
"browser":"","viewport":{"width":1,"height":1},"locale":"","timezone":"","limits":{"actions":1,"seconds":1},"retries":0,"denominator":""}"#;
const JOURNAL: &str = r#"{"v":1,"seq":0,"ms":0,"type":"state_before","state":{"digest":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824","media":"text","bytes":5}}
{"v":1,"seq":1,"ms":1,"type":"ended","end":"answered","detail":"","steps":1,"counted":1}
"#;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, content)) = bytes.split_first() else { return };
    let folder = fresh_folder();
    let path = folder.join(FILES[usize::from(*first) % FILES.len()]);
    fs::write(&path, content).expect("written");
    if let Ok(run) = Run::at(&folder) {
        let _ = (run.instances(), run.labels());
        let attempt = run.attempt(&"oracle/shop/1".parse().expect("well-formed"));
        let _ = (attempt.journal(), attempt.status(), attempt.verdicts(), attempt.votes());
    }
    if let Ok(condition) = inspect(&folder) {
        let (_, after) = condition.mend(&folder).expect("mended");
        let waits = |effect: &Effect| matches!(effect, Effect::Plan | Effect::NoVerdict | Effect::Labels);
        assert!(
            after.damages.iter().all(|damage| damage.is_harmless() || waits(&damage.effect)),
            "{after:?}"
        );
    }
});

fn fresh_folder() -> PathBuf {
    let root = Path::new("/dev/shm").join(format!("umpire-fuzz-{}", std::process::id()));
    let folder = root.join("core-1");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(folder.join(ATTEMPT)).expect("created");
    fs::create_dir_all(folder.join("blobs/2c")).expect("created");
    fs::write(folder.join("manifest.json"), MANIFEST).expect("written");
    fs::write(folder.join("instances.json"), r#"{"version":1,"instances":[]}"#).expect("written");
    fs::write(folder.join(FILES[0]), JOURNAL).expect("written");
    folder
}
