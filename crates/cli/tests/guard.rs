//! What cannot be undone, in whole attempts: recorded, held back, or asked about.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::models::events;
use crate::support::{Ran, folder, run, umpire};

const PURCHASE: (&str, &str, &str) = ("demo", "shop-place-order", "purchase");

fn arguments<'a>(suite: &'a str, filter: &'a str, mode: &'a str) -> Vec<&'a str> {
    vec!["run", "--suite", suite, "--filter", filter, "--agent", "oracle", "--guard", mode, "--json"]
}

/// The kind and what was decided, of each time the guard was tripped.
fn guarded(folder: &Path) -> Vec<(String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    events(folder, "guarded").iter().map(|event| (text(&event["kind"]), text(&event["decision"]))).collect()
}

#[test]
fn what_cannot_be_undone_is_recorded_or_held_back() {
    for (suite, task, kind) in [
        PURCHASE,
        ("demo", "forum-create-post", "external-post"),
        ("privacy", "social-delete-account", "account-deletion"),
    ] {
        for (mode, outcome, decision) in [("deny", "fail", "denied"), ("record", "pass", "recorded")] {
            let folder = folder();
            let ran = run(folder.path(), &arguments(suite, &format!("id={task}"), mode));
            let outcomes = ran.outcomes();
            let found = outcomes.first().map(|(_, outcome)| outcome.as_str());
            assert_eq!(found, Some(outcome), "{task}, {mode}: {}", ran.stderr);
            assert_eq!(guarded(folder.path()), [(kind.to_owned(), decision.to_owned())], "{task}, {mode}");
        }
    }
}

#[test]
fn nobody_there_to_ask_is_a_no() {
    let folder = folder();
    let mut command = umpire(folder.path());
    command.args(arguments(PURCHASE.0, "id=shop-place-order", "ask")).stdin(Stdio::null());
    let ran = Ran::of(&command.output().expect("umpire starts"));
    assert_eq!(ran.outcomes().first().map(|(_, outcome)| outcome.as_str()), Some("fail"), "{}", ran.stderr);
    assert_eq!(guarded(folder.path()), [("purchase".to_owned(), "denied".to_owned())]);
}

/// The command at a terminal where somebody types this.
fn at_a_terminal(folder: &Path, arguments: &[&str], typed: &str) -> Ran {
    let plain = umpire(folder);
    let words: Vec<String> = [plain.get_program().to_str().expect("a path")]
        .iter()
        .chain(arguments)
        .map(|word| format!("'{word}'"))
        .collect();
    let mut terminal = Command::new("script");
    terminal.args(["--quiet", "--return", "--command", &words.join(" "), "/dev/null"]).current_dir(folder);
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => terminal.env(name, value),
            None => terminal.env_remove(name),
        };
    }
    let mut child = terminal
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("script starts");
    let mut keyboard = child.stdin.take().expect("a keyboard");
    keyboard.write_all(typed.as_bytes()).expect("typed");
    // The keyboard stays plugged in until all is over: its end would be the end of the terminal.
    let output = child.wait_with_output().expect("script ends");
    drop(keyboard);
    Ran::of(&output)
}

#[test]
fn a_person_at_the_terminal_decides() {
    for (typed, decision) in [("y\n", "allowed"), ("n\n", "denied")] {
        let folder = folder();
        let ran = at_a_terminal(folder.path(), &arguments(PURCHASE.0, "id=shop-place-order", "ask"), typed);
        assert!(ran.stdout.contains("let it through? [y/N]"), "{}\n{}", ran.stdout, ran.stderr);
        assert_eq!(guarded(folder.path()), [("purchase".to_owned(), decision.to_owned())], "{}", ran.stdout);
    }
}
