//! Where the two modes differ, a line says why.

use jiff::civil::date;
use serde_json::{Value, json};
use umpire_webarena::config::Config;
use umpire_webarena::differences::difference;
use umpire_webarena::reference::evaluate::Evaluation;
use umpire_webarena::reference::response::AgentResponse;
use umpire_webarena::reference::results::Provenance;
use umpire_webarena::strict::StrictTask;
use umpire_webarena::task::Task;
use umpire_webarena::trace::{Retention, Trace};

const GITLAB: &str = "http://localhost:8023";

fn task(kind: &str, data: &Value, request: &Value) -> Task {
    let schema = if data.is_null() {
        json!({"type": "null"})
    } else {
        json!({"type": "array", "items": {"type": "string"}})
    };
    let mut eval = vec![json!({"evaluator": "AgentResponseEvaluator", "results_schema": schema,
        "expected": {"task_type": kind, "status": "SUCCESS", "retrieved_data": data}})];
    if !request.is_null() {
        eval.push(json!({"evaluator": "NetworkEventEvaluator", "expected": request}));
    }
    serde_json::from_value(json!({
        "sites": ["gitlab"], "task_id": 7, "intent_template_id": 1, "start_urls": ["__GITLAB__"], "intent": "Do it",
        "intent_template": "Do it", "instantiation_dict": {}, "revision": 1, "eval": eval,
    }))
    .expect("well-formed")
}

fn page(url: &str) -> Value {
    json!({"request": {"method": "GET", "url": url, "headers": [{"name": "Accept", "value": "text/html"}]},
        "response": {"status": 200}})
}

fn post(title: &str) -> Value {
    json!({"request": {"method": "POST", "url": format!("{GITLAB}/submit"), "headers": [],
        "postData": {"mimeType": "application/x-www-form-urlencoded", "text": format!("title={title}")}},
        "response": {"status": 200}})
}

fn explained(task: &Task, response: &str, entries: &[Value]) -> Option<String> {
    let config: Config = serde_json::from_value(json!({"environments": {"gitlab": {"urls": [GITLAB]}}}))
        .expect("a configuration");
    let evaluation =
        Evaluation { config: &config, today: date(2026, 1, 1), provenance: Provenance::of_data("none") };
    let text = Value::from(entries.to_vec()).to_string();
    let read = || Trace::from_list(text.as_bytes(), &Retention::everything());
    let reference = evaluation.evaluate(task, &AgentResponse::Text(response.to_owned()), read());
    let strict = StrictTask::new(task, &config.environments.clone().unwrap_or_default()).expect("a site");
    let strict = strict.evaluate("agent", Some(response), &read().unwrap_or_default()).expect("a good name");
    difference(&reference, &strict).map(|difference| difference.reason)
}

#[test]
fn every_kind_of_difference_has_its_reason() {
    let answer = |kind: &str, data: &Value| {
        json!({"task_type": kind, "status": "SUCCESS", "retrieved_data": data}).to_string()
    };
    let lamp = task("retrieve", &json!(["lamp"]), &Value::Null);
    let submit = task(
        "mutate",
        &Value::Null,
        &json!({"url": "__GITLAB__/submit", "http_method": "POST", "post_data": {"title": "Right"}}),
    );
    let here = task("navigate", &Value::Null, &json!({"url": "__GITLAB__/here"}));
    let unfilled = task("navigate", &Value::Null, &json!({"url": "__GITLAB__/{{where}}"}));
    let home = || page(GITLAB);
    let right = answer("retrieve", &json!(["lamp"]));
    let navigated = answer("navigate", &Value::Null);
    let mutated = answer("mutate", &Value::Null);
    for (what, explained, start) in [
        ("both accept", explained(&lamp, &right, &[home()]), None),
        ("both refuse", explained(&lamp, &answer("retrieve", &json!(["desk"])), &[home()]), None),
        (
            "guess",
            explained(&lamp, &right, &[page("http://example.com/")]),
            Some("the reference does not ask whether the sites were used; activity:"),
        ),
        (
            "pattern",
            explained(&lamp, &answer("retrieve", &json!(["^.*$"])), &[home()]),
            Some("the reference runs patterns that the agent wrote; answer:"),
        ),
        (
            "earlier submission",
            explained(&submit, &mutated, &[post("Wrong"), post("Right")]),
            Some("the reference looks at the last such request alone; network: a wrong POST"),
        ),
        (
            "plan first",
            explained(&lamp, &format!("```json\n{{\"plan\": 1}}\n```\n```json\n{right}\n```"), &[home()]),
            Some("the reference does not find the response (form: fenced)"),
        ),
        (
            "fragment",
            explained(&here, &navigated, &[page(&format!("{GITLAB}/here#top"))]),
            Some(
                "the reference says missing_navigation_event; strict accepts GET http://localhost:8023/here#top",
            ),
        ),
        (
            "status of the wrong type",
            explained(
                &lamp,
                r#"{"task_type": "retrieve", "status": null, "retrieved_data": ["lamp"]}"#,
                &[home()],
            ),
            Some("the reference breaks ("),
        ),
        ("unpassable", explained(&unfilled, &navigated, &[home()]), Some("nobody can pass this task: ")),
    ] {
        match (explained, start) {
            (None, None) => {}
            (Some(reason), Some(start)) => assert!(reason.starts_with(start), "{what}: {reason}"),
            (reason, _) => panic!("{what}: {reason:?}"),
        }
    }
}
