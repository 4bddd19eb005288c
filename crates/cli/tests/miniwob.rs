//! Pages that set and reward their tasks themselves, from a folder of the test's own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Ran, folder, run};

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/miniwob");

fn import(dir: &Path, more: &[&str]) -> Ran {
    run(dir, &[&["suite", "import", "miniwob", "--from", PAGES, "--out", "suite"], more].concat())
}

fn journal(dir: &Path, attempt: &str) -> Vec<Value> {
    let run = fs::read_dir(dir.join("runs")).expect("runs").flatten().next().expect("a run").path();
    let text = fs::read_to_string(run.join("attempts").join(attempt).join("journal.jsonl")).expect("journal");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn event<'e>(events: &'e [Value], kind: &str) -> Option<&'e Value> {
    events.iter().find(|event| event["type"] == kind)
}

#[test]
fn episodes_are_begun_with_their_seed_and_passed_by_real_input() {
    let dir = folder();
    let imported = import(dir.path(), &["--seeds", "0..3", "--episode-seconds", "60"]);
    assert!(
        imported.stdout.contains("2 environments, 6 instances"),
        "{}{}",
        imported.stdout,
        imported.stderr
    );
    let ran = run(dir.path(), &["run", "--suite", "suite", "--agent", "miniwob,zero", "--json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    for (attempt, outcome) in ran.outcomes() {
        let expected = if attempt.starts_with("miniwob/") { "pass" } else { "fail" };
        assert_eq!(outcome, expected, "{attempt}");
    }
    let events = journal(dir.path(), "miniwob/press-it@seed-0/1");
    let began = event(&events, "episode_began").expect("an episode");
    // The page's own choice among its four names, for this seed.
    assert_eq!(
        (began["seed"].as_u64(), &began["utterance"]),
        (Some(0), &"Click on the \"amber\" button.".into())
    );
    let rewarded = event(&events, "rewarded").expect("a reward");
    assert_eq!(rewarded["raw"], 1.0);
    assert_eq!((&rewarded["event"], &rewarded["trusted"]), (&"click".into(), &true.into()));
    let waited = journal(dir.path(), "miniwob/wait-for-it@seed-0/1");
    assert_eq!(event(&waited, "rewarded").expect("a reward")["event"], Value::Null, "a timer of the page's");
}

#[test]
fn a_reward_that_the_agent_gave_itself_is_no_pass() {
    let dir = folder();
    let client = concat!(env!("CARGO_MANIFEST_DIR"), "/templates/init");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/episode_agent.py");
    fs::create_dir(dir.path().join("agent")).expect("folder");
    for file in [Path::new(client).join("agent.py"), Path::new(script).to_owned()] {
        let to = dir.path().join("agent").join(file.file_name().expect("a name"));
        fs::copy(&file, to).expect("copied");
    }
    let ways = ["honest", "globals", "end-episode", "made-up-click", "listener", "markup"];
    let agent = |way: &&str| {
        format!(
            "[agents.{way}]\nkind = \"command\"\ncommand = [\"python3\", \"{0}/agent/episode_agent.py\", \"{0}/agent\", \"{way}\"]\n",
            dir.path().display()
        )
    };
    let config: String = ways.iter().map(agent).collect();
    fs::write(dir.path().join("umpire.toml"), config).expect("configuration");
    // A page's own ten seconds are few for an agent that is started beside other tests.
    let patient = ["--seeds", "1..2", "--episode-seconds", "60"];
    assert_eq!(import(dir.path(), &patient).code, Some(0));
    let agents = ways.join(",");
    let ran = run(
        dir.path(),
        &["run", "--suite", "suite", "--agent", &agents, "--filter", "template=press-it", "--json"],
    );
    let outcomes: BTreeMap<String, String> = ran.outcomes().into_iter().collect();
    for way in ways {
        let id = format!("{way}/press-it@seed-1/1");
        let expected = if way == "honest" { "pass" } else { "fail" };
        assert_eq!(
            outcomes.get(&id).map(String::as_str),
            Some(expected),
            "{id}\n{}{}",
            ran.stdout,
            ran.stderr
        );
        let events = journal(dir.path(), &id);
        let flagged = events.iter().any(|event| event["type"] == "gate" && event["suspicious"] == true);
        assert_eq!(flagged, way != "honest", "{way}");
        let rewarded = event(&events, "rewarded").map(|event| &event["client_script"]);
        match way {
            "honest" => assert_eq!(rewarded, Some(&Value::Null)),
            // Globals are looked at by nobody.
            "globals" => assert_eq!(rewarded, None),
            "markup" => assert_eq!(rewarded, Some(&"DOM.setOuterHTML".into())),
            _ => assert_eq!(rewarded, Some(&"Runtime.evaluate".into()), "{way}"),
        }
    }
}

#[test]
fn the_page_keeps_the_time_of_its_episode() {
    let dir = folder();
    let idle = "[agents.idle]\nkind = \"command\"\ncommand = [\"sleep\", \"60\"]\n";
    fs::write(dir.path().join("umpire.toml"), idle).expect("configuration");
    assert_eq!(import(dir.path(), &["--seeds", "0..1", "--episode-seconds", "1"]).code, Some(0));
    let filter = "template=press-it";
    let ran = run(dir.path(), &["run", "--suite", "suite", "--agent", "idle", "--filter", filter, "--json"]);
    assert_eq!(
        ran.outcomes(),
        [("idle/press-it@seed-0/1".to_owned(), "timeout".to_owned())],
        "{}",
        ran.stderr
    );
}

#[test]
fn other_files_than_the_suite_was_made_of_are_refused() {
    let dir = folder();
    let pages = dir.path().join("pages");
    fs::create_dir_all(pages.join("miniwob")).expect("folder");
    fs::copy(Path::new(PAGES).join("miniwob/press-it.html"), pages.join("miniwob/press-it.html"))
        .expect("copied");
    let from = pages.display().to_string();
    let imported = run(dir.path(), &["suite", "import", "miniwob", "--from", &from, "--seeds", "0..1"]);
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);
    let check = || run(dir.path(), &["suite", "check", "--read-only", "miniwob"]);
    assert_eq!(check().code, Some(0));
    fs::write(pages.join("miniwob/easier.html"), "<p>easier</p>").expect("file");
    for ran in [check(), run(dir.path(), &["run", "--suite", "miniwob", "--agent", "miniwob"])] {
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        // Long messages are broken into lines, with a rule beside them.
        let said: Vec<&str> = ran.stderr.split_whitespace().filter(|word| *word != "│").collect();
        assert!(said.join(" ").contains("make the suite again"), "{}", ran.stderr);
    }
    fs::remove_dir_all(&pages).expect("removed");
    assert!(check().stderr.contains("is not there"), "{}", check().stderr);
    let nowhere = run(dir.path(), &["suite", "import", "miniwob", "--from", "nowhere"]);
    assert_eq!(nowhere.code, Some(1));
    assert!(nowhere.stderr.contains("Python package"), "{}", nowhere.stderr);
}

