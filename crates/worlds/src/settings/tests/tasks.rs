//! The privacy suite against the seeded sites: a change of the data must not leave a forgotten answer behind, and the
//! suite must cover what it promises.

use std::collections::BTreeSet;
use std::path::Path;

use umpire_model::{Action, Check, StateExpectation, Suite, Task};

use crate::World;

const SUITE: &str = include_str!("../../../../../suites/privacy/suite.toml");
const SESSIONS: &str = include_str!("../../../../../suites/privacy/sessions.jsonl");

const FILES: [(&str, &str); 7] = [
    ("social.jsonl", include_str!("../../../../../suites/privacy/social.jsonl")),
    ("video.jsonl", include_str!("../../../../../suites/privacy/video.jsonl")),
    ("learning.jsonl", include_str!("../../../../../suites/privacy/learning.jsonl")),
    ("gazette.jsonl", include_str!("../../../../../suites/privacy/gazette.jsonl")),
    ("games.jsonl", include_str!("../../../../../suites/privacy/games.jsonl")),
    ("models.jsonl", include_str!("../../../../../suites/privacy/models.jsonl")),
    ("hub.jsonl", include_str!("../../../../../suites/privacy/hub.jsonl")),
];

/// The names that WebSP-Eval gives to what its tasks are about.
const CATEGORIES: [&str; 9] = [
    "Account Security & Access Control",
    "Advertising & Personalization Control",
    "Cookie & Tracking Consent Management",
    "Data & Asset Management",
    "Notification & Communication Preferences",
    "Profile Visibility & Customization",
    "Social Safety & Content Moderation",
    "UI/UX Preferences",
    "User Privacy & Data Rights",
];

const ELEMENTS: [&str; 10] = [
    "Button",
    "Checkbox",
    "Dropdown",
    "Icon",
    "Link",
    "Menu",
    "Option",
    "Radio Button",
    "Text Input",
    "Toggle",
];

fn suite() -> Suite {
    let files: Vec<_> = FILES.iter().map(|(name, text)| (name.into(), (*text).to_owned())).collect();
    let sessions = [("sessions.jsonl".into(), SESSIONS.to_owned())];
    Suite::parse(Path::new("suite.toml"), SUITE, &files, &sessions).expect("a good suite")
}

/// Both an `on` and an `off` start.
fn is_pair(task: &Task) -> bool {
    ["on", "off"].iter().all(|state| task.states.contains_key(*state))
}

#[test]
fn the_suite_covers_what_it_promises() {
    let suite = suite();
    let words: Vec<&str> = suite.tasks.iter().map(|task| task.category.as_str()).collect();
    assert_eq!(words.into_iter().collect::<BTreeSet<_>>(), CATEGORIES.into());
    let elements = suite.tasks.iter().flat_map(|task| task.ui_elements.iter().map(String::as_str));
    assert_eq!(elements.collect::<BTreeSet<_>>(), ELEMENTS.into());
    let pairs = suite.tasks.iter().filter(|task| is_pair(task)).count();
    assert!(pairs >= 40, "{pairs} pairs");
    let without_twin = suite.tasks.iter().find(|task| task.hint.is_none());
    assert_eq!(without_twin.map(|task| &task.id), None, "a task without a with-navigation twin");
    let without_hint = suite.tasks.iter().map(|task| task.states.len().max(1)).sum::<usize>();
    assert!(without_hint >= 120, "{without_hint} instances");
}

#[test]
fn every_initial_state_makes_a_world_where_something_is_left_to_do() {
    let suite = suite();
    for instance in suite.instances() {
        let world = World::create(&instance.sites, suite.file.seed, &instance.world)
            .unwrap_or_else(|error| panic!("{}: {error}", instance.id));
        let state = world.state();
        for check in &instance.checks {
            let Check::State(check) = check else { continue };
            let before = state[&check.site].pointer(&check.path);
            match &check.expect {
                StateExpectation::UnchangedExcept(paths) => {
                    let parent_of =
                        |path: &str| path.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
                    for path in paths {
                        let parent = state[&check.site].pointer(&parent_of(path));
                        assert!(parent.is_some(), "{}: nothing at {path}", instance.id);
                    }
                }
                StateExpectation::Absent => {
                    assert!(before.is_some(), "{}: {} is gone", instance.id, check.path);
                }
                StateExpectation::Equals(wanted) => {
                    let is_twin = instance.id.split(['@', '.']).any(|part| part == "on" || part == "off");
                    assert!(is_twin || before != Some(wanted), "{}: {} is done", instance.id, check.path);
                }
                _ => {}
            }
        }
    }
}

/// Twins ask for the same end from opposite starts: one changes something, the other must not.
#[test]
fn twins_differ_in_whether_something_is_to_be_done() {
    for task in suite().tasks.iter().filter(|task| is_pair(task)) {
        let clicks = |state: &str| {
            let actions = task.states[state].reference.clone().unwrap_or_default();
            actions.iter().filter(|action| matches!(action, Action::Click(_))).count()
        };
        assert_ne!(clicks("on"), clicks("off"), "{}", task.id);
    }
}
