//! The encyclopedia as a visitor meets it: requests in, pages and state out.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Encyclopedia;
use super::titles::Titles;
use super::{history, markup};
use crate::Site;
use crate::kit::visitor::{FORM, at, request, text};

fn get(quire: &mut Encyclopedia, target: &str) -> (u16, String) {
    let response = quire.handle(&request("GET", "encyclopedia.localhost", target, "", "")).into_http();
    (response.status().as_u16(), text(&response))
}

fn post(quire: &mut Encyclopedia, target: &str, fields: &[(&str, &str)]) -> u16 {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    quire
        .handle(&request("POST", "encyclopedia.localhost", target, FORM, &body))
        .into_http()
        .status()
        .as_u16()
}

#[test]
fn worlds_of_one_seed_share_the_library() {
    let (first, second) = (Encyclopedia::new(7), Encyclopedia::new(7));
    assert!(Arc::ptr_eq(&first.library, &second.library));
    assert!(first.state().to_string().len() < 2_000);
    assert_ne!(get(&mut Encyclopedia::new(7), "/").1, get(&mut Encyclopedia::new(8), "/").1);
}

#[test]
fn articles_are_many_and_every_link_in_them_leads_somewhere() {
    for seed in [1, 7] {
        let quire = Encyclopedia::new(seed);
        let shelf = quire.library.shelf();
        assert!(shelf.articles.len() >= 1_500, "{}", shelf.articles.len());
        let titles: BTreeSet<&str> = shelf.articles.iter().map(|article| article.title.as_str()).collect();
        let named = Titles::of(&shelf.facts);
        for title in named.people.iter().chain(&named.works) {
            assert!(titles.contains(title.as_str()), "{title} has no article");
        }
        for article in &shelf.articles {
            let texts = article.card.iter().map(|(_, value)| value).chain([&article.body]);
            for goal in texts.flat_map(|text| markup::links(text)) {
                assert!(shelf.article(&goal).is_some(), "{} links to {goal}", article.title);
                assert!(shelf.linking_to(&goal).iter().any(|linking| linking.slug == article.slug));
            }
            assert!(!article.categories.is_empty() && article.body.len() > 60, "{}", article.title);
        }
    }
}

#[test]
fn histories_end_with_the_article_and_go_forward_in_time() {
    let quire = Encyclopedia::new(7);
    for article in quire.library.shelf().articles.iter().step_by(9) {
        let versions = history::versions(7, article);
        assert_eq!(versions.last().expect("at least one").text, article.body);
        assert!(versions.is_sorted_by_key(|version| version.at), "{}", article.title);
        assert!(versions.iter().enumerate().all(|(at, version)| version.number as usize == at + 1));
    }
}

#[test]
fn pages_answer() {
    let mut quire = Encyclopedia::new(7);
    let town = quire.library.country.towns[2].slug.clone();
    let pages = [
        "/".to_owned(),
        "/search?q=river".to_owned(),
        "/search?q=zzzz".to_owned(),
        "/suggest?q=li".to_owned(),
        "/index/B?page=2".to_owned(),
        "/categories".to_owned(),
        "/category/towns".to_owned(),
        format!("/article/{town}"),
        format!("/article/{town}/edit"),
        format!("/article/{town}/history"),
        format!("/article/{town}/revision/1"),
        format!("/article/{town}/talk"),
        format!("/article/{town}/links"),
        "/article/list-of-rivers".to_owned(),
        "/watchlist".to_owned(),
        "/contributions".to_owned(),
        "/preferences".to_owned(),
        "/sign-in".to_owned(),
        "/static/quire.css".to_owned(),
    ];
    for target in pages {
        let (status, text) = get(&mut quire, &target);
        assert_eq!(status, 200, "{target}");
        assert!(!text.is_empty(), "{target}");
    }
    for target in
        ["/article/none", "/category/none", "/article/list-of-rivers/revision/999", "/index/ZZZ", "/nowhere"]
    {
        assert_eq!(get(&mut quire, target).0, 404, "{target}");
    }
    assert_eq!(get(&mut quire, "/random").0, 303);
}

#[test]
fn edits_become_revisions_unless_somebody_was_faster() {
    let mut quire = Encyclopedia::new(7);
    let slug = quire.library.country.towns[5].slug.clone();
    let article = quire.library.article(&slug).expect("a town has an article");
    let latest = quire.desk().revision(article);
    let (base, body) = (latest.to_string(), format!("{} It is twinned with nobody.", article.body));
    let path = format!("/article/{slug}/edit");
    let edit = [("base", base.as_str()), ("text", body.as_str()), ("summary", "twinning"), ("minor", "on")];
    assert_eq!(post(&mut quire, &path, &[("base", &base), ("text", &body), ("preview", "1")]), 200);
    assert_eq!(at(&quire, "/edits"), json!({}), "a preview changes nothing");
    assert_eq!(post(&mut quire, &path, &edit), 303);
    let saved = format!("/edits/{slug}/{}", latest + 1);
    assert_eq!(at(&quire, &format!("{saved}/summary")), "twinning");
    assert!(get(&mut quire, &format!("/article/{slug}")).1.contains("twinned with nobody"));
    assert_eq!(post(&mut quire, &path, &edit), 422, "the base is old now");
    let newer = (latest + 1).to_string();
    assert_eq!(post(&mut quire, &path, &[("base", &newer), ("text", &body)]), 422, "nothing was changed");
    assert_eq!(post(&mut quire, &path, &[("base", &newer), ("text", " ")]), 422);
    assert_eq!(post(&mut quire, "/article/list-of-towns/edit", &edit), 403);
    assert_eq!(post(&mut quire, "/article/none/edit", &edit), 404);
}

