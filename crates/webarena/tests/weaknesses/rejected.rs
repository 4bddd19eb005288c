//! C: correct answers rejected.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use umpire_model::ResponseForm;

use super::attempts::{
    GITLAB, SHOP, answer, answer_to, home_page, page, passes, post, released, task, verdict,
};

const FORM: &str = "application/x-www-form-urlencoded";

fn done() -> String {
    answer("MUTATE", "SUCCESS", &Value::Null)
}

#[test]
fn c10_e5_e6_a_fragment_and_a_harmless_parameter_change_no_page() {
    let here = task("navigate", &[json!({"expected": {"url": "__GITLAB__/here"}})]);
    let done = answer("NAVIGATE", "SUCCESS", &Value::Null);
    for (end, right) in [
        ("/here", true),
        ("/here#section", true),
        ("/here?utm=1", true),
        ("/here/?utm_source=mail&utm_medium=x#top", true),
        ("/here?empty=", true),
        ("/here?state=closed", false),
        ("/there#/here", false),
    ] {
        assert_eq!(passes(&here, &done, &[page(&format!("{GITLAB}{end}"))]), right, "{end}");
    }
}

#[test]
fn c10_e3_a_failed_retry_hides_no_success() {
    let submission = task(
        "mutate",
        &[json!({"expected": {"url": "__GITLAB__/submit", "http_method": "POST", "response_status": 302,
            "post_data": {"title": "Right"}}})],
    );
    let submit = |status| post(&format!("{GITLAB}/submit"), status, FORM, "title=Right");
    assert!(passes(&submission, &done(), &[submit(302), submit(500)]));
    assert!(!passes(&submission, &done(), &[submit(500)]));
    let here = task("navigate", &[json!({"expected": {"url": "__GITLAB__/here"}})]);
    let mut failed = page(&format!("{GITLAB}/here"));
    failed["response"]["status"] = json!(503);
    let done = answer("NAVIGATE", "SUCCESS", &Value::Null);
    assert!(passes(&here, &done, &[page(&format!("{GITLAB}/here")), failed.clone()]));
    assert!(!passes(&here, &done, &[failed]));
}

#[test]
fn c11_d7_d8_a_response_is_found_where_it_stands_and_its_form_is_noted() {
    let Some(dataset) = released() else { return };
    let task = dataset.task(0).expect("task 0");
    let right = answer_to(task, &json!(["Quest Lumaflex™ Band"]));
    let paper =
        json!({"action": "retrieve", "status": "SUCCESS", "results": ["Quest Lumaflex™ Band"]}).to_string();
    let plan = "```json\n{\"plan\": [\"look\", \"answer\"]}\n```";
    for (response, form) in [
        (right.clone(), None),
        (paper, None),
        (format!("{plan}\nNow the answer:\n```json\n{right}\n```"), Some(ResponseForm::Fenced)),
        (format!("```JSON\n{right}\n```"), Some(ResponseForm::Fenced)),
        (format!("```json5\n{right}\n```"), Some(ResponseForm::Fenced)),
        (format!("{right}\nThat is the best seller."), Some(ResponseForm::Prose)),
        (format!("\u{feff}{right}"), Some(ResponseForm::Bom)),
    ] {
        let verdict = verdict(task, &response, &home_page(task));
        assert_eq!(verdict.outcome.as_str(), "pass", "{response}: {}", verdict.reason);
        assert_eq!(verdict.response_form, form, "{response}");
    }
    let hedged = format!("{right}\n{}", answer_to(task, &json!(["Sprite Yoga Strap"])));
    assert!(!passes(task, &hedged, &home_page(task)), "two answers are none");
}

#[test]
fn c11_the_statuses_of_the_paper_are_known() {
    let Some(dataset) = released() else { return };
    // 24: nothing is found; 491: the platform does not allow it.
    for (id, start, statuses) in [
        (24, SHOP, &["RESOURCE_NOT_FOUND_ERROR", "SEARCH_CRITERIA_NO_MATCH_ERROR", "not_found_error"][..]),
        (491, "http://localhost:7780/admin", &["NOT_SUPPORTED_BY_PLATFORM_ERROR"][..]),
    ] {
        let task = dataset.task(id).expect("a released task");
        let kind = task.task_type().expect("every task has one").name();
        for status in statuses {
            let response = answer(kind, status, &Value::Null);
            assert!(passes(task, &response, &[page(&format!("{start}/some/page"))]), "{id} {status}");
            assert!(!passes(task, &response, &home_page(task)), "{id} {status}");
        }
    }
}

#[test]
fn c12_e8_e9_every_dialect_of_a_body_is_read() {
    let starred = task(
        "mutate",
        &[json!({"expected": {"url": "__GITLAB__/star", "http_method": "POST", "post_data": {"id": "5"},
            "response_content": {"count": 56}}})],
    );
    let url = format!("{GITLAB}/star");
    let answered = |mut entry: Value, content: Value| {
        entry["response"]["content"] = content;
        entry
    };
    let plain = || json!({"mimeType": "application/json", "text": "{\"count\": 56}"});
    let multipart = "--a b\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n5\r\n--a b--\r\n";
    let mut listed = post(&url, 200, FORM, "");
    listed["request"]["postData"] = json!({"mimeType": FORM, "params": [{"name": "id", "value": "5"}]});
    for (what, entry) in [
        ("form", answered(post(&url, 200, FORM, "id=5"), plain())),
        ("listed fields", answered(listed, plain())),
        ("vendor JSON", answered(post(&url, 200, "application/vnd.api+json", "{\"id\": 5}"), plain())),
        (
            "quoted boundary",
            answered(post(&url, 200, "multipart/form-data; boundary=\"a b\"", multipart), plain()),
        ),
        (
            "base64 response",
            answered(
                post(&url, 200, FORM, "id=5"),
                json!({"mimeType": "application/json", "encoding": "base64", "text": STANDARD.encode("{\"count\": 56}")}),
            ),
        ),
        (
            "vendor JSON response",
            answered(
                post(&url, 200, FORM, "id=5"),
                json!({"mimeType": "application/vnd.api+json; charset=utf-8", "text": "{\"count\": 56}"}),
            ),
        ),
    ] {
        assert!(passes(&starred, &done(), &[entry]), "{what}");
    }
    let wrong = answered(
        post(&url, 200, FORM, "id=5"),
        json!({"mimeType": "application/json", "text": "{\"count\": 5}"}),
    );
    assert!(!passes(&starred, &done(), &[wrong]));
}

#[test]
fn c12_e11_the_case_of_a_method_does_not_matter() {
    let submission = task(
        "mutate",
        &[
            json!({"expected": {"url": "__GITLAB__/submit", "http_method": "POST", "post_data": {"title": "Right"}}}),
        ],
    );
    let mut submitted = post(&format!("{GITLAB}/submit"), 200, FORM, "title=Right");
    submitted["request"]["method"] = json!("post");
    assert!(passes(&submission, &done(), &[submitted]));
}

#[test]
fn c13_e12_a_pattern_keeps_its_case() {
    let letters =
        task("navigate", &[json!({"expected": {"url": "__GITLAB__/s", "query_params": {"q": ["^\\D+$"]}}})]);
    let done = answer("NAVIGATE", "SUCCESS", &Value::Null);
    assert!(passes(&letters, &done, &[page(&format!("{GITLAB}/s?q=abc"))]));
    assert!(!passes(&letters, &done, &[page(&format!("{GITLAB}/s?q=123"))]));
}
