//! The suites' own checks, tried on every instance. That takes an hour, so what was found is kept in a file of the
//! repository, a row for each suite, with the digests it was found on: the tests refuse a row that no longer holds.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::setup::{Done, build_release, ensure_chromium, released, root, target_dir};

/// What one kind of attempt came to.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Tried {
    attempts: usize,
    wrong: usize,
}

/// One line of the file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    suite: String,
    digest: String,
    rules: String,
    world: Option<String>,
    oracle_rejected: Tried,
    naive_accepted: Tried,
    near_misses_accepted: Tried,
    day: String,
}

type Rows = BTreeMap<String, Row>;

/// Checks the suites named, or all of them. One that was interrupted goes on where it was.
pub fn check_suites(named: &[&str]) -> Done {
    ensure_chromium()?;
    build_release()?;
    let file = root().join("suites/checked.jsonl");
    let mut unclean = Vec::new();
    let suites: Vec<String> =
        if named.is_empty() { built_in()? } else { named.iter().map(|&name| name.to_owned()).collect() };
    for suite in &suites {
        let row = check(suite)?;
        if !row.is_clean() {
            unclean.push(suite.as_str());
        }
        let mut rows = read(&file)?;
        rows.insert(suite.clone(), row);
        std::fs::write(&file, written(&rows)?).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    print(&read(&file)?);
    if unclean.is_empty() {
        Ok(())
    } else {
        Err(format!("the checks of {} were wrong about some attempts", unclean.join(", ")))
    }
}

fn built_in() -> Result<Vec<String>, String> {
    let said = released().args(["suite", "list", "--json"]).output().map_err(|error| error.to_string())?;
    let names = String::from_utf8_lossy(&said.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok()?["name"].as_str().map(str::to_owned))
        .collect::<Vec<_>>();
    if names.is_empty() { Err("there is no built-in suite".to_owned()) } else { Ok(names) }
}

fn check(suite: &str) -> Result<Row, String> {
    let runs = runs_of(suite)?;
    println!("checking {suite}");
    let mut command = released();
    command.current_dir(root()).arg("--json").arg("--runs").arg(&runs).args(["suite", "check", suite]);
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{command:?} could not be started: {error}"))?;
    let output = child.stdout.take().ok_or("the command has no output")?;
    let mut row = None;
    let mut finished = 0;
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        let Ok(told) = serde_json::from_str::<Value>(&line) else { continue };
        if told["event"] == "finished" {
            finished += 1;
            if finished % 100 == 0 {
                println!("  {suite}: {finished} attempts");
            }
        }
        if told["oracle_rejected"].is_object() {
            report(&told);
            row = Some(row_of(&told, today()?)?);
        }
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    let row = row.ok_or_else(|| format!("{suite} is not checked to its end: {status}; call this again"))?;
    // Only what was interrupted is of use to the next call, and what was wrong to whoever looks for the cause.
    let kept = runs.with_extension("wrong");
    let _ = std::fs::remove_dir_all(&kept);
    if row.is_clean() {
        let _ = std::fs::remove_dir_all(&runs);
    } else if std::fs::rename(&runs, &kept).is_ok() {
        println!("  the attempts are kept in {}", kept.display());
    }
    Ok(row)
}

/// Where the attempts of a suite are kept until all are made: those of another build are not gone on with.
fn runs_of(suite: &str) -> Result<PathBuf, String> {
    let runs = target_dir().join("check-suites").join(suite);
    let built = std::fs::metadata(released().get_program()).and_then(|program| program.modified());
    let built = format!("{:?}", built.map_err(|error| format!("the program: {error}"))?);
    let stamp = runs.join("built");
    if std::fs::read_to_string(&stamp).ok().as_deref() != Some(built.as_str()) {
        let _ = std::fs::remove_dir_all(&runs);
        std::fs::create_dir_all(&runs)
            .and_then(|()| std::fs::write(&stamp, built))
            .map_err(|error| format!("{}: {error}", stamp.display()))?;
    }
    Ok(runs)
}

fn today() -> Result<String, String> {
    let said = Command::new("date").args(["-u", "+%F"]).output().map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

/// The row that a line of `umpire suite check --json` comes to.
fn row_of(told: &Value, day: String) -> Result<Row, String> {
    let text = |name: &str| told[name].as_str().map(str::to_owned);
    let needed = |name: &str| text(name).ok_or_else(|| format!("`{name}` is not in {told}"));
    let tried = |name: &str| {
        let attempts = told[name]["attempts"].as_u64().and_then(|count| usize::try_from(count).ok());
        let wrong = told[name]["wrong"].as_array().map(Vec::len);
        let both = attempts.zip(wrong).ok_or_else(|| format!("`{name}` is not in {told}"))?;
        Ok::<_, String>(Tried { attempts: both.0, wrong: both.1 })
    };
    Ok(Row {
        suite: needed("suite")?,
        digest: needed("digest")?,
        rules: needed("rules")?,
        world: text("world"),
        oracle_rejected: tried("oracle_rejected")?,
        naive_accepted: tried("naive_accepted")?,
        near_misses_accepted: tried("mutants_accepted")?,
        day,
    })
}

/// Names the attempts that the checks were wrong about; the row only counts them.
fn report(told: &Value) {
    for kind in ["oracle_rejected", "naive_accepted", "mutants_accepted"] {
        for attempt in told[kind]["wrong"].as_array().into_iter().flatten() {
            println!("  {}: {}", kind.replace('_', " "), attempt.as_str().unwrap_or_default());
        }
    }
}

impl Row {
    fn is_clean(&self) -> bool {
        [&self.oracle_rejected, &self.naive_accepted, &self.near_misses_accepted]
            .iter()
            .all(|tried| tried.wrong == 0)
    }
}

fn read(file: &Path) -> Result<Rows, String> {
    // The first check of all has no file to read.
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let row = |line: &str| serde_json::from_str(line).map_err(|error| format!("{}: {error}", file.display()));
    text.lines().map(|line| row(line).map(|row: Row| (row.suite.clone(), row))).collect()
}

fn written(rows: &Rows) -> Result<String, String> {
    let line = |row: &Row| serde_json::to_string(row).map(|line| line + "\n");
    rows.values().map(line).collect::<Result<_, _>>().map_err(|error| error.to_string())
}

fn print(rows: &Rows) {
    println!(
        "\n{:10} {:>18} {:>18} {:>22}  day",
        "suite", "oracle rejected", "naive accepted", "near misses accepted"
    );
    let of = |tried: &Tried| format!("{} of {}", tried.wrong, tried.attempts);
    for row in rows.values() {
        println!(
            "{:10} {:>18} {:>18} {:>22}  {}",
            row.suite,
            of(&row.oracle_rejected),
            of(&row.naive_accepted),
            of(&row.near_misses_accepted),
            row.day
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(suite: &str, wrong: &[&str]) -> Value {
        json!({
            "suite": suite, "digest": "aa", "rules": "bb", "world": null,
            "oracle_rejected": {"attempts": 20, "wrong": wrong},
            "naive_accepted": {"attempts": 60, "wrong": []}, "mutants_accepted": {"attempts": 90, "wrong": []},
        })
    }

    #[test]
    fn a_suite_checked_again_replaces_its_own_row_and_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("checked.jsonl");
        assert_eq!(read(&file), Ok(Rows::new()));
        for (suite, day, wrong) in
            [("smoke", "2026-01-01", &["a"][..]), ("demo", "2026-01-02", &[]), ("smoke", "2026-01-03", &[])]
        {
            let row = row_of(&told(suite, wrong), day.to_owned()).expect("a row");
            assert_eq!(row.is_clean(), wrong.is_empty());
            let mut rows = read(&file).expect("rows");
            rows.insert(suite.to_owned(), row);
            std::fs::write(&file, written(&rows).expect("text")).expect("written");
        }
        let rows = read(&file).expect("rows");
        let days: Vec<_> = rows.values().map(|row| (row.suite.as_str(), row.day.as_str())).collect();
        assert_eq!(days, [("demo", "2026-01-02"), ("smoke", "2026-01-03")]);
        assert_eq!(rows["smoke"].oracle_rejected, Tried { attempts: 20, wrong: 0 });
    }

    #[test]
    fn a_line_without_digests_is_no_row() {
        let mut line = told("smoke", &[]);
        line["digest"] = Value::Null;
        let problem = row_of(&line, String::new()).expect_err("no row");
        assert!(problem.contains("digest"), "{problem}");
    }
}
