//! Checks on the recorded exchanges.

use crate::support::{Attempt, answer, answered_with, form_post, page, request};
use serde_json::{Value, json};
use umpire_model::{Body, EventBody, Exchange, Media, Outcome, TaskKind, Verdict};

const CART: &str = "http://shop.localhost/cart";

fn attempt(exchanges: impl IntoIterator<Item = Exchange>) -> Attempt {
    let answered = Attempt::answered(&answer("navigate", "SUCCESS", &json!(null)));
    exchanges.into_iter().fold(answered, Attempt::exchange)
}

fn judged(attempt: &Attempt, check: &Value) -> Verdict {
    let mut check = check.clone();
    check["type"] = json!("network");
    attempt.judged_by(TaskKind::Navigate, json!([check]))
}

#[test]
fn conditions_on_a_request() {
    let mut api = request(3, "post", "http://shop.localhost/api/cart?ref=a&ref=b&q=c%2B%2B+x", "Fetch");
    api.request.headers =
        vec![("Content-Type".into(), "application/json".into()), ("X-Kind".into(), "Add".into())];
    api.request.body = Some(Body::Text(r#"{"sku":"SKU-1","quantity":2}"#.to_owned()));
    let attempt = attempt([page(1, "http://shop.localhost/"), page(2, CART), answered_with(api, 201, &[])]);
    let url = "http://shop.localhost/api/cart";
    for (check, reason) in [
        (json!({"url": [CART]}), "the check held"),
        (json!({"url": ["http://shop.localhost/nothing", CART]}), "the check held"),
        (json!({"url": ["^http://shop\\.localhost/c.rt$"]}), "the check held"),
        (json!({"url": [format!("{CART}/")]}), "network: no GET to http://shop.localhost/cart/"),
        (json!({"url": [CART], "method": "POST"}), "network: no POST to http://shop.localhost/cart"),
        (
            json!({"url": [url], "method": "POST", "status": 201, "query": {"ref": ["a", "b"], "q": ["c++ x"]},
                "post": {"sku": "SKU-1", "quantity": 2.0}, "headers": {"x-kind": "Add"}}),
            "the check held",
        ),
        (
            json!({"url": [url], "method": "POST", "status": 200}),
            "network: no POST to http://shop.localhost/api/cart as expected: status 201, expected 200",
        ),
        (
            json!({"url": [url], "method": "POST", "query": {"ref": ["b", "a"]}}),
            "network: no POST to http://shop.localhost/api/cart as expected: query parameter `ref` is `a`, `b`, expected `b`, `a`",
        ),
        (
            json!({"url": [url], "method": "POST", "query": {"ref": ["a"]}}),
            "network: no POST to http://shop.localhost/api/cart as expected: query parameter `ref` is `a`, `b`, expected `a`",
        ),
        (
            json!({"url": [url], "method": "POST", "query": {"page": ["2"]}}),
            "network: no POST to http://shop.localhost/api/cart as expected: query parameter `page` is missing, expected `2`",
        ),
        (
            json!({"url": [url], "method": "POST", "post": {"quantity": 3}}),
            "network: no POST to http://shop.localhost/api/cart as expected: field `quantity` is 2, expected 3",
        ),
        (
            json!({"url": [url], "method": "POST", "headers": {"x-kind": "Remove"}}),
            "network: no POST to http://shop.localhost/api/cart as expected: header `x-kind` is `Add`, expected `Remove`",
        ),
    ] {
        assert_eq!(judged(&attempt, &check).reason, reason, "{check}");
    }
}

#[test]
fn requests_that_must_not_be_made() {
    let attempt = attempt([page(1, CART), form_post(2, CART, Body::Text("sku=A".to_owned()))]);
    for (check, reason) in [
        (json!({"url": ["http://shop.localhost/checkout"], "absent": true}), "the check held"),
        (json!({"url": [CART], "method": "DELETE", "absent": true}), "the check held"),
        (json!({"url": [CART], "method": "POST", "post": {"sku": "B"}, "absent": true}), "the check held"),
        (
            json!({"url": [CART], "method": "POST", "absent": true}),
            "network: POST to http://shop.localhost/cart was made",
        ),
        (
            json!({"url": [CART], "method": "POST", "post": {"sku": "A"}, "absent": true}),
            "network: POST to http://shop.localhost/cart was made",
        ),
    ] {
        let verdict = judged(&attempt, &check);
        assert_eq!(verdict.reason, reason, "{check}");
        if verdict.outcome == Outcome::Fail {
            assert_eq!(verdict.checks[0].evidence, [3], "the POST is event 3");
        }
    }
}

#[test]
fn the_last_page_is_where_the_agent_ended_up() {
    let orders = "http://shop.localhost/orders";
    let cart_is_last = || json!({"url": [CART], "last": true});
    let frame = || Exchange { main_frame: false, ..page(9, orders) };
    let unanswered = || Exchange { response: None, error: Some("net::ERR_FAILED".into()), ..page(9, orders) };
    let redirect = |to| answered_with(page(8, "http://shop.localhost/old"), 302, &[("Location", to)]);
    for (what, exchanges, passes) in [
        ("plain", vec![page(1, orders), page(2, CART)], true),
        ("visited earlier", vec![page(1, CART), page(2, orders)], false),
        ("iframe after it", vec![page(1, CART), frame()], true),
        ("fetch after it", vec![page(1, CART), request(2, "GET", orders, "Fetch")], true),
        ("unanswered after it", vec![page(1, CART), unanswered()], true),
        ("redirected to it", vec![redirect(CART), page(9, CART)], true),
        ("redirected away", vec![page(1, CART), redirect(orders), page(9, orders)], false),
        ("redirect into nothing", vec![page(1, CART), redirect(orders), unanswered()], true),
        ("no content", vec![page(1, CART), answered_with(page(9, orders), 204, &[])], true),
        (
            "download",
            vec![
                page(1, CART),
                answered_with(page(9, orders), 200, &[("content-disposition", "Attachment; filename=a")]),
            ],
            true,
        ),
        ("an error page is a page", vec![page(1, CART), answered_with(page(9, orders), 404, &[])], false),
        ("finished late, started early", vec![page(2, CART), page(1, orders)], true),
        ("a fetch is not a visit", vec![page(1, orders), request(2, "GET", CART, "Fetch")], false),
        (
            "an iframe is not a visit",
            vec![page(1, orders), Exchange { main_frame: false, ..page(2, CART) }],
            false,
        ),
        ("nothing", vec![], false),
    ] {
        let attempt = attempt(exchanges);
        let verdict = judged(&attempt, &cart_is_last());
        assert_eq!(verdict.outcome == Outcome::Pass, passes, "{what}: {}", verdict.reason);
        let mut opposite = cart_is_last();
        opposite["absent"] = json!(true);
        assert_eq!(judged(&attempt, &opposite).outcome == Outcome::Pass, !passes, "{what}, negated");
    }
    let elsewhere = judged(&attempt([page(1, orders)]), &cart_is_last());
    assert_eq!(elsewhere.reason, format!("network: the last page is {orders}, expected GET to {CART}"));
    let almost = judged(
        &attempt([page(1, &format!("{CART}?tab=1"))]),
        &json!({"url": [CART], "last": true, "query": {"tab": ["2"]}}),
    );
    assert_eq!(
        almost.reason,
        format!(
            "network: the last page {CART}?tab=1 does not fit: query parameter `tab` is `1`, expected `2`"
        )
    );
}

#[test]
fn bodies_in_blobs_are_read_and_missing_ones_leave_it_open() {
    let check = json!({"url": [CART], "method": "POST", "post": {"sku": "A"}});
    let mut stored = attempt([]);
    let blob = stored.blobs.put(b"sku=A", Media::Text);
    let stored = stored.exchange(form_post(1, CART, Body::Blob(blob.clone())));
    assert_eq!(judged(&stored, &check).outcome, Outcome::Pass);

    for gone in [Body::Blob(blob), Body::Omitted("too large".to_owned())] {
        let lost = || attempt([form_post(1, CART, gone.clone())]);
        assert_eq!(judged(&lost(), &check).outcome, Outcome::Infra);
        let negated = json!({"url": [CART], "method": "POST", "post": {"sku": "A"}, "absent": true});
        assert_eq!(judged(&lost(), &negated).outcome, Outcome::Infra);
        let another = lost().exchange(form_post(2, CART, Body::Text("sku=A".to_owned())));
        assert_eq!(judged(&another, &check).outcome, Outcome::Pass, "another request settles it");
        let elsewhere = json!({"url": [CART], "method": "POST", "status": 500, "post": {"sku": "A"}});
        assert_eq!(judged(&lost(), &elsewhere).outcome, Outcome::Fail, "the status settles it");
    }
}

#[test]
fn what_the_recorder_lost_may_have_been_the_request() {
    let made = json!({"url": [CART]});
    let not_made = json!({"url": [CART], "absent": true});
    let last = json!({"url": [CART], "last": true});
    let recorded = |exchanges: Vec<Exchange>, requests_written| {
        let mut attempt = attempt(exchanges);
        attempt.push(EventBody::Recorded { requests_seen: 5, requests_written });
        attempt
    };
    for (check, exchanges, with_loss) in [
        (&made, vec![page(1, CART)], Outcome::Pass),
        (&made, vec![], Outcome::Infra),
        (&not_made, vec![page(1, CART)], Outcome::Fail),
        (&not_made, vec![], Outcome::Infra),
        (&last, vec![page(1, CART)], Outcome::Infra),
    ] {
        assert_eq!(judged(&recorded(exchanges.clone(), 4), check).outcome, with_loss, "{check}");
        assert_ne!(judged(&recorded(exchanges, 5), check).outcome, Outcome::Infra, "{check}");
    }
    let mut damaged = attempt([page(1, "http://shop.localhost/"), page(2, CART)]);
    damaged.trajectory.damaged_lines = 1;
    assert_eq!(judged(&damaged, &json!({"url": ["http://shop.localhost/x"]})).outcome, Outcome::Fail);
    damaged.trajectory.events.remove(2);
    assert_eq!(judged(&damaged, &json!({"url": ["http://shop.localhost/x"]})).outcome, Outcome::Infra);
}

#[test]
fn nonsense_in_the_record_is_passed_over() {
    let nonsense = ["", " ", "http://[bad", "data:text/html,x", "about:blank", "blob:null/1", "http://%"];
    let attempt = attempt(nonsense.iter().map(|url| page(1, url)).chain([page(2, CART)]));
    assert_eq!(judged(&attempt, &json!({"url": [CART]})).outcome, Outcome::Pass);
}
