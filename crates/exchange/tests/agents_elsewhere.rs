//! WebVoyager, browser-use and AgentRewardBench: what their recordings become, and what is said about their gaps.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde_json::{Value, json};
use umpire_exchange::{ImportError, ImportFormat, ImportReport};
use umpire_model::{BlobRef, BlobSource as _, EventBody, NotRecorded, Observed};
use umpire_store::Runs;

use crate::support;
use crate::support::{imported, outline, picture, read, write};

fn import_of(format: ImportFormat, place: &Path) -> ImportReport {
    imported(format, &place.join("in"), &place.join("runs")).expect("imported")
}

fn only_outline(report: &ImportReport) -> Vec<String> {
    assert_eq!((report.attempts.len(), &report.left_out), (1, &Vec::new()));
    outline(&read(&report.run, &report.attempts[0]))
}

fn conversation(task: &str, replies: &[&str]) -> Value {
    let mut messages = vec![
        json!({"role": "system", "content": "Imagine you are a robot"}),
        json!({"role": "user", "content": [
            {"type": "text", "text": format!("Now given a task: {task}  Please interact with https://shop.example/ and get the answer. \n")},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,xx"}}]}),
    ];
    for reply in replies {
        messages.push(json!({"role": "assistant", "content": reply}));
        messages.push(json!({"role": "user", "content": "Observation: omitted in context."}));
    }
    Value::Array(messages)
}

#[test]
fn webvoyager_pairs_the_nth_reply_with_the_nth_picture() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("in/taskGoogle Flights--3");
    let replies = [
        "Thought: Search for it.\nAction: Type [3]; [lamp]",
        "Thought: The first one.\nAction: Click [12]",
        "Thought: Found.\nAction: ANSWER; [$19.99]",
    ];
    write(&folder.join("interact_messages.json"), conversation("Find a lamp.", &replies).to_string());
    // The second iteration failed, so the agent took no picture.
    for number in [1_u8, 3] {
        write(&folder.join(format!("screenshot{number}.png")), picture(number));
    }
    let report = import_of(ImportFormat::WebVoyager, place.path());
    assert_eq!(report.attempts[0].instance, "Google_Flights--3");
    let instance = &report.run.expectations().expect("readable")[0];
    assert_eq!((instance.intent.as_str(), instance.task.as_str()), ("Find a lamp.", "Google Flights--3"));
    assert_eq!(instance.start_urls, ["https://shop.example/"]);
    assert_eq!(
        only_outline(&report),
        [
            "started",
            "seen 1  +",
            "thought 1 Search for it.",
            "foreign 1 Type [3]; [lamp]",
            "thought 2 The first one.",
            "acted 2 click [12]",
            "seen 3  +",
            "thought 3 Found.",
            "acted 3 answer \"$19.99\"",
            "answered $19.99",
            "ended Answered 3 2",
        ]
    );
    let told = report.run.manifest().imported.clone().expect("imported");
    assert_eq!(told.remarks, ["Google Flights--3: 1 of 3 steps have no picture"]);
    assert!(told.lacks(NotRecorded::Screenshots) && told.lacks(NotRecorded::Times));
}

#[test]
fn websp_ties_thoughts_to_pictures_by_iteration() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("in/20260101_10_00_00/task16");
    write(&folder.join("interact_messages.json"), conversation("Turn it off.", &["ignored"]).to_string());
    // Scrolling does not count, so the number repeats and its picture is the later one's.
    let thoughts = json!([
        {"iteration": 1, "thought": "Look further.", "action": "Scroll [WINDOW]; [down]"},
        {"iteration": 1, "thought": "There.", "action": "Type [4]; [off]"},
        {"iteration": 2, "thought": "", "action": "Click [99]"},
    ]);
    write(&folder.join("thoughts.json"), thoughts.to_string());
    write(&folder.join("screenshot1.png"), picture(1));
    write(&folder.join("screenshot2.png"), picture(2));
    write(&folder.join("screenshot_fail2.png"), picture(9));
    write(&folder.join("accessibility_tree1.txt"), "[4] switch 'Ads'");
    let report = import_of(ImportFormat::WebVoyager, place.path());
    assert_eq!(
        only_outline(&report),
        [
            "started",
            "thought 1 Look further.",
            "acted 1 scroll window down",
            "seen 2  +",
            "thought 2 There.",
            "acted 2 type [4] \"off\"",
            "seen 3  +",
            "acted 3 click [99]",
            "ended Stopped 3 2",
        ]
    );
    let blobs = report.run.blobs();
    let trajectory = read(&report.run, &report.attempts[0]);
    let seen: Vec<&Observed> = trajectory
        .events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::Observed(seen) => Some(seen),
            _ => None,
        })
        .collect();
    let stored = |blob: &Option<BlobRef>| blobs.read(blob.as_ref().expect("kept")).expect("stored");
    assert_eq!(stored(&seen[0].screenshot), picture(1));
    assert_eq!(stored(&seen[0].outline), b"[4] switch 'Ads'");
    assert_eq!(stored(&seen[1].screenshot), picture(9), "the picture of the failure wins");
}

