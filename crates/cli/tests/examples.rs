//! The example agents, unmodified Playwright clients from Node and Python, as whole attempts behind the gate.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{folder, run, skipped};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("repository")
}

/// Where `cargo xtask test` put the clients.
fn clients() -> PathBuf {
    std::env::var_os("UMPIRE_TEST_CLIENTS").map_or_else(|| repository().join("target/clients"), PathBuf::from)
}

/// Runs one example on the tasks that `umpire init` writes. It must read a price from the page and be judged; whether
/// it is the right one is the agent's business.
fn run_example(agent: &str) {
    let dir = folder();
    assert_eq!(run(dir.path(), &["init"]).code, Some(0));
    let config = dir.path().join("umpire.toml");
    let text = fs::read_to_string(&config).expect("configuration");
    fs::write(&config, format!("{text}\n[agents.example]\nkind = \"command\"\n{agent}\n"))
        .expect("configuration");
    let ran = run(dir.path(), &["run", "--agent", "example", "--json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let shown = run(dir.path(), &["show", "example/kettle-price/1"]);
    let answer = shown.stdout.lines().find(|line| line.contains("answered {")).unwrap_or_default();
    assert!(answer.contains("SUCCESS") && answer.contains('$'), "{}", shown.stdout);
    let outcomes = ran.outcomes();
    assert_eq!(outcomes.len(), 2, "{outcomes:?}");
    assert!(outcomes.iter().all(|(_, outcome)| outcome == "pass" || outcome == "fail"), "{outcomes:?}");
}

#[test]
fn playwright_from_node_drives_an_attempt() {
    let modules = clients().join("node_modules");
    if !modules.join("playwright-core").exists() {
        skipped("playwright-core is not installed; `cargo xtask test` installs it");
        return;
    }
    let script = repository().join("examples/agents/playwright-node.mjs");
    let agent = format!(
        "command = [\"node\", {script:?}]\nenv = {{ NODE_PATH = {:?} }}",
        modules.display().to_string()
    );
    run_example(&agent);
}

#[test]
fn playwright_from_python_drives_an_attempt() {
    let python = clients().join("venv/bin/python3");
    if !python.exists() {
        skipped("playwright for Python is not installed; `cargo xtask test` installs it");
        return;
    }
    let script = repository().join("examples/agents/playwright_python.py");
    run_example(&format!("command = [{python:?}, {script:?}]"));
}
