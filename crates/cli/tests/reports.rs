//! Formats, gates and queries of a report, from the command's outside.

use std::fs;
use std::path::Path;

use crate::support::{folder, run, umpire};

/// A run of two agents, one of which does nothing. It needs no browser.
fn with_run() -> tempfile::TempDir {
    let dir = folder();
    let ran = run(
        dir.path(),
        &[
            "run",
            "--suite",
            "demo",
            "--agent",
            "zero",
            "--agent",
            "yes",
            "--filter",
            "site=hub and kind=retrieve",
        ],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    dir
}

fn planned(dir: &Path) -> usize {
    let ran = run(dir, &["query", "select count(*) as n from attempts", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(ran.stdout.trim()).expect("an object");
    answer["n"].as_u64().expect("a number") as usize
}

#[test]
fn every_format_lands_where_out_says() {
    let dir = with_run();
    let all = "page,markdown,csv,parquet,junit,json";
    let ran = run(dir.path(), &["report", "--format", all, "--out", "out"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for name in ["report.html", "report.md", "attempts.csv", "attempts.parquet", "junit.xml", "summary.json"]
    {
        let size = fs::metadata(dir.path().join("out").join(name)).map(|file| file.len());
        assert!(size.is_ok_and(|bytes| bytes > 200), "{name}");
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
    assert!(!dir.path().join("out/index.html").exists());
    let planned = planned(dir.path());
    assert!(planned > 2, "{planned}");
    let xml = fs::read_to_string(dir.path().join("out/junit.xml")).expect("written");
    assert_eq!(xml.matches("<testcase ").count(), planned);

    let ran = run(dir.path(), &["report", "--format", "csv", "--out", "here.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let file = fs::read_to_string(dir.path().join("here.csv")).expect("written");
    let ran = run(dir.path(), &["report", "--format", "csv", "--out", "-"]);
    assert_eq!(ran.stdout, file);
    let ran = run(dir.path(), &["report", "--format", "csv,junit", "--out", "-"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);

    // As before there were formats.
    let ran = run(dir.path(), &["report"]);
    assert_eq!(ran.code, Some(0));
    assert!(dir.path().join("report/index.html").exists());
}

#[test]
fn annotations_and_the_steps_summary() {
    let dir = with_run();
    let step = dir.path().join("step.md");
    fs::write(&step, "before\n").expect("written");
    let output = umpire(dir.path())
        .args(["report", "--format", "github"])
        .env("GITHUB_STEP_SUMMARY", &step)
        .output()
        .expect("starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.lines().any(|line| line.starts_with("::error title=fail zero/")), "{stdout}");
    let summary = fs::read_to_string(&step).expect("there");
    assert!(summary.starts_with("before\n# demo-"), "{summary}");
}

#[test]
fn a_gate_that_is_not_met_says_what_was_found() {
    let dir = with_run();
    let ran = run(dir.path(), &["report", "--no-html", "--gate", "success[agent=zero]>=0.5"]);
    assert_eq!(ran.code, Some(100), "{}", ran.stderr);
    assert!(ran.stderr.contains("zero does not meet success[agent=zero]>=0.5: 0 of "), "{}", ran.stderr);
    let ran = run(dir.path(), &["report", "--no-html", "--gate", "success<=1 and infra<=0.5"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = run(dir.path(), &["report", "--no-html", "--gate", "sucess>=0.5"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("the gate is not understood"), "{}", ran.stderr);
    let again = ["run", "--suite", "demo", "--agent", "zero", "--filter", "site=hub and kind=retrieve"];
    let ran = run(dir.path(), &[&again[..], &["--gate", "success>=0.9"]].concat());
    assert_eq!(ran.code, Some(100), "{}", ran.stderr);
    assert!(ran.stderr.contains("gate: zero does not meet"), "{}", ran.stderr);
}

#[test]
fn a_runs_tables_answer_in_sql() {
    let dir = with_run();
    let ran = run(dir.path(), &["query", "--tables"]);
    for table in ["attempts:", "instances:", "tries:", "verdicts:", "checks:", "votes:", "steps:"] {
        assert!(ran.stdout.lines().any(|line| line.starts_with(table)), "{table} in {}", ran.stdout);
    }
    // Every table can be made and read, whatever is in it.
    for table in ["attempts", "instances", "tries", "verdicts", "checks", "votes", "steps"] {
        let ran = run(dir.path(), &["query", &format!("select * from {table}")]);
        assert_eq!(ran.code, Some(0), "{table}: {}", ran.stderr);
    }
    let planned = planned(dir.path());
    let joined = "select count(*) as n from attempts a join verdicts v using (agent, instance, trial) \
        join tries t using (agent, instance, trial) where v.outcome = a.outcome";
    let ran = run(dir.path(), &["query", joined, "--format", "csv"]);
    assert_eq!(ran.stdout, format!("n\n{planned}\n"));
    let ran =
        run(dir.path(), &["query", "demo", "select agent from attempts group by 1 order by 1", "--json"]);
    assert_eq!(ran.stdout, "{\"agent\":\"yes\"}\n{\"agent\":\"zero\"}\n", "{}", ran.stderr);
}

#[test]
fn what_is_no_question_is_refused() {
    let dir = with_run();
    for (sql, why) in [
        ("delete from attempts", "`DELETE` is no query"),
        ("select 1; select 2", "more than one statement"),
        ("attach 'x.db' as x", "`ATTACH` is no query"),
        ("select * from nowhere", "no such table: nowhere"),
        ("select agnt from attempts", "no such column"),
        ("with x as (select 1) delete from attempts", "readonly"),
    ] {
        let ran = run(dir.path(), &["query", sql]);
        // Lines are wrapped where a terminal would.
        let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(ran.code, Some(1), "{sql}: {}", ran.stdout);
        assert!(said.contains(why), "{sql}: {said}");
    }
    let endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
    let started = std::time::Instant::now();
    let ran = run(dir.path(), &["query", endless, "--seconds", "1"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("longer than 1 s"), "{}", ran.stderr);
    assert!(started.elapsed().as_secs() < 20);
}
