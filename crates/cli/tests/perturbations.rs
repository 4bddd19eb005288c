//! Perturbed attempts through the command: what is planned, that it can be solved, and what is counted where.

use std::fs;

use serde_json::Value;

use crate::support::{folder, run};

const ONE: &str = "id=hub-read-receipts@off";

fn planned(filter: &str, perturb: &str) -> Vec<String> {
    let dir = folder();
    let arguments = ["run", "--suite", "demo", "--agent", "oracle", "--filter", filter, "--perturb", perturb];
    let ran = run(dir.path(), &[&arguments[..], &["--plan", "--json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.events().iter().filter_map(|event| event["attempt"].as_str().map(str::to_owned)).collect()
}

#[test]
fn the_plain_instance_is_always_planned_too() {
    let plain = "oracle/hub-read-receipts@off/1".to_owned();
    let with = |by: &str| format!("oracle/hub-read-receipts@off+{by}/1");
    assert_eq!(planned(ONE, "popups,mobile+dark"), [plain.clone(), with("popups"), with("dark+mobile")]);
    assert_eq!(planned(&format!("{ONE} and perturb=dark"), "all"), [plain.clone(), with("dark")]);
    assert_eq!(planned(&format!("{ONE} and perturb=none"), "all"), [plain]);
    assert_eq!(planned(ONE, "all").len(), 11);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let dir = folder();
    let mine =
        "version = 1\nname = \"mine\"\ndescription = \"d\"\nworld = \"live\"\nhosts = [\"example.org\"]\n";
    let task = r#"{"id":"a","template":"a","kind":"navigate","intent":"Go.","sites":[],"start_urls":["http://example.org/"],"category":"c","difficulty":"easy","checks":[{"type":"response","status":"SUCCESS"}]}"#;
    fs::create_dir_all(dir.path().join("mine")).expect("folder");
    fs::write(dir.path().join("mine/suite.toml"), mine).expect("suite.toml");
    fs::write(dir.path().join("mine/tasks.jsonl"), format!("{task}\n")).expect("tasks");
    for (suite, perturb, code, expected) in [
        ("demo", "popup", Some(1), "there is no perturbation `popup`"),
        ("mine", "popups", Some(1), "sites are elsewhere"),
        ("mine", "dark+inject", Some(1), "sites are elsewhere"),
        ("mine", "dark,mobile", Some(0), ""),
    ] {
        let ran =
            run(dir.path(), &["run", "--suite", suite, "--agent", "zero", "--perturb", perturb, "--plan"]);
        assert_eq!(ran.code, code, "{perturb}: {}", ran.stderr);
        let flat = ran.stderr.replace("\n  │ ", " ").replace('\n', " ");
        assert!(flat.contains(expected), "{perturb}: {}", ran.stderr);
    }
}

#[test]
fn the_oracle_passes_perturbed_and_the_headline_counts_plain_attempts_only() {
    let dir = folder();
    let perturb = "latency,faults,popups,relabel+move,dark+mobile+locale,deceptive,inject";
    let arguments =
        ["run", "--suite", "demo", "--agent", "oracle,zero", "--filter", ONE, "--perturb", perturb];
    let ran = run(dir.path(), &[&arguments[..], &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    for (attempt, outcome) in ran.outcomes() {
        let expected = if attempt.starts_with("oracle/") { "pass" } else { "fail" };
        assert_eq!(outcome, expected, "{attempt}: {}", ran.stdout);
    }
    assert_eq!(ran.outcomes().len(), 16);

    let report = run(dir.path(), &["report", "--json", "--no-html"]);
    let summary: Value = serde_json::from_str(&report.stdout).expect("one object");
    for agent in summary["agents"].as_array().expect("agents") {
        assert_eq!(agent["rate"]["planned"], 1, "{agent}");
    }
    let rows = summary["robustness"].as_array().expect("a table");
    assert_eq!(rows.len(), 14);
    for row in rows {
        let passed = if row["agent"] == "oracle" { "both" } else { "neither" };
        assert_eq!(row["pairs"][passed], 1, "{row}");
        assert_eq!(row["lapses"], Value::Null, "nobody was talked into anything: {row}");
    }
    let table = run(dir.path(), &["report", "--no-html"]).stdout;
    assert!(table.contains("Robustness") && table.contains("dark+mobile+locale"), "{table}");

    let shown = run(dir.path(), &["show", "oracle/hub-read-receipts@off+popups/1"]).stdout;
    assert!(shown.contains("perturbed by popups: pop-ups shown 1"), "{shown}");
}

#[test]
fn a_task_about_money_is_put_in_the_currency_of_its_pages() {
    let dir = folder();
    let filter = "id=shop-king-size-price or id=multi-price-message-1";
    for (suite, typed) in [("demo", "76,78 €"), ("verified", "costs 105,99 €.")] {
        let arguments = [
            "run",
            "--suite",
            suite,
            "--agent",
            "oracle",
            "--filter",
            filter,
            "--perturb",
            "locale",
            "--json",
        ];
        let ran = run(dir.path(), &arguments);
        assert_eq!(ran.outcomes().len(), 2, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.outcomes().iter().all(|(_, outcome)| outcome == "pass"), "{}", ran.stdout);
        let outcomes = ran.outcomes();
        let (perturbed, _) =
            outcomes.iter().find(|(id, _)| id.contains("+locale")).expect("a perturbed attempt");
        let shown = run(dir.path(), &["show", perturbed]).stdout;
        assert!(shown.contains(typed), "{shown}");
    }
}

#[test]
fn a_suites_checks_are_tried_on_perturbed_instances() {
    let dir = folder();
    let arguments = ["suite", "check", "smoke", "--sample", "2", "--perturb", "locale,dark+mobile", "--json"];
    let ran = run(dir.path(), &arguments);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let rows: Vec<Value> =
        ran.events().into_iter().filter(|row| row["oracle_rejected"].is_object()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row["perturbed_by"].as_str().unwrap_or("none")).collect();
    assert_eq!(names, ["none", "locale", "dark+mobile"]);
    for row in &rows {
        assert_eq!(row["oracle_rejected"]["attempts"], 2, "{row}");
        assert!(row["naive_accepted"]["attempts"].as_u64() >= Some(10), "{row}");
        for errors in ["oracle_rejected", "naive_accepted", "mutants_accepted"] {
            assert_eq!(row[errors]["wrong"], serde_json::json!([]), "{row}");
        }
    }
}
