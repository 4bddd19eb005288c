//! The README's second command: everything is built once, and the programs that hold the tests run two at a time, since
//! most of their time is spent waiting for pages.

use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::deploy::check_deploy;
use crate::miniwob::ensure_pages;
use crate::setup::{
    Done, cargo, ensure_chromedriver, ensure_chromium, ensure_clients, ensure_databases, ensure_minilm,
    ensure_stores, root, run, target_dir,
};

const AT_A_TIME: usize = 2;
/// What takes longest begins first, so that nothing is waited for alone.
const LONGEST: [&str; 3] = ["cli", "vectors_retrieval", "stage"];
/// What these say when they pass is how much they compared, which belongs into the log.
const COUNTING: [&str; 2] = ["vectors_retrieval", "persona"];
const LIMIT: Duration = Duration::from_mins(30);

/// Arguments go to each program: names of tests, for example.
pub fn test(arguments: &[&str]) -> Done {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    // What the tests need besides comes over the network, while they are built.
    let (mut programs, fetched) = scope(|scope| {
        let fetching = scope.spawn(Fetched::fetch);
        let programs = build()?;
        let fetched = fetching.join().map_err(|_| "fetching what the tests need broke")??;
        Ok::<_, String>((programs, fetched))
    })?;
    programs.sort_by_key(|program| {
        LONGEST.iter().position(|name| *name == program.name).unwrap_or(LONGEST.len())
    });
    let count = programs.len();
    let queue = Mutex::new(VecDeque::from(programs));
    let failed = Mutex::new(Vec::new());
    scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(program) = next(&queue) {
                    if let Err(problem) = program.run(arguments, &fetched) {
                        failed.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if failed.is_empty() {
        println!("all {count} test programs passed");
        Ok(())
    } else {
        Err(format!("{} of {count} test programs failed:\n  {}", failed.len(), failed.join("\n  ")))
    }
}

fn next(queue: &Mutex<VecDeque<Program>>) -> Option<Program> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
}

/// A program that holds tests.
struct Program {
    name: String,
    path: PathBuf,
    /// Of its package: where its tests are run.
    folder: PathBuf,
}

impl Program {
    fn run(&self, arguments: &[&str], fetched: &Fetched) -> Done {
        let began = Instant::now();
        let log = self.path.with_extension("log");
        let ended = self.finish(&log, arguments, fetched);
        let said = std::fs::read(&log).unwrap_or_default();
        let how = match ended {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{}: {status}", self.name)),
            Err(problem) => Err(format!("{}: {problem}", self.name)),
        };
        // In one piece: two programs speak at the same time.
        println!(
            "\n── {} ({}), {} s\n{}",
            self.name,
            self.folder.strip_prefix(root()).unwrap_or(&self.folder).display(),
            began.elapsed().as_secs(),
            String::from_utf8_lossy(&said).trim()
        );
        how
    }

    fn finish(&self, log: &Path, arguments: &[&str], fetched: &Fetched) -> Result<ExitStatus, String> {
        let told = |error: std::io::Error| error.to_string();
        let output = File::create(log).map_err(told)?;
        let errors = output.try_clone().map_err(told)?;
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).args(arguments).stdin(Stdio::null()).stdout(output).stderr(errors);
        command.env("CARGO_MANIFEST_DIR", &self.folder).env("INSTA_WORKSPACE_ROOT", root());
        command.args(COUNTING.contains(&self.name.as_str()).then_some("--show-output"));
        fetched.told_to(&mut command);
        let mut child = command.spawn().map_err(told)?;
        let began = Instant::now();
        loop {
            if let Some(status) = child.try_wait().map_err(told)? {
                return Ok(status);
            }
            if began.elapsed() > LIMIT {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("not over after {} min", LIMIT.as_secs() / 60));
            }
            sleep(Duration::from_millis(50));
        }
    }
}

