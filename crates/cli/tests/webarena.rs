//! Attempts recorded elsewhere, task files in and out, and single values, through the command. No browser is needed.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Ran, folder, run};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/webarena").canonicalize().expect("the example")
}

/// A copy of the example, because results are written beside the attempts.
fn copied() -> tempfile::TempDir {
    let dir = folder();
    for attempt in ["1", "2", "3"] {
        let (from, to) =
            (example().join("attempts").join(attempt), dir.path().join("attempts").join(attempt));
        fs::create_dir_all(&to).expect("folder");
        for file in ["agent_response.json", "network.har"] {
            fs::copy(from.join(file), to.join(file)).expect("copied");
        }
    }
    for file in ["tasks.json", "config.json"] {
        fs::copy(example().join(file), dir.path().join(file)).expect("copied");
    }
    dir
}

fn evaluate(dir: &Path, more: &[&str]) -> Ran {
    let base = ["evaluate", "--suite", "tasks.json", "--attempts", "attempts", "--sites", "config.json"];
    run(dir, &[&base[..], more].concat())
}

fn result(dir: &Path, task: &str) -> Value {
    let text = fs::read(dir.join("attempts").join(task).join("eval_result.json")).expect("a result");
    serde_json::from_slice(&text).expect("JSON")
}

#[test]
fn strict_and_reference_results_stand_beside_the_attempts() {
    let dir = copied();
    let strict = evaluate(dir.path(), &[]);
    assert_eq!(strict.code, Some(0), "{}{}", strict.stdout, strict.stderr);
    for (task, outcome) in [("1", "pass"), ("2", "fail"), ("3", "pass")] {
        assert_eq!(result(dir.path(), task)["umpire"]["outcome"], outcome, "task {task}");
    }
    let summary = fs::read_to_string(dir.path().join("attempts/eval_results.json")).expect("a summary");
    assert!(summary.contains("\"strict\""), "{summary}");

    let reference = evaluate(dir.path(), &["--mode", "reference"]);
    assert_eq!(reference.code, Some(0), "{}{}", reference.stdout, reference.stderr);
    // The released evaluator runs the pattern that the agent of task 2 answered with.
    assert_eq!(result(dir.path(), "2")["status"], "success");

    let differences = evaluate(dir.path(), &["--diff-modes", "--json"]);
    let differing: Vec<Value> =
        differences.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(differing.len(), 1, "{}", differences.stdout);
    assert_eq!(differing[0]["task_id"], 2);
    assert!(
        differing[0]["reason"].as_str().is_some_and(|reason| reason.contains("pattern")),
        "{differing:?}"
    );
}

#[test]
fn attempts_without_evidence_are_named_and_nothing_to_judge_says_so() {
    let dir = copied();
    fs::remove_file(dir.path().join("attempts/3/network.har")).expect("removed");
    fs::create_dir(dir.path().join("attempts/77")).expect("made");
    let strict = evaluate(dir.path(), &[]);
    assert!(strict.stdout.contains("infra task 3"), "{}", strict.stdout);
    assert!(strict.stdout.contains("infra task 77"), "{}", strict.stdout);
    let reference = evaluate(dir.path(), &["--mode", "reference"]);
    assert!(reference.stdout.contains("skipped task 3"), "{}", reference.stdout);

    let nothing = folder();
    fs::create_dir(nothing.path().join("attempts")).expect("made");
    for file in ["tasks.json", "config.json"] {
        fs::copy(example().join(file), nothing.path().join(file)).expect("copied");
    }
    assert_eq!(evaluate(nothing.path(), &[]).code, Some(4));
}

#[test]
fn unknown_sites_and_broken_files_are_explained() {
    let dir = copied();
    let base = ["evaluate", "--suite", "tasks.json", "--attempts", "attempts"];
    let ran = run(dir.path(), &base);
    assert!(ran.stdout.contains("no URL is known for shopping"), "{}{}", ran.stdout, ran.stderr);
    fs::write(dir.path().join("umpire.toml"), "[sites]\nshopping = \"http://localhost:7770\"\n")
        .expect("written");
    let ran = run(dir.path(), &base);
    assert!(!ran.stdout.contains("no URL is known"), "{}{}", ran.stdout, ran.stderr);
    fs::write(dir.path().join("tasks.json"), "[{\"task_id\": 1}]").expect("written");
    let ran = evaluate(dir.path(), &[]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("tasks.json"), "{}", ran.stderr);
}

