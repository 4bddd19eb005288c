//! Mutants of right attempts are rejected by good checks, and let through by bad ones.

use crate::support::{Attempt, answer, answered_with, attempt_id, form_post, instance, page, request};
use serde_json::{Value, json};
use umpire_model::{BackendAnswer, BackendCheck, Body, EventBody, Moment, Outcome, Said, TaskKind};
use umpire_rules::mutants::{MutantKind, apply, mutants};

/// Judges all mutants of a right attempt: what was rejected, what was let through, and what could not be made.
#[derive(Debug, Default)]
struct Trial {
    rejected: Vec<String>,
    accepted: Vec<String>,
    not_applicable: Vec<String>,
}

fn try_out(kind: TaskKind, checks: Value, right: &Attempt) -> Trial {
    let instance = instance(kind, checks);
    let judge = |trajectory: &_, blobs: &dyn umpire_model::BlobSource| {
        umpire_rules::evaluate(&attempt_id(), &instance, trajectory, blobs)
    };
    let verdict = judge(&right.trajectory, &right.blobs);
    assert_eq!(verdict.outcome, Outcome::Pass, "the original must be right: {}", verdict.reason);
    let (_, response) = right.trajectory.response().expect("an answer");
    let mut trial = Trial::default();
    for mutant in mutants(&instance, response) {
        let Some((trajectory, blobs)) = apply(&mutant, &right.trajectory, &right.blobs) else {
            trial.not_applicable.push(mutant.what);
            continue;
        };
        let verdict = judge(&trajectory, &blobs);
        match verdict.outcome {
            Outcome::Pass => trial.accepted.push(mutant.what),
            Outcome::Fail => trial.rejected.push(mutant.what),
            other => panic!("{}: {other:?}, {}", mutant.what, verdict.reason),
        }
    }
    trial
}

fn has(list: &[String], part: &str) -> bool {
    list.iter().any(|what| what.contains(part))
}

#[test]
fn answers_of_every_type() {
    for (type_name, right) in umpire_rules::value_types() {
        let checks = json!([{"type": "response", "status": "SUCCESS", "results": [right], "schema": {"type": type_name}}]);
        let attempt = Attempt::answered(&answer("retrieve", "SUCCESS", &json!([right])));
        let trial = try_out(TaskKind::Retrieve, checks, &attempt);
        assert_eq!(trial.accepted, [""; 0], "{type_name}");
        assert_eq!(trial.not_applicable, [""; 0], "{type_name}");
        for what in [
            "status NOT_FOUND_ERROR",
            "action navigate",
            "no answer",
            "a result missing",
            "a result too many",
        ] {
            assert!(has(&trial.rejected, what), "{type_name}: {what}");
        }
    }
}

#[test]
fn answers_with_several_parts() {
    let schema = json!({"type": "object", "properties": {
        "name": {"type": "string"}, "price": {"type": "currency"}, "left": {"type": "number"},
    }});
    let results = json!([
        {"name": "Desk lamp", "price": "$19.99", "left": 3},
        {"name": "Floor lamp", "price": "$49.00", "left": 4},
    ]);
    for ordered in [true, false] {
        let checks = json!([{"type": "response", "status": "SUCCESS", "results": results, "schema": schema, "ordered": ordered}]);
        let attempt = Attempt::answered(&answer("retrieve", "SUCCESS", &results));
        let trial = try_out(TaskKind::Retrieve, checks, &attempt);
        assert_eq!(trial.accepted, [""; 0]);
        for what in [
            "a digit off by one",
            "a field less",
            "two fields swapped",
            "one unit too much",
            "a result twice",
        ] {
            assert!(has(&trial.rejected, what), "{what}");
        }
        assert_eq!(has(&trial.rejected, "two results swapped"), ordered);
    }
}

#[test]
fn alternatives_are_not_taken_for_mistakes() {
    let checks = json!([{"type": "response", "status": "SUCCESS", "results": [[5, 6], 6], "schema": {"type": "number"}}]);
    let attempt = Attempt::answered(&answer("retrieve", "SUCCESS", &json!([5, 6])));
    assert_eq!(try_out(TaskKind::Retrieve, checks, &attempt).accepted, [""; 0]);
}

#[test]
fn results_where_there_are_none() {
    let checks = json!([{"type": "response", "status": "NOT_FOUND_ERROR"}]);
    let attempt = Attempt::answered(&answer("retrieve", "NOT_FOUND_ERROR", &json!(null)));
    let trial = try_out(TaskKind::Retrieve, checks, &attempt);
    assert_eq!(trial.accepted, [""; 0]);
    assert!(has(&trial.rejected, "a result where there is none") && has(&trial.rejected, "status SUCCESS"));
}

