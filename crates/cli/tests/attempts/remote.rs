//! Runs in a browser that somebody else started, through the command.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::{FEW, journals};
use crate::support::{Ran, folder, umpire};

/// A Chromium with a debugging port and none of Umpire's switches.
struct Elsewhere {
    process: Child,
    _profile: tempfile::TempDir,
    socket: String,
}

impl Elsewhere {
    fn start() -> Self {
        let profile = folder();
        let mut process = Command::new(umpire_browser::chromium::find(None).expect("a Chromium"))
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(process.stderr.take().expect("piped")).lines().map_while(Result::ok);
        let socket = lines.find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned));
        std::thread::spawn(move || lines.for_each(drop));
        Self { process, _profile: profile, socket: socket.expect("it says where it listens") }
    }

    fn authority(&self) -> &str {
        self.socket.trim_start_matches("ws://").split('/').next().expect("a host")
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        // The whole group: a distribution's Chromium is a script around the browser.
        let group = nix::unistd::Pid::from_raw(self.process.id().cast_signed());
        let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
        let _ = self.process.wait();
    }
}

fn oracle(dir: &Path, browser: Option<&str>) -> Ran {
    let mut command = umpire(dir);
    command.args(["run", "--suite", "demo", "--agent", "oracle", "--filter", FEW, "--json", "--seed", "5"]);
    if let Some(browser) = browser {
        command.env("UMPIRE_BROWSER", browser);
    }
    Ran::of(&command.output().expect("umpire starts"))
}

fn events(journal: &Path) -> Vec<Value> {
    let text = fs::read_to_string(journal).expect("journal");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// What was asked and answered in each attempt, in any order.
fn exchanges(dir: &Path) -> BTreeMap<String, Vec<String>> {
    let told = |event: &Value| {
        let (request, response) = (&event["request"], &event["response"]);
        format!("{} {} {} {}", request["method"], request["url"], response["status"], response["mime"])
    };
    let of = |journal: &PathBuf| {
        let events = events(journal);
        let mut all: Vec<String> =
            events.iter().filter(|event| event["type"] == "exchange").map(told).collect();
        all.sort();
        (events[0]["attempt"].to_string(), all)
    };
    journals(&dir.join("runs")).iter().map(of).collect()
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("folder").flatten();
    let of = |path: PathBuf| if path.is_dir() { all_files(&path) } else { vec![path] };
    entries.flat_map(|entry| of(entry.path())).collect()
}

#[test]
fn a_run_in_a_remote_browser_comes_to_the_same() {
    let (here, there) = (folder(), folder());
    let mut local = oracle(here.path(), None).outcomes();
    let elsewhere = Elsewhere::start();
    let ran = oracle(there.path(), Some(&elsewhere.socket));
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let mut remote = ran.outcomes();
    local.sort();
    remote.sort();
    assert_eq!(remote, local);
    assert_eq!(local.len(), 3);
    let (wanted, found) = (exchanges(here.path()), exchanges(there.path()));
    assert!(wanted.values().all(|exchanges| !exchanges.is_empty()));
    assert_eq!(found, wanted);

    // The record says where it was, and not how anybody gets in there.
    let run = fs::read_dir(there.path().join("runs")).expect("runs").flatten().next().expect("a run").path();
    let manifest: Value =
        serde_json::from_slice(&fs::read(run.join("manifest.json")).expect("manifest")).expect("JSON");
    assert_eq!(manifest["remote"]["at"], format!("ws://{}", elsewhere.authority()));
    let missing = manifest["remote"]["without"].as_array().expect("it says what it was started with");
    assert!(missing.contains(&"--disable-back-forward-cache".into()), "{missing:?}");
    for journal in journals(&there.path().join("runs")) {
        assert_eq!(events(&journal)[0]["remote"], manifest["remote"]);
    }
    let secret = elsewhere.socket.rsplit('/').next().expect("an id");
    assert!(secret.len() > 20);
    for file in all_files(there.path()) {
        let content = fs::read(&file).expect("readable");
        let found = content.windows(secret.len()).any(|part| part == secret.as_bytes());
        assert!(!found, "the secret is in {}", file.display());
    }
    assert!(!format!("{}{}", ran.stdout, ran.stderr).contains(secret));

    // A run is here or elsewhere, not both; which of several browsers it is elsewhere does not matter.
    let mixed = oracle(there.path(), None);
    assert_eq!(mixed.code, Some(1), "{}", mixed.stdout);
    assert!(mixed.stderr.contains("another Chromium"), "{}", mixed.stderr);
    let resumed = oracle(there.path(), Some(&format!("http://{}", elsewhere.authority())));
    assert_eq!((resumed.code, resumed.outcomes()), (Some(0), Vec::new()), "{}", resumed.stderr);
}

#[test]
fn what_is_wrong_with_a_remote_browser_is_said_without_its_token() {
    let dir = folder();
    for (browser, more, expected) in [
        ("ws://127.0.0.1:1/?token=a-long-secret", &[][..], "ws://127.0.0.1:1 cannot be reached"),
        ("a-long-secret", &[], "this is no URL"),
        ("ftp://a-long-secret", &[], "another scheme"),
        ("http://127.0.0.1:1", &["--reach", "nowhere:x"], "no place to be reached at"),
        ("", &["--reach", "10.0.0.1"], "none was named"),
    ] {
        let output = umpire(dir.path())
            .args(["run", "--suite", "demo", "--agent", "zero", "--filter", FEW])
            .args(more)
            .env("UMPIRE_BROWSER", browser)
            .output();
        let ran = Ran::of(&output.expect("umpire starts"));
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let said = ran.stderr.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(said.contains(expected), "{said}");
        assert!(!said.contains("a-long-secret"), "{said}");
    }
}
