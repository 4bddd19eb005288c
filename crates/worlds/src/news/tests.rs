//! The paper as its readers see it: requests in, pages and state out.

use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::News;
use super::vocabulary::SECTIONS;
use crate::Site;
use crate::kit::visitor::{FORM, at, request, text};

const PAGES: [&str; 14] = [
    "/",
    "/section/politics?page=2&sort=read",
    "/search?q=harbour&section=politics&month=2026-02",
    "/search?q=zzzz",
    "/article/30200",
    "/topic/harbour-tunnel",
    "/authors",
    "/weather",
    "/weather/port-ansel",
    "/markets",
    "/reading-list",
    "/newsletters",
    "/cookies",
    "/about",
];

fn get(news: &mut News, target: &str) -> http::Response<Bytes> {
    news.handle(&request("GET", "news.localhost", target, "", "")).into_http()
}

fn post(news: &mut News, target: &str, form: &str) -> http::Response<Bytes> {
    news.handle(&request("POST", "news.localhost", target, FORM, form)).into_http()
}

fn post_json(news: &mut News, host: &str, target: &str, body: &Value) -> http::Response<Bytes> {
    news.handle(&request("POST", host, target, "application/json", &body.to_string())).into_http()
}

fn news_with(values: &[(&str, Value)]) -> News {
    let mut news = News::new(7);
    let mut state = news.state();
    for (pointer, value) in values {
        *state.pointer_mut(pointer).expect("an existing place") = value.clone();
    }
    news.set_state(state).expect("a fitting state");
    news
}

fn choices(allowed: &[&str]) -> Value {
    let ids = ["measurement", "personalisation", "advertising", "partners"];
    let purposes: serde_json::Map<String, Value> =
        ids.iter().map(|id| ((*id).to_owned(), json!(allowed.contains(id)))).collect();
    json!({"purposes": purposes})
}

#[test]
fn a_seed_decides_every_byte_and_is_shared() {
    let (mut one, mut same, mut other) = (News::new(7), News::new(7), News::new(8));
    assert!(Arc::ptr_eq(&one.catalogue, &same.catalogue));
    for page in PAGES {
        assert_eq!(get(&mut one, page).body(), get(&mut same, page).body(), "{page}");
    }
    assert_ne!(get(&mut one, "/").body(), get(&mut other, "/").body());
    assert!(one.catalogue.articles.len() > 600);
    let headlines: std::collections::BTreeSet<&str> =
        one.catalogue.articles.iter().map(|article| article.headline.as_str()).collect();
    assert_eq!(headlines.len(), one.catalogue.articles.len(), "a headline means one article");
    for section in SECTIONS {
        assert!(one.catalogue.authors.iter().any(|author| author.section.slug == section.slug));
    }
}

#[test]
fn looking_changes_nothing() {
    let mut news = news_with(&[("/obstacles/newsletter", json!(true)), ("/obstacles/advert", json!(true))]);
    let before = news.state();
    for page in PAGES {
        assert_eq!(get(&mut news, page).status(), StatusCode::OK, "{page}");
    }
    for file in [
        "style.css",
        "obstacles.css",
        "obstacles.js",
        "permit-kit.js",
        "article.js",
        "markets.js",
        "mark.svg",
    ] {
        assert_eq!(get(&mut news, &format!("/assets/{file}")).status(), StatusCode::OK, "{file}");
    }
    for file in ["frame", "frame.css", "frame.js"] {
        let response = news.handle(&request("GET", "choices.localhost", &format!("/{file}"), "", ""));
        assert_eq!(response.into_http().status(), StatusCode::OK, "{file}");
    }
    for nowhere in
        ["/nowhere", "/article/1", "/section/gardening", "/topic/none", "/authors/nobody", "/picture/1.svg"]
    {
        assert_eq!(get(&mut news, nowhere).status(), StatusCode::NOT_FOUND, "{nowhere}");
    }
    assert_eq!(news.state(), before);
}

#[test]
fn every_link_of_the_paper_leads_somewhere() {
    let mut news = News::new(7);
    for page in PAGES {
        for link in text(&get(&mut news, page)).split("href=\"").skip(1) {
            let link = link.split('"').next().unwrap_or_default().replace("&amp;", "&");
            if link.starts_with('/') {
                assert_eq!(get(&mut news, &link).status(), StatusCode::OK, "{link} on {page}");
            }
        }
    }
}

