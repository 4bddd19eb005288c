//! The code host as a visitor meets it: requests in, pages and state out.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::CodeHost;
use super::catalogue::VISITOR;
use super::state::{RequestState, Role};
use crate::{Request, Site};

fn send(host: &mut CodeHost, method: &str, target: &str, content_type: &str, body: String) -> (u16, String) {
    let request = http::Request::builder()
        .method(method)
        .uri(target)
        .header("host", "code.localhost")
        .header("content-type", content_type)
        .body(Bytes::from(body))
        .expect("a well-formed request");
    let response = host.handle(&Request::parse(request)).into_http();
    (response.status().as_u16(), String::from_utf8_lossy(response.body()).into_owned())
}

fn get(host: &mut CodeHost, target: &str) -> (u16, String) {
    send(host, "GET", target, "", String::new())
}

fn post(host: &mut CodeHost, target: &str, fields: &[(&str, &str)]) -> u16 {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    send(host, "POST", target, "application/x-www-form-urlencoded", body).0
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for page in [
        "/",
        "/explore",
        "/saltmarsh/tidepool",
        "/saltmarsh/tidepool/issues/3",
        "/search?q=cache&scope=issues",
    ] {
        assert_eq!(get(&mut CodeHost::new(7), page), get(&mut CodeHost::new(7), page), "{page}");
    }
    assert_eq!(CodeHost::new(7).state(), CodeHost::new(7).state());
    assert_ne!(
        get(&mut CodeHost::new(7), "/saltmarsh/tidepool"),
        get(&mut CodeHost::new(8), "/saltmarsh/tidepool")
    );
    assert!(Arc::ptr_eq(&CodeHost::new(7).catalogue, &CodeHost::new(7).catalogue));
}

#[test]
fn the_catalogue_is_large_and_fits_together() {
    for seed in [1, 7, 99] {
        let catalogue = CodeHost::new(seed).catalogue;
        let commits: usize = catalogue.projects.iter().map(|project| project.commits.len()).sum();
        let issues: usize = catalogue.projects.iter().map(|project| project.issues.len()).sum();
        assert!(commits > 4_000 && issues > 600, "{commits} commits, {issues} issues");
        for project in &catalogue.projects {
            let path = &project.path;
            assert!(project.opening.members.values().any(|member| member.role == Role::Owner), "{path}");
            assert!(project.commits.is_sorted_by(|a, b| a.at > b.at), "{path}: two commits at one time");
            assert!(project.files.is_sorted() && project.files.iter().any(|file| file == "README.md"));
            let titles: BTreeSet<&str> = project.issues.iter().map(|issue| issue.title.as_str()).collect();
            assert_eq!(titles.len(), project.issues.len(), "{path}: two issues of one name");
            for issue in &project.issues {
                assert!(catalogue.person(&issue.author).is_some() && !issue.title.contains('{'));
                assert!(issue.labels.iter().all(|label| project.opening.labels.contains_key(label)));
                let milestone = issue.milestone.as_ref();
                assert!(milestone.is_none_or(|title| project.opening.milestones.contains_key(title)));
                let assignee = issue.assignee.as_ref();
                assert!(assignee.is_none_or(|name| project.opening.members.contains_key(name)));
            }
            for request in &project.merge_requests {
                let exists = project.opening.branches.contains_key(&request.source);
                assert!(request.state != RequestState::Open || exists, "{path}: {}", request.source);
            }
        }
    }
}

#[test]
fn state_survives_a_round_trip_and_refuses_strangers() {
    let mut host = CodeHost::new(7);
    let state = host.state();
    host.set_state(state.clone()).expect("its own state");
    assert_eq!(host.state(), state);
    let mut odd = state;
    odd["projects"]["icalder/rota"]["shoe_size"] = json!(43);
    assert!(host.set_state(odd).expect_err("unknown field").contains("shoe_size"));
}

