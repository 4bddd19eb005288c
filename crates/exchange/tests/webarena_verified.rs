//! Output of WebArena Verified: what comes in and goes out again is judged as before.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;

use serde_json::{Value, json};
use umpire_exchange::{ExportFormat, ImportFormat};
use umpire_model::NotRecorded;
use umpire_webarena::attempts;
use umpire_webarena::config::Config;
use umpire_webarena::reference::run::{RunOptions, evaluate_attempts};
use umpire_webarena::task::Dataset;

use crate::support::{exported, imported, outline, read, shared, write};

const FORMAT: ImportFormat = ImportFormat::WebArenaVerified;

/// The first of these variants that a task has, right and wrong ones in turn.
const VARIANTS: [&str; 4] = ["correct", "both_wrong", "n_wrong_url", "r_wrong_status"];

#[test]
fn the_reference_decides_the_same_after_a_round_trip() {
    let (Some(vectors), Some(data)) = (shared("vectors/webarena-verified"), shared("data/webarena-verified"))
    else {
        return;
    };
    let tasks = fs::read(data.join("webarena-verified.json")).expect("the task file");
    let dataset = Dataset::from_json(&tasks).expect("the task file");
    let tasks: Vec<Value> = serde_json::from_slice(&tasks).expect("JSON");
    let configs: BTreeMap<String, Config> =
        serde_json::from_slice(&fs::read(vectors.join("configs.json")).expect("there")).expect("JSON");
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path().join("in");
    let mut expected = BTreeMap::new();
    let cases = fs::read_to_string(vectors.join("tasks.jsonl")).expect("the cases");
    for line in cases.lines() {
        // Cheap to tell before the line is parsed: the file has 14,765 of them.
        if !line[..line.len().min(200)].contains("\"config_id\":\"default\"") {
            continue;
        }
        let case: Value = serde_json::from_str(line).expect("a case");
        let id = case["task_id"].as_i64().expect("an id");
        let wanted = VARIANTS[id as usize % VARIANTS.len()];
        // A task takes its variant, or else the right attempt, which every task has and which comes first.
        let is_wanted = case["variant"] == wanted || case["variant"] == "correct";
        // Cookies are secrets: they are not kept, so a check of them cannot hold afterwards.
        if !is_wanted || id % 3 != 0 || asks_for_cookies(&tasks, id) {
            continue;
        }
        let folder = root.join(id.to_string());
        write(&folder.join("agent_response.json"), case["agent_response"].as_str().expect("text"));
        let har = json!({"log": {"version": "1.2", "entries": case["network_trace"]}});
        write(&folder.join("network.har"), har.to_string());
        expected.insert(id, (case["expected"]["status"].clone(), case["expected"]["score"].clone()));
    }
    let report = imported(FORMAT, &root, &place.path().join("runs")).expect("imported");
    assert_eq!((report.attempts.len(), report.left_out), (expected.len(), Vec::new()));
    let out = place.path().join("out");
    let done = exported(ExportFormat::WebArenaVerified, &report.run, None, &out);
    assert_eq!(done.left_out, []);

    let options = RunOptions {
        dataset: &dataset,
        config: Some(&configs["default"]),
        today: jiff::civil::date(2026, 11, 15),
        threads: NonZeroUsize::MIN,
    };
    let judged = evaluate_attempts(&attempts::find(&out).expect("there"), &options);
    let found: BTreeMap<i64, (Value, Value)> = judged
        .results
        .iter()
        .map(|attempt| {
            let result = &attempt.result;
            (result.task_id, (json!(result.status.name()), json!(result.score)))
        })
        .collect();
    let passed = found.values().filter(|(_, score)| *score == json!(1.0)).count();
    println!("{} attempts judged after a round trip, {passed} of them right", found.len());
    assert!(passed > 50 && found.len() - passed > 20, "both kinds are needed");
    assert_eq!(found, expected);
}

fn asks_for_cookies(tasks: &[Value], id: i64) -> bool {
    tasks.iter().any(|task| task["task_id"] == id && task["eval"].to_string().contains("response_cookies"))
}

