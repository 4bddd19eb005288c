//! The demo suite's hub tasks against the seeded account: a change of the data must not leave a forgotten answer behind.

use std::collections::BTreeSet;
use std::path::Path;

use jiff::civil::Date;
use serde_json::{Value, json};
use umpire_model::{Action, Check, Instance, StateExpectation, Suite, TaskKind};

use super::super::data::{Account, today};
use super::super::search;
use super::{Hub, post_json};
use crate::World;

const SUITE: &str = include_str!("../../../../../suites/demo/suite.toml");
const TASKS: &str = include_str!("../../../../../suites/demo/hub.jsonl");
const SEED: u64 = 7;

fn suite() -> Suite {
    Suite::parse(Path::new("suite.toml"), SUITE, &[("hub.jsonl".into(), TASKS.to_owned())], &[])
        .expect("a good suite")
}

/// The instance with this id; a task without states has one of its own name.
fn instance(id: &str) -> Instance {
    suite().instances().into_iter().find(|instance| instance.id == id).expect(id)
}

fn expected_results(id: &str) -> Value {
    let results = instance(id).checks.into_iter().find_map(|check| match check {
        Check::Response(response) => response.results,
        _ => None,
    });
    json!(results.expect("expected results"))
}

/// Last parts of the pointers that must be gone afterwards.
fn removed_ids(id: &str) -> BTreeSet<String> {
    let gone = instance(id).checks.into_iter().filter_map(|check| match check {
        Check::State(state) if state.expect == StateExpectation::Absent => Some(state.path),
        _ => None,
    });
    gone.filter_map(|path| path.rsplit('/').next().map(str::to_owned)).collect()
}

#[test]
fn every_initial_state_makes_a_world() {
    let suite = suite();
    assert_eq!(suite.file.seed, SEED);
    let instances = suite.instances();
    assert!(instances.len() >= 22, "{} instances", instances.len());
    for instance in &instances {
        World::create(&instance.sites, SEED, &instance.world)
            .unwrap_or_else(|error| panic!("{}: {error}", instance.id));
    }
}

#[test]
fn every_task_is_checked_as_its_kind_needs() {
    for instance in suite().instances() {
        let id = &instance.id;
        let status = instance.checks.iter().find_map(|check| match check {
            Check::Response(response) => Some((response.status.as_str(), response.results.is_some())),
            _ => None,
        });
        let (status, has_results) = status.unwrap_or_else(|| panic!("{id} does not check the response"));
        let network = instance.checks.iter().filter_map(|check| match check {
            Check::Network(network) => Some(network),
            _ => None,
        });
        let network: Vec<_> = network.collect();
        let guarded = instance.checks.iter().any(|check| match check {
            Check::State(state) => matches!(state.expect, StateExpectation::UnchangedExcept(_)),
            _ => false,
        });
        assert!(guarded, "{id} would not notice side effects");
        if status != "SUCCESS" {
            assert!(!network.is_empty(), "{id} could be answered without looking");
        }
        match instance.kind {
            TaskKind::Navigate => assert!(network.iter().any(|check| check.last), "{id}"),
            TaskKind::Retrieve => assert!(has_results, "{id}"),
            TaskKind::Mutate => {}
        }
        // A twin whose start is already right asks for nothing but the truth about it.
        if has_results && instance.kind == TaskKind::Mutate {
            assert!(!network.is_empty(), "{id} could be guessed");
        }
    }
}

#[test]
fn retrieval_answers_follow_from_the_account() {
    let account = Account::of_seed(SEED);
    let state = &account.initial;

    let changed = account.log.iter().find(|entry| entry.kind == "password").expect("a change in the log");
    assert_eq!(expected_results("hub-password-age"), json!([changed.at[..10]]));
    assert_eq!(changed.at[..10], state.security.password_changed);

    for (task, city) in [("hub-device-lisbon", "Lisbon"), ("hub-device-aarhus", "Aarhus")] {
        let devices: Vec<&str> = state
            .sessions
            .values()
            .filter(|session| session.city == city)
            .map(|s| s.device.as_str())
            .collect();
        assert_eq!(expected_results(task), json!(devices), "{task}");
    }

    let with = |permission: &str| {
        let apps = state.apps.values().filter(|app| app.permissions.contains(permission));
        apps.map(|app| app.name.clone()).collect::<BTreeSet<_>>()
    };
    assert_eq!(expected_results("hub-count-mail-readers"), json!([with("email-read").len()]));
    assert_eq!(expected_results("hub-location-apps"), json!(with("location")));

    let latest = account
        .log
        .iter()
        .filter(|entry| entry.kind == "failed-sign-in" && entry.place.starts_with("Leeds,"))
        .max_by_key(|entry| &entry.at)
        .expect("a failed sign-in from Leeds");
    let device = latest.detail.strip_prefix("Wrong password on ").expect("the log's wording");
    assert_eq!(expected_results("hub-failed-sign-in"), json!([device]));
}