/// As the released package writes it; `crates/exchange/tests/readers.rs` has that package read it.
pub fn browser_use_history() -> Value {
    let step = |number: u32, url: &str, action: Value, result: Value| {
        json!({
            "model_output": {"evaluation_previous_goal": "Fine", "memory": "", "next_goal": "Go on", "action": [action]},
            "result": [result],
            "state": {"url": url, "title": "Shop", "interacted_element": [null], "screenshot_path": format!("/tmp/agent/screenshots/step_{number}.png"),
                "tabs": [{"url": url, "title": "Shop", "target_id": "ABCD", "parent_target_id": null}]},
            "metadata": {"step_start_time": 1_767_225_600.0 + f64::from(number), "step_end_time": 1_767_225_600.5 + f64::from(number), "step_number": number, "step_interval": null},
            "state_message": "<user_request>\nFind a lamp.\n</user_request>",
        })
    };
    json!({"history": [
        step(1, "https://shop.example/", json!({"click": {"index": 5}}), json!({"is_done": false, "extracted_content": "Clicked", "error": null})),
        step(2, "https://shop.example/a", json!({"scroll": {"down": true, "pages": 1.0}}), json!({"is_done": false, "error": "Nothing to scroll"})),
        step(3, "https://shop.example/a", json!({"done": {"text": "$19.99", "success": true}}), json!({"is_done": true, "success": true, "extracted_content": "$19.99"})),
    ]})
}

#[test]
fn browser_use_histories_keep_times_and_errors() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("in/lamp");
    write(&folder.join("agent_history.json"), browser_use_history().to_string());
    // The recorded paths are another machine's; two of the pictures were saved beside the history.
    write(&folder.join("screenshots/step_1.png"), picture(1));
    write(&folder.join("step_2.png"), picture(2));
    let report = import_of(ImportFormat::BrowserUse, place.path());
    assert_eq!(
        only_outline(&report),
        [
            "started",
            "seen 1 https://shop.example/ +",
            "thought 1 evaluation: Fine",
            "thought 1 next goal: Go on",
            "acted 1 click [5]",
            "output Clicked",
            "seen 2 https://shop.example/a +",
            "thought 2 evaluation: Fine",
            "thought 2 next goal: Go on",
            "foreign 2 {\"scroll\":{\"down\":true,\"pages\":1.0}} !",
            "seen 3 https://shop.example/a -",
            "thought 3 evaluation: Fine",
            "thought 3 next goal: Go on",
            "foreign 3 {\"done\":{\"text\":\"$19.99\",\"success\":true}}",
            "answered $19.99",
            "ended Answered 3 1",
        ]
    );
    let trajectory = read(&report.run, &report.attempts[0]);
    // Steps began one second apart.
    let times: Vec<u64> = trajectory.events.iter().map(|event| event.ms).collect();
    assert_eq!((times[1], times[6], times[10]), (0, 1000, 2000));
    let manifest = report.run.manifest();
    assert!(!manifest.lacks(NotRecorded::Times) && manifest.lacks(NotRecorded::Network));
    assert_eq!(report.run.expectations().expect("readable")[0].intent, "Find a lamp.");
}

#[test]
fn older_histories_have_their_pictures_inside() {
    let place = tempfile::tempdir().expect("a folder");
    let history = json!({"history": [{
        "model_output": {"current_state": {"evaluation_previous_goal": "None yet", "memory": "m", "next_goal": "g"},
            "action": [{"go_to_url": {"url": "http://a/"}}, {"click_element": {"index": 1, "xpath": null}}]},
        "result": [{"error": null}],
        "state": {"url": "about:blank", "title": "", "tabs": [{"page_id": 0, "url": "about:blank", "title": ""}],
            "interacted_element": [], "screenshot": STANDARD.encode(picture(3))}}]});
    write(&place.path().join("in/one.json"), history.to_string());
    let mut damaged = history.clone();
    damaged["history"][0]["state"]["screenshot"] = json!("%%%");
    write(&place.path().join("in/two.json"), damaged.to_string());
    write(&place.path().join("in/three.json"), "{\"history\": []}");
    write(&place.path().join("in/four.json"), "[]");
    let report = import_of(ImportFormat::BrowserUse, place.path());
    assert_eq!((report.attempts.len(), report.left_out.len()), (2, 2));
    assert_eq!(
        outline(&read(&report.run, &report.attempts[0])),
        [
            "started",
            "seen 1 about:blank +",
            "thought 1 evaluation: None yet",
            "thought 1 memory: m",
            "thought 1 next goal: g",
            "acted 1 goto \"http://a/\"",
            "foreign 1 {\"click_element\":{\"index\":1,\"xpath\":null}}",
            "ended Stopped 1 2",
        ]
    );
    let remarks = report.run.manifest().imported.clone().expect("imported").remarks;
    assert_eq!(remarks.len(), 1);
    assert!(remarks[0].starts_with("two: step 1: the screenshot is not base64"), "{}", remarks[0]);
}

