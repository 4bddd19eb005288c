//! Attempts that begin logged in, from the vault to the verdict, and no secret in any file of the run.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::{folder, run, umpire};

/// The password of the built-in account; also the canary that must be nowhere.
const PASSWORD: &str = "Tidal-Meadow-58";
const WORLD: &str = r#"{"hub": {"signs_in_by_cookie": true}}"#;

fn example(dir: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/accounts");
    fs::create_dir_all(dir.join("suite")).expect("a folder");
    for file in ["umpire.toml", "login.session.json", "suite/suite.toml", "suite/tasks.jsonl"] {
        fs::copy(from.join(file), dir.join(file)).expect("copied");
    }
}

fn with_vault(dir: &Path, password: &str) {
    assert_eq!(run(dir, &["vault", "init"]).code, Some(0));
    let mut command = umpire(dir);
    command.args(["vault", "set", "accounts/orrery/password"]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().expect("umpire starts");
    child.stdin.take().expect("its input").write_all(password.as_bytes()).expect("written");
    assert!(child.wait().expect("umpire ends").success());
}

fn files_below(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            files_below(&entry.path(), into);
        } else {
            into.push(entry.path());
        }
    }
}

/// Asserts that no spelling of the secret is in any file, packed or not.
fn assert_nowhere(folder: &Path, secret: &str) -> usize {
    let mut files = Vec::new();
    files_below(folder, &mut files);
    let encoded = secret.replace('-', "%2D");
    let spellings = [secret, &encoded, "VGlkYWwtTWVhZG93LTU4"];
    for file in &files {
        let content = fs::read(file).expect("readable");
        let unpacked = zstd::decode_all(content.as_slice()).unwrap_or_default();
        for bytes in [&content, &unpacked] {
            let text = String::from_utf8_lossy(bytes);
            for spelling in &spellings {
                assert!(!text.contains(spelling), "{spelling} is in {}", file.display());
            }
        }
    }
    files.len()
}

#[test]
fn an_attempt_begins_logged_in_and_leaves_no_secret_behind() {
    let dir = folder();
    let dir = dir.path();
    example(dir);
    with_vault(dir, PASSWORD);
    let captured = run(dir, &["account", "capture", "orrery", "--world", WORLD]);
    assert_eq!(captured.code, Some(0), "{}", captured.stderr);
    assert!(captured.stdout.contains("1 cookies"), "{}", captured.stdout);
    // The world of an attempt is a new one, which does not know that cookie: it logs in again, and two others with it.
    let ran = run(
        dir,
        &["--json", "run", "--suite", "suite", "--agent", "oracle", "--agent", "yes", "--trials", "2"],
    );
    let outcomes = ran.outcomes();
    let of = |agent: &str| {
        let mut outcomes: Vec<&str> = outcomes
            .iter()
            .filter(|(id, _)| id.starts_with(agent))
            .map(|(_, outcome)| outcome.as_str())
            .collect();
        outcomes.dedup();
        outcomes
    };
    assert_eq!(of("oracle"), ["pass"], "{}{}", ran.stdout, ran.stderr);
    assert_eq!(of("yes"), ["fail"], "{}", ran.stdout);
    let report = run(dir, &["report"]);
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    let attempt = &outcomes.iter().find(|(id, _)| id.starts_with("oracle")).expect("an attempt").0;
    assert_eq!(run(dir, &["show", attempt, "--har", "runs/network.har"]).code, Some(0));
    // What the harness did to get in is no evidence: no request of it is in the record.
    let har = fs::read_to_string(dir.join("runs/network.har")).expect("a HAR file");
    assert!(har.contains("/devices") && !har.contains("/sign-in"));
    let looked_at =
        assert_nowhere(&dir.join("runs"), PASSWORD) + assert_nowhere(&dir.join("report"), PASSWORD);
    println!("{looked_at} files");
    assert!(looked_at > 10, "only {looked_at} files were looked at");
}

#[test]
fn who_cannot_get_in_is_infra_with_the_reason() {
    let dir = folder();
    let dir = dir.path();
    example(dir);
    with_vault(dir, "not the password");
    let ran = run(dir, &["--json", "run", "--suite", "suite", "--agent", "oracle", "--retries", "0"]);
    let finished = ran.events().into_iter().find(|event| event["event"] == "finished").expect("an attempt");
    assert_eq!(finished["outcome"], "infra", "{finished}");
    let reason = finished["reason"].as_str().expect("a reason");
    assert!(reason.contains("logged in as `orrery`, but"), "{reason}");
    assert!(!ran.stdout.contains("not the password"));
    // Without the vault, nothing is begun at all.
    fs::remove_file(dir.join("umpire.vault")).expect("removed");
    let refused = run(dir, &["run", "--suite", "suite", "--agent", "oracle"]);
    assert!(
        refused.code == Some(1) && refused.stderr.contains("accounts/orrery/password"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_storage_state_goes_to_playwright_and_comes_back() {
    let dir = folder();
    let dir = dir.path();
    example(dir);
    with_vault(dir, PASSWORD);
    let state = r#"{"cookies": [{"name": "sid", "value": "CANARY-cookie", "domain": "hub.localhost", "path": "/",
        "expires": -1, "httpOnly": true, "secure": false, "sameSite": "Lax"}], "origins": [{"origin":
        "http://hub.localhost", "localStorage": [], "indexedDB": [{"name": "db", "version": 2, "stores": []}],
        "opfs": [{"path": "notes", "type": "directory"}]}]}"#;
    fs::write(dir.join("state.json"), state).expect("written");
    let imported = run(dir, &["account", "import", "orrery", "state.json"]);
    assert!(
        imported.code == Some(0) && imported.stdout.contains("1 databases"),
        "{}{}",
        imported.stdout,
        imported.stderr
    );
    let mut kept = Vec::new();
    files_below(&dir.join("umpire.vault.accounts"), &mut kept);
    assert_eq!(kept.len(), 1);
    assert!(!String::from_utf8_lossy(&fs::read(&kept[0]).expect("readable")).contains("CANARY"));
    assert_eq!(run(dir, &["account", "export", "orrery", "--out", "out.json"]).code, Some(0));
    let out: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(dir.join("out.json")).expect("text")).expect("JSON");
    assert_eq!(out["cookies"][0]["value"], "CANARY-cookie");
    assert_eq!(out["origins"][0]["indexedDB"][0]["name"], "db");
    assert!(imported.stdout.contains("not given to attempts: files of http://hub.localhost"));
    fs::write(dir.join("odd.json"), state.replace(r#""version": 2"#, r#""version": "two""#))
        .expect("written");
    let odd = run(dir, &["account", "import", "orrery", "odd.json"]);
    assert!(odd.code == Some(1) && odd.stderr.contains("odd.json"), "{}", odd.stderr);
    let unknown = run(dir, &["account", "check", "nobody"]);
    assert!(unknown.code == Some(1) && unknown.stderr.contains("[accounts.nobody]"), "{}", unknown.stderr);
}
