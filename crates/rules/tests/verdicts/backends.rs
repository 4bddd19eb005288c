//! Checks on what a deployment's own backend said.

use serde_json::{Value, json};
use umpire_model::{
    BackendAnswer, BackendCheck, Body, EventBody, Media, Moment, Outcome, Said, TaskKind, Verdict,
};

use crate::support::{Attempt, answer};

const QUERY: &str = "SELECT sku, qty, price FROM cart";

fn check(select: &str, expect: &Value) -> Value {
    json!({"type": "backend", "backend": "shop-db", "ask": {"sql": {"query": QUERY}}, "select": select,
           "expect": expect})
}

fn recorded(check: &Value, when: Moment, said: Said) -> BackendAnswer {
    let mut fields = check.clone();
    fields.as_object_mut().expect("an object").remove("type");
    let check: BackendCheck = serde_json::from_value(fields).expect("a backend check");
    BackendAnswer {
        backend: check.backend.clone(),
        question: check.question(),
        asked: check.ask.to_string(),
        when,
        said,
        took_ms: 3,
    }
}

fn judged(check: &Value, answers: &[(Moment, Said)]) -> Verdict {
    let mut attempt = Attempt::answered(&answer("mutate", "SUCCESS", &json!(null)));
    for (when, said) in answers {
        attempt.push(EventBody::BackendAnswer(Box::new(recorded(check, *when, said.clone()))));
    }
    attempt.judged_by(TaskKind::Mutate, json!([check]))
}

fn rows(value: &Value) -> Said {
    Said::Json(Body::Text(value.to_string()))
}

fn cart() -> Value {
    json!([{"sku": "A", "qty": 2, "price": "19.90"}, {"sku": "B", "qty": 1, "price": "5.00"}])
}

#[test]
fn conditions_on_the_answer() {
    for (select, expect, holds) in [
        (
            "",
            json!({"equals": [{"sku": "A", "qty": 2, "price": 19.9}, {"sku": "B", "qty": 1, "price": 5}]}),
            true,
        ),
        (
            "",
            json!({"equals": [{"sku": "B", "qty": 1, "price": 5}, {"sku": "A", "qty": 2, "price": 19.9}]}),
            true,
        ),
        ("", json!({"equals": [{"sku": "A", "qty": 2, "price": 19.9}]}), false),
        ("$[0].qty", json!({"equals": 2}), true),
        ("$[0].qty", json!({"equals": 3}), false),
        ("$[7].qty", json!({"equals": null}), false),
        ("$[*].sku", json!({"equals": ["B", "A"]}), true),
        ("$[*].sku", json!({"contains": "B"}), true),
        ("$[*].sku", json!({"contains": "b"}), false),
        ("", json!({"contains": {"sku": "A", "price": 19.9}}), true),
        ("", json!({"contains": {"sku": "A", "price": 5}}), false),
        ("$[0].sku", json!({"contains": "A"}), false),
        ("", json!({"count": 2}), true),
        ("", json!({"count": 3}), false),
        ("$[?@.qty > 1]", json!({"count": 1}), true),
        ("$[0].sku", json!({"count": 1}), false),
        ("$[?@.sku == 'C']", json!("absent"), true),
        ("$[?@.sku == 'A']", json!("absent"), false),
        ("$[7]", json!("absent"), true),
    ] {
        let check = check(select, &expect);
        let verdict = judged(&check, &[(Moment::After, rows(&cart()))]);
        let expected = if holds { Outcome::Pass } else { Outcome::Fail };
        assert_eq!(verdict.outcome, expected, "{check}: {}", verdict.reason);
        assert_eq!(verdict.checks[0].evidence, [2], "{check}");
        assert_eq!(verdict.checks[0].kind, "backend");
    }
}

#[test]
fn a_schema_gives_values_their_type() {
    let currency =
        json!({"type": "object", "properties": {"price": {"type": "string", "format": "currency"}}});
    for (expect, schema, ordered, holds) in [
        (json!({"contains": {"price": "$19.90"}}), currency.clone(), false, true),
        (json!({"contains": {"price": "$19.91"}}), currency, false, false),
        (json!({"equals": ["a", "b"]}), json!({"type": "string"}), true, true),
        (json!({"equals": ["b", "a"]}), json!({"type": "string"}), true, false),
    ] {
        let is_list = expect.get("equals").is_some();
        let mut check = check(if is_list { "$[*].sku" } else { "" }, &expect);
        check["schema"] = schema;
        check["ordered"] = json!(ordered);
        let verdict = judged(&check, &[(Moment::After, rows(&cart()))]);
        assert_eq!(verdict.outcome == Outcome::Pass, holds, "{check}: {}", verdict.reason);
    }
}

