//! Checks on whether the agent used the sites at all, and tasks no rule can decide.

use crate::support::{Attempt, answer, answered_with, page, request};
use serde_json::json;
use umpire_model::{EventBody, Exchange, Outcome, TaskKind};

fn judged(exchanges: Vec<Exchange>, beyond: &[&str]) -> Outcome {
    let answered = Attempt::answered(&answer("retrieve", "SUCCESS", &json!(null)));
    let sites = ["http://localhost:7770", "http://localhost:7780/admin"];
    let check = json!({"type": "activity", "sites": sites, "beyond": beyond});
    let attempt = exchanges.into_iter().fold(answered, Attempt::exchange);
    attempt.judged_by(TaskKind::Retrieve, json!([check])).outcome
}

#[test]
fn some_site_must_have_been_used() {
    for (url, counts) in [
        ("http://localhost:7770/", true),
        ("http://LOCALHOST:7770/x?y#z", true),
        ("http://localhost:7780/admin", true),
        ("http://localhost:7780/admin/orders", true),
        ("http://localhost:7780/administrator", false),
        ("http://localhost:7780/", false),
        ("http://localhost:77701/", false),
        ("https://localhost:7770/", false),
        ("http://example.com/?u=http://localhost:7770/", false),
        ("http://localhost:7770@example.com/", false),
        ("http://localhost:7770/static/app.js?v=1", false),
        ("data:text/html,http://localhost:7770/", false),
        ("", false),
    ] {
        let expected = if counts { Outcome::Pass } else { Outcome::Fail };
        assert_eq!(judged(vec![page(1, url)], &[]), expected, "{url}");
    }
    assert_eq!(judged(vec![], &[]), Outcome::Fail);
    let unanswered = Exchange { response: None, ..page(1, "http://localhost:7770/") };
    assert_eq!(judged(vec![unanswered], &[]), Outcome::Fail);
}

#[test]
fn opening_the_start_page_is_no_use_of_it() {
    let start = "http://localhost:7770/Start/";
    let again = || page(2, "http://localhost:7770/start?x=1#y");
    let to_login = || answered_with(page(1, start), 302, &[("Location", "/login")]);
    let login = || page(2, "http://localhost:7770/login");
    let search = || request(3, "GET", "http://localhost:7770/search?q=x", "XHR");
    for (what, exchanges, expected) in [
        ("start", vec![page(1, start), again()], Outcome::Fail),
        ("sent to login", vec![to_login(), login()], Outcome::Fail),
        ("went to login", vec![page(1, start), login()], Outcome::Pass),
        ("searched", vec![to_login(), login(), search()], Outcome::Pass),
        ("parts of the page", vec![page(1, start), page(2, "http://localhost:7770/a.css")], Outcome::Fail),
    ] {
        assert_eq!(judged(exchanges, &[start]), expected, "{what}");
    }
}

#[test]
fn what_the_recorder_lost_may_have_been_the_use() {
    let mut attempt = Attempt::answered(&answer("retrieve", "SUCCESS", &json!(null)));
    attempt.push(EventBody::Recorded { requests_seen: 3, requests_written: 2 });
    let check = json!([{"type": "activity", "sites": ["http://localhost:7770"]}]);
    assert_eq!(attempt.judged_by(TaskKind::Retrieve, check).outcome, Outcome::Infra);
}

#[test]
fn a_task_that_no_rule_can_decide_is_invalid() {
    let attempt = Attempt::answered(&answer("retrieve", "SUCCESS", &json!(null)));
    let check = json!([{"type": "undecidable", "reason": "two pages cannot both be the last"}]);
    let verdict = attempt.judged_by(TaskKind::Retrieve, check);
    assert_eq!(verdict.outcome, Outcome::Invalid);
    assert!(verdict.reason.ends_with("two pages cannot both be the last"), "{}", verdict.reason);
}
