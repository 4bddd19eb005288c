//! The forum as a visitor meets it: requests in, pages and state out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::Forum;
use super::catalogue::{MODERATED, VISITOR};
use super::moment::Moment;
use crate::{Request, Site};

/// Status and text of a response.
type Answer = (u16, String);
type Fields<'a> = Vec<(&'a str, &'a str)>;

fn send(forum: &mut Forum, method: &str, target: &str, content_type: &str, body: String) -> Answer {
    let request = http::Request::builder()
        .method(method)
        .uri(target)
        .header("host", "forum.localhost")
        .header("content-type", content_type)
        .body(Bytes::from(body))
        .expect("a well-formed request");
    let response = forum.handle(&Request::parse(request)).into_http();
    (response.status().as_u16(), String::from_utf8_lossy(response.body()).into_owned())
}

fn get(forum: &mut Forum, target: &str) -> Answer {
    send(forum, "GET", target, "", String::new())
}

fn post(forum: &mut Forum, target: &str, fields: &[(&str, &str)]) -> u16 {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    send(forum, "POST", target, "application/x-www-form-urlencoded", body).0
}

fn post_json(forum: &mut Forum, target: &str, body: &Value) -> u16 {
    send(forum, "POST", target, "application/json", body.to_string()).0
}

fn at<'v>(state: &'v Value, pointer: &str) -> &'v Value {
    state.pointer(pointer).unwrap_or(&Value::Null)
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let pages = [
        "/",
        "/all?sort=top&t=year",
        "/c/homelab",
        "/c/houseplants/post/5001",
        "/messages",
        "/c/houseplants/mod",
    ];
    for page in pages {
        assert_eq!(get(&mut Forum::new(7), page), get(&mut Forum::new(7), page), "{page}");
    }
    assert_eq!(Forum::new(7).state(), Forum::new(7).state());
    assert_ne!(get(&mut Forum::new(7), "/all"), get(&mut Forum::new(8), "/all"));
}

#[test]
fn worlds_of_one_seed_share_the_catalogue_and_keep_a_small_state() {
    let (first, mut second) = (Forum::new(7), Forum::new(7));
    assert!(Arc::ptr_eq(&first.catalogue, &second.catalogue));
    let state = first.state();
    assert!(state.to_string().len() < 50_000);
    post_json(&mut second, "/api/subscribe", &json!({"community": "homelab", "subscribed": true}));
    assert_eq!(first.state(), state, "a change in one world shows in another");
}

#[test]
fn the_catalogue_fits_together() {
    for seed in [1, 7, 99] {
        let catalogue = Forum::new(seed).catalogue;
        assert_eq!(
            (catalogue.communities.len(), catalogue.posts.len(), catalogue.archive.len()),
            (12, 600, 1_440)
        );
        let names: BTreeSet<&str> = catalogue.everybody().map(|person| person.name.as_str()).collect();
        assert_eq!(names.len(), catalogue.everybody().count());
        let titles: BTreeSet<_> = catalogue.all_posts().map(|post| (post.community, &post.title)).collect();
        assert_eq!(titles.len(), 2_040, "a title of a community names one post");
        for post in &catalogue.archive {
            let community = catalogue.community(post.community).expect("its community");
            assert!(community.founded < post.at, "older than its community");
            assert!(post.at < Moment::minutes_ago(500 * 24 * 60), "younger than what is read today");
        }
        let moderated: Vec<&str> = catalogue
            .communities
            .iter()
            .filter(|community| community.moderators.iter().any(|name| name == VISITOR))
            .map(|community| community.words.slug)
            .collect();
        assert_eq!(moderated, [MODERATED]);
        for post in catalogue.all_posts() {
            assert!(names.contains(post.author.as_str()) && post.author != VISITOR);
            assert!(!post.title.contains('{') && !post.body.contains('{'));
            assert_eq!(catalogue.post(post.id).map(|found| &found.title), Some(&post.title));
        }
        for comment in &catalogue.comments {
            assert_eq!(catalogue.comment(comment.id).map(|found| found.post), Some(comment.post));
            if let Some(parent) = comment.parent.and_then(|parent| catalogue.comment(parent)) {
                assert_eq!(parent.post, comment.post);
                assert!(parent.at <= comment.at, "an answer before the question");
            }
        }
    }
}

