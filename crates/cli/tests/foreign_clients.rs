//! Everybody else's agents, each with its real client from its registry, in whole attempts that must pass.
//!
//! `cargo xtask test` installs the clients; where they are missing, a test says so and passes.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use crate::support::serving::Serving;
use crate::support::{folder, run, skipped};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("repository")
}

fn agents() -> PathBuf {
    repository().join("examples/agents")
}

fn clients() -> PathBuf {
    std::env::var_os("UMPIRE_TEST_CLIENTS").map_or_else(|| repository().join("target/clients"), PathBuf::from)
}

/// The Python of an environment, if it has the package.
fn python_with(environment: &str, package: &str) -> Option<PathBuf> {
    let python = clients().join(environment).join("bin/python3");
    let has = Command::new(&python).args(["-c", &format!("import {package}")]).output();
    if has.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    skipped(&format!("{package} is not installed; `cargo xtask test` installs it"));
    None
}

fn node_module(name: &str) -> Option<PathBuf> {
    let module = clients().join("node_modules").join(name);
    if module.exists() {
        return Some(module);
    }
    skipped(&format!("{name} is not installed; `cargo xtask test` installs it"));
    None
}

/// The block of the book that sets an agent up, with the places of this machine in it.
fn documented(agent: &str, python: Option<&Path>) -> String {
    let page = fs::read_to_string(repository().join("docs/foreign-agents.md")).expect("page");
    let heading = format!("[agents.{agent}]\n");
    let block = page.split("```toml\n").find(|block| block.starts_with(&heading));
    let block = block
        .and_then(|block| block.split("```").next())
        .unwrap_or_else(|| panic!("{agent} is not in the book"));
    let python = python.map_or_else(|| "python3".to_owned(), |python| python.display().to_string());
    block
        .replace("\"python3\"", &format!("{python:?}"))
        .replace("examples/agents", &agents().display().to_string())
        .replace("/path/to/node_modules", &clients().join("node_modules").display().to_string())
}

/// Makes one attempt with an agent; it must pass, on complete evidence.
fn passes(agent: &str, block: &str) -> tempfile::TempDir {
    let dir = folder();
    fs::write(dir.path().join("umpire.toml"), block).expect("configuration");
    let filter = ["--suite", "demo", "--filter", "id=shop-no-samovar"];
    let ran = run(dir.path(), &[&["run", "--agent", agent, "--json"], &filter[..]].concat());
    let attempt = format!("{agent}/shop-no-samovar/1");
    let shown = run(dir.path(), &["show", &attempt, "--har", "out.har"]);
    let expected = [(attempt.clone(), "pass".to_owned())];
    assert_eq!(ran.outcomes(), expected, "{}{}\n{}", ran.stdout, ran.stderr, shown.stdout);
    let har = fs::read_to_string(dir.path().join("out.har")).expect("HAR");
    assert!(har.contains("/search?q=copper"), "the search was recorded");
    assert_complete(dir.path(), &attempt);
    dir
}

/// Everything seen was written, there is a picture of each step, and nothing was flagged.
fn assert_complete(dir: &Path, attempt: &str) {
    let run = fs::read_dir(dir.join("runs")).expect("runs").flatten().next().expect("a run").path();
    let journal = run.join("attempts").join(attempt).join("journal.jsonl");
    let events: Vec<serde_json::Value> = fs::read_to_string(journal)
        .expect("journal")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).collect::<Vec<_>>();
    let recorded = of("recorded");
    assert_eq!(recorded[0]["requests_seen"], recorded[0]["requests_written"]);
    let pictures = of("observed");
    assert!(
        pictures.len() >= 2 && pictures.iter().all(|seen| seen["screenshot"].is_object()),
        "{pictures:?}"
    );
    let flagged: Vec<_> = of("gate").into_iter().filter(|event| event["suspicious"] == true).collect();
    assert!(flagged.is_empty(), "{flagged:#?}");
}

