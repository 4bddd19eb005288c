//! Strict evaluation of the shared task vectors, next to the answers the released evaluator gave.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;
use umpire_model::{Outcome, Verdict};
use umpire_webarena::config::Config;
use umpire_webarena::import::{ImportError, defects};
use umpire_webarena::reference::evaluate::retention;
use umpire_webarena::strict::StrictTask;
use umpire_webarena::task::Dataset;
use umpire_webarena::trace::Trace;

use crate::support;

struct Judged<'a> {
    case: &'a Value,
    has_defect: bool,
    /// `None` if the configuration does not say where a site of the task is.
    verdict: Option<Verdict>,
}

impl Judged<'_> {
    fn id(&self) -> &str {
        self.case["id"].as_str().unwrap_or_default()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.verdict.as_ref().map(|verdict| verdict.outcome)
    }

    fn reason(&self) -> &str {
        self.verdict.as_ref().map_or("", |verdict| verdict.reason.as_str())
    }

    /// Why an attempt that was made from the expected values is none that strict evaluation may accept.
    fn argued(&self) -> Option<&'static str> {
        let answer = self.case["agent_response"].to_string();
        let bodies: String = self.case["network_trace"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|e| e["request"]["postData"].to_string())
            .collect();
        if self.reason() == "activity: nothing beyond the start page was requested" {
            Some("the trace opens the start page and does nothing")
        } else if self.reason().starts_with("answer: ") && answer.contains("\"^") {
            Some("the answer is the pattern that describes the answer")
        } else if self.reason().starts_with("network: ")
            && ["__GITLAB__", "__REDDIT__"].iter().any(|p| bodies.contains(p))
        {
            Some("the trace sends a placeholder instead of an address")
        } else {
            None
        }
    }
}

fn judge_all(cases: &[Value]) -> Option<Vec<Judged<'_>>> {
    let data = support::shared_folder("data")?;
    let dataset = fs::read(data.join("webarena-verified.json")).expect("the task file");
    let dataset = Dataset::from_json(&dataset).expect("the task file");
    let configs =
        fs::read(support::shared_folder("vectors")?.join("configs.json")).expect("the configurations");
    let configs: BTreeMap<String, Config> = serde_json::from_slice(&configs).expect("configurations");
    let judge = |case: &'_ Value| {
        let task = dataset.task(case["task_id"].as_i64().expect("an id")).expect("a released task");
        let sites =
            configs[case["config_id"].as_str().expect("an id")].environments.clone().unwrap_or_default();
        let trace = Trace::from_list(case["network_trace"].to_string().as_bytes(), &retention(task));
        let verdict = match StrictTask::new(task, &sites) {
            Ok(task) => {
                let judged =
                    task.evaluate("agent", case["agent_response"].as_str(), &trace.unwrap_or_default());
                Some(judged.expect("a good name").verdict)
            }
            Err(ImportError::Unresolved { .. }) => None,
            Err(problem) => panic!("{problem}"),
        };
        (!defects(task).is_empty(), verdict)
    };
    let judged = cases.iter().map(|case| {
        let (has_defect, verdict) = judge(case);
        Judged { case, has_defect, verdict }
    });
    Some(judged.collect())
}

#[test]
fn vectors_rules_strict() {
    let Some(cases) = support::vector_cases("tasks.jsonl") else { return };
    let Some(judged) = judge_all(&cases) else { return };
    let mut mismatches = Vec::new();
    let mut argued: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut correct, mut accepted, mut stricter, mut fairer) = (0, 0, 0, 0);
    for case in &judged {
        let Some(outcome) = case.outcome() else { continue };
        if (outcome == Outcome::Invalid) != case.has_defect {
            mismatches.push(format!("{}: {outcome}: {}", case.id(), case.reason()));
        }
        if !matches!(outcome, Outcome::Pass | Outcome::Fail | Outcome::Invalid) {
            mismatches.push(format!("{}: an attempt ends {outcome}: {}", case.id(), case.reason()));
        }
        let reference_accepts = case.case["expected"]["status"] == "success";
        stricter += usize::from(reference_accepts && outcome == Outcome::Fail);
        fairer += usize::from(!reference_accepts && outcome == Outcome::Pass);
        if case.case["variant"] == "correct" && !case.has_defect {
            correct += 1;
            match (outcome, case.argued()) {
                (Outcome::Pass, _) => accepted += 1,
                (_, Some(why)) => *argued.entry(why).or_default() += 1,
                _ => mismatches.push(format!("{}: {}", case.id(), case.reason())),
            }
        }
    }
    println!("strict: {accepted} of {correct} attempts made from the expected values are accepted; not:");
    for (why, count) in &argued {
        println!("  {count}: {why}");
    }
    println!("strict refuses {stricter} that the reference accepts, and accepts {fairer} that it refuses");
    support::conclude("strict", judged.iter().filter(|case| case.verdict.is_some()).count(), &mismatches);
}

/// Changes after which an attempt is wrong at every task they were made to. None of them may be accepted.
#[test]
fn vectors_rules_strict_wrong_attempts() {
    let Some(cases) = support::vector_cases("tasks.jsonl") else { return };
    let wrong = [
        "both_wrong",
        "n_ck_wrong",
        "n_empty",
        "n_q_badval",
        "n_q_dup",
        "n_rc_wrong",
        "n_should_not_exist",
        "n_static_only",
        "n_status",
        "r_alt_list",
        "r_empty",
        "r_empty_status",
        "r_extra_item",
        "r_int_type",
        "r_list_status",
        "r_missing_item",
        "r_missing_status",
        "r_missing_type",
        "r_nonobject",
        "r_null_status",
        "r_regex_all",
        "r_wrong_status",
        "r_wrong_type",
    ];
    let cases: Vec<Value> = cases
        .into_iter()
        .filter(|case| case["variant"].as_str().is_some_and(|variant| wrong.contains(&variant)))
        .collect();
    let Some(judged) = judge_all(&cases) else { return };
    let mismatches: Vec<String> = judged
        .iter()
        .filter(|case| case.outcome() == Some(Outcome::Pass))
        .map(|case| case.id().to_owned())
        .collect();
    support::conclude("strict on wrong attempts", judged.len(), &mismatches);
}
