//! `umpire suite subset` on a small file of simulated attempts, and on files with something wrong in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Ran, folder, run};

const ATTEMPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/subset/attempts.csv");
/// Enough for these few attempts, and quick in a build that is not optimized.
const QUICK: [&str; 4] = ["--warmup", "300", "--draws", "300"];

fn subset(dir: &Path, more: &[&str]) -> Ran {
    let common = ["suite", "subset", "--attempts", ATTEMPTS, "--exclude-site", "map", "--replicates", "50"];
    run(dir, &[&common[..], more].concat())
}

fn card(more: &[&str]) -> Value {
    let dir = folder();
    let ran = subset(dir.path(), &[&["--json"], &QUICK[..], more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("one JSON object")
}

fn names(list: &Value) -> BTreeSet<&str> {
    list.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

#[test]
fn the_card_says_what_was_selected_and_whether_to_believe_it() {
    let card = card(&["--ablation"]);
    // Counted in the file: 48 tasks of one site by 8 agents with one attempt missing, 3 at the map, 6 at several sites.
    let text = fs::read_to_string(ATTEMPTS).expect("attempts");
    let of_one_site =
        text.lines().skip(1).filter(|line| !line.contains('+') && !line.contains(",map,")).count();
    assert_eq!(card["pool"]["attempts"], of_one_site);
    assert_eq!((&card["pool"]["tasks"], &card["pool"]["excluded"]), (&48.into(), &3.into()));
    assert_eq!(names(&card["multi_site"]), ["900", "901"].into());
    assert!(card["health"]["r_hat"].as_f64().is_some_and(|r_hat| r_hat > 0.99 && r_hat < 1.1));

    let selected = card["selected"].as_array().expect("tasks");
    let tasks = names(&card["tasks"]);
    assert_eq!(tasks.len(), selected.len() + 2);
    for category in card["categories"].as_array().expect("categories") {
        let of_it = selected
            .iter()
            .filter(|task| task["site"] == category["site"] && task["category"] == category["category"])
            .count();
        let cap = if category["very_easy"] == true { 2 } else { 3 };
        assert_eq!(category["selected"], of_it);
        assert_eq!(of_it as u64, category["available"].as_u64().expect("a number").min(cap));
    }
    let effects = card["effects"]["agents"].as_array().expect("agents");
    let sum: f64 = effects.iter().filter_map(|agent| agent["median"].as_f64()).sum();
    assert!(effects.len() == 8 && sum.abs() < 0.2, "medians of effects that sum to zero: {sum}");
    let ablation = card["ablation"].as_array().expect("three policies");
    let sizes: Vec<u64> = ablation.iter().filter_map(|one| one["selected"].as_u64()).collect();
    assert!(sizes.len() == 3 && sizes.is_sorted() && sizes[0] == selected.len() as u64, "{sizes:?}");
}

#[test]
fn the_same_seed_selects_the_same_and_the_file_can_be_imported_from() {
    let dir = folder();
    let out = |name: &str| {
        let ran = subset(dir.path(), &[&["--size", "7", "--out", name], &QUICK[..]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        fs::read_to_string(dir.path().join(name)).expect("a subset file")
    };
    let first = out("first.json");
    assert_eq!(first, out("second.json"));
    let file = umpire_webarena::subset::Subset::from_json(first.as_bytes()).expect("with its checksum");
    assert_eq!(file.task_ids.len(), 7 + 2, "seven of one site, and those of several");
}

#[test]
fn a_table_of_outcomes_selects_what_the_same_successes_select() {
    let dir = folder();
    let text = fs::read_to_string(ATTEMPTS).expect("attempts");
    let mut table = String::from("agent,task,site,template,category,steps,outcome,exhausted,perturbation\n");
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let outcome = if cells[6] == "1" { "pass" } else { "fail" };
        let sites = cells[2].replace('+', " + ");
        let row = [cells[0], cells[1], &sites, cells[3], cells[4], cells[5], outcome, cells[7], ""];
        table.push_str(&(row.join(",") + "\n"));
    }
    let said_nothing = ["infra,,", "invalid,,", ",,", "pass,,popups"];
    for (agent, ending) in ["agent-1", "agent-2", "agent-3", "agent-4"].into_iter().zip(said_nothing) {
        table.push_str(&[agent, ",362,reddit,reddit-0,category-0,,", ending, "\n"].concat());
    }
    fs::write(dir.path().join("attempts.csv"), table).expect("written");
    let arguments = ["--json", "--attempts", "attempts.csv", "--exclude-site", "map", "--replicates", "50"];
    let ran = run(dir.path(), &[&["suite", "subset"], &arguments[..], &QUICK[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
    let wanted = card(&[]);
    assert_eq!((&found["pool"], &found["selected"]), (&wanted["pool"], &wanted["selected"]));
    assert!(found["warnings"].to_string().contains("4 rows are left out"), "{}", found["warnings"]);
}

#[test]
fn people_see_tables_and_a_warning_when_chains_are_too_short() {
    let dir = folder();
    let ran = subset(dir.path(), &["--leave-one-out", "--warmup", "10", "--draws", "10"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for part in
        ["R̂ at most", "agent-3", "reddit/category-0", "Kendall's τ", "subset made without", "divergences"]
    {
        assert!(ran.stdout.contains(part), "no `{part}` in {}", ran.stdout);
    }
    assert!(ran.stderr.contains("warning: the chains do not agree: R̂ is"), "{}", ran.stderr);
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_what_to_do() {
    let dir = folder();
    let header = "agent,task,site,template,category,steps,success";
    for (text, place, remedy) in [
        ("agent,task\na,1".to_owned(), "x.csv:1: there is no column `site`", "The file needs the columns"),
        (format!("{header}\na,1,s,t,c,4,1\na,2,s,t,c,many,0"), "x.csv:3: `many` steps", "e.g. 12"),
        (
            format!("{header}\na,1,s,t,c,4,perhaps"),
            "x.csv:2: `perhaps` in the column `success`",
            "Write 1 or 0",
        ),
        (format!("{header}\na,1,s,,c,4,1"), "x.csv:2: the column `template` is empty", "columns"),
        (
            format!("{header}\na,1,s,t,c,4,1\nb,1,s,t,d,4,0"),
            "x.csv:3: task `1` has category `d`",
            "in every line",
        ),
        (format!("{header}\na,1,s,t,c,4,1\na,2,s,t,c,4,0"), "x.csv: there are 1 agents", "more agents"),
        (format!("{header}\na,1,s,t,c,4,1\nb,2,s,t,c,4,1"), "x.csv: every attempt succeeded", "right?"),
        (header.to_owned(), "x.csv: there is no row", ""),
    ] {
        fs::write(dir.path().join("x.csv"), text).expect("written");
        let ran = run(dir.path(), &["suite", "subset", "--attempts", "x.csv"]);
        assert_eq!(ran.code, Some(1), "{place}: {}", ran.stdout);
        // The printed report may break a line anywhere between words.
        let said: Vec<&str> =
            ran.stderr.split([' ', '\n', '│', '×']).filter(|word| !word.is_empty()).collect();
        let said = said.join(" ");
        assert!(said.contains(place) && said.contains(remedy), "`{place}` and `{remedy}` in: {said}");
    }
    let ran = run(dir.path(), &["suite", "subset", "--attempts", ATTEMPTS, "--exclude-site", "mapp"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("`mapp`"), "{}", ran.stderr);
}