#[test]
fn puppeteer_attaches() {
    if node_module("puppeteer-core").is_some() {
        passes("puppeteer", &documented("puppeteer", None));
    }
}

#[test]
fn selenium_attaches() {
    let Some(python) = python_with("venv", "selenium") else { return };
    if Command::new("chromedriver").arg("--version").output().is_err() {
        skipped("there is no chromedriver; Debian has it as chromium-driver");
        return;
    }
    passes("selenium", &documented("selenium", Some(&python)));
}

#[test]
fn playwright_mcp_attaches() {
    if let (Some(python), Some(_)) = (python_with("venv", "mcp"), node_module("@playwright/mcp")) {
        passes("playwright-mcp", &documented("playwright-mcp", Some(&python)));
    }
}

#[test]
fn an_mcp_client_uses_our_server() {
    let Some(python) = python_with("venv", "mcp") else { return };
    passes("tools", &documented("tools", Some(&python)));

    // The same client outside of a run, over a pipe and over HTTP.
    let dir = folder();
    let script = agents().join("mcp_client.py");
    let program = env!("CARGO_BIN_EXE_umpire");
    let instance = ["--suite", "demo", "--instance", "shop-no-samovar"];
    let piped = Command::new(&python)
        .arg(&script)
        .args([program, "mcp"])
        .args(instance)
        .current_dir(dir.path())
        .output()
        .expect("python starts");
    assert!(piped.status.success(), "{}", String::from_utf8_lossy(&piped.stderr));
    let shown = run(dir.path(), &["show", "remote/shop-no-samovar/1"]);
    assert!(shown.stdout.contains("PASS by rules"), "{}", shown.stdout);
    let http = folder();
    let serving = Serving::start(http.path(), &[&["mcp", "--http"], &instance[..]].concat());
    let url = serving.about["url"].as_str().expect("an address");
    let connected =
        Command::new(&python).arg(&script).env("UMPIRE_MCP_URL", url).output().expect("python starts");
    assert!(connected.status.success(), "{}", String::from_utf8_lossy(&connected.stderr));
    let shown = run(http.path(), &["show", "remote/shop-no-samovar/1"]);
    assert!(shown.stdout.contains("PASS by rules"), "{}", shown.stdout);
}

