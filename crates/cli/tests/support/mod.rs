//! Runs the built command in a folder of its own.

pub mod serving;
pub mod site;

use std::path::Path;
use std::process::{Command, Output};

pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The events of a `--json` run.
    pub fn events(&self) -> Vec<serde_json::Value> {
        self.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Outcomes by attempt, from the events of a `--json` run.
    pub fn outcomes(&self) -> Vec<(String, String)> {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        self.events()
            .iter()
            .filter(|event| event["event"] == "finished")
            .map(|event| (text(&event["attempt"]), text(&event["outcome"])))
            .collect()
    }
}

/// The command, with nothing of this process's own configuration.
pub fn umpire(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_umpire"));
    command.current_dir(folder);
    for (name, _) in std::env::vars_os() {
        let ours = name.to_string_lossy().starts_with("UMPIRE_");
        if ours && name != "UMPIRE_CHROMIUM" {
            command.env_remove(name);
        }
    }
    command
}

pub fn run(folder: &Path, arguments: &[&str]) -> Ran {
    Ran::of(&umpire(folder).args(arguments).output().expect("umpire starts"))
}

pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("temp dir")
}

/// Says that what a test needs is not here. Where all was fetched for the tests, that is a failure.
pub fn skipped(why: &str) {
    assert!(std::env::var_os("UMPIRE_TEST_NO_SKIP").is_none(), "all should be here, but {why}");
    println!("skipped: {why}");
}
