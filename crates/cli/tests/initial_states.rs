//! Initial states that are brought about before an attempt: by a recorded session, by orders to a backend.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Row as _};

use crate::support::{Ran, folder, run};

const SETTING: &str = "/settings/private_account";

fn click(role: &str, name: &str, purpose: &str) -> Value {
    let tag = if role == "link" { "a" } else { "button" };
    let mut element = json!({"tag": tag, "role": role, "name": name});
    if name == "Audience and visibility" {
        // In the menu, and again in the page.
        element["position"] = json!({"among_equals": [1, 2]});
    }
    if purpose == "state" {
        element["control"] = json!("aria-checked");
    }
    json!({"at_ms": 0, "tab": 1, "url": "", "deed": {"do": "click"}, "purpose": purpose, "element": element})
}

/// As short as a person would write it.
fn session(name: &str, switch: &str) -> String {
    json!({
        "version": 1, "name": name, "recorded_at": "2026-11-15T00:00:00Z", "recorder": "hand",
        "start_url": "http://social.localhost/", "viewport": {"width": 1280, "height": 720},
        "steps": [
            click("link", "Settings", "way"),
            click("link", "Audience and visibility", "way"),
            click("switch", switch, "state"),
            click("button", "Confirm", "way"),
        ],
    })
    .to_string()
}

/// Whoever does nothing passes, if the setting stands as `expected` and nothing has been asked of the site meanwhile.
fn task(id: &str, expected: &Value) -> Value {
    let answer = json!({"action": "mutate", "status": "SUCCESS", "results": null, "error_details": null});
    json!({
        "id": id, "template": id, "kind": "mutate", "intent": "Leave everything as it is.", "sites": ["social"],
        "start_urls": ["http://social.localhost/"], "category": "c", "difficulty": "easy",
        "reference": [format!("answer {}", Value::from(answer.to_string()))],
        "checks": [
            {"type": "state", "site": "social", "path": SETTING, "expect": {"equals": expected}},
            {"type": "state", "site": "social", "path": "", "expect": {"unchanged_except": []}},
            {"type": "network", "url": ["http://social.localhost/settings/audience"], "absent": true},
        ],
    })
}

fn write_suite(dir: &Path, sessions: &[String], tasks: &[Value]) {
    let toml = "version = 1\nname = \"mine\"\ndescription = \"d\"\nworld = \"built-in\"\nseed = 7\n\
                tasks = [\"tasks.jsonl\"]\nsessions = [\"sessions.jsonl\"]\n";
    let tasks: Vec<String> = tasks.iter().map(ToString::to_string).collect();
    fs::create_dir_all(dir.join("suite")).expect("folder");
    fs::write(dir.join("suite/suite.toml"), toml).expect("suite.toml");
    fs::write(dir.join("suite/tasks.jsonl"), tasks.join("\n")).expect("tasks");
    fs::write(dir.join("suite/sessions.jsonl"), sessions.join("\n")).expect("sessions");
}

fn by_oracle(dir: &Path, further: &[&str]) -> Ran {
    let mut arguments = vec!["run", "--suite", "suite", "--agent", "oracle", "--retries", "0", "--json"];
    arguments.extend(further);
    run(dir, &arguments)
}

fn outcome<'a>(ran: &'a [(String, String)], instance: &str) -> &'a str {
    let is_it = |(attempt, _): &&(String, String)| attempt.contains(instance);
    ran.iter().find(is_it).map_or("nothing", |(_, outcome)| outcome)
}

#[test]
fn one_recording_makes_both_twins_and_is_no_evidence_of_the_attempt() {
    let dir = folder();
    let mut twins = task("twins", &json!(null));
    twins["session"] = json!("private");
    twins["states"] = json!({
        "on": {"replay": [{"session": "private", "state": "on"}], "checks": task("t", &json!(true))["checks"]},
        "off": {"replay": [{"session": "private", "state": "off"}], "checks": task("t", &json!(false))["checks"]},
    });
    let mut bare = task("bare", &json!(null));
    bare["session"] = json!("private");
    bare["checks"] = json!([{"type": "response", "status": "SUCCESS"}]);
    write_suite(dir.path(), &[session("private", "Private account")], &[twins, bare]);
    let ran = by_oracle(dir.path(), &[]);
    let outcomes = ran.outcomes();
    assert_eq!(outcomes.len(), 4, "{}{}", ran.stdout, ran.stderr);
    for instance in ["twins@on", "twins@off", "bare@on", "bare@off"] {
        assert_eq!(outcome(&outcomes, instance), "pass", "{}", ran.stdout);
    }
    let shown = run(dir.path(), &["show", "oracle/twins@on/1"]);
    assert!(shown.stdout.contains("initial state: session private for on"), "{}", shown.stdout);
}

