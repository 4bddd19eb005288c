//! `umpire replay`: states set and read back on a built-in site, failures told, traces mended.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{folder, run};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sessions/birthday.session.json")
}

fn trace_in(folder: &Path) -> PathBuf {
    let path = folder.join("birthday.session.json");
    fs::copy(example(), &path).expect("copied");
    path
}

#[test]
fn a_state_is_reached_and_the_healed_trace_is_kept() {
    let folder = folder();
    let path = trace_in(folder.path());
    let ran = run(folder.path(), &["replay", "birthday.session.json", "--state", "off", "--update"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let expected = [
        "  Replay birthday for off, 3 steps",
        "    done   1  click link \"Privacy\"",
        " changed   2  click checkbox \"Show my birthday to contacts\": on → off",
        "    done   3  click button \"Save visibility\"",
        "   reads   2  checkbox \"Show my birthday to contacts\": off, after a reload",
        "  healed   1  found by role and name; the id leads elsewhere or nowhere now",
        " Updated birthday.session.json; the old one is birthday.session.json.bak",
    ];
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[..expected.len()], expected);
    assert!(lines[expected.len()].starts_with(" Reached off in "), "{}", ran.stdout);
    let old = fs::read_to_string(folder.path().join("birthday.session.json.bak")).expect("kept");
    assert_eq!(old, fs::read_to_string(example()).expect("the example"));
    let updated: Value = serde_json::from_str(&fs::read_to_string(path).expect("rewritten")).expect("JSON");
    assert_eq!(updated["steps"][0]["element"]["locators"]["id"], Value::Null);
    assert_eq!(updated["steps"][0]["element"]["locators"]["href"], "/privacy");
    assert_eq!(updated["steps"][1]["element"]["control"], "checkbox");
    let again = run(folder.path(), &["--json", "replay", "birthday.session.json", "--state", "recorded"]);
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    let last = again.events().pop().expect("an event");
    assert_eq!((&last["event"], &last["healed"]), (&Value::from("reached"), &Value::Array(Vec::new())));
}

#[test]
fn what_is_not_so_is_said_with_a_picture() {
    let folder = folder();
    trace_in(folder.path());
    let ran = run(folder.path(), &["replay", "birthday.session.json", "--state", "off", "--verify-only"]);
    assert_eq!(ran.code, Some(100), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("it was to be off and is on\n"), "{}", ran.stdout);
    let picture = fs::read(folder.path().join("birthday.session.json.failed.jpg")).expect("a picture");
    assert!(picture.starts_with(&[0xff, 0xd8]));
}

#[test]
fn bad_traces_and_arguments_are_told_before_a_browser_starts() {
    let folder = folder();
    let trace = trace_in(folder.path());
    let text = fs::read_to_string(&trace).expect("read").replace("\"version\": 1", "\"version\": 7");
    fs::write(folder.path().join("later.session.json"), text).expect("written");
    for (arguments, told) in [
        (vec!["replay", "missing.session.json"], "No such file"),
        (vec!["replay", "later.session.json"], "version 7"),
        (vec!["replay", "birthday.session.json", "--set", "on"], "names no state"),
        (vec!["replay", "birthday.session.json", "--site", "nowhere"], "not an address"),
    ] {
        let ran = run(folder.path(), &arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}");
        let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(told), "{arguments:?}: {said}");
    }
}
