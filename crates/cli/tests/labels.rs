//! `umpire labels`: out to annotators, back into the run, and counted.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Ran, folder, run};

fn example(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path).to_string_lossy().into_owned()
}

fn succeeds(place: &Path, arguments: &[&str]) -> Ran {
    let ran = run(place, arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    ran
}

/// A run of recorded attempts with verdicts by rule, and its export.
fn judged_run(place: &Path) -> Vec<Value> {
    let (tasks, sites) = (example("webarena/tasks.json"), example("webarena/config.json"));
    succeeds(place, &["suite", "import", &tasks, "--sites", &sites, "--out", "suite"]);
    let attempts = example("webarena/attempts");
    succeeds(place, &["import", "webarena-verified", &attempts, "--suite", "suite", "--agent", "kite"]);
    // Its gate is not ours: attempts that fail are as good to label.
    run(place, &["evaluate", "webarena-verified"]);
    succeeds(place, &["labels", "export", "webarena-verified", "--out", "empty.jsonl"]);
    read_lines(&place.join("empty.jsonl"))
}

fn read_lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("file");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// What the only run in this place has kept.
fn kept_labels(place: &Path) -> Vec<Value> {
    let runs = fs::read_dir(place.join("runs")).expect("runs").flatten();
    let files = runs.map(|run| run.path().join("labels.jsonl")).filter(|file| file.exists());
    files.flat_map(|file| read_lines(&file)).collect()
}

fn write_lines(file: &Path, lines: &[Value]) {
    let text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(file, text.concat()).expect("written");
}

fn import(place: &Path, lines: &[Value], more: &[&str]) -> Ran {
    write_lines(&place.join("filled.jsonl"), lines);
    run(
        place,
        &[&["--json", "labels", "import", "filled.jsonl", "--run", "webarena-verified"], more].concat(),
    )
}

fn with(line: &Value, changes: &Value) -> Value {
    let mut line = line.clone();
    for (name, value) in changes.as_object().expect("fields") {
        line[name.as_str()] = value.clone();
    }
    line
}

#[test]
fn labels_go_out_come_back_and_are_counted() {
    let place = folder();
    let place = place.path();
    let empty = judged_run(place);
    assert!(empty.len() >= 2, "{} attempts", empty.len());
    assert_eq!((&empty[0]["success"], &empty[0]["annotator"]), (&Value::Null, &json!("")));
    let again = run(place, &["labels", "export", "webarena-verified", "--out", "empty.jsonl"]);
    assert_eq!(again.code, Some(1), "an annotator's work is not overwritten");

    // Filled in by two, one of whom leaves a line empty; the file comes twice.
    let success = json!({"success": "success"});
    let ann: Vec<Value> = empty.iter().map(|line| with(line, &success)).collect();
    for (added, there) in [(ann.len(), 0), (0, ann.len())] {
        let ran = import(place, &ann, &["--annotator", "ann"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let said: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!((&said["added"], &said["already_there"]), (&json!(added), &json!(there)));
    }
    let mut ben = empty.clone();
    let failures = json!(["websp-eval/partial-completion", "browserarena/captcha"]);
    ben[0] = with(
        &empty[0],
        &json!({"success": "failure", "failures": failures, "text": "only half", "annotator": "ben"}),
    );
    let ran = import(place, &ben, &[]);
    let said: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        (&said["added"], &said["not_filled_in"]),
        (&json!(1), &json!(empty.len() - 1)),
        "{}",
        ran.stderr
    );

    // Said later, ann's new opinion stands; the old line is still there.
    let changed =
        with(&empty[0], &json!({"success": "failure", "annotator": "ann", "time": "2999-01-01T00:00:00Z"}));
    assert_eq!(import(place, &[changed], &[]).code, Some(0));
    let kept = kept_labels(place);
    assert_eq!(kept.len(), empty.len() + 2);

    let ran = succeeds(place, &["--json", "agree", "--run", "webarena-verified", "--draws", "50"]);
    let card: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let humans = &card["humans"];
    assert_eq!(
        (&humans["success"]["count"], &humans["success"]["of"]),
        (&json!(empty.len() - 1), &json!(empty.len()))
    );
    assert_eq!(
        (&humans["ceiling"]["agreement"]["count"], &humans["ceiling"]["attempts"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(card["judges"][0]["judge"], "rules");
    assert_eq!(card["judges"][0]["overall"]["n"], empty.len());
}

#[test]
fn what_is_not_about_the_run_is_refused_with_its_line() {
    let place = folder();
    let place = place.path();
    let empty = judged_run(place);
    let line = with(&empty[0], &json!({"success": "failure", "annotator": "ann"}));
    let mut newer = line.clone();
    newer["version"] = json!(99);
    for (bad, expected) in [
        (with(&line, &json!({"attempt": "kite/none/1"})), "there is no attempt kite/none/1 in run"),
        (with(&line, &json!({"task": "something else"})), "was asked something else than `something else`"),
        (with(&line, &json!({"trajectory": "attempts/x/y/1"})), "is not the trajectory of"),
        (with(&line, &json!({"try": 7})), "try 7 of"),
        (
            with(&line, &json!({"failures": ["websp-eval/laziness"]})),
            "`websp-eval` has no category `laziness`",
        ),
        (with(&line, &json!({"success": "maybe"})), "unknown variant `maybe`"),
        (with(&line, &json!({"sucess": true})), "unknown field `sucess`"),
        (with(&line, &json!({"time": "yesterday"})), "`yesterday` is not a time"),
        (with(&line, &json!({"steps": [{"step": 4711, "verdict": "wrong"}]})), "has no step 4711"),
        (with(&line, &json!({"annotator": ""})), "nobody is named as `annotator`"),
        (newer, "use a newer Umpire"),
    ] {
        let ran = import(place, &[line.clone(), bad], &[]);
        assert_eq!(ran.code, Some(1), "{expected}");
        let told = ran.stderr.replace("\n  │ ", " ");
        assert!(told.contains("filled.jsonl:2: ") && told.contains(expected), "{expected}: {told}");
    }
    // The right line before each wrong one was not written either.
    assert_eq!(kept_labels(place), Vec::<Value>::new());
    let ran = run(place, &["agree", "--run", "webarena-verified"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("nobody has labelled it"), "{}", ran.stderr);
}

#[test]
fn steps_of_a_recording_can_be_labelled() {
    let place = folder();
    let place = place.path();
    let recorded = example("trajectories/online-mind2web");
    succeeds(place, &["import", "online-mind2web", &recorded, "--agent", "theirs"]);
    succeeds(place, &["labels", "export", "online-mind2web", "--out", "empty.jsonl"]);
    let empty = read_lines(&place.join("empty.jsonl"));
    let shown = succeeds(place, &["--json", "show", empty[0]["attempt"].as_str().expect("a name")]).events();
    let step = shown.iter().find_map(|event| event["step"].as_u64()).expect("a step");
    let steps = json!([{"step": step, "verdict": "wrong", "failures": ["online-mind2web/keyword-search"], "text": "no filter"}]);
    write_lines(
        &place.join("filled.jsonl"),
        &[with(&empty[0], &json!({"steps": steps, "annotator": "ann"}))],
    );
    succeeds(place, &["labels", "import", "filled.jsonl"]);
    let kept = kept_labels(place);
    assert_eq!(kept[0]["steps"], steps);
    assert!(kept[0]["time"].is_string(), "the time of the import: {}", kept[0]);
}

#[test]
fn all_four_taxonomies_are_listed() {
    let place = folder();
    let listed = succeeds(place.path(), &["labels", "categories"]).stdout;
    for name in [
        "websp-eval/state-misunderstanding",
        "online-mind2web/keyword-search",
        "persona2web/history-retrieval-failure",
        "browserarena/pop-up-banner",
    ] {
        assert!(listed.contains(name), "{listed}");
    }
}
