//! Whole attempts through the command: built-in agents, a user's own, misbehaving ones.

mod remote;

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Ran, folder, run, umpire};

/// Three tasks, one of each kind, two sites.
const FEW: &str = "id=shop-trestle-order-date or id=hub-read-receipts@off or id=forum-top-of-period-1";

fn journals(runs: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![runs.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("folder").flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                _ if entry.file_name() == "journal.jsonl" => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found
}

fn verdict_lines(runs: &Path) -> Vec<String> {
    let mut lines: Vec<String> = journals(runs)
        .iter()
        .map(|journal| fs::read_to_string(journal.with_file_name("verdicts.jsonl")).expect("verdicts"))
        .collect();
    lines.sort();
    lines
}

#[test]
fn the_oracle_passes_and_judging_again_gives_the_same_bytes() {
    let dir = folder();
    let arguments = ["run", "--suite", "demo", "--agent", "oracle,zero", "--filter", FEW, "--json"];
    let ran = run(dir.path(), &arguments);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let mut outcomes = ran.outcomes();
    outcomes.sort();
    let named = |agent: &str| -> Vec<&str> {
        outcomes.iter().filter(|(id, _)| id.starts_with(agent)).map(|(_, outcome)| outcome.as_str()).collect()
    };
    assert_eq!(named("oracle/"), ["pass"; 3], "{}", ran.stdout);
    assert_eq!(named("zero/"), ["fail"; 3]);

    let before = verdict_lines(&dir.path().join("runs"));
    let again = run(dir.path(), &["evaluate"]);
    assert!(again.stdout.contains("no outcome changed"), "{}{}", again.stdout, again.stderr);
    assert_eq!(verdict_lines(&dir.path().join("runs")), before);

    let resumed = run(dir.path(), &arguments);
    assert_eq!(resumed.outcomes(), [], "nothing is run twice");
    assert_eq!(resumed.code, Some(0));
}

#[test]
fn gates_and_time_limits_set_the_exit_code() {
    let dir = folder();
    let base = ["run", "--suite", "demo", "--agent", "zero", "--filter", "site=hub"];
    let with = |more: &[&str]| run(dir.path(), &[&base[..], more].concat()).code;
    assert_eq!(with(&["--run-seconds", "0"]), Some(102), "no time at all");
    assert_eq!(with(&["--gate", "success>=0.5"]), Some(100));
    assert_eq!(with(&["--gate", "success>=0"]), Some(0));
}

#[test]
fn a_run_shows_reports_and_exports() {
    let dir = folder();
    let filter = "id=shop-trestle-order-date";
    let ran = run(dir.path(), &["run", "--suite", "demo", "--agent", "oracle", "--filter", filter]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("PASS"), "{}", ran.stdout);
    assert!(!ran.stdout.contains('\u{1b}'), "a pipe gets plain text");

    let attempt = "oracle/shop-trestle-order-date/1";
    let shown =
        run(dir.path(), &["show", attempt, "--har", "out.har", "--step", "1", "--screenshot", "1.jpg"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(shown.stdout.contains("PASS by rules"), "{}", shown.stdout);
    let har: serde_json::Value =
        serde_json::from_slice(&fs::read(dir.path().join("out.har")).expect("HAR")).expect("JSON");
    assert_eq!(har["log"]["version"], "1.2");
    let entries = har["log"]["entries"].as_array().expect("entries");
    assert!(entries.iter().any(|entry| entry["request"]["url"] == "http://shop.localhost/"), "{entries:?}");
    let picture = fs::read(dir.path().join("1.jpg")).expect("picture");
    assert_eq!(&picture[..3], b"\xff\xd8\xff", "a JPEG");

    let report = run(dir.path(), &["report", "--json"]);
    let summary: serde_json::Value = serde_json::from_str(report.stdout.trim()).expect("JSON");
    assert_eq!(summary["agents"][0]["rate"]["passed"], 1);
    let index = fs::read_to_string(dir.path().join("report/index.html")).expect("report");
    assert!(
        !index.contains("http://") || !index.contains("src=\"http"),
        "the report loads nothing from outside"
    );
}

/// A folder with what `umpire init` writes, and further agents in its configuration.
fn project(agents: &str) -> tempfile::TempDir {
    let dir = folder();
    assert_eq!(run(dir.path(), &["init"]).code, Some(0));
    let config = dir.path().join("umpire.toml");
    let text = fs::read_to_string(&config).expect("configuration");
    fs::write(&config, format!("{text}\n{agents}")).expect("configuration");
    dir
}

fn run_agent(dir: &Path, agent: &str, more: &[&str]) -> Ran {
    run(dir, &[&["run", "--agent", agent, "--filter", "id=kettle-price", "--json"], more].concat())
}

#[test]
fn the_agent_that_init_writes_runs_at_once() {
    let dir = project("");
    let ran = run(dir.path(), &["run", "--json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let mut outcomes = ran.outcomes();
    outcomes.sort();
    let expected = [
        ("mine/find-lamps/1", "fail"),
        ("mine/kettle-price/1", "pass"),
        ("oracle/find-lamps/1", "pass"),
        ("oracle/kettle-price/1", "pass"),
    ];
    assert_eq!(outcomes, expected.map(|(id, outcome)| (id.to_owned(), outcome.to_owned())));
}

#[test]
fn a_run_whose_time_is_up_gives_up_what_is_under_way_and_can_be_resumed() {
    let dir = project("[agents.slow]\nkind = \"command\"\ncommand = [\"sleep\", \"500\"]\n");
    // The agent would use the attempt's ten minutes.
    let ran = run_agent(dir.path(), "slow", &["--run-seconds", "15"]);
    assert_eq!((ran.code, ran.outcomes().len()), (Some(102), 0), "{}{}", ran.stdout, ran.stderr);
    let resumed = run_agent(dir.path(), "slow", &["--run-seconds", "15"]);
    let tries: Vec<_> = resumed.events().iter().filter_map(|event| event["try"].as_u64()).collect();
    assert_eq!((resumed.code, tries), (Some(102), vec![2]), "{}{}", resumed.stdout, resumed.stderr);
}

#[test]
fn misbehaving_agents_get_their_outcome_and_the_run_goes_on() {
    let dir = project(
        r#"
[agents.flood]
kind = "command"
command = ["sh", "-c", "yes flood | head -c 50000000; exit 0"]
[agents.broken]
kind = "command"
command = ["sh", "-c", "echo it broke >&2; exit 1"]
[agents.stuck]
kind = "command"
command = ["sh", "-c", "sleep 1000 & sleep 1000"]
grace_seconds = 1
"#,
    );
    // Only this one uses all its time, and a slow machine must not make the others do so, too.
    let stuck = run_agent(dir.path(), "stuck", &["--seconds", "3"]);
    let ran = run_agent(dir.path(), "flood,broken,oracle", &[]);
    let outcomes: std::collections::BTreeMap<String, String> =
        ran.outcomes().into_iter().chain(stuck.outcomes()).collect();
    let of = |agent: &str| outcomes.get(&format!("{agent}/kettle-price/1")).map(String::as_str);
    assert_eq!(of("flood"), Some("fail"), "{}", ran.stdout);
    assert_eq!(of("broken"), Some("fail"));
    assert_eq!(of("stuck"), Some("timeout"));
    assert_eq!(of("oracle"), Some("pass"));
    let kept: u64 =
        journals(&dir.path().join("runs")).iter().map(|j| fs::metadata(j).expect("file").len()).sum();
    assert!(kept < 8 << 20, "{kept} bytes of journals: the flood was kept");
    let shown = run(dir.path(), &["show", "broken/kettle-price/1"]);
    assert!(shown.stdout.contains("it broke"), "{}", shown.stdout);
}

#[test]
fn an_agent_that_stays_in_front_of_a_wall_is_blocked() {
    let dir = folder();
    let filter = "id=captcha-cheapest-bed@puzzle or id=captcha-cheapest-bed@rate";
    let ran = run(
        dir.path(),
        &["--json", "run", "--suite", "obstacles", "--agent", "screenshot-only", "--filter", filter],
    );
    let mut outcomes = ran.outcomes();
    outcomes.sort();
    let expected = [
        ("screenshot-only/captcha-cheapest-bed@puzzle/1", "blocked"),
        // This wall comes after a few pages, and the agent looks at one.
        ("screenshot-only/captcha-cheapest-bed@rate/1", "fail"),
    ];
    assert_eq!(outcomes, expected.map(|(id, outcome)| (id.to_owned(), outcome.to_owned())), "{}", ran.stderr);
}

#[test]
fn a_command_that_is_not_there_is_found_before_the_run() {
    let dir = project("[agents.gone]\nkind = \"command\"\ncommand = [\"no-such-program-anywhere\"]\n");
    let ran = run_agent(dir.path(), "gone", &[]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("no-such-program-anywhere"), "{}", ran.stderr);
}

#[test]
fn a_cheating_agent_finds_nothing_and_is_flagged() {
    let dir = project("");
    let root = dir.path().canonicalize().expect("real path");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/cheater.py"), root.join("cheater.py"))
        .expect("copy");
    let client = root.join("client");
    fs::create_dir(&client).expect("folder");
    fs::copy(root.join("agent.py"), client.join("agent.py")).expect("copy");
    let agent = format!(
        "\n[agents.cheater]\nkind = \"command\"\ncommand = [\"python3\", \"cheater.py\", {:?}, {:?}]\n",
        client.display().to_string(),
        root.join("suite").display().to_string()
    );
    let config = root.join("umpire.toml");
    let text = fs::read_to_string(&config).expect("configuration");
    fs::write(&config, text + &agent).expect("configuration");
    let output = umpire(&root)
        .args(["run", "--agent", "cheater", "--filter", "id=kettle-price", "--json"])
        .env("UMPIRE_TEST_CANARY", "gold")
        .output()
        .expect("umpire starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let journal = journals(&root.join("runs")).pop().expect("one attempt");
    let text = fs::read_to_string(journal).expect("journal");
    let events: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let answer = events.iter().find(|event| event["type"] == "answered").unwrap_or_else(|| panic!("{text}"));
    let answer: serde_json::Value =
        serde_json::from_str(answer["response"].as_str().expect("text")).expect("structured response");
    let worked: Vec<&str> =
        answer["results"].as_array().expect("list").iter().filter_map(|w| w.as_str()).collect();
    // Without Landlock the file system is the user's own business, which `umpire doctor` says.
    let confined = umpire_process::confine::is_available();
    let allowed: &[&str] = if confined { &[] } else { &["past the browser", "read suite file"] };
    assert_eq!(worked, allowed, "{text}");

    let flagged: Vec<&str> = events
        .iter()
        .filter(|event| event["type"] == "gate" && event["suspicious"] == true)
        .filter_map(|event| event["request"].as_str())
        .collect();
    for trick in ["file://", "view-source", "chrome://", "/json/new", "createBrowserContext"] {
        assert!(flagged.iter().any(|request| request.contains(trick)), "{trick} is not among {flagged:?}");
    }
}