#[test]
fn pages_answer() {
    let mut host = CodeHost::new(7);
    let sha = host.catalogue.project("saltmarsh/tidepool").expect("there").commits[3].sha.clone();
    let of_project = [
        "",
        "/tree/main",
        "/tree/main/src",
        "/blob/main/README.md",
        "/commits/main",
        "/commits/main?author=icalder&page=2",
        "/branches",
        "/contributors",
        "/contributors.json",
        "/issues",
        "/issues?state=all&label=bug&sort=comments",
        "/issues/new",
        "/issues/1",
        "/labels",
        "/milestones",
        "/merge_requests?state=merged",
        "/merge_requests/new",
        "/merge_requests/1",
        "/members",
        "/fork",
        "/settings",
        "/settings/tokens",
        "/settings/deploy_keys",
    ]
    .map(|page| format!("/saltmarsh/tidepool{page}"));
    let others = [
        "/",
        "/explore?language=Rust&sort=name",
        "/search?q=tile&scope=people",
        "/new",
        "/help",
        "/-/issues",
        "/-/issues?view=created",
        "/-/merge_requests",
        "/-/starred",
        "/-/profile",
        "/-/tokens",
        "/saltmarsh",
        "/icalder",
        "/static/style.css",
        "/img/icalder.svg",
    ]
    .map(str::to_owned);
    for target in of_project.into_iter().chain(others).chain([format!("/saltmarsh/tidepool/commit/{sha}")]) {
        let (status, text) = get(&mut host, &target);
        assert_eq!(status, 200, "{target}");
        assert!(!text.is_empty(), "{target}");
    }
    for target in
        ["/nobody", "/saltmarsh/nothing", "/saltmarsh/tidepool/issues/9999", "/lanternworks/firmware-lamp"]
    {
        assert_eq!(get(&mut host, target).0, 404, "{target}");
    }
    assert_eq!(get(&mut host, "/papercrane/folio/settings").0, 403);
}

#[test]
fn what_a_visitor_types_is_escaped() {
    let mut host = CodeHost::new(7);
    let fields = [("title", "<script>alert(1)</script>"), ("body", "<img src=x>")];
    assert_eq!(post(&mut host, "/papercrane/folio/issues/new", &fields), 303);
    let number = host.board().repo("papercrane/folio").expect("there").next_issue() - 1;
    let (_, page) = get(&mut host, &format!("/papercrane/folio/issues/{number}"));
    assert!(
        page.contains("&lt;script&gt;") && !page.contains("<script>alert") && !page.contains("<img src=x>")
    );
}

/// An action with its fields, what it answers, and what it leaves where in the state.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], u16, &'a str, Value);

