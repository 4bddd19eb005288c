//! A real small model as a judge: right attempts and near misses of the built-in suites, judged from their text alone, and
//! the judge's report card against the rules. The figures are what they are.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::model_e2e::{Choice, Served, build, chosen};
use crate::setup::{Done, run, target_dir};

/// A judge, the attempts it looks at, and how many of them this machine can have read in reasonable time.
struct Docket {
    judge: &'static str,
    suite: &'static str,
    filter: &'static str,
}

const DOCKETS: [Docket; 2] = [
    Docket {
        judge: "autonomous-by-text",
        suite: "demo",
        filter: "id = hub-password-age or id = hub-open-text-size or id = shop-no-samovar or id = forum-top-post-1 \
                 or id = shop-cancel-order or id = forum-upvote-newest or id = shop-weekly-offers@off or id = shop-add-daypack",
    },
    Docket {
        judge: "persona",
        suite: "persona",
        filter: "id = groceries-maya-lindqvist@0 or id = groceries-ruth-abernathy@0 or id = groceries-samir-haddad@0",
    },
];

/// The model cannot see: the last page is shown as its outline.
const BY_TEXT: &str = "[judges.autonomous-by-text]\nlike = \"autonomous\"\nevidence = { screenshots = \"none\", outline = 2500 }\n";

pub fn judges(arguments: &[&str]) -> Done {
    let choice = chosen(arguments.first().copied().unwrap_or("q15"))?;
    build()?;
    let _ = std::fs::remove_dir_all(target_dir().join("model-judges"));
    let Some(served) = Served::prepare(choice, "model-judges")? else { return Ok(()) };
    let config = served.folder.join("umpire.toml");
    let known = std::fs::read_to_string(&config).map_err(|error| error.to_string())?;
    std::fs::write(&config, known + BY_TEXT).map_err(|error| error.to_string())?;
    for docket in &DOCKETS {
        judged(&served.folder, docket, choice)?;
    }
    Ok(())
}

fn judged(folder: &Path, docket: &Docket, choice: &Choice) -> Done {
    let runs = folder.join(docket.suite);
    let umpire = || {
        let mut umpire = Command::new(target_dir().join("debug/umpire"));
        umpire.current_dir(folder).arg("--runs").arg(&runs);
        umpire
    };
    run(umpire().args(["run", "--suite", docket.suite, "--filter", docket.filter]).args([
        "--agent",
        "oracle",
        "--agent",
        "near-miss",
    ]))?;
    let mut judge = umpire();
    judge.args(["judge", "--judge", docket.judge, "--model", "by-schema", "-j", "1", "--json"]);
    let output = judge.stderr(Stdio::inherit()).output().map_err(|error| format!("umpire: {error}"))?;
    let events = String::from_utf8_lossy(&output.stdout).into_owned();
    let events: Vec<Value> = events.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let judged =
        events.iter().find(|event| event["event"] == "judged").ok_or("the judge did not come to an end")?;
    let rules = by_rule(&runs)?;
    let mut table = String::from("attempt,agent,verdict,label\n");
    for ruled in judged["ruled"].as_array().into_iter().flatten() {
        let attempt = ruled["attempt"].as_str().unwrap_or_default();
        let verdict = ruled["count"]["ruling"].as_str().unwrap_or_default();
        // Abstentions and errors are silence: the card says what it makes of that.
        let verdict = if matches!(verdict, "pass" | "fail") { verdict } else { "" };
        let agent = attempt.split('/').next().unwrap_or_default();
        let label = rules.get(attempt).map_or("", String::as_str);
        let _ = writeln!(table, "{attempt},{agent},{verdict},{label}");
    }
    let path = folder.join(format!("{}.csv", docket.judge));
    std::fs::write(&path, table).map_err(|error| error.to_string())?;
    println!("\n{} by {} against the rules:", docket.judge, choice.name);
    run(umpire().arg("agree").arg(&path))
}

/// The rules' outcome of every attempt, from the verdicts on the disk.
pub(crate) fn by_rule(runs: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut outcomes = BTreeMap::new();
    for journal in crate::setup::journals(runs) {
        let verdicts = journal.with_file_name("verdicts.jsonl");
        let text =
            std::fs::read_to_string(&verdicts).map_err(|error| format!("{}: {error}", verdicts.display()))?;
        for verdict in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            if let (Some("rules"), Some(attempt), Some(outcome)) =
                (verdict["by"].as_str(), verdict["attempt"].as_str(), verdict["outcome"].as_str())
            {
                outcomes.insert(attempt.to_owned(), outcome.to_owned());
            }
        }
    }
    Ok(outcomes)
}
