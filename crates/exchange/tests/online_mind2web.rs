//! Online-Mind2Web: the released examples come in, our runs go out, and both come back.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use umpire_exchange::{ExportFormat, ImportError, ImportFormat};
use umpire_model::{AttemptId, BlobSource as _, EventBody, NotRecorded};
use umpire_store::Status;

use crate::support;
use crate::support::{exported, imported, outline, picture, read, shared, write};
use crate::synthetic;

const FORMAT: ImportFormat = ImportFormat::OnlineMind2Web;

fn example(name: &str) -> Option<Value> {
    let file = shared("data/online-mind2web/examples")?.join(name);
    Some(serde_json::from_str(&fs::read_to_string(file).expect("readable")).expect("JSON"))
}

/// Puts an attempt of version 2 with all its pictures into a folder.
fn place_version_2(result: &Value, folder: &Path) {
    for (number, step) in result["action_history"].as_array().expect("steps").iter().enumerate() {
        let name = step["screenshot"].as_str().expect("a name");
        write(&folder.join("trajectory").join(name), picture(number as u8));
    }
    write(&folder.join("result.json"), result.to_string());
}

#[test]
fn the_released_example_of_version_2_comes_back_as_it_was() {
    let Some(example) = example("result_v2.json") else { return };
    let place = tempfile::tempdir().expect("a folder");
    let task = example["task_id"].as_str().expect("an id");
    place_version_2(&example, &place.path().join("in").join(task));
    let report = imported(FORMAT, &place.path().join("in"), &place.path().join("runs")).expect("imported");
    assert_eq!((report.attempts.len(), report.left_out.len()), (1, 0));
    let out = place.path().join("out");
    exported(ExportFormat::OnlineMind2Web, &report.run, None, &out);
    let back: Value = serde_json::from_slice(&fs::read(out.join(task).join("result.json")).expect("written"))
        .expect("JSON");
    let steps = example["action_history"].as_array().expect("steps").len();
    println!("{steps} steps of the released example compared");
    assert_eq!(back, example);
    for number in 0..steps {
        let name = format!("trajectory/{number:04}.png");
        assert_eq!(fs::read(out.join(task).join(&name)).expect("a picture"), picture(number as u8), "{name}");
    }
}

#[test]
fn the_released_example_of_version_1_is_told_with_its_gaps() {
    let Some(example) = example("result_v1.json") else { return };
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("in/fb7b4f784cfde003e2548fdf4e8d6b4f");
    write(&folder.join("result.json"), example.to_string());
    // As the benchmark ships it: four actions, five pictures. Numbers decide the order, not the alphabet.
    for number in [0_u8, 1, 2, 10, 11] {
        write(&folder.join(format!("trajectory/{number}_full_screenshot.png")), picture(number));
    }
    write(&folder.join("trajectory/.DS_Store"), "x");
    let report = imported(FORMAT, &place.path().join("in"), &place.path().join("runs")).expect("imported");
    let imported = report.run.manifest().imported.clone().expect("imported");
    assert_eq!(imported.remarks.len(), 1);
    assert!(imported.remarks[0].contains("4 actions, 4 thoughts and 5 pictures"), "{}", imported.remarks[0]);
    for lacking in [NotRecorded::Times, NotRecorded::Network, NotRecorded::State, NotRecorded::Addresses] {
        assert!(imported.lacks(lacking), "{lacking:?}");
    }
    assert!(!imported.lacks(NotRecorded::Screenshots) && !imported.lacks(NotRecorded::Intents));

    let id = &report.attempts[0];
    let trajectory = read(&report.run, id);
    let told = outline(&trajectory);
    assert_eq!(told.iter().filter(|line| line.starts_with("foreign")).count(), 4);
    assert_eq!(told[3], "foreign 1 <div role=\"button\"> -> CLICK");
    assert_eq!(told.last().map(String::as_str), Some("ended Answered 5 4"));
    let reds: Vec<u8> = trajectory
        .events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::Observed(seen) => seen.screenshot.clone(),
            _ => None,
        })
        .map(|shot| report.run.blobs().read(&shot).expect("stored"))
        .map(|png| image::load_from_memory(&png).expect("a picture").into_rgb8().get_pixel(0, 0).0[0])
        .collect();
    assert_eq!(reds, [0, 1, 2, 10, 11]);
    // Nobody judged it, so it has no outcome.
    let status = report.run.attempt(id).status().expect("readable");
    assert!(matches!(status, Status::Ended { verdict: None, .. }), "{status:?}");
}

