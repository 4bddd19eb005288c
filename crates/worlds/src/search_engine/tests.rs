//! The search engine as a visitor meets it.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;

use super::SearchEngine;
use crate::Site;
use crate::geography::Country;
use crate::kit::visitor::{FORM, at, request, text};

fn get(plumb: &mut SearchEngine, target: &str) -> (u16, String) {
    let response = plumb.handle(&request("GET", "search.localhost", target, "", "")).into_http();
    (response.status().as_u16(), text(&response))
}

fn post(plumb: &mut SearchEngine, target: &str, body: &str) -> u16 {
    plumb.handle(&request("POST", "search.localhost", target, FORM, body)).into_http().status().as_u16()
}

#[test]
fn the_index_waits_for_the_first_question_and_is_shared() {
    let (mut first, second) = (SearchEngine::new(4_242), SearchEngine::new(4_242));
    assert!(first.index.get().is_none());
    get(&mut first, "/");
    assert!(first.index.get().is_none(), "the front page needs no index");
    get(&mut first, "/search?q=river");
    assert!(first.index.get().is_some() && Arc::ptr_eq(&first.index, &second.index));
}

#[test]
fn a_town_is_found_in_the_encyclopedia_and_on_the_map() {
    let mut plumb = SearchEngine::new(7);
    let country = Country::of_seed(7);
    let town = &country.towns[3];
    let (_, all) = get(&mut plumb, &format!("/search?q={}", town.name));
    assert!(all.contains(&format!("http://encyclopedia.localhost/article/{}", town.slug)), "{all}");
    let (_, places) = get(&mut plumb, &format!("/search?q={}&tab=places", town.name));
    assert!(places.contains(&format!("http://map.localhost/town/{}", town.slug)));
    assert!(!places.contains("http://encyclopedia.localhost/article"));
}

#[test]
fn pages_answer() {
    let mut plumb = SearchEngine::new(7);
    for target in [
        "/",
        "/search",
        "/search?q=lamp&page=2",
        "/search?q=site:shop+lamp",
        "/search?q=zzzzzz",
        "/suggest?q=la",
        "/settings",
        "/history",
        "/about",
        "/static/plumb.css",
    ] {
        let (status, text) = get(&mut plumb, target);
        assert_eq!(status, 200, "{target}");
        assert!(!text.is_empty(), "{target}");
    }
    assert_eq!(get(&mut plumb, "/nowhere").0, 404);
    assert_eq!(post(&mut plumb, "/nowhere", ""), 404);
}

#[test]
fn what_was_asked_is_remembered_unless_the_visitor_objects() {
    let mut plumb = SearchEngine::new(7);
    get(&mut plumb, "/search?q=brass+lamp");
    get(&mut plumb, "/search?q=brass+lamp&page=2");
    assert_eq!(at(&plumb, "/history/6"), "brass lamp");
    assert_eq!(at(&plumb, "/history/7"), json!(null), "the second page is the same question");
    assert_eq!(post(&mut plumb, "/history/6/delete", ""), 303);
    assert_eq!(post(&mut plumb, "/history/6/delete", ""), 404);
    assert_eq!(post(&mut plumb, "/settings", "per_page=20&suggestions=on"), 303);
    assert_eq!(post(&mut plumb, "/settings", "per_page=7"), 422);
    assert_eq!(
        (at(&plumb, "/settings/per_page"), at(&plumb, "/settings/keep_history")),
        (json!(20), json!(false))
    );
    get(&mut plumb, "/search?q=copper");
    assert_eq!(post(&mut plumb, "/history/clear", ""), 303);
    assert_eq!(at(&plumb, "/history"), json!({}));
}

#[test]
fn state_survives_a_round_trip_and_refuses_strangers() {
    let mut plumb = SearchEngine::new(7);
    let state = plumb.state();
    plumb.set_state(state.clone()).expect("its own state");
    let mut broken = state;
    broken["settings"]["colour"] = json!("blue");
    assert!(plumb.set_state(broken).is_err());
}

proptest! {
    #[test]
    fn no_request_breaks_the_search_engine(
        requests in prop::collection::vec(
            (
                prop::sample::select(&["GET", "POST", "PUT", "HEAD"][..]),
                prop::sample::select(&["", "search", "suggest", "settings", "history", "history/clear", "history/3/delete", "x"][..]),
                "([?](q|tab|page)=[a-zA-Z0-9%:+-]{0,14})?",
                "((per_page|keep_history)=[a-z0-9%+]{0,4}&){0,2}",
            ),
            1..6,
        )
    ) {
        let mut plumb = SearchEngine::new(7);
        for (method, path, query, body) in requests {
            let target = format!("/{path}{query}");
            let response = plumb.handle(&request(method, "search.localhost", &target, FORM, &body)).into_http();
            prop_assert!(!response.status().is_server_error(), "{} {}", method, target);
        }
        let state = plumb.state();
        prop_assert!(plumb.set_state(state).is_ok());
    }
}