#[test]
fn actions_do_what_they_say_or_nothing() {
    let key = "ssh-ed25519 AAAAB3";
    let member = json!({"role": "developer", "expires": null});
    let milestone = json!({"due": "2026-09-01", "open": true});
    let cases: &[Case<'_>] = &[
        (
            "/icalder/rota/labels",
            &[("name", "chore"), ("colour", "#AABBCC")],
            303,
            "/projects/icalder~1rota/labels/chore/colour",
            json!("#aabbcc"),
        ),
        (
            "/icalder/rota/labels",
            &[("name", "Bug"), ("colour", "#aabbcc")],
            422,
            "/projects/icalder~1rota/labels/Bug",
            Value::Null,
        ),
        (
            "/icalder/rota/labels",
            &[("name", "x"), ("colour", "red")],
            422,
            "/projects/icalder~1rota/labels/x",
            Value::Null,
        ),
        (
            "/icalder/rota/milestones",
            &[("title", "3.0"), ("due", "2026-09-01")],
            303,
            "/projects/icalder~1rota/milestones/3.0",
            milestone,
        ),
        (
            "/icalder/rota/milestones",
            &[("title", "3.0"), ("due", "2025-09-01")],
            422,
            "/projects/icalder~1rota/milestones/3.0",
            Value::Null,
        ),
        (
            "/icalder/rota/branches",
            &[("name", "next"), ("from", "main")],
            303,
            "/projects/icalder~1rota/branches/next/behind",
            json!(0),
        ),
        (
            "/icalder/rota/branches",
            &[("name", "a b"), ("from", "main")],
            422,
            "/projects/icalder~1rota/branches/a b",
            Value::Null,
        ),
        (
            "/icalder/rota/branches/main/delete",
            &[],
            422,
            "/projects/icalder~1rota/branches/main/protected",
            json!(true),
        ),
        (
            "/icalder/rota/members",
            &[("username", "tbrandt"), ("role", "developer")],
            303,
            "/projects/icalder~1rota/members/tbrandt",
            member,
        ),
        (
            "/icalder/rota/members",
            &[("username", "nobody"), ("role", "developer")],
            422,
            "/projects/icalder~1rota/members/nobody",
            Value::Null,
        ),
        (
            "/icalder/rota/members/icalder/remove",
            &[],
            422,
            "/projects/icalder~1rota/members/icalder/role",
            json!("owner"),
        ),
        (
            "/icalder/rota/settings/visibility",
            &[("visibility", "private")],
            303,
            "/projects/icalder~1rota/visibility",
            json!("private"),
        ),
        (
            "/saltmarsh/tidepool/settings/visibility",
            &[("visibility", "private")],
            403,
            "/projects/saltmarsh~1tidepool/visibility",
            json!("public"),
        ),
        (
            "/icalder/rota/settings/delete",
            &[("confirmation", "rota")],
            422,
            "/projects/icalder~1rota/archived",
            json!(false),
        ),
        (
            "/icalder/rota/settings/delete",
            &[("confirmation", "icalder/rota")],
            303,
            "/projects/icalder~1rota",
            Value::Null,
        ),
        (
            "/icalder/rota/settings/deploy_keys",
            &[("title", "k"), ("key", key)],
            303,
            "/projects/icalder~1rota/deploy_keys/key-901/can_push",
            json!(false),
        ),
        (
            "/icalder/rota/settings/deploy_keys",
            &[("title", "k"), ("key", "hello")],
            422,
            "/projects/icalder~1rota/deploy_keys/key-901",
            Value::Null,
        ),
        (
            "/new",
            &[("name", "Tide Clock"), ("visibility", "public")],
            303,
            "/projects/icalder~1tide-clock/visibility",
            json!("public"),
        ),
        (
            "/new",
            &[("name", "rota"), ("visibility", "public"), ("description", "x")],
            422,
            "/projects/icalder~1rota/visibility",
            json!("public"),
        ),
        (
            "/wayfarers/cairn/fork",
            &[("name", "cairn"), ("visibility", "public")],
            303,
            "/projects/icalder~1cairn/forked_from",
            json!("wayfarers/cairn"),
        ),
        (
            "/papercrane/folio/members",
            &[("username", "tbrandt"), ("role", "guest")],
            403,
            "/projects/papercrane~1folio/members/tbrandt",
            Value::Null,
        ),
        (
            "/saltmarsh/gale-archive/issues/new",
            &[("title", "x")],
            403,
            "/issues/saltmarsh~1gale-archive#99",
            Value::Null,
        ),
        (
            "/-/tokens",
            &[("name", "ci"), ("scope", "api"), ("expires", "2026-12-31")],
            303,
            "/tokens/token-901/scopes",
            json!(["api"]),
        ),
        ("/-/tokens", &[("name", "ci")], 422, "/tokens/token-901", Value::Null),
        ("/-/tokens/token-2/revoke", &[], 303, "/tokens/token-2", Value::Null),
    ];
    for (target, fields, status, pointer, expected) in cases {
        let mut host = CodeHost::new(7);
        let before = host.state();
        assert_eq!(post(&mut host, target, fields), *status, "{target} {fields:?}");
        let state = host.state();
        assert_eq!(state.pointer(pointer).unwrap_or(&Value::Null), expected, "{target} {fields:?}");
        assert_eq!(state != before, *status == 303, "{target}: only what succeeds changes something");
    }
}

