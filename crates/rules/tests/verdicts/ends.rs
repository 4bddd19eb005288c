//! How a try ended, and what is broken or missing, decides before any answer does.

use crate::support::{Attempt, answer, answered_with, attempt_id, instance, page};
use serde_json::json;
use umpire_model::{BlobRef, Digest, End, EventBody, Media, Outcome, TaskKind};

fn response_check() -> serde_json::Value {
    json!([{"type": "response", "status": "SUCCESS"}])
}

#[test]
fn the_end_decides_first_even_over_a_right_answer() {
    let right = answer("mutate", "SUCCESS", &json!(null));
    for (end, outcome, reason) in [
        (End::Answered, Outcome::Pass, "the check held"),
        (End::Stopped, Outcome::Pass, "the check held"),
        (End::Time, Outcome::Timeout, "the time ran out"),
        (End::Actions, Outcome::Budget, "the actions ran out"),
        (End::Money, Outcome::Budget, "what models may cost ran out"),
        (End::Blocked, Outcome::Blocked, "the site kept the agent out"),
        (End::Infra, Outcome::Infra, "the harness failed"),
    ] {
        let mut attempt = Attempt::default();
        attempt.push(EventBody::Answered { response: right.clone() });
        let verdict = attempt.end(end).judged_by(TaskKind::Mutate, response_check());
        assert_eq!((verdict.outcome, verdict.reason.as_str()), (outcome, reason), "{end:?}");
    }
}

#[test]
fn a_try_without_its_last_words_is_infra() {
    let verdict = Attempt::default().judged_by(TaskKind::Mutate, response_check());
    assert_eq!((verdict.outcome, verdict.reason.as_str()), (Outcome::Infra, "the try did not end"));
    let verdict = Attempt::default().end(End::Answered).judged_by(TaskKind::Mutate, response_check());
    assert_eq!(verdict.outcome, Outcome::Infra);
}

#[test]
fn an_agent_that_stops_silently_fails_whatever_it_did_before() {
    let state = json!({"shop": {"x": 1}});
    let checks = json!([{"type": "state", "site": "shop", "path": "/x", "expect": {"equals": 1}}]);
    let verdict = Attempt::stopped().states(&state, &state).judged_by(TaskKind::Mutate, checks);
    assert_eq!(verdict.outcome, Outcome::Fail);
    assert_eq!(verdict.reason, "response: the agent stopped without an answer");
    assert!(verdict.checks[0].held, "the other checks are shown all the same");
}

#[test]
fn broken_checks_make_the_task_invalid() {
    let state = json!({"shop": {"x": 1}});
    for check in [
        json!({"type": "response", "status": "Success"}),
        json!({"type": "response", "status": "SUCCESS", "results": [1], "schema": {"type": "colour"}}),
        json!({"type": "response", "status": "SUCCESS", "results": ["soon"], "schema": {"type": "date"}}),
        json!({"type": "network", "url": []}),
        json!({"type": "network", "url": ["^($"]}),
        json!({"type": "network", "url": ["/cart"]}),
        json!({"type": "network", "url": ["http://shop.localhost/"], "query": {"q": ["^($"]}}),
        json!({"type": "network", "url": ["http://shop.localhost/"], "post": {"q": "^($"}}),
        json!({"type": "network", "url": ["http://shop.localhost/"], "headers": {"q": "^($"}}),
        json!({"type": "state", "site": "shop", "path": "x", "expect": {"equals": 1}}),
        json!({"type": "state", "site": "shop", "path": "/~2", "expect": "absent"}),
        json!({"type": "state", "site": "bank", "path": "/x", "expect": {"equals": 1}}),
        json!({"type": "state", "site": "shop", "expect": {"contains": {}}}),
        json!({"type": "state", "site": "shop", "expect": {"unchanged_except": ["x"]}}),
        json!({"type": "state", "site": "shop", "path": "/x", "expect": {"unchanged_except": ["/y"]}}),
    ] {
        // A wrong answer beside it must not hide that the task is broken.
        let checks = json!([{"type": "response", "status": "UNKNOWN_ERROR"}, check]);
        let attempt = Attempt::answered(&answer("retrieve", "SUCCESS", &json!([1])))
            .states(&state, &state)
            .exchange(page(1, "http://shop.localhost/"));
        let verdict = attempt.judged_by(TaskKind::Retrieve, checks);
        assert_eq!(verdict.outcome, Outcome::Invalid, "{check}: {}", verdict.reason);
        assert!(verdict.reason.starts_with("check 2 ("), "{}", verdict.reason);
    }
    let none = Attempt::answered("{}").judged_by(TaskKind::Retrieve, json!([]));
    assert_eq!(none.outcome, Outcome::Invalid);
}

