//! Playwright traces: ours open in Playwright's own reader, its own come in, and ours come back.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use umpire_exchange::{ExportFormat, ImportFormat};
use umpire_model::{AttemptId, NotRecorded};
use zip::write::SimpleFileOptions;

use crate::support::{exported, imported, outline, picture, read, skipped, write};
use crate::synthetic;

const FORMAT: ImportFormat = ImportFormat::PlaywrightTrace;

/// Packs a trace of these lines.
fn pack(file: &Path, trace: &[Value], network: &[Value], resources: &[(&str, Vec<u8>)]) {
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    let mut archive = zip::ZipWriter::new(File::create(file).expect("made"));
    let lines =
        |lines: &[Value]| lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n").into_bytes();
    let members = [("trace.trace", lines(trace)), ("trace.network", lines(network))];
    for (name, content) in
        members.into_iter().chain(resources.iter().map(|(name, bytes)| (*name, bytes.clone())))
    {
        archive.start_file(name, SimpleFileOptions::default()).expect("begun");
        archive.write_all(&content).expect("written");
    }
    archive.finish().expect("packed");
}

/// The released reader, or `None` with a notice if it is not installed.
fn playwright() -> Option<PathBuf> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    let program = target.join("clients/node_modules/playwright-core/cli.js");
    if program.exists() {
        return Some(program);
    }
    skipped(&format!("{} is not there; cargo xtask test installs it", program.display()));
    None
}

fn ask(program: &Path, folder: &Path, arguments: &[&str]) -> String {
    let answer = Command::new("node").arg(program).arg("trace").args(arguments).current_dir(folder).output();
    let answer = answer.expect("node runs");
    let said = String::from_utf8_lossy(&answer.stdout).into_owned();
    assert!(answer.status.success(), "{arguments:?}: {said}{}", String::from_utf8_lossy(&answer.stderr));
    said
}

#[test]
fn playwrights_own_reader_opens_our_trace() {
    let Some(program) = playwright() else { return };
    let place = tempfile::tempdir().expect("a folder");
    let run = synthetic::write(&place.path().join("runs"));
    let id = AttemptId::new("oracle", "shop-cart-two", 1).expect("a name");
    let file = place.path().join("trace.zip");
    exported(ExportFormat::PlaywrightTrace, &run, Some(&id), &file);

    let told = ask(&program, place.path(), &["open", "trace.zip"]);
    // The made-up attempt has four actions, one of them failed, and eight requests.
    for expected in
        ["Actions:      4", "Network:      8 requests", "Viewport:     1280x1024", "Pages:        1"]
    {
        assert!(told.contains(expected), "{expected} is not in {told}");
    }
    assert!(told.contains("2026-01-01T00:00:03"), "{told}");
    let actions = ask(&program, place.path(), &["actions"]);
    for expected in
        ["type textbox \"Search\" \"blue mug\"", "press \"Enter\"", "click button \"Add to cart\""]
    {
        assert!(actions.contains(expected), "{actions}");
    }
    assert_eq!(actions.matches('✗').count(), 1, "{actions}");
    let action = ask(&program, place.path(), &["action", "3"]);
    assert!(action.contains("the button is covered by a dialog"), "{action}");
    let requests = ask(&program, place.path(), &["requests", "--method", "POST"]);
    assert!(requests.contains("POST") && requests.contains("cart"), "{requests}");
    let request = ask(&program, place.path(), &["request", "1"]);
    let body = request
        .lines()
        .map(str::trim)
        .find(|line| line.contains("trace/resources/"))
        .expect("where the body is");
    let body = fs::read_to_string(place.path().join(body)).expect("the body");
    assert_eq!(body, "<!doctype html>");
    ask(&program, place.path(), &["screenshot", "3", "--output", "shot.jpeg"]);
    let shot = image::open(place.path().join("shot.jpeg")).expect("a picture");
    assert_eq!((shot.width(), shot.height()), (640, 512));
}