#[test]
fn a_run_of_ours_goes_out_by_the_rules_and_comes_back() {
    let place = tempfile::tempdir().expect("a folder");
    let run = synthetic::write(&place.path().join("runs"));
    let out = place.path().join("out");
    let done = exported(ExportFormat::OnlineMind2Web, &run, None, &out);
    assert_eq!(done.left_out, []);
    assert!(done.written.len() > 40, "{}", done.written.len());
    for (id, folder) in &done.written {
        let result: Value =
            serde_json::from_slice(&fs::read(folder.join("result.json")).expect("written")).expect("JSON");
        // The rules of the released schema.
        assert_eq!(result["schema_version"], "online-mind2web-v2");
        let steps = result["action_history"].as_array().expect("steps");
        for (index, step) in steps.iter().enumerate() {
            let name = format!("{index:04}.jpg");
            assert_eq!((&step["step"], &step["screenshot"]), (&json!(index), &json!(name)));
            assert!(folder.join("trajectory").join(&name).is_file());
            let action = step["action"].as_str().expect("text");
            let is_last = index + 1 == steps.len();
            assert_eq!(action.starts_with("TASK_COMPLETE"), is_last, "{id}: {action}");
            if !is_last {
                let status = step["action_status"].as_str().expect("a status");
                assert!(action.ends_with(&format!("| {status}")), "{id}: {action}");
            }
        }
        let answer = result["agent_final_answer"].as_str().expect("all of them answered");
        let last = steps.last().expect("a step")["action"].as_str().expect("text");
        assert_eq!(last.strip_prefix("TASK_COMPLETE -> ANSWER: "), Some(answer));
    }
    let report = imported(FORMAT, &out.join("oracle"), &place.path().join("back")).expect("imported");
    let kept =
        |line: &String| ["thought", "acted", "foreign", "answered"].iter().any(|kind| line.starts_with(kind));
    for id in &report.attempts {
        let original = AttemptId::new("oracle", &id.instance, 1).expect("a name");
        // The task's id is what the format carries: two states of one task are one to it.
        if run.planned().expect("planned").contains(&original) {
            let ours: Vec<String> = outline(&read(&run, &original)).into_iter().filter(kept).collect();
            let back: Vec<String> = outline(&read(&report.run, id)).into_iter().filter(kept).collect();
            assert_eq!(back, ours, "{id}");
        }
    }
}

