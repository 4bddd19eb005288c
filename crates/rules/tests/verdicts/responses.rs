//! Checks on the structured response.

use crate::support::{Attempt, answer};
use serde_json::{Value, json};
use umpire_model::{Outcome, ResponseForm, TaskKind, Verdict};

fn judged(kind: TaskKind, check: Value, response: &str) -> Verdict {
    let mut check = check;
    check["type"] = json!("response");
    Attempt::answered(response).judged_by(kind, json!([check]))
}

#[test]
fn reasons_say_what_was_expected_and_what_came() {
    let price = || json!({"status": "SUCCESS", "results": ["$19.99"], "schema": {"type": "string", "format": "currency"}});
    let names = || json!({"status": "SUCCESS", "results": [["Lamp", "Desk lamp"], "Chair"], "schema": {"type": "string"}});
    let ranked =
        || json!({"status": "SUCCESS", "results": [3, 1], "schema": {"type": "number"}, "ordered": true});
    let retrieve = TaskKind::Retrieve;
    for (check, results, reason) in [
        (price(), json!([19.99]), "the check held"),
        (price(), json!(["€19.99"]), "answer: expected \"$19.99\", got \"€19.99\""),
        (price(), json!([]), "answer: expected 1 result, got none"),
        (price(), json!(null), "answer: expected 1 result, got none"),
        (price(), json!([19.99, 19.99]), "answer: expected 1 result, got 2"),
        (price(), json!([[19.99, 5]]), "answer: expected \"$19.99\", got [19.99,5]"),
        (names(), json!(["chair", "desk lamp"]), "the check held"),
        (names(), json!(["Lamp", "Stool"]), "answer: expected \"Chair\", got \"Stool\""),
        (names(), json!(["Bed", "Chair"]), "answer: expected \"Lamp\" or \"Desk lamp\", got \"Bed\""),
        (
            names(),
            json!(["^.*$", "^.*$"]),
            "answer: expected \"Lamp\" or \"Desk lamp\", \"Chair\", got \"^.*$\", \"^.*$\"",
        ),
        (ranked(), json!([3, 1]), "the check held"),
        (ranked(), json!([1, 3]), "answer: expected 3, 1, got 1, 3"),
    ] {
        let verdict = judged(retrieve, check, &answer("retrieve", "SUCCESS", &results));
        assert_eq!(verdict.reason, reason, "{results}");
        assert_eq!(verdict.outcome == Outcome::Pass, reason == "the check held");
    }
}

#[test]
fn action_and_status_must_be_exact() {
    let check = || json!({"status": "NOT_FOUND_ERROR"});
    for (action, status, reason) in [
        ("retrieve", "NOT_FOUND_ERROR", "the check held"),
        ("mutate", "NOT_FOUND_ERROR", "action: expected retrieve, got mutate"),
        ("retrieve", "SUCCESS", "status: expected NOT_FOUND_ERROR, got SUCCESS"),
    ] {
        let verdict = judged(TaskKind::Retrieve, check(), &answer(action, status, &json!(null)));
        assert_eq!(verdict.reason, reason);
    }
}

#[test]
fn results_count_where_they_are_asked_for() {
    let made_up = judged(
        TaskKind::Retrieve,
        json!({"status": "NOT_FOUND_ERROR"}),
        &answer("retrieve", "NOT_FOUND_ERROR", &json!(["something"])),
    );
    assert_eq!(made_up.reason, "answer: expected 0 results, got 1");
    for kind in [TaskKind::Mutate, TaskKind::Navigate] {
        let talkative = answer(kind.as_str(), "SUCCESS", &json!(["done", 1]));
        assert_eq!(judged(kind, json!({"status": "SUCCESS"}), &talkative).outcome, Outcome::Pass);
        let asked = json!({"status": "SUCCESS", "results": [true], "schema": {"type": "boolean"}});
        assert_eq!(judged(kind, asked.clone(), &talkative).outcome, Outcome::Fail);
        assert_eq!(
            judged(kind, asked, &answer(kind.as_str(), "SUCCESS", &json!([true]))).outcome,
            Outcome::Pass
        );
    }
}

#[test]
fn problems_of_the_response_are_failures_with_a_reason() {
    let right = answer("retrieve", "SUCCESS", &json!([1]));
    for (response, reason) in [
        (
            format!("{right} or {}", right.replace("[1]", "[2]")),
            "response: there are 2 different responses in the text",
        ),
        ("see {\"a\": 1}".to_owned(), "response: the JSON is wrapped in a code fence or prose"),
        ("yes".to_owned(), "response: the response is not JSON"),
        (String::new(), "response: the response is empty"),
        ("{}".to_owned(), "response: the response does not follow the schema at `/`"),
        (right.replace("SUCCESS", "DONE"), "response: the response does not follow the schema at `/status`"),
    ] {
        let check = json!({"status": "SUCCESS", "results": [1], "schema": {"type": "number"}});
        let verdict = judged(TaskKind::Retrieve, check, &response);
        assert_eq!(verdict.outcome, Outcome::Fail);
        assert!(verdict.reason.starts_with(reason), "{response}: {}", verdict.reason);
    }
}

#[test]
fn a_wrapped_response_is_judged_by_what_it_says_and_counted_by_its_form() {
    let right = answer("retrieve", "SUCCESS", &json!([1]));
    let wrong = right.replace("[1]", "[2]");
    let check = || json!({"status": "SUCCESS", "results": [1], "schema": {"type": "number"}});
    for (response, outcome, form) in [
        (right.clone(), Outcome::Pass, None),
        (format!("\u{feff}{right}"), Outcome::Pass, Some(ResponseForm::Bom)),
        (format!("```json\n{right}\n```"), Outcome::Pass, Some(ResponseForm::Fenced)),
        (format!("Done: {right}"), Outcome::Pass, Some(ResponseForm::Prose)),
        (format!("Done: {wrong}"), Outcome::Fail, Some(ResponseForm::Prose)),
        ("no idea".to_owned(), Outcome::Fail, None),
    ] {
        let verdict = judged(TaskKind::Retrieve, check(), &response);
        assert_eq!((verdict.outcome, verdict.response_form), (outcome, form), "{response}");
    }
}

#[test]
fn a_hostile_answer_leaves_a_small_verdict() {
    let check = || json!({"status": "SUCCESS", "results": ["x"], "schema": {"type": "string"}});
    let long = "long ".repeat(150_000);
    let object = json!({"action": "retrieve", "status": "SUCCESS", "results": [long]});
    for response in [
        object.to_string(),
        answer("retrieve", "SUCCESS", &json!(vec![0; 300_000])),
        answer("retrieve", "SUCCESS", &json!([{"k": long}])),
        format!("{{\"action\":\"retrieve\",\"status\":\"SUCCESS\",\"results\":{}", "[".repeat(500_000)),
        "\u{0}\n".repeat(2_000_000),
    ] {
        let verdict = judged(TaskKind::Retrieve, check(), &response);
        assert_eq!(verdict.outcome, Outcome::Fail);
        assert!(serde_json::to_vec(&verdict).expect("serializes").len() < 4000);
        assert!(!verdict.reason.contains('\n'));
    }
}