#[test]
fn our_traces_come_back() {
    let place = tempfile::tempdir().expect("a folder");
    let run = synthetic::write(&place.path().join("runs"));
    let out = place.path().join("out");
    let done = exported(ExportFormat::PlaywrightTrace, &run, None, &out);
    assert_eq!(done.left_out, []);
    let report = imported(FORMAT, &out.join("oracle"), &place.path().join("back")).expect("imported");
    let kept = |line: &String| {
        ["seen", "thought", "acted", "foreign", "answered", "net"].iter().any(|kind| line.starts_with(kind))
    };
    let mut compared = 0;
    for id in &report.attempts {
        let original = AttemptId::new("oracle", &id.instance, 1).expect("a name");
        if run.planned().expect("planned").contains(&original) {
            compared += 1;
            let mut ours: Vec<String> = outline(&read(&run, &original)).into_iter().filter(kept).collect();
            let mut back: Vec<String> = outline(&read(&report.run, id)).into_iter().filter(kept).collect();
            // The synthetic clock of requests is not that of the steps: their order among themselves is kept.
            let requests = |lines: &mut Vec<String>| {
                lines.extract_if(.., |line| line.starts_with("net")).collect::<Vec<_>>()
            };
            assert_eq!(requests(&mut back), requests(&mut ours), "{id}");
            assert_eq!(back, ours, "{id}");
        }
    }
    assert!(compared >= 6, "{compared}");
    let manifest = report.run.manifest();
    for known in [NotRecorded::Intents, NotRecorded::Times, NotRecorded::Network, NotRecorded::Screenshots] {
        assert!(!manifest.lacks(known), "{known:?}");
    }
}

fn context(version: u32) -> Value {
    json!({"version": version, "type": "context-options", "origin": "library", "browserName": "chromium",
        "options": {"viewport": {"width": 800, "height": 600}}, "platform": "linux", "wallTime": 1_767_225_600_000.0,
        "monotonicTime": 1000.0})
}

#[test]
fn traces_of_the_released_versions_come_in() {
    let place = tempfile::tempdir().expect("a folder");
    for version in [7_u32, 8, 9, 10] {
        let named = if version == 7 { "apiName" } else { "title" };
        let file_member = if version < 9 { "sha1" } else { "file" };
        let file_name = if version < 9 { "a.png" } else { "resources/a.png" };
        let trace = [
            context(version),
            json!({"type": "screencast-frame", "pageId": "p", file_member: file_name, "width": 64, "height": 48, "timestamp": 1001.0}),
            json!({"type": "before", "callId": "c1", "startTime": 1100.0, "class": "Frame", "method": "goto", "params": {"url": "http://a/"}, "pageId": "p"}),
            json!({"type": "after", "callId": "c1", "endTime": 1250.0}),
            json!({"type": "frame-snapshot", "snapshot": {"callId": "c1", "pageId": "p", "frameUrl": "http://a/", "isMainFrame": true, "timestamp": 1260.0, "html": ["HTML", {}]}}),
            json!({"type": "before", "callId": "c2", "startTime": 1300.0, "class": "Frame", "method": "click", named: "Click the button", "params": {"selector": "#b"}, "pageId": "p"}),
            json!({"type": "before", "callId": "c3", "parentId": "c2", "startTime": 1310.0, "class": "Frame", "method": "waitForSelector", "params": {}}),
            json!({"type": "input", "callId": "c2", "point": {"x": 10.0, "y": 20.0}}),
            json!({"type": "log", "callId": "c2", "time": 1320.0, "message": "waiting for it"}),
            json!({"type": "after", "callId": "c2", "endTime": 1400.0, "error": {"name": "TimeoutError", "message": "too late"}}),
            json!({"type": "something-new", "x": 1}),
        ];
        let body = if version < 9 {
            json!({"mimeType": "text/html", "_sha1": "b.html"})
        } else {
            json!({"mimeType": "text/html", "_file": "resources/b.html"})
        };
        let network = [
            json!({"type": "resource-snapshot", "snapshot": {"startedDateTime": "2026-01-01T00:00:00.200Z", "time": 5, "_monotonicTime": 1200.0,
            "request": {"method": "GET", "url": "http://a/", "headers": [{"name": "Accept", "value": "text/html"}]},
            "response": {"status": 200, "headers": [], "content": body}}}),
        ];
        let file = place.path().join(format!("in{version}/shop.zip"));
        pack(
            &file,
            &trace,
            &network,
            &[("resources/a.png", picture(5)), ("resources/b.html", b"<p>hi".to_vec())],
        );
        let report = imported(FORMAT, &file, &place.path().join("runs")).expect("imported");
        let trajectory = read(&report.run, &report.attempts[0]);
        assert_eq!(
            outline(&trajectory),
            [
                "started".to_owned(),
                "seen 1  +".to_owned(),
                "acted 1 goto \"http://a/\"".to_owned(),
                "net GET http://a/".to_owned(),
                "seen 2 http://a/ +".to_owned(),
                "foreign 2 Click the button {\"selector\":\"#b\"} !".to_owned(),
                "output waiting for it".to_owned(),
                "ended Stopped 2 2".to_owned(),
            ],
            "version {version}"
        );
        let times: Vec<u64> = trajectory.events.iter().map(|event| event.ms).collect();
        assert_eq!((times[1], times[3], times[4]), (100, 200, 300), "version {version}");
        let har = umpire_report::har(&trajectory, &report.run.blobs());
        assert_eq!(har["log"]["entries"][0]["response"]["content"]["text"], "<p>hi");
    }
}

