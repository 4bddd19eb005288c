//! Checks on what was sent to a server, of several requests alike, and on what came back.

use crate::support::{Attempt, answer, answered_with, form_post, page, request};
use serde_json::{Value, json};
use umpire_model::{Body, Exchange, Outcome, TaskKind};

const SUBMIT: &str = "http://forum.localhost/submit";

fn judged(exchanges: Vec<Exchange>, check: &Value) -> (Outcome, String) {
    let answered = Attempt::answered(&answer("mutate", "SUCCESS", &json!(null)));
    let attempt = exchanges.into_iter().fold(answered, Attempt::exchange);
    let mut check = check.clone();
    check["type"] = json!("network");
    let verdict = attempt.judged_by(TaskKind::Mutate, json!([check]));
    (verdict.outcome, verdict.reason)
}

fn submitted(number: u32, title: &str, status: u16) -> Exchange {
    answered_with(form_post(number, SUBMIT, Body::Text(format!("title={title}"))), status, &[])
}

#[test]
fn which_of_several_requests_counts() {
    let check = |which: &str| json!({"url": [SUBMIT], "method": "POST", "status": 302, "post": {"title": "right"}, "which": which});
    for (what, exchanges, any, latest, every) in [
        ("once", vec![submitted(1, "right", 302)], true, true, true),
        ("twice", vec![submitted(1, "right", 302), submitted(2, "right", 302)], true, true, true),
        ("failed retry", vec![submitted(1, "right", 302), submitted(2, "right", 500)], true, true, true),
        ("refused before", vec![submitted(1, "wrong", 422), submitted(2, "right", 302)], true, true, true),
        ("wrong before", vec![submitted(1, "wrong", 302), submitted(2, "right", 302)], true, true, false),
        ("wrong after", vec![submitted(1, "right", 302), submitted(2, "wrong", 302)], true, false, false),
        ("recorded late", vec![submitted(2, "right", 302), submitted(1, "wrong", 302)], true, true, false),
        ("only refused", vec![submitted(1, "right", 422)], false, false, false),
        ("never", vec![page(1, SUBMIT)], false, false, false),
    ] {
        for (which, passes) in [("any", any), ("latest", latest), ("every", every)] {
            let (outcome, reason) = judged(exchanges.clone(), &check(which));
            assert_eq!(outcome == Outcome::Pass, passes, "{what}, {which}: {reason}");
        }
    }
    let lost = answered_with(form_post(1, SUBMIT, Body::Omitted("too large".to_owned())), 302, &[]);
    for (what, exchanges, outcome) in [
        ("a lost one may have been wrong", vec![lost.clone(), submitted(2, "right", 302)], Outcome::Infra),
        (
            "a wrong one is wrong",
            vec![lost, submitted(2, "wrong", 302), submitted(3, "right", 302)],
            Outcome::Fail,
        ),
    ] {
        assert_eq!(judged(exchanges, &check("every")).0, outcome, "{what}");
    }
    let (_, reason) = judged(vec![submitted(1, "wrong", 302), submitted(2, "right", 302)], &check("every"));
    assert_eq!(
        reason,
        format!(
            "network: a wrong POST to {SUBMIT} took effect: field `title` is \"wrong\", expected \"right\""
        )
    );
}

#[test]
fn what_came_back_and_from_where_it_was_asked() {
    let mut star = request(1, "POST", "http://git.localhost/star.json", "XHR");
    star.request.headers.push(("Referer".into(), "http://git.localhost/List?state=open&utm=1#x".into()));
    let cookie = ("Set-Cookie", "messages=%5B%22Desk+lamp added%22%5D; path=/");
    let mut star = answered_with(star, 200, &[("Content-Type", "application/json"), cookie]);
    if let Some(response) = &mut star.response {
        response.body = Some(Body::Text(r#"{"count": 56, "items": [{"name": "Lamp"}]}"#.to_owned()));
    }
    let base = json!({"url": ["http://git.localhost/star.json"], "method": "POST", "comparison": "meaning",
        "only_query": true});
    for (field, value, passes) in [
        ("response", json!({"count": 56, "$.items[0].name": "Lamp"}), true),
        ("response", json!({"count": 57}), false),
        ("response", json!({"$.items[1].name": "Lamp"}), false),
        ("cookies", json!({"messages": "^.*(?=.*lamp)(?=.*desk).* added.*$"}), true),
        ("cookies", json!({"messages": "^.*chair.* added.*$"}), false),
        ("cookies", json!({"other": "x"}), false),
        ("referer", json!(["http://git.localhost/list/?state=open"]), true),
        ("referer", json!(["http://git.localhost/list"]), false),
        ("referer", json!(["http://git.localhost/other", "^http://git\\.localhost/L.*$"]), false),
        ("status", json!(0), false),
    ] {
        let mut check = base.clone();
        check[field] = value.clone();
        let (outcome, reason) = judged(vec![star.clone()], &check);
        assert_eq!(outcome == Outcome::Pass, passes, "{field} {value}: {reason}");
    }
    let unanswered = Exchange { response: None, error: Some("net::ERR_FAILED".into()), ..star };
    let mut check = base.clone();
    check["status"] = json!(0);
    assert_eq!(judged(vec![unanswered.clone()], &check).0, Outcome::Pass);
    check["response"] = json!({"count": 56});
    assert_eq!(judged(vec![unanswered], &check).0, Outcome::Fail);
}

#[test]
fn loading_the_page_again_in_vain_leaves_the_agent_there() {
    let cart = "http://shop.localhost/cart";
    let check = json!({"url": [cart], "last": true, "status": 200});
    let failed = |number, url| answered_with(page(number, url), 500, &[]);
    let elsewhere = "http://shop.localhost/orders";
    for (what, exchanges, passes) in [
        ("again in vain", vec![page(1, cart), failed(2, cart)], true),
        ("twice in vain", vec![page(1, cart), failed(2, cart), failed(3, cart)], true),
        ("only in vain", vec![failed(1, cart)], false),
        ("in vain after another page", vec![page(1, cart), page(2, elsewhere), failed(3, cart)], false),
        ("another page in vain", vec![page(1, cart), failed(2, elsewhere)], false),
    ] {
        let (outcome, reason) = judged(exchanges, &check);
        assert_eq!(outcome == Outcome::Pass, passes, "{what}: {reason}");
    }
}
