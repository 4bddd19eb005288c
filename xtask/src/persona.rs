//! The three agents without a model on every wish of the persona suite that leaves everything unsaid: one that knows all,
//! one that looks things up, one that does without. Then what is searched in a history, both ways, side by side.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::setup::{Done, build_release, ensure_chromium, released, root, target_dir};

const ORACLE: &str = "oracle";
const RECALLER: &str = "recaller";
const STRANGER: &str = "stranger";

/// Those that succeeded, of all.
type Counts = BTreeMap<String, (usize, usize)>;

pub fn persona() -> Done {
    ensure_chromium()?;
    build_release()?;
    let out = target_dir().join("persona");
    let _ = std::fs::remove_dir_all(&out);
    let (by_type, passed) = run(&out, &[ORACLE, RECALLER, STRANGER], "type-object")?;
    let (by_all, _) = run(&out, &[RECALLER], "all")?;
    let table = said(umpire(&out).args(["persona", "score", &by_type, &by_all]))?;
    println!("{}", table.trim_end());
    let scored = said(umpire(&out).args(["--json", "persona", "score", &by_type]))?;
    let succeeded = successes(&serde_json::from_str(&scored).map_err(|error| error.to_string())?);
    println!("passed, by the checks: {passed:?}\nsuccess, by the rubric: {succeeded:?}");
    check(&passed, &succeeded)
}

/// The one that knows fulfils everything, the one that does without nothing, whoever counts, and the one that looks things up
/// lies between them.
fn check(passed: &Counts, succeeded: &Counts) -> Done {
    let of = |counts: &Counts, agent: &str| {
        counts.get(agent).copied().ok_or_else(|| format!("there are no attempts of the {agent}"))
    };
    let (all, wishes) = of(passed, ORACLE)?;
    if all != wishes {
        return Err(format!("the oracle fulfils {all} of {wishes} wishes"));
    }
    for (how, counts) in [("checks", passed), ("rubric", succeeded)] {
        let (unlearned, of_all) = of(counts, STRANGER)?;
        if unlearned > 0 {
            return Err(format!(
                "by the {how}, {unlearned} of {of_all} wishes are fulfilled without a history"
            ));
        }
        let (recalled, of_all) = of(counts, RECALLER)?;
        if recalled == 0 || recalled == of_all {
            return Err(format!("by the {how}, the recaller fulfils {recalled} of {of_all} wishes"));
        }
    }
    Ok(())
}

/// Runs these agents, and gives the run's name and how many attempts passed, agent by agent.
fn run(out: &Path, agents: &[&str], keys: &str) -> Result<(String, Counts), String> {
    let mut command = umpire(out);
    command.args(["--json", "run", "--suite", "persona", "--filter", "level=2"]);
    command.args(["--agent", &agents.join(","), "--history-keys", keys]);
    let events: Vec<Value> =
        said(&mut command)?.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let name = events.iter().find_map(|event| event["run"].as_str()).ok_or("the run has no name")?;
    let mut passed = Counts::new();
    for event in events.iter().filter(|event| event["event"] == "finished") {
        count(&mut passed, &event["attempt"], event["outcome"] == "pass");
    }
    Ok((name.to_owned(), passed))
}

fn successes(scored: &Value) -> Counts {
    let mut succeeded = Counts::new();
    for one in scored.as_array().into_iter().flatten() {
        // What a judge could still make of it counts for the one that must not succeed.
        count(&mut succeeded, &one["attempt"], one["most"]["success"] == true);
    }
    succeeded
}

fn count(counts: &mut Counts, attempt: &Value, is_success: bool) {
    let agent = attempt.as_str().and_then(|id| id.split('/').next()).unwrap_or_default();
    let count = counts.entry(agent.to_owned()).or_default();
    count.0 += usize::from(is_success);
    count.1 += 1;
}

fn umpire(out: &Path) -> Command {
    let mut command = released();
    command.current_dir(root()).arg("--runs").arg(out).stderr(Stdio::inherit());
    command
}

fn said(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?} could not be started: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{command:?} ended with {}", output.status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(recalled: usize, unlearned: usize) -> Counts {
        let of = |agent: &str, successes| (agent.to_owned(), (successes, 73));
        Counts::from([of(ORACLE, 73), of(RECALLER, recalled), of(STRANGER, unlearned)])
    }

    #[test]
    fn nobody_succeeds_without_a_history_and_nobody_but_the_oracle_may_know_all() {
        assert_eq!(check(&counts(60, 0), &counts(58, 0)), Ok(()));
        for (passed, succeeded, problem) in [
            (counts(60, 1), counts(58, 0), "by the checks, 1 of 73 wishes are fulfilled without a history"),
            (counts(60, 0), counts(58, 2), "by the rubric, 2 of 73"),
            (counts(73, 0), counts(58, 0), "by the checks, the recaller fulfils 73 of 73"),
            (counts(60, 0), counts(0, 0), "by the rubric, the recaller fulfils 0 of 73"),
            (Counts::new(), counts(1, 0), "there are no attempts of the oracle"),
        ] {
            let error = check(&passed, &succeeded).expect_err(problem);
            assert!(error.starts_with(problem), "{error}");
        }
    }
}