#[test]
fn state_survives_a_round_trip_and_refuses_strangers() {
    let mut forum = Forum::new(7);
    let state = forum.state();
    forum.set_state(state.clone()).expect("its own state");
    assert_eq!(forum.state(), state);
    let mut odd = state;
    odd["settings"]["privacy"]["shoe_size"] = json!(43);
    assert!(forum.set_state(odd).expect_err("unknown field").contains("shoe_size"));
}

#[test]
fn pages_answer() {
    let mut forum = Forum::new(7);
    let person = forum.catalogue.people[5].name.clone();
    let moderator_pages = ["", "/log", "/banned"].map(|page| format!("/c/{MODERATED}/mod{page}"));
    let profile = ["", "?tab=comments&sort=top", "?tab=about"].map(|query| format!("/u/{person}{query}"));
    for target in [
        "/",
        "/all",
        "/?sort=new",
        "/?sort=top&t=all",
        "/communities",
        "/c/bookclub",
        "/submit",
        "/post/5001/edit",
        "/search?q=light",
        "/search",
        "/saved",
        "/messages",
        "/messages/compose?to=x",
        "/messages/301",
        "/notifications",
        "/settings",
        "/settings?tab=content",
        "/signin",
        "/about",
        "/help",
        "/static/style.css",
        "/static/feed.js",
        "/img/c/bookclub.svg",
        "/img/u/anyone.svg",
        "/img/post/1001.svg",
        "/api/feed?scope=all&offset=20",
        "/api/people?q=fox",
        "/api/flairs?community=homelab",
    ]
    .into_iter()
    .chain(moderator_pages.iter().map(String::as_str))
    .chain(profile.iter().map(String::as_str))
    {
        assert_eq!(get(&mut forum, target).0, 200, "{target}");
    }
    for (target, status) in [
        ("/nowhere", 404),
        ("/c/nowhere", 404),
        ("/u/nobody", 404),
        ("/c/bookclub/post/999999999", 404),
        ("/c/bookclub/post/5001", 404),
        ("/post/1001/edit", 404),
        ("/messages/1", 404),
        ("/c/filmphoto/mod", 403),
    ] {
        assert_eq!(get(&mut forum, target).0, status, "{target}");
    }
}

