//! A: scores that should not be 1.0.

use serde_json::{Value, json};
use umpire_model::{BackendAnswer, BackendCheck, Body, Moment, Outcome, Said};

use super::attempts::{GITLAB, answer, answer_to, home_page, page, passes, post, released, task, verdict};

/// How many results a task expects.
fn expected_results(task: &umpire_webarena::task::Task) -> usize {
    let data = task.response_evaluator().and_then(|evaluator| evaluator.expected.retrieved_data.as_ref());
    data.and_then(|data| data.as_list()).map_or(0, <[_]>::len)
}

#[test]
fn a1_a_pattern_in_the_answer_is_text() {
    let Some(dataset) = released() else { return };
    for task in dataset.tasks() {
        let any = "^.*$";
        let fixed = answer(any, any, &json!([any]));
        let counted = answer_to(task, &json!(vec![any; expected_results(task).max(1)]));
        for response in [fixed, counted] {
            let verdict = verdict(task, &response, &home_page(task));
            assert_ne!(verdict.outcome, Outcome::Pass, "task {}: {response}", task.task_id);
        }
    }
}

#[test]
fn a2_a_list_in_the_answer_is_no_choice() {
    let Some(dataset) = released() else { return };
    let numbers: Vec<u32> = (0..5000).collect();
    let mut tried = 0;
    for task in dataset.tasks().iter().filter(|task| expected_results(task) > 0) {
        let schema =
            serde_json::to_value(&task.response_evaluator().expect("one").results_schema).expect("JSON");
        let choice = match schema["items"]["type"].as_str() {
            Some("number") => json!(numbers),
            Some("boolean") => json!([true, false]),
            _ => continue,
        };
        let response = answer_to(task, &json!(vec![choice; expected_results(task)]));
        assert_eq!(
            verdict(task, &response, &home_page(task)).outcome,
            Outcome::Fail,
            "task {}",
            task.task_id
        );
        tried += 1;
    }
    assert!(tried > 50, "{tried} tasks with numbers or booleans");
}

#[test]
fn a3_an_answer_without_a_look_at_the_sites_is_a_guess() {
    let Some(dataset) = released() else { return };
    let first = dataset.task(0).expect("task 0");
    let right = answer_to(first, &json!(["Quest Lumaflex™ Band"]));
    assert!(passes(first, &right, &home_page(first)));
    let elsewhere = verdict(first, &right, &[page("http://example.com/")]);
    assert_eq!(elsewhere.reason, "activity: no site of the task was used");
    for task in dataset.tasks() {
        let data = task.response_evaluator().and_then(|evaluator| evaluator.expected.retrieved_data.as_ref());
        let right = answer_to(task, &serde_json::to_value(data).expect("JSON"));
        assert!(!passes(task, &right, &[page("http://example.com/")]), "task {}", task.task_id);
    }
    let look_alike = page("http://localhost:77800/admin/");
    assert!(!passes(first, &right, &[look_alike]), "E13: an address is no text to search in");
}

#[test]
fn a4_opening_the_start_page_does_nothing() {
    let Some(dataset) = released() else { return };
    let mut would_do = 0;
    for task in dataset.tasks() {
        let response = answer_to(task, &Value::Null);
        let verdict = verdict(task, &response, &home_page(task));
        assert_ne!(verdict.outcome, Outcome::Pass, "task {}", task.task_id);
        would_do += usize::from(verdict.reason == "activity: nothing beyond the start page was requested");
    }
    assert_eq!(would_do, 41, "tasks for which everything else was right");
    let order = dataset.task(491).expect("task 491, on the shop's back office");
    let mut sent_on = home_page(order);
    sent_on[0]["response"] = json!({"status": 302, "redirectURL": "http://localhost:7780/admin/dashboard/"});
    sent_on.push(page("http://localhost:7780/admin/dashboard/"));
    assert!(
        !passes(order, &answer_to(order, &Value::Null), &sent_on),
        "where a start page leads is part of it"
    );
    sent_on.push(page("http://localhost:7780/admin/sales/order/"));
    assert!(passes(order, &answer_to(order, &Value::Null), &sent_on));
    let route = dataset.task(356).expect("task 356");
    let mut used = home_page(route);
    used.push(page("http://localhost:3000/directions?from=a&to=b"));
    used.push(page("http://localhost:3000/"));
    assert!(passes(route, &answer_to(route, &Value::Null), &used));
}

fn labels() -> umpire_webarena::task::Task {
    task(
        "navigate",
        &[json!({"expected": {"url": "__GITLAB__/issues", "query_params": {"label": ["bug", "ui"]}}})],
    )
}

#[test]
fn a8_e1_all_values_of_a_parameter_count() {
    let done = answer("NAVIGATE", "SUCCESS", &Value::Null);
    for (query, right) in [
        ("label=bug&label=ui", true),
        ("label=ui&label=bug", true),
        ("label=bug", false),
        ("label=bug&label=zz", false),
        ("label=bug&label=ui&label=zz", false),
    ] {
        assert_eq!(passes(&labels(), &done, &[page(&format!("{GITLAB}/issues?{query}"))]), right, "{query}");
    }
}