#[test]
fn a_state_that_is_not_reached_is_infra_with_its_reason() {
    let dir = folder();
    let with = |id: &str, session: &str, states: Value| {
        let mut task = task(id, &json!(true));
        task["session"] = json!(session);
        task["states"] = states;
        task
    };
    // The switch is there and obeys; it is the task's own idea of the state that the world does not share.
    let elsewhere =
        json!({"on": {"world": {"social": {"settings": {"private_account": true, "typing_dots": "never"}}}}});
    write_suite(
        dir.path(),
        &[session("private", "Private account"), session("gone", "Invisible mode")],
        &[with("gone", "gone", json!({"on": {}})), with("elsewhere", "private", elsewhere)],
    );
    let ran = by_oracle(dir.path(), &["--states", "replay"]);
    let outcomes = ran.outcomes();
    assert_eq!(outcome(&outcomes, "gone@on"), "infra", "{}", ran.stdout);
    assert_eq!(outcome(&outcomes, "elsewhere@on"), "infra", "{}", ran.stdout);
    for reason in ["Invisible mode", "the world differs"] {
        assert!(ran.stdout.contains(reason), "{reason}: {}", ran.stdout);
    }
}

#[test]
fn a_suite_whose_sessions_do_not_fit_together_is_refused_with_file_and_line() {
    let dir = folder();
    let mut stray = task("stray", &json!(true));
    stray["session"] = json!("nowhere");
    write_suite(dir.path(), &[session("private", "Private account")], &[stray]);
    let ran = by_oracle(dir.path(), &[]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("tasks.jsonl:1") && ran.stderr.contains("no session `nowhere`"),
        "{}",
        ran.stderr
    );

    let mut known = task("known", &json!(true));
    known["session"] = json!("private");
    let later = session("private", "x").replace("\"version\":1", "\"version\":7");
    write_suite(dir.path(), &[later], &[known]);
    let ran = by_oracle(dir.path(), &[]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("session `private`") && ran.stderr.contains("version 7"), "{}", ran.stderr);
}

#[test]
fn orders_set_a_backend_up_where_it_is_writable() {
    let dir = folder();
    let file = dir.path().join("shop.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let connect = || SqliteConnectOptions::new().filename(&file).create_if_missing(true);
    runtime.block_on(async {
        let mut connection = connect().connect().await.expect("a new file");
        let table = sqlx::raw_sql("CREATE TABLE ads (shown INTEGER); INSERT INTO ads VALUES (0);");
        table.execute(&mut connection).await.expect("a table");
        connection.close().await.expect("closed");
    });
    let mut task = task("ads", &json!(null));
    task["states"] = json!({"on": {
        "orders": [{"backend": "db", "order": {"sql": {"statement": "UPDATE ads SET shown = ?", "parameters": [1], "rows": 1}}}],
        "checks": [{"type": "backend", "backend": "db", "ask": {"sql": {"query": "SELECT shown FROM ads"}},
            "expect": {"equals": [{"shown": 1}]}}],
    }});
    write_suite(dir.path(), &[], &[task]);
    let configured = |writable: bool| {
        let toml = format!("[backends.db]\nurl = \"sqlite:shop.db\"\nwritable = {writable}\n");
        fs::write(dir.path().join("umpire.toml"), toml).expect("umpire.toml");
    };
    configured(false);
    let refused = by_oracle(dir.path(), &[]);
    assert_eq!(outcome(&refused.outcomes(), "ads@on"), "infra", "{}", refused.stdout);
    assert!(refused.stdout.contains("writable = true"), "{}", refused.stdout);
    let shown = runtime.block_on(async {
        let mut connection = connect().connect().await.expect("the file");
        sqlx::query("SELECT shown FROM ads").fetch_one(&mut connection).await.expect("a row").get::<i64, _>(0)
    });
    assert_eq!(shown, 0, "nothing was changed");
    configured(true);
    let ran = by_oracle(dir.path(), &["--repeat", "1"]);
    assert_eq!(outcome(&ran.outcomes(), "ads@on"), "pass", "{}", ran.stdout);
}

#[test]
fn the_privacy_suite_fares_the_same_with_states_made_and_replayed() {
    let dir = folder();
    // A switch that says the opposite of its setting is among them.
    let tasks = ["social-search-engines", "video-autoplay", "games-keep-card", "hub-p-typing"];
    let filter: Vec<String> = tasks.iter().map(|task| format!("task = {task}")).collect();
    let filter = format!("({}) and hint = no", filter.join(" or "));
    let outcomes = |states: &str| {
        let arguments = ["run", "--suite", "privacy", "--agent", "oracle", "--filter", &filter, "--json"];
        let ran = run(dir.path(), &[&arguments[..], &["--states", states]].concat());
        let mut outcomes = ran.outcomes();
        outcomes.sort();
        assert_eq!(outcomes.len(), 2 * tasks.len(), "{}{}", ran.stdout, ran.stderr);
        assert!(outcomes.iter().all(|(_, outcome)| outcome == "pass"), "{}", ran.stdout);
        outcomes
    };
    assert_eq!(outcomes("world"), outcomes("replay"));
}