#[test]
fn a_bad_attempt_is_left_out_by_name_and_the_others_come_in() {
    let place = tempfile::tempdir().expect("a folder");
    let good = |task: &str| {
        json!({"schema_version": "online-mind2web-v2", "task": "Find it", "task_id": task, "reference_length": 3,
            "agent_final_answer": "x", "action_history": [{"step": 0, "screenshot": "0000.png", "url": null,
            "action": "TASK_COMPLETE -> ANSWER: x", "action_status": null, "thought": null}]})
    };
    let root = place.path().join("in");
    place_version_2(&good("a-good-one"), &root.join("a-good-one"));
    place_version_2(&good("a-good-one"), &root.join("copy"));
    let spoilt = |name: &str, spoil: &dyn Fn(&mut Value)| {
        let mut result = good(name);
        place_version_2(&result, &root.join(name));
        spoil(&mut result);
        write(&root.join(name).join("result.json"), result.to_string());
    };
    spoilt("gap", &|result| result["action_history"][0]["step"] = json!(1));
    spoilt("lost", &|result| result["action_history"][0]["screenshot"] = json!("0001.png"));
    spoilt("outside", &|result| {
        result["action_history"][0]["screenshot"] = json!("../../a-good-one/trajectory/0000.png");
    });
    spoilt("newer", &|result| result["schema_version"] = json!("online-mind2web-v3"));
    spoilt("empty", &|result| result["action_history"] = json!([]));
    spoilt("no-task", &|result| {
        result.as_object_mut().expect("an object").remove("task");
    });
    place_version_2(&good("no-picture"), &root.join("no-picture"));
    write(&root.join("no-picture/trajectory/0000.png"), "not a picture");
    write(&root.join("not-json/result.json"), "{\n\n\"task\": }");
    write(&root.join("not-utf8/result.json"), b"{\"task\": \"\xff\"}");
    let report = imported(FORMAT, &root, &place.path().join("runs")).expect("the good one");
    assert_eq!(report.attempts.iter().map(|id| id.instance.as_str()).collect::<Vec<_>>(), ["a-good-one"]);
    let problem = |folder: &str| {
        let found = report
            .left_out
            .iter()
            .find(|problem| problem.file.to_string_lossy().contains(&format!("/{folder}/")));
        found.unwrap_or_else(|| panic!("{folder} is not among the problems")).clone()
    };
    for (folder, told) in [
        ("copy", "there twice"),
        ("gap", "step 1 stands where step 0 should"),
        ("lost", "no such screenshot"),
        ("outside", "must be that of a file"),
        ("newer", "online-mind2web-v3"),
        ("empty", "no steps"),
        ("no-task", "missing field `task`"),
        ("no-picture", "no picture"),
        ("not-utf8", "invalid unicode"),
    ] {
        let problem = problem(folder);
        assert!(problem.what.contains(told), "{folder}: {problem}");
        assert!(!problem.remedy.is_empty());
    }
    assert_eq!(problem("not-json").line, Some(3));
    assert_eq!(report.left_out.len(), 10);

    let mut strict = support::request(FORMAT, &root);
    strict.strict = true;
    let runs = umpire_store::Runs::new(place.path().join("strict"));
    assert!(matches!(umpire_exchange::import(&strict, &runs), Err(ImportError::Strict(_))));
    assert!(runs.list().expect("readable").runs.is_empty(), "nothing is left of an import that gave up");
}

#[test]
fn an_import_that_was_killed_goes_on_and_a_finished_one_changes_nothing() {
    let place = tempfile::tempdir().expect("a folder");
    let result = |task: &str| {
        json!({"schema_version": "online-mind2web-v2", "task": "Find it", "task_id": task, "action_history": [
            {"step": 0, "screenshot": "0000.png", "action": "page -> NAVIGATE -> goto \"http://a/\" | SUCCESS", "thought": "so"},
            {"step": 1, "screenshot": "0001.png", "action": "TASK_COMPLETE", "thought": null}]})
    };
    for task in ["one", "two"] {
        place_version_2(&result(task), &place.path().join("in").join(task));
    }
    let runs = place.path().join("runs");
    let first = imported(FORMAT, &place.path().join("in"), &runs).expect("imported");
    assert_eq!(
        outline(&read(&first.run, &first.attempts[0])),
        [
            "started",
            "seen 1  +",
            "thought 1 so",
            "acted 1 goto \"http://a/\"",
            "seen 2  +",
            "foreign 2 TASK_COMPLETE",
            "ended Stopped 2 1",
        ]
    );
    let journal = |id: &AttemptId| fs::read(first.run.attempt(id).journal_path()).expect("a journal");
    let (one, two) = (&first.attempts[0], &first.attempts[1]);
    let before = (journal(one), journal(two));
    // As a kill leaves it: the second journal ends in the middle of a line.
    let cut = before.1.len() / 2;
    fs::write(first.run.attempt(two).journal_path(), &before.1[..cut]).expect("cut");
    let again = imported(FORMAT, &place.path().join("in"), &runs).expect("goes on");
    assert_eq!(again.run.manifest().run, first.run.manifest().run);
    assert_eq!(journal(one), before.0);
    assert_eq!(outline(&read(&again.run, two)), outline(&read(&again.run, one)));
    imported(FORMAT, &place.path().join("in"), &runs).expect("nothing to do");
    assert_eq!(journal(one), before.0);
}