#[test]
fn whose_fault_it_is_that_there_is_no_answer() {
    let good = check("", &json!({"count": 0}));
    let refused = Said::Refused("no such table: cart".to_owned());
    let unreachable = Said::Unreachable("connection refused".to_owned());
    let mistyped = json!([{"type": "backend", "backend": "shop-db", "ask": {"sql": {"query": QUERY}}, "expect": {"equals": ["x"]}, "schema": {"type": "colour"}}]);
    for (check, answers, outcome, reason) in [
        (
            &good,
            vec![(Moment::After, refused)],
            Outcome::Invalid,
            "check 1 (backend): the check is broken: shop-db: no such table: cart",
        ),
        (
            &good,
            vec![(Moment::After, unreachable)],
            Outcome::Infra,
            "backend: evidence is missing: shop-db: connection refused",
        ),
        (
            &good,
            vec![],
            Outcome::Infra,
            "backend: evidence is missing: shop-db was not asked after the attempt",
        ),
        (
            &good,
            vec![(Moment::Before, rows(&json!([])))],
            Outcome::Infra,
            "backend: evidence is missing: shop-db was not asked after the attempt",
        ),
        (&good, vec![(Moment::After, Said::Json(Body::Text("[".to_owned())))], Outcome::Infra, ""),
        (&check("$[", &json!({"count": 0})), vec![(Moment::After, rows(&json!([])))], Outcome::Invalid, ""),
        (
            &check("", &json!({"contains": {}})),
            vec![(Moment::After, rows(&json!([{}])))],
            Outcome::Invalid,
            "",
        ),
        (&mistyped[0], vec![(Moment::After, rows(&json!([])))], Outcome::Invalid, ""),
    ] {
        let verdict = judged(check, &answers);
        assert_eq!(verdict.outcome, outcome, "{check}: {}", verdict.reason);
        assert!(reason.is_empty() || verdict.reason == reason, "{}", verdict.reason);
    }
}

#[test]
fn a_place_without_anything_is_absent_and_equals_nothing() {
    for (expect, outcome) in [
        (json!("absent"), Outcome::Pass),
        (json!({"equals": []}), Outcome::Fail),
        (json!({"equals": null}), Outcome::Fail),
        (json!({"contains": 1}), Outcome::Fail),
        (json!({"count": 0}), Outcome::Fail),
    ] {
        let verdict = judged(&check("", &expect), &[(Moment::After, Said::Nothing)]);
        assert_eq!(verdict.outcome, outcome, "{expect}: {}", verdict.reason);
    }
}

#[test]
fn what_must_not_change_is_compared_with_the_answer_before() {
    let mut after = cart();
    after[0]["qty"] = json!(3);
    for (allowed, holds) in [(json!([]), false), (json!(["/0/qty"]), true), (json!(["/1"]), false)] {
        let check = check("", &json!({"unchanged_except": allowed}));
        let verdict = judged(&check, &[(Moment::Before, rows(&cart())), (Moment::After, rows(&after))]);
        let expected = if holds { Outcome::Pass } else { Outcome::Fail };
        assert_eq!(verdict.outcome, expected, "{check}: {}", verdict.reason);
        assert_eq!(verdict.checks[0].evidence, [2, 3]);
        if !holds {
            assert_eq!(verdict.reason, "shop-db: /0/qty was 2 and is 3");
        }
    }
    let unchanged = check("", &json!({"unchanged_except": []}));
    assert_eq!(judged(&unchanged, &[(Moment::After, rows(&after))]).outcome, Outcome::Infra);
}

#[test]
fn a_long_answer_is_read_from_its_blob() {
    let check = check("$[1].sku", &json!({"equals": "B"}));
    let mut attempt = Attempt::answered(&answer("mutate", "SUCCESS", &json!(null)));
    let blob = attempt.blobs.put(cart().to_string().as_bytes(), Media::Json);
    let answer = recorded(&check, Moment::After, Said::Json(Body::Blob(blob)));
    attempt.push(EventBody::BackendAnswer(Box::new(answer)));
    assert_eq!(attempt.judged_by(TaskKind::Mutate, json!([check])).outcome, Outcome::Pass);
}

#[test]
fn answers_in_hand_are_judged_without_a_trajectory() {
    let line = check("", &json!({"count": 2}));
    let answers = [recorded(&line, Moment::After, rows(&cart()))];
    let mut fields = line;
    fields.as_object_mut().expect("an object").remove("type");
    let check: BackendCheck = serde_json::from_value(fields).expect("a backend check");
    let judgement = umpire_rules::evaluate_backend(std::slice::from_ref(&check), &answers);
    assert_eq!((judgement.outcome, judgement.checks.len()), (Outcome::Pass, 1));
    assert_eq!(umpire_rules::evaluate_backend(&[check], &[]).outcome, Outcome::Infra);
    assert_eq!(umpire_rules::evaluate_backend(&[], &[]).outcome, Outcome::Invalid);
}