/// Builds and lints all there is: everything but documentation tests, of which there are none.
fn build() -> Result<Vec<Program>, String> {
    let mut build = cargo();
    with_lints(&mut build)?.args([
        "test",
        "--workspace",
        "--no-run",
        "--lib",
        "--bins",
        "--tests",
        "--examples",
    ]);
    build.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let output = build.output().map_err(|error| format!("{build:?} could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("{build:?} ended with {}", output.status));
    }
    let programs: Vec<Program> =
        String::from_utf8_lossy(&output.stdout).lines().filter_map(program).collect();
    if programs.is_empty() { Err("cargo names no program with tests".to_owned()) } else { Ok(programs) }
}

/// The program with tests that a line of cargo's tells of.
fn program(line: &str) -> Option<Program> {
    let told: Value = serde_json::from_str(line).ok()?;
    let text = |path: &str| told.pointer(path).and_then(Value::as_str);
    if told.pointer("/profile/test") != Some(&Value::Bool(true)) {
        return None;
    }
    Some(Program {
        name: text("/target/name")?.to_owned(),
        path: text("/executable")?.into(),
        folder: Path::new(text("/manifest_path")?).parent()?.to_owned(),
    })
}

/// Where things are that the tests are run with.
struct Fetched {
    clients: PathBuf,
    pages: Option<PathBuf>,
    model: Option<PathBuf>,
}

impl Fetched {
    fn fetch() -> Result<Self, String> {
        ensure_chromium()?;
        let clients = ensure_clients()?;
        ensure_stores(&clients)?;
        ensure_chromedriver()?;
        ensure_databases()?;
        check_deploy()?;
        Ok(Self { clients, pages: ensure_pages()?, model: ensure_minilm()? })
    }

    fn told_to(&self, command: &mut Command) {
        command.env("UMPIRE_TEST_CLIENTS", &self.clients).env("UMPIRE_TEST_DATABASES", "installed");
        // All of it is here, so a client that is not found is a fault.
        command.env("UMPIRE_TEST_NO_SKIP", "1");
        for (name, path) in [("UMPIRE_TEST_MINIWOB", &self.pages), ("UMPIRE_MINILM", &self.model)] {
            command.envs(path.as_ref().map(|path| (name, path)));
        }
    }
}

/// Lints what is built while it is built: clippy's driver is a compiler, and linting apart would check half a thousand
/// dependencies a second time. A warning ends the build.
fn with_lints(tests: &mut Command) -> Result<&mut Command, String> {
    const DRIVER: &str = "clippy-driver";
    const DENY: &str = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";
    // The variable is between clippy's own two programs. Should it change, this is where it is noticed.
    let sample = target_dir().join("lint-sample.rs");
    std::fs::create_dir_all(target_dir()).map_err(|error| error.to_string())?;
    std::fs::write(&sample, "pub fn one() -> u8 { return 1; }\n").map_err(|error| error.to_string())?;
    let mut driver = Command::new(DRIVER);
    driver.args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "--out-dir"]);
    driver.arg(target_dir()).arg(&sample).env("CLIPPY_ARGS", DENY);
    let linted = driver.output().map_err(|error| format!("{DRIVER}: {error}"))?;
    if linted.status.success() || !String::from_utf8_lossy(&linted.stderr).contains("needless_return") {
        return Err(format!("{DRIVER} lets a warning pass: {DENY} no longer works"));
    }
    Ok(tests.env("RUSTC_WORKSPACE_WRAPPER", DRIVER).env("CLIPPY_ARGS", DENY))
}

#[cfg(test)]
mod check {
    use super::*;

    #[test]
    fn programs_are_found_in_what_cargo_tells() {
        let line = r#"{"reason":"compiler-artifact","manifest_path":"/w/crates/cli/Cargo.toml","target":{"name":"cli"},"profile":{"test":true},"executable":"/w/target/debug/deps/cli-1"}"#;
        let found = program(line).expect("a program");
        assert_eq!((found.name.as_str(), found.folder.to_str()), ("cli", Some("/w/crates/cli")));
        assert!(program(&line.replace("true", "false")).is_none(), "no tests in it");
        assert!(program(r#"{"reason":"build-finished","success":true}"#).is_none());
    }
}