#[test]
fn nodes_own_fetch_is_no_browser() {
    if Command::new("node").arg("--version").output().is_err() {
        skipped("there is no node");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/fetching.mjs");
    let block = format!(
        "[agents.fetching]\nkind = \"command\"\ncommand = [\"node\", {script:?}]\ninterface = \"steps\"\n"
    );
    passes("fetching", &block);
}

#[test]
fn agents_made_for_gymnasium_and_browsergym_run() {
    let Some(python) = python_with("venv", "gymnasium") else { return };
    let dir = folder();
    let package = repository().join("clients/python");
    let paths = format!("{}:{}", package.display(), agents().display());
    let imported = run(
        dir.path(),
        &[
            "suite",
            "import",
            "miniwob",
            "--from",
            &repository().join("examples/miniwob").display().to_string(),
            "--seeds",
            "0..4",
        ],
    );
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);
    let output = Command::new(&python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/gym_check.py"))
        .args([env!("CARGO_BIN_EXE_umpire"), "miniwob"])
        .current_dir(dir.path())
        .env("PYTHONPATH", &paths)
        .output()
        .expect("python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said, "checked\nsolved\nrewarded\n", "{}", String::from_utf8_lossy(&output.stderr));

    // In place of installing the package.
    let block = documented("gym", Some(&python)) + &format!("env = {{ PYTHONPATH = {paths:?} }}\n");
    passes("gym", &block);
}

/// Ends with the test.
struct Model(Child);

impl Drop for Model {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port below those that are handed out by chance, which confined agents cannot reach; another one each time.
fn low_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(20_000);
    std::iter::repeat_with(|| NEXT.fetch_add(1, Ordering::Relaxed))
        .take(10_000)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("a free port")
}

/// A model that does the task by script, and its port.
fn model(python: &Path) -> (Model, u16) {
    let port = low_port();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/scripted_model.py");
    let model = Model(Command::new(python).arg(script).arg(port.to_string()).spawn().expect("python starts"));
    let patience = Instant::now() + Duration::from_mins(1);
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < patience, "the model does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
    (model, port)
}

#[test]
fn browser_use_runs_with_two_addresses_changed() {
    let Some(python) = python_with("venv-browser-use", "browser_use") else { return };
    let (_model, port) = model(&python);
    let block =
        documented("browser-use", Some(&python)).replace("127.0.0.1:8000", &format!("127.0.0.1:{port}"));
    passes("browser-use", &block);
}

/// What calls of models cost in an attempt, in order, in millionths of a dollar.
fn costs(dir: &Path, attempt: &str) -> Vec<u64> {
    let run = fs::read_dir(dir.join("runs")).expect("runs").flatten().next().expect("a run").path();
    let journal =
        fs::read_to_string(run.join("attempts").join(attempt).join("journal.jsonl")).expect("journal");
    let events = journal.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let calls = events.filter(|event| event["type"] == "model_called" && event["source"] == "provider");
    calls.map(|call| call["cost"].as_u64().expect("a cost")).collect()
}

#[test]
fn browser_use_asks_its_model_through_the_gateway_and_is_bound_by_a_budget() {
    let Some(python) = python_with("venv-browser-use", "browser_use") else { return };
    let (_model, port) = model(&python);
    let block = documented("browser-use-metered", Some(&python))
        .replace("127.0.0.1:8000", &format!("127.0.0.1:{port}"));
    let dir = passes("browser-use-metered", &block);
    let spent = costs(dir.path(), "browser-use-metered/shop-no-samovar/1");
    assert!(spent.len() >= 2 && spent.iter().all(|cost| *cost > 0), "{spent:?}");

    // Half of what the first call took is reached by the first call, so the second is refused, however many there would be.
    let little = spent[0] / 2;
    let poor = block.replace("0.10usd", &format!("0.{little:06}usd"));
    let dir = folder();
    fs::write(dir.path().join("umpire.toml"), poor).expect("configuration");
    let filter = ["--suite", "demo", "--filter", "id=shop-no-samovar"];
    let ran = run(dir.path(), &[&["run", "--agent", "browser-use-metered", "--json"], &filter[..]].concat());
    let attempt = "browser-use-metered/shop-no-samovar/1".to_owned();
    assert_eq!(ran.outcomes(), [(attempt.clone(), "budget".to_owned())], "{}{}", ran.stdout, ran.stderr);
    let spent = costs(dir.path(), &attempt);
    let (first, refused) = spent.split_first().expect("calls");
    assert!(*first > little && !refused.is_empty(), "{spent:?} of {little}");
    assert!(
        refused.iter().all(|cost| *cost == 0),
        "no call was made with nothing left: {spent:?} of {little}"
    );
}

#[test]
fn the_readme_of_the_python_package_runs_with_nothing_but_python() {
    let dir = folder();
    let package = repository().join("clients/python");
    let readme = fs::read_to_string(package.join("README.md")).expect("README");
    let program =
        readme.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let path = std::env::var("PATH").unwrap_or_default();
    let umpire = Path::new(env!("CARGO_BIN_EXE_umpire")).parent().expect("folder of the binary");
    // `-S` leaves out the folders of installed packages.
    let output = Command::new("python3")
        .args(["-S", "-c", program])
        .current_dir(dir.path())
        .env("PYTHONPATH", package)
        .env("PATH", format!("{}:{path}", umpire.display()))
        .output()
        .expect("python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("copper samovar") && said.contains("RootWebArea"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // It gives up without having searched, which the checks ask for.
    assert!(said.trim_end().ends_with("0.0 fail"), "{said}");
}