#[test]
fn agent_reward_bench_chooses_an_agent_and_finds_pictures_above() {
    let place = tempfile::tempdir().expect("a folder");
    let trajectory = |agent: &str| {
        json!({"benchmark": "webarena", "agent": agent, "model": "m", "valid": true, "goal": "Find it", "seed": 0,
            "summary_info": {"cum_reward": 1.0, "n_steps": 2, "truncated": false},
            "steps": [
                {"num": 0, "reasoning": "Go there", "action": "click('a12')", "url": "http://a/", "open_pages_urls": ["http://a/"],
                    "screenshot_path": "trajectories/screenshots/webarena/x/step_0.png", "axtree": "RootWebArea 'A'", "last_action_error": ""},
                {"num": 1, "reasoning": "Done", "action": "send_msg_to_user('It is 5')", "url": "http://b/",
                    "screenshot_path": null, "last_action_error": "TimeoutError: click"}]})
    };
    let root = place.path().join("in/trajectories");
    for (agent, task) in [("A gent", "webarena.1"), ("Other", "webarena.2")] {
        let file = root.join(format!("cleaned/webarena/{agent}/exp/{task}.json"));
        write(&file, trajectory(agent).to_string());
    }
    write(&root.join("screenshots/webarena/x/step_0.png"), picture(4));
    write(&place.path().join("in/judgments/x.json"), "not read");
    let source = place.path().join("in");
    let several = imported(ImportFormat::AgentRewardBench, &source, &place.path().join("runs"));
    assert!(
        matches!(&several, Err(ImportError::SeveralAgents(names)) if names == &["A_gent", "Other"]),
        "{several:?}"
    );
    let mut request = support::request(ImportFormat::AgentRewardBench, &source);
    request.agent = Some("A_gent");
    let runs = Runs::new(place.path().join("runs"));
    let report = umpire_exchange::import(&request, &runs).expect("imported");
    assert_eq!(report.attempts[0].to_string(), "A_gent/webarena.1/1");
    assert_eq!(
        only_outline(&report),
        [
            "started",
            "seen 1 http://a/ +",
            "thought 1 Go there",
            "foreign 1 click('a12') !",
            "seen 2 http://b/ -",
            "thought 2 Done",
            "acted 2 answer \"It is 5\"",
            "answered It is 5",
            "ended Answered 2 1",
        ]
    );
    let remarks = report.run.manifest().imported.clone().expect("imported").remarks;
    assert_eq!(remarks, ["webarena.1: webarena gave a reward of 1"]);
    request.agent = Some("Nobody");
    assert!(matches!(umpire_exchange::import(&request, &runs), Err(ImportError::NoSuchAgent { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Damage of any kind is a problem with a name, or a shorter story: never a crash, never a run half-written.
    #[test]
    fn damaged_recordings_are_refused_or_read(cut in 0_usize..4000, with in prop::sample::select(vec!["", "null", "{}", "[]", "-1", "1e400", "\"", "\u{0}"])) {
        let histories = [
            (ImportFormat::BrowserUse, "in/lamp/agent_history.json", browser_use_history().to_string()),
            (ImportFormat::WebVoyager, "in/tasklamp/interact_messages.json", conversation("Find it.", &["Thought: a\nAction: Click [1]"]).to_string()),
        ];
        for (format, file, whole) in histories {
            let place = tempfile::tempdir().expect("a folder");
            let at = (0..=cut.min(whole.len())).rev().find(|at| whole.is_char_boundary(*at)).unwrap_or(0);
            let rest = whole.get(at + 4..).unwrap_or_default();
            write(&place.path().join(file), format!("{}{with}{rest}", &whole[..at]));
            match imported(format, &place.path().join("in"), &place.path().join("runs")) {
                Ok(report) => prop_assert_eq!(report.attempts.len(), 1),
                Err(error) => prop_assert!(matches!(error, ImportError::AllLeftOut { .. }), "{error}"),
            }
        }
    }
}