/// The list that `cargo xtask miniwob` compares on twenty seeds.
const ENVIRONMENTS: &str = include_str!("../../../xtask/miniwob/environments.txt");

/// The real pages, which `cargo xtask test` fetches.
#[test]
fn at_least_forty_environments_of_the_package_are_solved_by_rule() {
    let Some(pages) = std::env::var_os("UMPIRE_TEST_MINIWOB") else {
        println!("skipped: UMPIRE_TEST_MINIWOB does not name the pages; `cargo xtask test` fetches them");
        return;
    };
    let dir = folder();
    let pages = Path::new(&pages).display().to_string();
    // Time enough for a busy machine: what is tried is whether the rules are right.
    let options = ["--seeds", "0..1", "--episode-seconds", "60", "--json"];
    let arguments = [&["suite", "import", "miniwob", "--from", &pages], &options[..]].concat();
    let imported = run(dir.path(), &arguments);
    let imported: Value = serde_json::from_str(&imported.stdout).expect("JSON");
    assert!(imported["tasks"].as_u64() >= Some(100), "{imported}");
    let filter: Vec<String> = ENVIRONMENTS.lines().map(|name| format!("template={name}")).collect();
    let filter = filter.join(" or ");
    let ran =
        run(dir.path(), &["run", "--suite", "miniwob", "--agent", "miniwob", "--filter", &filter, "--json"]);
    let outcomes = ran.outcomes();
    assert_eq!(outcomes.len(), ENVIRONMENTS.lines().count(), "{}{}", ran.stdout, ran.stderr);
    let (solved, not): (Vec<_>, Vec<_>) = outcomes.iter().partition(|(_, outcome)| outcome == "pass");
    assert!(solved.len() >= 40, "only {}: {not:?}", solved.len());
}