#[test]
fn what_is_to_be_removed_follows_from_the_account() {
    let state = &Account::of_seed(SEED).initial;
    let leeds =
        state.sessions.iter().filter(|(_, session)| session.city == "Leeds").map(|(id, _)| id.clone());
    assert_eq!(removed_ids("hub-sign-out-leeds"), leeds.collect());

    let unused = state.tokens.iter().filter(|(_, token)| token.last_used.is_none()).map(|(id, _)| id.clone());
    assert_eq!(removed_ids("hub-revoke-unused-tokens"), unused.collect());

    let forgotten = state
        .apps
        .iter()
        .filter(|(_, app)| app.permissions.contains("email-read") && app.last_used.as_str() <= "2024-12-31");
    assert_eq!(removed_ids("hub-remove-stale-apps"), forgotten.map(|(id, _)| id.clone()).collect());

    for topic in removed_ids("hub-remove-ad-topics") {
        assert!(state.ads.topics.contains_key(&topic), "{topic} is not there to begin with");
    }
}

#[test]
fn cookie_receipts_are_those_the_consent_manager_gives() {
    for (id, allowed) in
        [("hub-reject-cookies@unanswered", ""), ("hub-choose-cookies@unanswered", "measurement")]
    {
        let purposes: serde_json::Map<String, Value> = ["preferences", "measurement", "ads", "partners"]
            .into_iter()
            .map(|purpose| (purpose.to_owned(), json!(purpose == allowed)))
            .collect();
        let mut hub = Hub::new(SEED);
        let response = post_json(&mut hub, "consent.localhost", "/choice", &json!({"purposes": purposes}));
        let receipt = serde_json::from_slice::<Value>(response.body()).expect("JSON")["receipt"].clone();
        assert_eq!(expected_results(id), json!([receipt]));
    }
}

#[test]
fn values_named_in_intents_are_the_account_s() {
    let account = Account::of_seed(SEED);
    assert!(instance("hub-two-step").intent.contains(&account.app_code));
    assert!(
        instance("hub-last-recovery@only-one")
            .intent
            .contains(&account.initial.security.recovery["email-1"].address)
    );

    let expiry: Date = "2026-06-14".parse().expect("a date");
    assert!(TASKS.contains("\"expires\": \"2026-06-14\""));
    assert_eq!(expiry.since(today()).expect("a span").get_days(), 90);

    assert!(search::find("dark web monitoring").is_empty());
    assert!(search::find("text size").iter().any(|hit| hit.link == "/appearance"));
}

/// Twins ask for the same end from opposite starts: one changes something, the other must not.
#[test]
fn twins_differ_in_whether_something_is_to_be_done() {
    let suite = suite();
    let twins: Vec<_> = suite.tasks.iter().filter(|task| task.states.contains_key("on")).collect();
    assert!(twins.len() >= 6, "{} twin tasks", twins.len());
    for task in twins {
        let clicks = |state: &str| {
            let actions = task.states[state].reference.clone().unwrap_or_default();
            actions.iter().filter(|action| matches!(action, Action::Click(_))).count()
        };
        assert_ne!(clicks("on"), clicks("off"), "{}", task.id);
        let on = expected_results(&format!("{}@on", task.id));
        let off = expected_results(&format!("{}@off", task.id));
        assert!(
            [&on, &off].contains(&&json!([true])) && [&on, &off].contains(&&json!([false])),
            "{}",
            task.id
        );
    }
}