#[test]
fn a_pattern_that_is_too_wide_is_found_out() {
    let checks = json!([{"type": "response", "status": "SUCCESS", "results": ["^.*lamp.*$"]}]);
    let attempt = Attempt::answered(&answer("retrieve", "SUCCESS", &json!(["desk lamp"])));
    let trial = try_out(TaskKind::Retrieve, checks, &attempt);
    assert!(has(&trial.accepted, "a word more"), "{trial:?}");
    assert!(has(&trial.rejected, "a word less"), "{trial:?}");
}

fn cart_attempt() -> Attempt {
    let before = json!({"shop": {"cart": {}, "settings": {"newsletter": false, "theme": "light"}, "orders": [{"id": 1}]}});
    let after = json!({"shop": {
        "cart": {"SKU-1": {"sku": "SKU-1", "quantity": 2}},
        "settings": {"newsletter": true, "theme": "light"},
        "orders": [{"id": 1}],
    }});
    Attempt::answered(&answer("mutate", "SUCCESS", &json!(null))).states(&before, &after)
}

fn cart_checks() -> Value {
    json!([
        {"type": "response", "status": "SUCCESS"},
        {"type": "state", "site": "shop", "path": "/settings/newsletter", "expect": {"equals": true}},
        {"type": "state", "site": "shop", "path": "/cart", "expect": {"contains": {"sku": "SKU-1", "quantity": 2}}},
        {"type": "state", "site": "shop", "path": "/cart", "expect": {"count": 1}},
        {"type": "state", "site": "shop", "path": "/coupon", "expect": "absent"},
        {"type": "state", "site": "shop", "expect": {"unchanged_except": ["/cart", "/settings/newsletter"]}},
    ])
}

#[test]
fn states() {
    let trial = try_out(TaskKind::Mutate, cart_checks(), &cart_attempt());
    assert_eq!(trial.accepted, [""; 0]);
    assert_eq!(trial.not_applicable, [""; 0]);
    for what in [
        "/settings/newsletter: the opposite",
        "/settings/newsletter: not changed",
        "/cart: quantity: one unit too much (3)",
        "/cart: the entry missing",
        "/cart: an entry less",
        "/cart: an entry more",
        "/coupon: something there",
        "a change too many",
    ] {
        assert!(has(&trial.rejected, what), "{what}: {:?}", trial.rejected);
    }
}

#[test]
fn an_entry_with_more_in_it_than_was_asked_for_is_no_miss() {
    let (before, after) =
        (json!({"forum": {"reports": {}}}), json!({"forum": {"reports": {"9": {"about": {"post": 12}}}}}));
    let attempt = Attempt::answered(&answer("mutate", "SUCCESS", &json!(null))).states(&before, &after);
    let checks = json!([
        {"type": "response", "status": "SUCCESS"},
        {"type": "state", "site": "forum", "path": "/reports", "expect": {"contains": {"about": {"post": 12}}}},
        {"type": "state", "site": "forum", "path": "/reports", "expect": {"count": 1}},
    ]);
    let trial = try_out(TaskKind::Mutate, checks, &attempt);
    assert!(!has(&trial.accepted, "about: a field more"), "{trial:?}");
    assert!(has(&trial.rejected, "/reports: about: "), "{trial:?}");
}

#[test]
fn checks_that_do_not_look_around_are_found_out() {
    let checks = json!([
        {"type": "state", "site": "shop", "path": "/settings/newsletter", "expect": {"equals": true}},
    ]);
    let trial = try_out(TaskKind::Mutate, checks, &cart_attempt());
    assert!(has(&trial.accepted, "a change too many"), "{trial:?}");
    assert!(has(&trial.accepted, "status NOT_FOUND_ERROR"), "nobody looks at the answer: {trial:?}");
    assert!(has(&trial.rejected, "not changed"));
}