#[test]
fn forms_change_the_state() {
    let name = Forum::new(7).catalogue.people[3].name.clone();
    let banned = format!("/moderation/banned/{name}/days");
    let title = "A title long enough";
    let new_post =
        [("community", "homelab"), ("kind", "text"), ("title", title), ("body", "Hi"), ("flair", "Help")];
    let ban = [("user", name.as_str()), ("length", "7"), ("reason", "Spam")];
    let message = [("to", name.as_str()), ("subject", "Hello"), ("body", "How are you?")];
    let privacy = [("who_may_write", "nobody"), ("show_online_status", "off"), ("show_communities", "on")];
    let rows = [
        ("/submit", new_post.to_vec(), "/posts/90001/title", json!(title)),
        (
            "/post/5001/edit",
            vec![("body", "New text"), ("flair", "Help")],
            "/posts/5001/body",
            json!("New text"),
        ),
        ("/post/5003/delete", vec![], "/posts/5003", Value::Null),
        ("/post/5001/comment", vec![("body", "Me too")], "/comments/90001/body", json!("Me too")),
        ("/comment/50001/edit", vec![("body", "Better")], "/comments/50001/body", json!("Better")),
        ("/comment/50001/delete", vec![], "/comments/50001", Value::Null),
        ("/report", vec![("post", "1001"), ("reason", "spam")], "/reports/90001/reason", json!("spam")),
        ("/messages/compose", message.to_vec(), "/threads/90001/with", json!(name)),
        ("/messages/303", vec![("body", "See you")], "/threads/303/messages/2/body", json!("See you")),
        (
            "/c/houseplants/mod/queue/q1",
            vec![("decision", "approve")],
            "/moderation/queue/q1/status",
            json!("approved"),
        ),
        (
            "/c/houseplants/mod/post/5001",
            vec![("action", "lock")],
            "/moderation/flags/5001/locked",
            json!(true),
        ),
        ("/c/houseplants/mod/banned", ban.to_vec(), &banned, json!(7)),
        ("/settings/privacy", privacy.to_vec(), "/settings/privacy/who_may_write", json!("nobody")),
        ("/settings/privacy", privacy.to_vec(), "/settings/privacy/show_online_status", json!(false)),
        ("/settings/privacy", privacy.to_vec(), "/settings/privacy/show_communities", json!(true)),
        (
            "/settings/notifications",
            vec![("follower.push", "on")],
            "/settings/notifications/follower/push",
            json!(true),
        ),
        ("/settings/notifications", vec![], "/settings/notifications/message/email", json!(false)),
        (
            "/settings/content",
            vec![("muted_words", "Leca, moss")],
            "/settings/content/muted_words",
            json!(["leca", "moss"]),
        ),
        (
            "/settings/profile",
            vec![("display_name", "Mira")],
            "/settings/profile/display_name",
            json!("Mira"),
        ),
        ("/signout", vec![], "/signed_in", json!(false)),
    ];
    for (target, fields, pointer, expected) in rows {
        let mut forum = Forum::new(7);
        assert_ne!(at(&forum.state(), pointer), &expected, "{target} starts where it should end");
        assert_eq!(post(&mut forum, target, &fields), 303, "{target}");
        assert_eq!(at(&forum.state(), pointer), &expected, "{target}");
    }
}

#[test]
fn refused_forms_leave_the_state_alone() {
    let locked = Forum::new(7)
        .state
        .moderation
        .flags
        .iter()
        .find(|(_, flags)| flags.locked)
        .map(|(id, _)| *id)
        .expect("a locked post");
    let locked_comment = format!("/post/{locked}/comment");
    let post_of = |community, title, flair| {
        vec![("community", community), ("kind", "text"), ("title", title), ("body", "Hi"), ("flair", flair)]
    };
    let rows: Vec<(&str, Fields<'_>, u16)> = vec![
        ("/submit", post_of("homelab", "Hi", "Help"), 422),
        ("/submit", post_of("homelab", "A good title", "No such flair"), 422),
        ("/submit", post_of("nowhere", "A good title", "Help"), 422),
        ("/submit", post_of("localhistory", "A good title", "Map"), 403),
        ("/post/1001/edit", vec![("body", "Mine now"), ("flair", "Help")], 404),
        ("/post/1001/delete", vec![], 404),
        (&locked_comment, vec![("body", "Let me in")], 403),
        ("/post/5001/comment", vec![("body", "  ")], 422),
        ("/post/5001/comment", vec![("body", "Lost"), ("parent", "20001")], 404),
        ("/report", vec![("post", "1001"), ("reason", "boredom")], 422),
        ("/messages/compose", vec![("to", "quillfeather"), ("subject", "Hi"), ("body", "Hi")], 422),
        ("/messages/compose", vec![("to", VISITOR), ("subject", "Hi"), ("body", "Hi")], 422),
        ("/c/filmphoto/mod/post/1170", vec![("action", "pin")], 403),
        ("/c/houseplants/mod/post/1170", vec![("action", "pin")], 404),
        ("/c/houseplants/mod/queue/q99", vec![("decision", "approve")], 404),
        ("/c/houseplants/mod/banned", vec![("user", "quillfeather"), ("length", "7"), ("reason", "x")], 422),
        ("/settings/profile", vec![("display_name", "M")], 422),
        ("/settings/profile", vec![("display_name", "Mira"), ("website", "javascript:alert(1)")], 422),
    ];
    for (target, fields, status) in rows {
        let mut forum = Forum::new(7);
        let before = forum.state();
        assert_eq!(post(&mut forum, target, &fields), status, "{target} {fields:?}");
        assert_eq!(forum.state(), before, "{target} {fields:?}");
    }
}