#[test]
fn a_visitor_who_signed_out_changes_nothing() {
    let mut quire = Encyclopedia::new(7);
    let slug = quire.library.country.towns[5].slug.clone();
    assert_eq!(post(&mut quire, "/sign-out", &[]), 303);
    let before = quire.state();
    for target in
        [format!("/article/{slug}/edit"), format!("/article/{slug}/watch"), "/preferences".to_owned()]
    {
        assert_eq!(post(&mut quire, &target, &[("text", "x")]), 401, "{target}");
    }
    assert_eq!(quire.state(), before);
    assert_eq!(post(&mut quire, "/sign-in", &[("name", "lmarsh"), ("password", "guess")]), 422);
    assert_eq!(post(&mut quire, "/sign-in", &[("name", "lmarsh"), ("password", "tidewater-42")]), 303);
    assert_eq!(at(&quire, "/signed_in"), true);
}

#[test]
fn watching_talking_and_preferring_are_remembered() {
    let mut quire = Encyclopedia::new(7);
    let slug = quire.library.country.towns[9].slug.clone();
    assert_eq!(post(&mut quire, &format!("/article/{slug}/watch"), &[]), 303);
    assert!(quire.state.watchlist.contains(&slug));
    assert_eq!(post(&mut quire, &format!("/article/{slug}/watch"), &[]), 303);
    assert!(!quire.state.watchlist.contains(&slug));
    assert_eq!(
        post(&mut quire, &format!("/article/{slug}/talk"), &[("topic", "Flag"), ("text", "Which colours?")]),
        303
    );
    assert_eq!(at(&quire, &format!("/talk/{slug}/remark-1/text")), "Which colours?");
    assert!(get(&mut quire, &format!("/article/{slug}/talk")).1.contains("Which colours?"));
    assert_eq!(post(&mut quire, &format!("/article/{slug}/talk"), &[("topic", ""), ("text", "x")]), 422);
    assert_eq!(post(&mut quire, "/preferences", &[("theme", "night"), ("text_size", "large")]), 303);
    assert_eq!(
        (at(&quire, "/preferences/theme"), at(&quire, "/preferences/show_contents")),
        (json!("night"), json!(false))
    );
    assert_eq!(post(&mut quire, "/preferences", &[("theme", "neon"), ("text_size", "large")]), 422);
}

#[test]
fn state_survives_a_round_trip_and_refuses_strangers() {
    let mut quire = Encyclopedia::new(7);
    let state = quire.state();
    quire.set_state(state.clone()).expect("its own state");
    assert_eq!(quire.state(), state);
    for (pointer, odd) in [
        ("/watchlist", json!(["no-such-article"])),
        ("/preferences/theme", json!("neon")),
        ("/signed_in", Value::Null),
    ] {
        let mut broken = state.clone();
        *broken.pointer_mut(pointer).expect("a field") = odd;
        assert!(quire.set_state(broken).is_err(), "{pointer}");
    }
}

proptest! {
    #[test]
    fn no_request_breaks_the_encyclopedia(
        requests in prop::collection::vec(
            (
                prop::sample::select(&["GET", "POST", "PUT", "HEAD"][..]),
                prop::sample::select(&["", "search", "suggest", "index/Q", "categories", "category/towns", "article/list-of-towns", "article/list-of-lakes/edit",
                    "article/list-of-lakes/talk", "article/list-of-lakes/watch", "article/list-of-towns/history", "article/list-of-towns/revision/2",
                    "watchlist", "preferences", "sign-in", "sign-out", "random", "article/x/edit"][..]),
                "([?](q|page)=[a-zA-Z0-9%+-]{0,12})?",
                "((text|base|summary|topic|theme|text_size|name|password|preview)=[a-z0-9%+]{0,10}&){0,4}",
            ),
            1..6,
        )
    ) {
        let mut quire = Encyclopedia::new(7);
        for (method, path, query, body) in requests {
            let target = format!("/{path}{query}");
            let response = quire.handle(&request(method, "encyclopedia.localhost", &target, FORM, &body)).into_http();
            prop_assert!(!response.status().is_server_error(), "{} {}", method, target);
        }
        let state = quire.state();
        prop_assert!(quire.set_state(state).is_ok());
    }

    #[test]
    fn no_text_breaks_the_markup(text in "([#*|\\[\\] a-z\\n-]|\\PC){0,60}") {
        let page = markup::render(&text, &|_| true).into_string();
        prop_assert!(!page.contains("<script"));
        markup::plain(&text);
        markup::links(&text);
    }
}