#[test]
fn requests() {
    let cart = "http://shop.localhost/cart";
    let mut api = request(4, "POST", "http://shop.localhost/api/cart", "Fetch");
    api.request.headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
    api.request.body = Some(Body::Text(r#"{"item": {"sku": "SKU-1"}, "quantity": 2}"#.to_owned()));
    let attempt = [
        page(1, "http://shop.localhost/search?q=lamp&page=2"),
        answered_with(
            form_post(2, cart, Body::Text("sku=SKU-1&quantity=2".to_owned())),
            302,
            &[("location", cart)],
        ),
        api,
        page(5, cart),
    ]
    .into_iter()
    .fold(Attempt::answered(&answer("navigate", "SUCCESS", &json!(null))), Attempt::exchange);
    let checks = json!([
        {"type": "response", "status": "SUCCESS"},
        {"type": "network", "url": ["http://shop.localhost/search"], "query": {"q": ["lamp"], "page": ["2"]}},
        {"type": "network", "url": [cart], "method": "POST", "status": 302, "post": {"sku": "SKU-1", "quantity": 2}},
        {"type": "network", "url": ["http://shop.localhost/api/cart"], "method": "POST",
            "post": {"$.item.sku": "SKU-1", "quantity": 2}},
        {"type": "network", "url": [cart], "last": true},
        {"type": "network", "url": ["http://shop.localhost/checkout"], "method": "POST", "post": {"pay": "now"}, "absent": true},
    ]);
    let trial = try_out(TaskKind::Navigate, checks, &attempt);
    assert_eq!(trial.accepted, [""; 0]);
    assert_eq!(trial.not_applicable, [""; 0]);
    for what in [
        "search: another q",
        "search: no page",
        "search: not made",
        "cart: another sku",
        "cart: no quantity",
        "cart: another status",
        "cart: another method",
        "cart: left for another page",
        "api/cart: another $.item.sku",
        "checkout: a request that must not be",
    ] {
        assert!(has(&trial.rejected, what), "{what}: {:?}", trial.rejected);
    }
}

#[test]
fn doing_nothing_is_a_mutant_where_activity_is_asked_for() {
    let site = "http://shop.localhost/";
    let checks = json!([
        {"type": "response", "status": "SUCCESS"},
        {"type": "activity", "sites": [site], "beyond": [site]},
    ]);
    let attempt = Attempt::answered(&answer("mutate", "SUCCESS", &json!(null)))
        .exchange(page(1, site))
        .exchange(page(2, "http://shop.localhost/lamp"));
    let trial = try_out(TaskKind::Mutate, checks, &attempt);
    assert_eq!(trial.accepted, [""; 0]);
    assert!(has(&trial.rejected, "no request at all"));
}

#[test]
fn backends() {
    let ask = json!({"sql": {"query": "SELECT sku, qty FROM cart"}});
    let check = |expect: Value| json!({"type": "backend", "backend": "db", "ask": ask, "expect": expect});
    let rows = |rows: Value| Said::Json(Body::Text(rows.to_string()));
    let question = {
        let check: BackendCheck =
            serde_json::from_value(json!({"backend": "db", "ask": ask, "expect": "absent"}))
                .expect("a check");
        check.question()
    };
    let recorded = |before: Said, after: Said| {
        let mut attempt = Attempt::answered(&answer("mutate", "SUCCESS", &json!(null)));
        for (when, said) in [(Moment::Before, before), (Moment::After, after)] {
            let (question, asked) = (question.clone(), String::new());
            let answer = BackendAnswer { backend: "db".to_owned(), question, asked, when, said, took_ms: 1 };
            attempt.push(EventBody::BackendAnswer(Box::new(answer)));
        }
        attempt
    };
    let cart = json!([{"sku": "A", "qty": "2.00"}]);
    let bought = recorded(rows(json!([])), rows(cart.clone()));
    let untouched = recorded(rows(cart.clone()), rows(cart));
    let response = json!({"type": "response", "status": "SUCCESS"});
    for (expect, attempt, wrong) in [
        (
            json!({"equals": [{"sku": "A", "qty": 2}]}),
            &bought,
            vec!["than \"A\"", "than 2", "as before", "nothing"],
        ),
        (json!({"contains": {"sku": "A"}}), &bought, vec!["than \"A\"", "as before", "nothing"]),
        (json!({"count": 1}), &bought, vec!["a row less", "a row more"]),
        (json!("absent"), &recorded(Said::Nothing, Said::Nothing), vec!["something"]),
        (json!({"unchanged_except": []}), &untouched, vec!["a change"]),
    ] {
        let trial = try_out(TaskKind::Mutate, json!([response, check(expect.clone())]), attempt);
        assert_eq!(trial.accepted, [""; 0], "{expect}");
        assert_eq!(trial.not_applicable, [""; 0], "{expect}");
        for what in wrong {
            assert!(has(&trial.rejected, what), "{expect}: {what}");
        }
    }
}

#[test]
fn values_left_to_the_agent_are_not_changed() {
    let checks = json!([
        {"type": "network", "url": ["http://shop.localhost/search"], "query": {"token": ["^.*$"]}},
    ]);
    let instance = instance(TaskKind::Navigate, checks);
    let right = answer("navigate", "SUCCESS", &json!(null));
    let made: Vec<String> = mutants(&instance, &right)
        .into_iter()
        .filter(|mutant| mutant.kind == MutantKind::Request)
        .map(|mutant| mutant.what)
        .collect();
    assert!(!has(&made, "another token") && has(&made, "no token"), "{made:?}");
}

#[test]
fn an_attempt_without_state_has_no_mutants_of_it() {
    let attempt = Attempt::answered(&answer("mutate", "SUCCESS", &json!(null)));
    let instance = instance(TaskKind::Mutate, cart_checks());
    for mutant in mutants(&instance, "not a response") {
        let applied = apply(&mutant, &attempt.trajectory, &attempt.blobs).is_some();
        assert_eq!(applied, mutant.kind == MutantKind::Response, "{mutant}");
    }
}