#[test]
fn buttons_toggle() {
    let mut forum = Forum::new(7);
    let free = forum
        .board()
        .posts()
        .find(|post| post.vote == 0 && !post.flags.locked && !post.saved)
        .expect("one")
        .id;
    let score = |forum: &Forum| forum.board().post(free).expect("still there").score;
    let before = score(&forum);
    let pointer = format!("/votes/posts/{free}");
    for (value, expected) in [(1, json!(1)), (-1, json!(-1)), (0, Value::Null)] {
        assert_eq!(post_json(&mut forum, "/api/vote", &json!({"post": free, "value": value})), 200);
        assert_eq!(at(&forum.state(), &pointer), &expected);
        assert_eq!(score(&forum), before + value);
    }
    for saved in [true, false] {
        assert_eq!(post_json(&mut forum, "/api/save", &json!({"post": free, "saved": saved})), 200);
        assert_eq!(forum.state.saved.contains_key(&free), saved);
    }
    for (path, body, status) in [
        ("/api/vote", json!({"post": free, "value": 5}), 400),
        ("/api/vote", json!({"value": 1}), 400),
        ("/api/vote", json!({"post": 4, "value": 1}), 404),
        ("/api/save", json!([]), 400),
        ("/api/subscribe", json!({"community": "nowhere", "subscribed": true}), 404),
    ] {
        assert_eq!(post_json(&mut forum, path, &body), status, "{path} {body}");
    }
}

#[test]
fn load_more_shows_every_post_once() {
    let mut forum = Forum::new(7);
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    let mut offset = json!(0);
    while let Some(start) = offset.as_u64() {
        let (status, text) = get(&mut forum, &format!("/api/feed?scope=all&sort=hot&offset={start}"));
        assert_eq!(status, 200);
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        for post in answer["posts"].as_array().expect("a list") {
            *seen.entry(post["id"].as_u64().expect("an id")).or_default() += 1;
        }
        offset = answer["next"].clone();
    }
    assert_eq!(seen.len(), 2_040 + forum.state.posts.len());
    assert!(seen.values().all(|times| *times == 1));
}

#[test]
fn settings_shape_the_feeds() {
    let mut forum = Forum::new(7);
    assert!(get(&mut forum, "/c/houseplants?sort=new").1.contains("repotting"));
    post(
        &mut forum,
        "/settings/content",
        &[("muted_words", "repotting"), ("hide.filmphoto", "on"), ("feed_sort", "new")],
    );
    let posts = super::feed::Feed {
        scope: super::feed::Scope::All,
        sort: super::feed::Sort::New,
        period: super::feed::Period::All,
    }
    .posts(forum.board())
    .into_iter()
    .map(|post| (post.title.to_lowercase(), post.community.words.slug))
    .collect::<Vec<_>>();
    assert!(!posts.is_empty());
    assert!(posts.iter().all(|(title, slug)| !title.contains("repotting") && *slug != "filmphoto"));
}

#[test]
fn what_visitors_type_is_escaped() {
    let mut forum = Forum::new(7);
    let evil = "<script>alert('x')</script>\"";
    let fields =
        [("community", "homelab"), ("kind", "text"), ("title", evil), ("body", evil), ("flair", "Help")];
    assert_eq!(post(&mut forum, "/submit", &fields), 303);
    assert_eq!(post(&mut forum, "/post/90001/comment", &[("body", evil)]), 303);
    let query: String = url::form_urlencoded::byte_serialize(evil.as_bytes()).collect();
    for target in [
        "/c/homelab/post/90001",
        "/c/homelab?sort=new",
        "/u/mira_holt",
        "/u/mira_holt?tab=comments",
        &format!("/search?q={query}"),
        &format!("/messages/compose?to={query}"),
        &format!("/u/{query}"),
    ] {
        let (_, page) = get(&mut forum, target);
        assert!(!page.contains("<script>alert"), "{target}");
        assert!(
            page.contains("&lt;script&gt;alert") || page.contains("%3Cscript%3E"),
            "{target} does not show it"
        );
    }
}

