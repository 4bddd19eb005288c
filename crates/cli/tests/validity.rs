//! Tasks that depend on the day and on the page they begin with, in real attempts.

mod support;

use std::fs;

use support::{folder, run};

/// Tasks about the hub that differ in one part; each is answered right by its reference.
fn task(id: &str, validity: &str, answer: &str) -> String {
    let response = format!(
        r#"{{\"action\":\"retrieve\",\"status\":\"SUCCESS\",\"results\":[\"{answer}\"],\"error_details\":null}}"#
    );
    let reference = format!(r#"answer \"{}\""#, response.replace('\\', r"\\\"));
    format!(
        r#"{{"id":"{id}","template":"t","kind":"retrieve","intent":"Which day is it on {{{{today|%-d %B}}}}?","sites":["hub"],"start_urls":["http://hub.localhost/"],"category":"c","difficulty":"easy","validity":{validity},"reference":["{reference}"],"checks":[{{"type":"response","status":"SUCCESS","results":["2026-03-17"],"schema":{{"type":"string","format":"date"}}}}]}}"#
    )
}

#[test]
fn attempts_outside_of_a_tasks_validity_are_invalid() {
    let dir = folder();
    fs::create_dir(dir.path().join("suite")).expect("folder");
    let toml = "version = 1\nname = \"mine\"\ndescription = \"d\"\nworld = \"built-in\"\nseed = 7\n";
    fs::write(dir.path().join("suite/suite.toml"), toml).expect("suite.toml");
    let tasks = [
        task(
            "known",
            r#"{"canary":{"url":"http://hub.localhost/","title":"Orrery","text":["Two-step verification"]}}"#,
            "{{today+1d}}",
        ),
        task("wrong-answer", "{}", "{{today+2d}}"),
        task("other-page", r#"{"canary":{"text":["Buy this domain"]}}"#, "{{today+1d}}"),
        task("too-late", r#"{"until":"2026-03-15"}"#, "{{today+1d}}"),
        task("too-early", r#"{"from":"2026-03-17"}"#, "{{today+1d}}"),
    ];
    fs::write(dir.path().join("suite/tasks.jsonl"), tasks.join("\n")).expect("tasks");
    let ran = run(dir.path(), &["--json", "run", "--suite", "suite", "--agent", "oracle"]);
    let mut outcomes = ran.outcomes();
    outcomes.sort();
    let expected = [
        ("oracle/known/1", "pass"),
        ("oracle/other-page/1", "invalid"),
        ("oracle/too-early/1", "invalid"),
        ("oracle/too-late/1", "invalid"),
        ("oracle/wrong-answer/1", "fail"),
    ];
    assert_eq!(outcomes, expected.map(|(id, outcome)| (id.to_owned(), outcome.to_owned())), "{}", ran.stderr);
    let events = ran.events();
    let reason = |id: &str| {
        let finished =
            events.iter().find(|e| e["event"] == "finished" && e["attempt"] == id).expect("an event");
        finished["reason"].as_str().unwrap_or_default().to_owned()
    };
    assert!(reason("oracle/other-page/1").contains("does not show `Buy this domain`"));
    assert!(reason("oracle/too-late/1").contains("valid until 2026-03-15, and today is 2026-03-16"));
    let bad_day = run(dir.path(), &["run", "--suite", "suite", "--agent", "zero", "--today", "tomorrow"]);
    assert!(bad_day.code == Some(1) && bad_day.stderr.contains("not a day"), "{}", bad_day.stderr);
}