#[test]
fn what_cannot_be_read_is_refused_by_name() {
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path().join("in");
    let good = [context(8)];
    pack(&root.join("good.zip"), &good, &[], &[]);
    pack(&root.join("newer.zip"), &[context(11)], &[], &[]);
    pack(&root.join("ancient.zip"), &[context(2)], &[], &[]);
    pack(&root.join("headless.zip"), &[json!({"type": "log", "callId": "c", "message": "m"})], &[], &[]);
    pack(
        &root.join("lost.zip"),
        &[
            context(8),
            json!({"type": "screencast-frame", "sha1": "none.png", "timestamp": 1.0}),
            json!({"type": "before", "callId": "c1", "startTime": 2.0, "class": "Frame", "method": "click", "params": {}}),
        ],
        &[],
        &[],
    );
    write(&root.join("no-zip.zip"), "PK nonsense");
    let mut empty = zip::ZipWriter::new(File::create(root.join("empty.zip")).expect("made"));
    empty.start_file("readme", SimpleFileOptions::default()).expect("begun");
    empty.finish().expect("packed");
    // A line that unpacks to more than a trace may have.
    let mut bomb = zip::ZipWriter::new(File::create(root.join("bomb.zip")).expect("made"));
    bomb.start_file("trace.trace", SimpleFileOptions::default()).expect("begun");
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..80 {
        bomb.write_all(&zeros).expect("written");
    }
    bomb.finish().expect("packed");
    assert!(fs::metadata(root.join("bomb.zip")).expect("there").len() < 1 << 20);
    let report = imported(FORMAT, &root, &place.path().join("runs")).expect("the good one");
    assert_eq!(report.attempts.len(), 1);
    for (name, told) in [
        ("newer", "version 11; versions 3 to 10 are read"),
        ("ancient", "version 2"),
        ("headless", "does not say what it is a trace of"),
        ("lost", "none.png"),
        ("no-zip", "not a trace archive"),
        ("empty", "no .trace file"),
        ("bomb", "larger than a trace may be"),
    ] {
        let problem = report.left_out.iter().find(|problem| problem.file.ends_with(format!("{name}.zip")));
        let problem = problem.unwrap_or_else(|| panic!("{name} is not among the problems"));
        assert!(problem.what.contains(told), "{name}: {problem}");
    }
}