#[test]
fn a9_e2_a_plus_is_a_plus_and_nothing_is_decoded_twice() {
    let search = |q: &str| {
        task("navigate", &[json!({"expected": {"url": "__GITLAB__/s", "query_params": {"q": [q]}}})])
    };
    let done = answer("NAVIGATE", "SUCCESS", &Value::Null);
    for (expected, query, right) in [
        ("c", "q=c%2B%2B", false),
        ("c++", "q=c%2B%2B", true),
        ("c++", "q=c++", false),
        ("a b", "q=a+b", true),
        ("a b", "q=a%2520b", false),
        ("a%20b", "q=a%2520b", true),
    ] {
        let search = search(expected);
        assert_eq!(
            passes(&search, &done, &[page(&format!("{GITLAB}/s?{query}"))]),
            right,
            "{expected} {query}"
        );
    }
}

fn submission() -> umpire_webarena::task::Task {
    task(
        "mutate",
        &[json!({"expected": {"url": "__GITLAB__/submit", "http_method": "POST", "response_status": 302,
            "post_data": {"title": "Right"}}})],
    )
}

const FORM: &str = "application/x-www-form-urlencoded";

#[test]
fn a10_e4_an_earlier_wrong_submission_counts_if_it_took_effect() {
    let done = answer("MUTATE", "SUCCESS", &Value::Null);
    let submit =
        |title: &str, status| post(&format!("{GITLAB}/submit"), status, FORM, &format!("title={title}"));
    assert!(passes(&submission(), &done, &[submit("Right", 302)]));
    assert!(!passes(&submission(), &done, &[submit("Wrong", 302), submit("Right", 302)]));
    assert!(passes(&submission(), &done, &[submit("Wrong", 422), submit("Right", 302)]), "it was refused");
}

#[test]
fn a10_a_switch_counts_by_its_last_state() {
    let star = task(
        "mutate",
        &[
            json!({"expected": {"url": "__GITLAB__/star", "http_method": "POST", "response_content": {"count": 56}}}),
        ],
    );
    let pressed = |count: i64| {
        let mut entry = post(&format!("{GITLAB}/star"), 200, FORM, "");
        entry["response"]["content"] =
            json!({"mimeType": "application/json", "text": json!({"count": count}).to_string()});
        entry
    };
    let done = answer("MUTATE", "SUCCESS", &Value::Null);
    assert!(passes(&star, &done, &[pressed(56), pressed(55), pressed(56)]));
    assert!(!passes(&star, &done, &[pressed(56), pressed(55)]));
}

#[test]
fn a5_a_right_request_is_not_enough_where_the_backend_can_be_asked() {
    let done = answer("MUTATE", "SUCCESS", &Value::Null);
    let sent = post(&format!("{GITLAB}/submit"), 302, FORM, "title=Right");
    assert!(passes(&submission(), &done, &[sent]), "all that a trace can show");
    let check: BackendCheck = serde_json::from_value(json!({"backend": "git", "ask": {"get": "/posts/last"},
        "select": "$.title", "expect": {"equals": "Right"}}))
    .expect("a check");
    for (kept, outcome) in [("Right", Outcome::Pass), ("Wrong", Outcome::Fail)] {
        let said = Said::Json(Body::Text(json!({"title": kept}).to_string()));
        let answer = BackendAnswer {
            backend: check.backend.clone(),
            question: check.question(),
            asked: check.ask.to_string(),
            when: Moment::After,
            said,
            took_ms: 1,
        };
        let judged = umpire_rules::evaluate_backend(std::slice::from_ref(&check), &[answer]);
        assert_eq!(judged.outcome, outcome, "{kept}: {}", judged.reason);
    }
}

#[test]
fn a1_e7_a_pattern_the_agent_sends_is_text() {
    let done = answer("MUTATE", "SUCCESS", &Value::Null);
    let sent = post(&format!("{GITLAB}/submit"), 302, FORM, "title=%5E.*%24");
    assert!(!passes(&submission(), &done, &[sent]));
}

#[test]
fn a_frame_inside_a_page_is_no_navigation() {
    let here = task("navigate", &[json!({"expected": {"url": "__GITLAB__/here"}})]);
    let done = answer("NAVIGATE", "SUCCESS", &Value::Null);
    let frame = json!({"request": {"method": "GET", "url": format!("{GITLAB}/here"), "headers": [
        {"name": "Accept", "value": "text/html"}, {"name": "Sec-Fetch-Dest", "value": "iframe"},
        {"name": "Sec-Fetch-Mode", "value": "navigate"}]}, "response": {"status": 200}});
    assert!(!passes(&here, &done, &[page(&format!("{GITLAB}/there")), frame.clone()]));
    let mut other = frame;
    other["request"]["url"] = json!(format!("{GITLAB}/ad"));
    assert!(passes(&here, &done, &[page(&format!("{GITLAB}/here")), other]));
}
