//! `umpire agree` on small files of our own: what it counts, what it says, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Ran, folder, run};

fn example(name: &str) -> String {
    let examples: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/agree");
    examples.join(name).to_string_lossy().into_owned()
}

fn agree(arguments: &[&str]) -> Ran {
    run(folder().path(), &[&["agree"], arguments].concat())
}

fn card(arguments: &[&str]) -> Value {
    let ran = agree(&[arguments, &["--json", "--draws", "200"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("one JSON object")
}

/// The command on files that are written for it.
fn on_files(files: &[(&str, &str)], arguments: &[&str]) -> Ran {
    let folder = folder();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    run(folder.path(), &[&["agree", "--draws", "50"], arguments].concat())
}

fn close(value: &Value, expected: f64) {
    let got = value.as_f64().unwrap_or_else(|| panic!("no number: {value}"));
    assert!((got - expected).abs() < 1e-6, "{got}, expected {expected}");
}

fn examples() -> [String; 6] {
    [
        "--judgments".to_owned(),
        example("verdicts.csv"),
        "--labels".to_owned(),
        example("labels.csv"),
        "--second".to_owned(),
        example("second.csv"),
    ]
}

#[test]
fn the_example_gives_what_python_packages_compute() {
    let arguments = examples();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let card = card(&arguments);
    // scikit-learn, scipy, ppi-python and krippendorff on the same files.
    for (at, cells, f1, kappa, tau, powered) in [
        (
            0,
            [13, 1, 8, 16],
            0.742_857_142_9,
            0.539_083_558_0,
            1.0 / 3.0,
            [0.570_450_83, 0.416_335_85, 0.724_565_80],
        ),
        (
            1,
            [19, 3, 2, 14],
            0.883_720_930_2,
            0.732_394_366_2,
            1.0,
            [0.551_787_51, 0.400_426_16, 0.703_148_86],
        ),
    ] {
        let judge = &card["judges"][at];
        let table = &judge["overall"]["confusion"];
        let names = ["true_positive", "false_positive", "false_negative", "true_negative"];
        assert_eq!(names.map(|name| table[name].as_i64().expect("count")), cells);
        close(&judge["overall"]["f1"]["value"], f1);
        close(&judge["overall"]["cohen_kappa"]["value"], kappa);
        close(&judge["ranks"]["kendall_tau_b"], tau);
        let all = judge["corrections"].as_array().expect("corrections").last().expect("all agents");
        let rate = &all["prediction_powered"];
        assert_eq!((&rate["labelled"], &rate["unlabelled"]), (&json!(38), &json!(7)));
        for (got, expected) in
            [&rate["value"], &rate["interval"]["low"], &rate["interval"]["high"]].into_iter().zip(powered)
        {
            close(got, expected);
        }
    }
    let ceiling = &card["humans"]["ceiling"];
    assert_eq!((&ceiling["agreement"]["count"], &ceiling["agreement"]["of"]), (&json!(15), &json!(17)));
    assert_eq!(ceiling["agreement_undecided_differ"]["of"], 18);
    close(&ceiling["krippendorff_alpha"], 0.770_833_333_3);
}

#[test]
fn the_same_command_gives_the_same_bytes() {
    let arguments = examples();
    let arguments: Vec<&str> =
        arguments.iter().map(String::as_str).chain(["--json", "--draws", "100"]).collect();
    assert_eq!(agree(&arguments).stdout, agree(&arguments).stdout);
}

#[test]
fn policies_are_named_and_counted() {
    let arguments = examples();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = agree(&arguments).stdout;
    assert!(said.contains("no verdict: count-as-failure (--missing)"), "{said}");
    assert!(said.contains("1 without a verdict, 7 without a label, 1 impossible to carry out"), "{said}");
    arguments.extend(["--missing", "drop", "--unexecutable", "drop"]);
    let card = card(&arguments);
    assert_eq!(card["policies"], json!({"missing": "drop", "unlabelled": "drop", "unexecutable": "drop"}));
    assert_eq!(
        (&card["judges"][0]["overall"]["n"], &card["judges"][1]["overall"]["n"]),
        (&json!(36), &json!(37))
    );
    // Whatever the policy, both rates of success are given.
    assert_eq!(card["humans"]["success_of_executable"]["of"], 37);

    for (policy, expected) in [
        ("--missing", "labels.csv:13: strict has no verdict on this attempt"),
        ("--unlabelled", "verdicts.csv:10: there is no label for this attempt"),
    ] {
        let ran = agree(&[&arguments[..4], &[policy, "fail"]].concat());
        assert_eq!(ran.code, Some(1));
        let told = ran.stderr.replace("\n  │ ", " ");
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn scores_are_compared_by_group() {
    let got = card(&["--scores", &example("scores.csv"), "--by", "aspect"]);
    for (at, name, accuracy, pearson) in [
        (0, "website", 0.9, 0.928_267_379_5),
        (1, "preference", 0.8, 0.777_777_777_8),
        (2, "intent", 0.9, 0.644_658_371_2),
    ] {
        let group = &got["groups"][at];
        assert_eq!(group["group"], name);
        close(&group["accuracy"]["value"], accuracy);
        close(&group["pearson"], pearson);
    }
}

#[test]
fn one_file_with_both_and_three_annotators_work_too() {
    let both = "task,verdict,human\na,1,1\nb,0,1\nc,0,0\n";
    let ran = on_files(&[("both.csv", both)], &["both.csv", "--json"]);
    let card: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    assert_eq!(
        (&card["judges"][0]["judge"], &card["judges"][0]["overall"]["n"]),
        (&json!("verdict"), &json!(3))
    );

    let labels = r#"{"attempt":"kite/t1/1","annotator":"a","success":true}
{"attempt":"kite/t1/1","annotator":"b","success":true}
{"attempt":"kite/t1/1","annotator":"c","success":false}
{"attempt":"kite/t2/1","annotator":"a","success":false,"time":"2026-01-01T10:00:00Z"}
{"attempt":"kite/t2/1","annotator":"b","success":false}
{"attempt":"kite/t2/1","annotator":"c","success":false}
{"attempt":"kite/t2/1","annotator":"a","success":true,"time":"2026-01-02T10:00:00Z"}
"#;
    let ran = on_files(&[("labels.jsonl", labels)], &["--labels", "labels.jsonl", "--json"]);
    let card: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    let humans = &card["humans"];
    assert_eq!(humans["success"]["count"], 1, "the majority decides: {humans}");
    let ceiling = &humans["ceiling"];
    assert_eq!((&ceiling["annotators"], &ceiling["agreement"]["count"]), (&json!(3), &json!(2)), "{ceiling}");
    assert!(ceiling["fleiss_kappa"].is_number() && ceiling["krippendorff_alpha"].is_number());
    assert_eq!(
        card["humans"]["groups"][0],
        json!({"column": "agent", "value": "kite", "success": humans["success"]})
    );

    // Who settles a dispute decides it, and is no fourth annotator.
    let settled =
        format!("{labels}{}", r#"{"attempt":"kite/t1/1","annotator":"adjudicator:op","success":false}"#);
    let ran = on_files(&[("labels.jsonl", &settled)], &["--labels", "labels.jsonl", "--json"]);
    let card: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    assert_eq!(card["humans"]["success"]["count"], 0, "{card}");
    assert_eq!(card["humans"]["ceiling"], *ceiling);
    let second = r#"{"attempt":"kite/t2/1","annotator":"adjudicator:op","success":true}"#;
    let files = [("labels.jsonl", labels), ("second.jsonl", second)];
    let ran = on_files(&files, &["--labels", "labels.jsonl", "--second", "second.jsonl", "--json"]);
    let card: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    assert_eq!(card["humans"]["ceiling"], *ceiling);
}

#[test]
fn what_is_wrong_is_said_with_file_and_line() {
    let labels = "task,agent,label\na,x,1\nb,x,0\n";
    for (files, arguments, expected) in [
        (
            vec![("l.csv", "task,label\na,maybe\n")],
            vec!["--labels", "l.csv"],
            "l.csv:2: column `label`: `maybe` says neither",
        ),
        (
            vec![("l.csv", "task,label\na,1\na,0\n")],
            vec!["--labels", "l.csv"],
            "l.csv:3: a is labelled again, after line 2",
        ),
        (vec![("l.csv", "task,label\n,1\n")], vec!["--labels", "l.csv"], "l.csv:2: `task` is empty"),
        (vec![("l.csv", "name,label\na,1\n")], vec!["--labels", "l.csv"], "no column names the task"),
        (
            vec![("l.csv", "task,x\na,1\n")],
            vec!["--labels", "l.csv"],
            "no column is called as a label usually is",
        ),
        (vec![("l.csv", labels)], vec!["--labels", "l.csv", "--by", "site"], "there is no column `site`"),
        (vec![("l.csv", labels)], vec!["--labels", "l.csv", "--where", "agent=z"], "no row meets --where"),
        (vec![("l.csv", labels)], vec!["--labels", "l.csv", "--where", "agent"], "`agent` is no condition"),
        (vec![("l.csv", labels)], vec!["--labels", "none.csv"], "none.csv: No such file"),
        (
            vec![("l.csv", labels), ("v.csv", "task,agent,verdict\na,x,1\na,x,0\n")],
            vec!["--labels", "l.csv", "--judgments", "v.csv"],
            "v.csv:3: verdict judges a x again, after line 2",
        ),
        (
            vec![("l.csv", labels), ("v.jsonl", "{\"task\":\"a\",\"agent\":\"x\",\"verdict\":0.7}\n")],
            vec!["--labels", "l.csv", "--judgments", "v.jsonl"],
            "v.jsonl:1: column `verdict`: `0.7` says neither success nor failure",
        ),
        (
            vec![("s.csv", "first,second,human\n0.5,x,1\n")],
            vec!["--scores", "s.csv"],
            "s.csv:2: `x` is no score",
        ),
        (
            vec![("s.csv", "first,second,human\n0.5,1,2\n")],
            vec!["--scores", "s.csv"],
            "s.csv:2: `2` is no preference",
        ),
    ] {
        let ran = on_files(&files, &arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}");
        // Long messages are wrapped for the terminal.
        let told = ran.stderr.replace("\n  │ ", " ");
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn undefined_figures_are_null_not_zero() {
    let both = "task,verdict,human\na,0,1\nb,0,0\n";
    let ran = on_files(&[("both.csv", both)], &["both.csv", "--json"]);
    let card: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    let figures = &card["judges"][0]["overall"];
    assert_eq!(figures["precision"], json!({"count": 0, "of": 0, "value": null, "interval": null}));
    assert_eq!(figures["recall"]["value"], 0.0);
    assert_eq!(card["judges"][0]["ranks"], Value::Null);
}