#[test]
fn requests_keep_what_a_har_tells() {
    let place = tempfile::tempdir().expect("a folder");
    let entry = json!({
        "startedDateTime": "2026-01-01T00:00:01.250Z", "time": 12.5, "_resourceType": "document",
        "request": {"method": "POST", "url": "http://h/a?b=1", "httpVersion": "HTTP/1.1",
            "headers": [{"name": "Content-Type", "value": "application/json"}, {"name": "Cookie", "value": "sid=topsecret"}],
            "postData": {"mimeType": "application/json", "text": "{\"a\":1}"}},
        "response": {"status": 201, "statusText": "Created", "httpVersion": "HTTP/1.1",
            "headers": [{"name": "X-A", "value": "1"}], "cookies": [], "bodySize": 77,
            "content": {"size": 3, "mimeType": "image/png", "encoding": "base64", "text": "/wD+"}, "redirectURL": ""},
    });
    let folder = place.path().join("in/7");
    write(&folder.join("network.har"), json!({"log": {"entries": [entry]}}).to_string());
    write(&folder.join("agent_response.json"), r#"{"task_type": "mutate", "status": "SUCCESS"}"#);
    let report = imported(FORMAT, &place.path().join("in"), &place.path().join("runs")).expect("imported");
    let manifest = report.run.manifest();
    assert!(manifest.lacks(NotRecorded::Intents) && manifest.lacks(NotRecorded::Screenshots));
    assert!(!manifest.lacks(NotRecorded::Network) && !manifest.lacks(NotRecorded::Kinds));
    let trajectory = read(&report.run, &report.attempts[0]);
    assert_eq!(
        outline(&trajectory)[1..],
        [
            "net POST http://h/a?b=1",
            "answered {\"task_type\": \"mutate\", \"status\": \"SUCCESS\"}",
            "ended Answered 0 0"
        ]
    );
    let har = umpire_report::har(&trajectory, &report.run.blobs());
    let back = &har["log"]["entries"][0];
    for pointer in [
        "/startedDateTime",
        "/time",
        "/_resourceType",
        "/request/method",
        "/request/url",
        "/request/httpVersion",
        "/request/postData/text",
        "/response/status",
        "/response/statusText",
        "/response/headers",
        "/response/content/text",
        "/response/content/encoding",
        "/response/content/mimeType",
        "/response/bodySize",
    ] {
        assert_eq!(back.pointer(pointer), entry.pointer(pointer), "{pointer}");
    }
    assert!(!har.to_string().contains("topsecret"), "cookies stop at the writer");
}

#[test]
fn what_is_missing_is_named() {
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path().join("in");
    let har = r#"{"log": {"entries": [{"request": {"method": "GET", "url": "http://h/", "headers": []}, "response": {"status": 200}}]}}"#;
    for (task, response, network) in [
        ("1", Some("null"), Some(har)),
        ("2", None, Some(har)),
        ("3", Some("{}"), None),
        ("4", Some("{}"), Some("{\"log\": {\"entries\": []}}")),
        ("5", Some("{}"), Some("nonsense")),
    ] {
        fs::create_dir_all(root.join(task)).expect("made");
        for (name, content) in [("agent_response.json", response), ("network.har", network)] {
            if let Some(content) = content {
                write(&root.join(task).join(name), content);
            }
        }
    }
    let report = imported(FORMAT, &root, &place.path().join("runs")).expect("one of them");
    assert_eq!(report.attempts.len(), 1);
    assert_eq!(outline(&read(&report.run, &report.attempts[0])).last().expect("an end"), "ended Stopped 0 0");
    let told: Vec<String> = report.left_out.iter().map(|problem| problem.what.clone()).collect();
    for (told, expected) in told.iter().zip(["no response", "no network.har", "holds no requests", ""]) {
        assert!(told.contains(expected), "{told}");
    }
    assert_eq!(told.len(), 4);
}