#[test]
fn a_deployment_is_asked_what_an_attempt_left_behind() {
    let dir = copied();
    let sqlite = "[backends.shop]\nurl = \"sqlite:shop.db\"\n";
    fs::write(dir.path().join("umpire.toml"), sqlite).expect("written");
    // An empty file is an empty database.
    fs::write(dir.path().join("shop.db"), "").expect("written");
    let check = |task: u32, expected: u32| {
        format!(
            "{{\"task_id\": {task}, \"checks\": [{{\"type\": \"backend\", \"backend\": \"shop\", \
             \"ask\": {{\"sql\": {{\"query\": \"SELECT 1 AS n\"}}}}, \"expect\": {{\"equals\": [{{\"n\": {expected}}}]}}}}]}}\n"
        )
    };
    fs::write(dir.path().join("checks.jsonl"), check(1, 1) + &check(3, 2)).expect("written");
    let ran = evaluate(dir.path(), &["--backend-checks", "checks.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(result(dir.path(), "1")["umpire"]["outcome"], "pass");
    assert_eq!(result(dir.path(), "3")["umpire"]["outcome"], "fail");
    let refused = evaluate(dir.path(), &["--backend-checks", "checks.jsonl", "--mode", "reference"]);
    assert_eq!(refused.code, Some(1));
}

#[test]
fn a_task_file_comes_back_as_it_went_in() {
    let dir = copied();
    let imported =
        run(dir.path(), &["suite", "import", "tasks.json", "--sites", "config.json", "--out", "suite"]);
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);
    let checked = run(dir.path(), &["suite", "check", "suite", "--read-only"]);
    assert!(checked.stdout.contains("3 tasks"), "{}{}", checked.stdout, checked.stderr);
    assert_eq!(run(dir.path(), &["suite", "export", "suite", "--out", "back.json"]).code, Some(0));
    let read = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(dir.path().join(name)).expect("a file")).expect("JSON")
    };
    assert_eq!(read("back.json"), read("tasks.json"));
    let without = run(dir.path(), &["suite", "import", "tasks.json", "--out", "elsewhere"]);
    assert_eq!(without.code, Some(1));
    assert!(without.stderr.contains("[sites]"), "{}", without.stderr);
}

#[test]
fn an_audit_names_the_tasks_it_doubts() {
    let dir = copied();
    let text = fs::read_to_string(dir.path().join("tasks.json")).expect("tasks");
    let broken = text.replace("stovetop-kettle.html", "{{product}}.html");
    fs::write(dir.path().join("broken.json"), broken).expect("written");
    let ran = run(dir.path(), &["suite", "audit", "broken.json", "--baselines"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("{{product}}"), "{}", ran.stdout);
    assert!(ran.stdout.contains("claim on the start page"), "{}", ran.stdout);
}

#[test]
fn what_a_model_knows_without_looking_is_probed_from_its_answers() {
    let dir = folder();
    let task = r#"[{"task_id": 7, "sites": [], "start_url": "http://s", "intent": "Who crossed the Rubicon?",
        "eval": {"eval_types": ["string_match"], "reference_answers": {"must_include": ["caesar"]}}}]"#;
    fs::write(dir.path().join("tasks.json"), task).expect("written");
    let probe = |answers: &str| {
        fs::write(dir.path().join("answers.jsonl"), answers).expect("written");
        run(dir.path(), &["suite", "audit", "tasks.json", "--baselines", "--knowledge", "answers.jsonl"])
    };
    for (answer, passed) in [("Julius Caesar", 1), ("Nobody", 0)] {
        let ran = probe(&format!(r#"{{"intent": "Who crossed the Rubicon?", "answer": "{answer}"}}"#));
        let expected = format!("knowledge only: {passed} of 1 exposed tasks");
        assert!(ran.code == Some(0) && ran.stdout.contains(&expected), "{} {}", ran.stdout, ran.stderr);
    }
    let broken = probe("Julius Caesar");
    assert!(broken.code == Some(1) && broken.stderr.contains("answers.jsonl: line 1"), "{}", broken.stderr);
}

#[test]
fn single_values_are_compared_and_files_of_cases_are_held_to_what_they_say() {
    let dir = folder();
    let one = |value_type: &str, expected: &str, actual: &str| {
        run(dir.path(), &["match", "--type", value_type, "--expected", expected, "--actual", actual]).code
    };
    assert_eq!(one("currency", "1000 USD", "$1,000"), Some(0));
    assert_eq!(one("number", "5", "-5"), Some(100));
    assert_eq!(one("colour", "red", "red"), Some(1));
    // The released evaluator takes the amount alone.
    for (mode, code) in [("strict", Some(100)), ("reference", Some(0))] {
        let pair = ["--type", "currency", "--expected", "$5", "--actual", "5 euros", "--mode", mode];
        assert_eq!(run(dir.path(), &[&["match"], &pair[..]].concat()).code, code, "{mode}");
    }
    let cases =
        "{\"type\":\"date\",\"expected\":\"2026-03-05\",\"actual\":\"March 5, 2026\",\"equal\":true}\n";
    fs::write(dir.path().join("right.jsonl"), cases).expect("written");
    assert_eq!(run(dir.path(), &["match", "--jsonl", "right.jsonl"]).code, Some(0));
    fs::write(dir.path().join("wrong.jsonl"), cases.replace("true", "false")).expect("written");
    assert_eq!(run(dir.path(), &["match", "--jsonl", "wrong.jsonl"]).code, Some(100));
    fs::write(dir.path().join("broken.jsonl"), "\n{\"type\": 3}\n").expect("written");
    let broken = run(dir.path(), &["match", "--jsonl", "broken.jsonl"]);
    assert!(broken.stderr.contains("broken.jsonl:2"), "{}", broken.stderr);
}
