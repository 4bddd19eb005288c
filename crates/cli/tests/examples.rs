//! The example agents, unmodified Playwright clients from Node and Python, as whole attempts behind the gate.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::{folder, run};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("repository")
}

/// Where `cargo xtask test` put the clients.
fn clients() -> PathBuf {
    std::env::var_os("UMPIRE_TEST_CLIENTS").map_or_else(|| repository().join("target/clients"), PathBuf::from)
}

/// Runs one example on the tasks that `umpire init` writes and returns its outcomes.
fn run_example(agent: &str) -> Vec<(String, String)> {
    let dir = folder();
    assert_eq!(run(dir.path(), &["init"]).code, Some(0));
    let config = dir.path().join("umpire.toml");
    let text = fs::read_to_string(&config).expect("configuration");
    fs::write(&config, format!("{text}\n[agents.example]\nkind = \"command\"\n{agent}\n"))
        .expect("configuration");
    let ran = run(dir.path(), &["run", "--agent", "example", "--json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let shown = run(dir.path(), &["show", "example/kettle-price/1"]);
    println!("{}", shown.stdout);
    assert!(shown.stdout.contains("answered"), "{}", shown.stdout);
    let mut outcomes = ran.outcomes();
    outcomes.sort();
    outcomes
}

#[test]
fn playwright_from_node_drives_an_attempt() {
    let modules = clients().join("node_modules");
    if !modules.join("playwright-core").exists() {
        println!("skipped: playwright-core is not installed; `cargo xtask test` installs it");
        return;
    }
    let script = repository().join("examples/agents/playwright-node.mjs");
    let agent = format!(
        "command = [\"node\", {script:?}]\nenv = {{ NODE_PATH = {:?} }}",
        modules.display().to_string()
    );
    let outcomes = run_example(&agent);
    assert!(outcomes.contains(&("example/kettle-price/1".to_owned(), "pass".to_owned())), "{outcomes:?}");
}

#[test]
fn playwright_from_python_drives_an_attempt() {
    let python = clients().join("venv/bin/python3");
    if !python.exists() {
        println!("skipped: playwright for Python is not installed; `cargo xtask test` installs it");
        return;
    }
    let script = repository().join("examples/agents/playwright_python.py");
    let outcomes = run_example(&format!("command = [{python:?}, {script:?}]"));
    assert!(outcomes.contains(&("example/kettle-price/1".to_owned(), "pass".to_owned())), "{outcomes:?}");
}
