//! D: bad input is a failure, or is passed over; it is never an error.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use umpire_model::Outcome;

use super::attempts::{
    GITLAB, SHOP, answer, answer_to, home_page, judged, page, passes, post, released, task, verdict,
};

const FORM: &str = "application/x-www-form-urlencoded";

#[test]
fn d1_a_status_or_kind_of_the_wrong_type_fails() {
    let Some(dataset) = released() else { return };
    let task = dataset.task(0).expect("task 0");
    for wrong in [json!(null), json!(1), json!(["SUCCESS"]), json!({}), json!(true), json!("")] {
        for member in ["status", "task_type"] {
            let mut response: Value =
                serde_json::from_str(&answer_to(task, &json!(["Quest Lumaflex™ Band"]))).expect("JSON");
            response[member] = wrong.clone();
            let verdict = verdict(task, &response.to_string(), &home_page(task));
            assert_eq!(verdict.outcome, Outcome::Fail, "{member} {wrong}");
        }
    }
}

#[test]
fn d2_data_where_none_are_expected_fail() {
    let Some(dataset) = released() else { return };
    let task = dataset.task(24).expect("task 24");
    let used = [page(&format!("{SHOP}/some/page"))];
    assert!(passes(task, &answer_to(task, &Value::Null), &used));
    for data in [json!(["Ann"]), json!([0]), json!("Ann"), json!({"name": "Ann"}), json!(0), json!(false)] {
        assert_eq!(verdict(task, &answer_to(task, &data), &used).outcome, Outcome::Fail, "{data}");
    }
}

#[test]
fn d3_an_empty_trace_is_no_activity() {
    let Some(dataset) = released() else { return };
    let task = dataset.task(0).expect("task 0");
    let verdict = verdict(task, &answer_to(task, &json!(["Quest Lumaflex™ Band"])), &[]);
    assert_eq!(
        (verdict.outcome, verdict.reason.as_str()),
        (Outcome::Fail, "activity: no site of the task was used")
    );
}

#[test]
fn d4_d5_bad_entries_are_skipped_and_counted() {
    let submission = task(
        "mutate",
        &[
            json!({"expected": {"url": "__GITLAB__/submit", "http_method": "POST", "post_data": {"title": "Right"}}}),
        ],
    );
    let done = answer("MUTATE", "SUCCESS", &Value::Null);
    let right = post(&format!("{GITLAB}/submit"), 200, FORM, "title=Right");
    let long_label = format!("http://{}.example/", "x".repeat(64));
    let with_url = |url: &str| post(url, 200, FORM, "");
    for (what, bad, skipped) in [
        ("blank URL", with_url(" "), 0),
        ("empty URL", with_url(""), 0),
        ("broken URL", with_url("http://[bad"), 0),
        ("long label", with_url(&long_label), 0),
        ("no headers", json!({"request": {"method": "POST", "url": GITLAB}, "response": {"status": 200}}), 0),
        (
            "no status",
            json!({"request": {"method": "POST", "url": GITLAB, "headers": []}, "response": {}}),
            0,
        ),
        ("no URL", json!({"request": {"method": "POST", "headers": []}, "response": {"status": 200}}), 1),
        ("no method", json!({"request": {"url": GITLAB, "headers": []}, "response": {"status": 200}}), 1),
        ("no request", json!({"response": {"status": 200}}), 1),
        ("a number", json!(5), 1),
        ("null", json!(null), 1),
    ] {
        let judged = judged(&submission, &done, &[right.clone(), bad]);
        assert_eq!(judged.verdict.outcome, Outcome::Pass, "{what}: {}", judged.verdict.reason);
        assert_eq!(judged.skipped_entries, skipped, "{what}");
    }
}

#[test]
fn d6_nesting_without_end_fails() {
    let Some(dataset) = released() else { return };
    let task = dataset.task(0).expect("task 0");
    for depth in [200, 2_000, 200_000] {
        let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let response = answer_to(task, &Value::Null).replace("null", &nested);
        for response in [response, nested] {
            assert_eq!(verdict(task, &response, &home_page(task)).outcome, Outcome::Fail, "{depth}");
        }
    }
}

#[test]
fn d_e10_a_position_in_an_object_is_no_place() {
    let commit = task(
        "mutate",
        &[json!({"expected": {"url": "__GITLAB__/commits", "http_method": "POST",
            "post_data": {"$.actions[0].path": "a.txt"}}})],
    );
    let done = answer("MUTATE", "SUCCESS", &Value::Null);
    let sent = |body: &str| post(&format!("{GITLAB}/commits"), 200, "application/json", body);
    assert!(passes(&commit, &done, &[sent(r#"{"actions": [{"path": "a.txt"}]}"#)]));
    for body in
        [r#"{"actions": {"0": {"path": "a.txt"}}}"#, r#"{"actions": 5}"#, r#"{"actions": "ab"}"#, "[]", "{"]
    {
        assert_eq!(verdict(&commit, &done, &[sent(body)]).outcome, Outcome::Fail, "{body}");
    }
}

#[test]
fn d_empty_lists_in_an_ordered_comparison_fail() {
    let Some(dataset) = released() else { return };
    let task = dataset.task(74).expect("task 74, one of the ordered ones");
    let response = answer_to(task, &json!([[], []]));
    assert_eq!(verdict(task, &response, &home_page(task)).outcome, Outcome::Fail);
}

#[test]
fn d9_no_pattern_of_the_agent_costs_time() {
    let Some(dataset) = released() else { return };
    for id in [4, 6] {
        let task = dataset.task(id).expect("a released task");
        let response = answer_to(task, &json!(["^(.+)+@$", "^(a|aa)+$", "^(.*.*)*x$"]));
        let start = Instant::now();
        assert_eq!(verdict(task, &response, &home_page(task)).outcome, Outcome::Fail);
        // Executed by a backtracking engine, task 6 did not end within 200 s.
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn d10_the_same_evidence_gives_the_same_bytes() {
    let query = task(
        "navigate",
        &[
            json!({"expected": {"url": "__GITLAB__/s", "query_params": {"a": ["1"], "b": ["^x.*$"], "c": ["3"], "d": ["4"]}}}),
        ],
    );
    let done = answer("NAVIGATE", "SUCCESS", &Value::Null);
    let bytes = || {
        serde_json::to_vec(&verdict(&query, &done, &[page(&format!("{GITLAB}/s?c=9&b=y&a=2"))]))
            .expect("JSON")
    };
    let first = bytes();
    assert!((0..20).all(|_| bytes() == first));
}