#[test]
fn issues_are_changed_by_those_who_may_and_can_be_changed_back() {
    let mut host = CodeHost::new(7);
    let before = host.state();
    for _ in 0..2 {
        assert_eq!(post(&mut host, "/saltmarsh/tidepool/issues/1/state", &[]), 303);
    }
    assert_eq!(host.state(), before, "twice closes and opens again");
    assert_eq!(post(&mut host, "/saltmarsh/tidepool/issues/1/labels", &[("label", "nonsense")]), 422);
    assert_eq!(post(&mut host, "/saltmarsh/tidepool/issues/1/labels", &[("label", "blocked")]), 303);
    assert_eq!(host.state()["issues"]["saltmarsh/tidepool#1"]["labels"], json!(["blocked"]));
    assert_eq!(post(&mut host, "/wayfarers/cairn/issues/1/labels", &[("label", "blocked")]), 403);
    assert_eq!(post(&mut host, "/wayfarers/cairn/issues/1/comment", &[("body", "Same here.")]), 303);
    assert_eq!(host.state()["comments"]["comment-901"]["on"], json!("wayfarers/cairn#1"));
}

#[test]
fn nothing_is_merged_over_an_obstacle() {
    let mut merged = 0;
    for path in ["saltmarsh/tidepool", "wayfarers/footpath", "tallyhouse/ledgerline", "icalder/birdcount"] {
        let mut host = CodeHost::new(7);
        let board = host.board();
        let repo = board.repo(path).expect("there");
        let open: Vec<(usize, bool)> = repo
            .merge_requests()
            .into_iter()
            .filter(|(_, request)| request.state == RequestState::Open)
            .map(|(number, request)| (number, super::actions::obstacle(&repo, request).is_none()))
            .collect();
        for (number, free) in open {
            let status = post(&mut host, &format!("/{path}/merge_requests/{number}/merge"), &[]);
            assert_eq!(status, if free { 303 } else { 422 }, "{path}!{number}");
            merged += usize::from(free);
        }
    }
    assert!(merged > 0);
}

#[test]
fn a_star_is_counted() {
    let mut host = CodeHost::new(7);
    let star = |host: &mut CodeHost, on: bool| {
        let body = json!({ "starred": on }).to_string();
        send(host, "POST", "/wayfarers/footpath/star", "application/json", body)
    };
    let count =
        |text: &str| serde_json::from_str::<Value>(text).expect("JSON")["stars"].as_u64().expect("number");
    let (on, off) = (star(&mut host, true).1, star(&mut host, false).1);
    assert_eq!(count(&on), count(&off) + 1);
    assert!(!host.state.stars.contains_key("wayfarers/footpath"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_request_breaks_the_code_host(
        requests in prop::collection::vec(
            (
                prop::sample::select(vec!["GET", "POST", "PUT"]),
                prop::sample::select(vec!["icalder/rota", "saltmarsh/tidepool", "wayfarers/cairn", "-", "x"]),
                prop::collection::vec(
                    prop_oneof![
                        4 => prop::sample::select("issues merge_requests new 1 2 99999999999999999999 labels bug delete members icalder role remove settings tokens token-1 revoke deploy_keys tree blob main src README.md commits commit branches state comment merge approve edit assignee milestone milestones close fork star profile".split(' ').collect::<Vec<_>>()).prop_map(str::to_owned),
                        1 => "[a-z%0-9.]{0,8}",
                    ],
                    0..4,
                ),
                prop::option::of("[?](q|page|state|label|author|sort|scope)=[a-z0-9%+-]{0,12}"),
                prop::collection::vec((prop::sample::select("name title body label role username expires key source target visibility scope colour from due".split(' ').collect::<Vec<_>>()), "\\PC{0,12}"), 0..6),
            ),
            1..8,
        )
    ) {
        let mut host = CodeHost::new(7);
        for (method, first, rest, query, fields) in requests {
            let target = format!("/{first}/{}{}", rest.join("/"), query.unwrap_or_default());
            let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
            let (status, _) = send(&mut host, method, &target, "application/x-www-form-urlencoded", body);
            prop_assert!(status < 500, "{} {}", method, target);
        }
        // Whatever was done, the state still is one the code host accepts.
        let state = host.state();
        prop_assert!(host.set_state(state).is_ok());
        prop_assert!(host.board().person(VISITOR).is_some());
    }
}