#[test]
fn an_article_opens_in_full_once_the_question_is_answered() {
    for form in ["banner", "shadow", "frame"] {
        let mut news = news_with(&[("/obstacles/consent", json!(form))]);
        let parts = ["/api/article/30200/rest", "/api/article/30200/comments"];
        for part in parts {
            assert_eq!(get(&mut news, part).status(), StatusCode::FORBIDDEN, "{form} {part}");
        }
        assert!(!text(&get(&mut news, "/article/30200")).contains("At a glance"));
        let (host, target) = if form == "frame" {
            ("choices.localhost", "/choice")
        } else {
            ("news.localhost", "/api/consent")
        };
        post_json(&mut news, host, target, &choices(&[]));
        for part in parts {
            assert_eq!(get(&mut news, part).status(), StatusCode::OK, "{form} {part}");
        }
        assert_eq!(at(&news, "/consent/choice"), json!("rejected"));
    }
    let mut open = news_with(&[("/obstacles/consent", json!("none"))]);
    assert!(text(&get(&mut open, "/api/article/30200/rest")).contains("At a glance"));
}

#[test]
fn the_consent_choice_is_named_after_what_was_allowed() {
    for (allowed, choice) in [
        (vec!["measurement", "personalisation", "advertising", "partners"], "accepted"),
        (vec![], "rejected"),
        (vec!["measurement"], "custom"),
    ] {
        let mut news = News::new(7);
        post_json(&mut news, "news.localhost", "/api/consent", &choices(&allowed));
        assert_eq!(at(&news, "/consent/choice"), json!(choice));
        assert_eq!(at(&news, "/consent/answers"), json!(1));
    }
    let mut news = News::new(7);
    for broken in [json!({}), json!({"purposes": {"measurement": true}}), json!(["no"])] {
        let response = post_json(&mut news, "news.localhost", "/api/consent", &broken);
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(at(&news, "/consent/choice"), json!("unanswered"));
}

#[test]
fn pop_ups_stay_until_they_are_dealt_with() {
    let mut news = news_with(&[
        ("/obstacles/consent", json!("none")),
        ("/obstacles/newsletter", json!(true)),
        ("/obstacles/advert", json!(true)),
    ]);
    let shows = |news: &mut News, id: &str| text(&get(news, "/markets")).contains(&format!("id=\"{id}\""));
    assert!(shows(&mut news, "newsletter") && shows(&mut news, "advert"));
    post(&mut news, "/sponsored", "");
    assert_eq!((at(&news, "/advert/followed"), shows(&mut news, "advert")), (json!(1), true));
    post_json(&mut news, "news.localhost", "/api/advert", &json!({}));
    assert!(!shows(&mut news, "advert"));
    let bad = json!({"answer": "subscribed", "email": "nobody"});
    let refused = post_json(&mut news, "news.localhost", "/api/newsletter", &bad);
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(shows(&mut news, "newsletter"));
    let good = json!({"answer": "subscribed", "email": "ada@example.org", "partner_offers": false});
    post_json(&mut news, "news.localhost", "/api/newsletter", &good);
    assert!(!shows(&mut news, "newsletter"));
    assert_eq!(at(&news, "/newsletter/subscriptions"), json!(["first-light"]));
}

#[test]
fn readers_save_follow_comment_and_recommend() {
    let mut news = news_with(&[("/obstacles/consent", json!("none"))]);
    let author = news.catalogue.authors[3].slug.clone();
    let article =
        news.catalogue.articles.iter().find(|article| article.comments > 0).expect("a discussed one").id;
    for (target, pointer, on, off) in [
        (format!("/api/article/{article}/save"), "/saved", json!([article]), json!([])),
        (
            format!("/api/comment/{article}-1/recommend"),
            "/recommended",
            json!([format!("{article}-1")]),
            json!([]),
        ),
        (format!("/authors/{author}/follow"), "/following", json!([author]), json!([])),
    ] {
        post(&mut news, &target, "");
        assert_eq!(at(&news, pointer), on, "{target}");
        post(&mut news, &target, "");
        assert_eq!(at(&news, pointer), off, "{target}");
    }
    post(&mut news, "/article/30200/comments", "text=short");
    assert_eq!(at(&news, "/comments"), json!({}));
    post(&mut news, "/article/30200/comments", "text=%3Cscript%3Ealert(1)%3C/script%3E+is+no+news");
    let page = text(&get(&mut news, "/article/30200"));
    assert!(page.contains("&lt;script&gt;alert") && !page.contains("<script>alert"));
    post(&mut news, "/article/30200/comments/own-1/delete", "");
    assert_eq!(at(&news, "/comments"), json!({}));
}

#[test]
fn lists_are_filtered_sorted_and_paged() {
    let mut news = News::new(7);
    let counted = |news: &mut News, target: &str| {
        let page = text(&get(news, target));
        page.split("role=\"status\">")
            .nth(1)
            .and_then(|rest| rest.split('<').next())
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(counted(&mut news, "/section/sport"), "62 articles, page 1 of 6");
    assert_eq!(counted(&mut news, "/section/sport?page=99"), "62 articles, page 6 of 6");
    assert!(counted(&mut news, "/search?q=zzzz").starts_with("Nothing found"));
    let most_read =
        news.catalogue.articles.iter().filter(|a| a.section.slug == "sport").max_by_key(|a| a.reads);
    let headline = most_read.expect("sport").headline.clone();
    let page = text(&get(&mut news, "/section/sport?sort=read"));
    let first = page.split("<h3>").nth(1).unwrap_or_default();
    assert!(first.contains(&maud::html! { (headline) }.into_string()));
}

#[test]
fn a_state_that_does_not_fit_is_refused_with_its_field() {
    for (pointer, value, named) in [
        ("/obstacles/consent", json!("fog"), "fog"),
        ("/consent/purposes", json!({}), "consent.purposes"),
        ("/newsletter/subscriptions", json!(["spam"]), "spam"),
        ("/saved", json!([1]), "article 1"),
        ("/following", json!(["nobody"]), "nobody"),
    ] {
        let mut state = News::new(7).state();
        *state.pointer_mut(pointer).expect("an existing place") = value;
        let error = News::new(7).set_state(state).expect_err(pointer);
        assert!(error.contains(named), "{pointer}: {error}");
    }
}

/// Paths near the real ones, so that the fuzzing gets past the routing.
fn target() -> impl Strategy<Value = String> {
    let known = "api article 30200 comments own-1 delete 30200-1 comment recommend save rest consent newsletter advert sponsored \
                 section politics topic authors follow newsletters cookies search weather markets picture choice frame";
    let segment = prop_oneof![
        4 => prop::sample::select(known.split_whitespace().collect::<Vec<_>>()).prop_map(str::to_owned),
        1 => "[a-z%0-9.-]{0,8}",
    ];
    let query = prop::option::of("[?](q|page|sort|month|section|done)=[a-z0-9%+-]{0,22}");
    (prop::collection::vec(segment, 0..5), query)
        .prop_map(|(segments, query)| format!("/{}{}", segments.join("/"), query.unwrap_or_default()))
}

proptest! {
    #[test]
    fn no_request_breaks_the_paper(
        requests in prop::collection::vec(
            (
                prop::sample::select(vec!["GET", "POST", "PUT", "HEAD"]),
                prop::sample::select(vec!["news.localhost", "choices.localhost"]),
                target(),
                prop::sample::select(vec!["application/x-www-form-urlencoded", "application/json", "text/plain"]),
                prop_oneof!["(text|email|newsletter|measurement)=\\PC{0,30}", Just(r#"{"answer":"subscribed","email":7}"#.to_owned())],
            ),
            1..8,
        )
    ) {
        let mut news = News::new(7);
        for (method, host, target, content_type, body) in requests {
            let response = news.handle(&request(method, host, &target, content_type, &body)).into_http();
            prop_assert!(!response.status().is_server_error(), "{} {}", method, target);
        }
        let state = news.state();
        prop_assert!(news.set_state(state).is_ok());
    }
}
