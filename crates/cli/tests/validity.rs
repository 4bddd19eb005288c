//! Tasks that depend on the day and on the page they begin with, in real attempts.

use std::fs;
use std::io::Read as _;
use std::net::TcpStream;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{folder, run, site};

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

/// A ferry line on the open web, for May 2026: a page of links, one for each day, and a wall before its bookings.
fn ferries(mut stream: TcpStream) {
    let mut request = [0; 8192];
    let read = stream.read(&mut request).unwrap_or_default();
    let head = String::from_utf8_lossy(&request[..read]).into_owned();
    let target = head.split_whitespace().nth(1).unwrap_or("/");
    let path = url::Url::parse("http://ferries/")
        .and_then(|base| base.join(target))
        .map_or_else(|_| String::new(), |url| url.path().to_owned());
    let (status, body) = match path.strip_prefix("/on/2026-05-") {
        Some(day) => ("200 OK", format!("<title>Ferries</title><p>The first boat leaves at 07:{day}.</p>")),
        None if path == "/sold" => ("200 OK", "<title>Parked</title><p>Buy this domain</p>".to_owned()),
        None if path == "/booking" => {
            ("403 Forbidden", "<title>One moment</title><div class=\"cf-turnstile\"></div>".to_owned())
        }
        None => {
            let link =
                |day: u32| format!("<p><a href=\"/on/2026-05-{day:02}\">Boats on {day} May 2026</a></p>");
            let links: String = (1..=31).map(link).collect();
            ("200 OK", format!("<title>Ferries</title><h1>Timetable</h1>{links}"))
        }
    };
    site::page(&stream, status, &body);
}

fn write_ferry_suite(dir: &Path, port: u16) {
    let site = format!("http://ferries.localhost:{port}");
    fs::create_dir(dir.join("ferries")).expect("a folder");
    let toml = format!(
        "version = 1\nname = \"ferries\"\ndescription = \"d\"\nworld = \"live\"\nhosts = [\"ferries.localhost:{port}\"]\n"
    );
    fs::write(dir.join("ferries/suite.toml"), toml).expect("suite.toml");
    let said = |result: &str| {
        let response =
            json!({"action": "retrieve", "status": "SUCCESS", "results": [result], "error_details": null});
        format!("answer {}", Value::String(response.to_string()))
    };
    let task = |id: &str, page: &str, validity: Value| {
        json!({
            "id": id, "template": "first-boat", "kind": "retrieve", "sites": [],
            "intent": "When does the first boat leave on {{today+1d|%-d %B %Y}}?",
            "start_urls": [format!("{site}{page}")], "category": "c", "difficulty": "easy", "validity": validity,
            "reference": ["click link \"Boats on {{today+1d|%-d %B %Y}}\"", said("07:{{today+1d|%d}}")],
            "checks": [
                {"type": "response", "status": "SUCCESS", "results": ["07:{{today+1d|%d}}"], "schema": {"type": "string"}},
                {"type": "network", "url": [format!("{site}/on/{{{{today+1d}}}}")], "last": true},
            ],
        })
    };
    let known = json!({"title": "Ferries", "text": ["Timetable"]});
    let tasks = [
        task(
            "this-month",
            "/",
            json!({"from": "2026-05-01", "until": "2026-05-30", "canary": known.clone()}),
        ),
        task("last-month", "/", json!({"until": "2026-04-30", "canary": known.clone()})),
        task("sold", "/sold", json!({"canary": known})),
        task("walled", "/booking", json!({})),
    ];
    fs::write(dir.join("ferries/tasks.jsonl"), tasks.map(|task| task.to_string()).join("\n")).expect("tasks");
}

#[test]
fn a_live_site_is_asked_about_the_day_of_the_run() {
    let dir = folder();
    write_ferry_suite(dir.path(), site::open(ferries));
    let on = |day: &str| {
        let arguments = ["run", "--suite", "ferries", "--agent", "oracle", "--today", day, "--json"];
        let ran = run(dir.path(), &arguments);
        let mut outcomes = ran.outcomes();
        outcomes.sort();
        let outcomes: Vec<String> = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
        (outcomes, format!("{}{}", ran.stdout, ran.stderr))
    };
    // By name: last-month, sold, this-month, walled.
    let (outcomes, said) = on("2026-05-08");
    assert_eq!(outcomes, ["invalid", "invalid", "pass", "blocked"], "{said}");
    assert!(said.contains(r#"click link \"Boats on 9 May 2026\""#), "{said}");
    let asked = fs::read_dir(dir.path().join("runs")).expect("runs").flatten().next().expect("a run").path();
    let asked = fs::read_to_string(asked.join("instances.json")).expect("what was asked");
    assert!(asked.contains("When does the first boat leave on 9 May 2026?"), "{asked}");
    let (outcomes, said) = on("2026-06-01");
    assert_eq!(outcomes, ["invalid", "invalid", "invalid", "blocked"], "{said}");
    assert!(said.contains("valid until 2026-05-30, and today is 2026-06-01"), "{said}");
}