#[test]
fn a_world_without_state_is_a_broken_task_but_a_lost_state_is_infra() {
    let checks = || json!([{"type": "state", "site": "shop", "path": "/x", "expect": {"equals": 1}}]);
    let right = answer("mutate", "SUCCESS", &json!(null));
    assert_eq!(Attempt::answered(&right).judged_by(TaskKind::Mutate, checks()).outcome, Outcome::Invalid);

    let mut half = Attempt::answered(&right);
    let state = half.blobs.put(br#"{"shop":{}}"#, Media::Json);
    half.push(EventBody::StateBefore { state });
    assert_eq!(half.judged_by(TaskKind::Mutate, checks()).outcome, Outcome::Infra);

    for content in [None, Some(&b"{\"shop\":"[..])] {
        let mut lost = Attempt::answered(&right);
        let gone = BlobRef { digest: Digest::of(b"gone"), media: Media::Json, bytes: 4 };
        let state = content.map_or(gone, |content| lost.blobs.put(content, Media::Json));
        lost.push(EventBody::StateAfter { state });
        let verdict = lost.judged_by(TaskKind::Mutate, checks());
        assert_eq!(verdict.outcome, Outcome::Infra);
        assert!(
            verdict.reason.starts_with("state: evidence is missing: the state at the end"),
            "{}",
            verdict.reason
        );
    }
}

#[test]
fn a_failure_that_is_certain_is_not_excused_by_missing_evidence() {
    let mut attempt = Attempt::answered(&answer("mutate", "UNKNOWN_ERROR", &json!(null)));
    let state = attempt.blobs.put(b"{}", Media::Json);
    attempt.push(EventBody::StateBefore { state });
    let checks = json!([
        {"type": "state", "site": "shop", "path": "/x", "expect": {"equals": 1}},
        {"type": "response", "status": "SUCCESS"},
    ]);
    let verdict = attempt.judged_by(TaskKind::Mutate, checks);
    assert_eq!(verdict.outcome, Outcome::Fail);
    assert_eq!(verdict.reason, "status: expected SUCCESS, got UNKNOWN_ERROR");
}

#[test]
fn all_checks_are_decided_and_the_first_failure_is_the_reason() {
    let state = json!({"shop": {"x": 1}});
    let attempt = Attempt::answered(&answer("retrieve", "SUCCESS", &json!([24.99]))).states(&state, &state);
    let checks = json!([
        {"type": "state", "site": "shop", "path": "/x", "expect": {"equals": 1}},
        {"type": "response", "status": "SUCCESS", "results": [19.99], "schema": {"type": "number"}},
        {"type": "network", "url": ["http://shop.localhost/cart"]},
    ]);
    let verdict = umpire_rules::evaluate(
        &attempt_id(),
        &instance(TaskKind::Retrieve, checks),
        &attempt.trajectory,
        &attempt.blobs,
    );
    assert_eq!(verdict.reason, "answer: expected 19.99, got 24.99");
    assert_eq!(verdict.checks.iter().map(|check| check.held).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(
        verdict.checks.iter().map(|check| check.kind.as_str()).collect::<Vec<_>>(),
        ["state", "response", "network"]
    );
    assert_eq!((verdict.by.as_str(), &verdict.digest), ("rules", &umpire_rules::digest()));
    assert_eq!(verdict.checks[1].evidence, [0], "the answer is event 0");
}

#[test]
fn an_attempt_that_ends_in_front_of_a_wall_was_blocked() {
    let start = || page(1, "http://travel.localhost/");
    let wall = || answered_with(page(2, "http://travel.localhost/stays"), 403, &[("x-bot-wall", "puzzle")]);
    let refused = || answered_with(page(2, "http://travel.localhost/trips/X"), 403, &[]);
    let gave_up = answer("retrieve", "UNKNOWN_ERROR", &json!(null));
    for (pages, response, outcome) in [
        (vec![start(), wall()], &gave_up, Outcome::Blocked),
        // A wall that was passed excuses nothing.
        (vec![wall(), page(3, "http://travel.localhost/stays")], &gave_up, Outcome::Fail),
        // Nor does a page that the visitor has no right to.
        (vec![start(), refused()], &gave_up, Outcome::Fail),
        (vec![start(), answered_with(page(2, "http://a.example/"), 429, &[])], &gave_up, Outcome::Blocked),
        // Who got what was asked for was not kept out.
        (vec![start(), wall()], &answer("retrieve", "SUCCESS", &json!([7])), Outcome::Pass),
    ] {
        let attempt = pages.into_iter().fold(Attempt::answered(response), Attempt::exchange);
        let checks =
            json!([{"type": "response", "status": "SUCCESS", "results": [7], "schema": {"type": "number"}}]);
        let verdict = attempt.judged_by(TaskKind::Retrieve, checks);
        assert_eq!(verdict.outcome, outcome, "{}", verdict.reason);
    }
}