#[test]
fn guests_can_read_and_nothing_else() {
    let mut forum = Forum::new(7);
    post(&mut forum, "/signout", &[]);
    let before = forum.state();
    for target in ["/", "/c/homelab", "/c/houseplants/post/5001", "/search?q=light"] {
        assert_eq!(get(&mut forum, target).0, 200, "{target}");
    }
    for target in ["/messages", "/settings", "/submit", "/c/houseplants/mod", "/messages/301"] {
        assert_eq!(get(&mut forum, target).0, 303, "{target}");
    }
    assert_eq!(post(&mut forum, "/post/5001/delete", &[]), 303);
    assert_eq!(post_json(&mut forum, "/api/save", &json!({"post": 1001, "saved": true})), 401);
    assert_eq!(forum.state(), before);
    post(&mut forum, "/signin", &[]);
    assert_eq!(get(&mut forum, "/messages").0, 200);
}

#[test]
fn a_message_is_shown_once() {
    let mut forum = Forum::new(7);
    let mut show = |target: &str| {
        let request = http::Request::get(target)
            .header("cookie", "flash=comment-posted")
            .body(Bytes::new())
            .expect("fine");
        let response = forum.handle(&Request::parse(request)).into_http();
        let page = String::from_utf8_lossy(response.body()).contains("Your comment is online.");
        (page, response.headers().contains_key("set-cookie"))
    };
    assert_eq!(show("/"), (true, true));
    // Pictures and scripts load in between and must not use it up.
    assert_eq!(show("/static/style.css"), (false, false));
}

fn segment() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "c",
        "u",
        "post",
        "comment",
        "mod",
        "queue",
        "banned",
        "lift",
        "edit",
        "delete",
        "api",
        "vote",
        "feed",
        "messages",
        "settings",
        "houseplants",
        "filmphoto",
        "mira_holt",
        "5001",
        "1001",
        "20001",
        "q1",
        "301",
        "notifications",
        "img",
        "static",
        "block",
        "search",
        "4294967295",
        "99999999999999999999",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => "[ -~é%/]{0,6}"]
}

fn pairs() -> impl Strategy<Value = Vec<(String, String)>> {
    let name = prop::sample::select(vec![
        "body",
        "title",
        "kind",
        "flair",
        "community",
        "parent",
        "decision",
        "action",
        "user",
        "length",
        "reason",
        "to",
        "subject",
        "q",
        "sort",
        "t",
        "offset",
        "page",
        "post",
        "comment",
        "tab",
        "muted_words",
        "website",
        "c",
        "scope",
    ]);
    let value = prop_oneof![
        Just("lock".to_owned()),
        Just("approve".to_owned()),
        Just("20001".to_owned()),
        Just("18446744073709551615".to_owned()),
        any::<String>()
    ];
    prop::collection::vec((name.prop_map(str::to_owned), value), 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_request_makes_it_panic(
        requests in prop::collection::vec((any::<bool>(), prop::collection::vec(segment(), 0..6), pairs()), 1..8),
    ) {
        let mut forum = Forum::new(7);
        for (is_post, path, pairs) in requests {
            let fields = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&pairs).finish();
            let encoded = |part: &String| url::form_urlencoded::byte_serialize(part.as_bytes()).collect::<String>();
            let target = format!("/{}", path.iter().map(encoded).collect::<Vec<_>>().join("/"));
            let target = format!("/{}", target.trim_start_matches('/'));
            let (status, _) = if is_post {
                send(&mut forum, "POST", &target, "application/x-www-form-urlencoded", fields)
            } else {
                send(&mut forum, "GET", &format!("{target}?{fields}"), "", String::new())
            };
            prop_assert!(status < 500, "{} {}", target, status);
            let state = forum.state();
            prop_assert!(forum.set_state(state).is_ok());
        }
    }
}
