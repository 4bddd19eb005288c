//! Runs, attempts and comparisons, as a visitor without a script sees them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use umpire_server::{FilmStudio, Starting};

use crate::support::{ATTEMPT, LONGEST, RUN, Served};

#[tokio::test]
async fn the_list_of_runs_names_each_run_with_what_it_came_to() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    // Counted in the background: a later look has it. The oracle passed 11 of its 12.
    let page = visitor.get_until("/", |page| page.contains("91.7 %")).await;
    assert!(page.contains(&format!("/runs/{RUN}")) && page.contains("oracle"), "{page}");
}

#[tokio::test]
async fn a_run_shows_agents_by_slice_and_its_attempts_as_filtered() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    let page = visitor.get(&format!("/runs/{RUN}")).await;
    assert_eq!(page.status, 200);
    for part in ["Agents by slice", "Not complete", "48 of 48", "missed-response"] {
        assert!(page.body.contains(part), "{part} is missing");
    }
    for (filter, kept) in [
        ("agent=oracle", 12),
        ("outcome=pass", 18),
        ("agent=oracle+and+outcome=infra", 1),
        ("outcome=open", 3),
        ("site=hub+and+not+agent=say-yes", 9),
        ("state=on+or+state=off", 16),
        ("tag=missed-state+and+agent=say-yes", 12),
    ] {
        let page = visitor.get(&format!("/runs/{RUN}?filter={filter}")).await;
        assert!(page.body.contains(&format!("{kept} of 48")), "{filter}");
    }
    let page = visitor.get(&format!("/runs/{RUN}?filter=colour%3Dred")).await;
    assert!(page.body.contains("the filter is not understood: expected one of agent"), "{}", page.body);
}

#[tokio::test]
async fn an_attempt_shows_its_steps_its_verdict_and_the_request_it_rests_on() {
    let served = Served::start().await;
    let page = served.visitor().get(&format!("{ATTEMPT}?step=3")).await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("class=\"step chosen\" id=\"step-3\""), "the step asked for is in view");
    assert_eq!(page.body.matches("class=\"step chosen\"").count(), 1);
    for part in
        ["POST", "/api/cart", "class=\"evidence\"", "Page outline", "Verdict by rules", "The same instance"]
    {
        assert!(page.body.contains(part), "{part} is missing");
    }
    let shot = page.body.split("/shots/").nth(1).and_then(|rest| rest.split('"').next()).expect("a picture");
    let picture = served.visitor().get(&format!("/runs/{RUN}/shots/{shot}")).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/jpeg")));
    let small = served.visitor().get(&format!("/runs/{RUN}/thumbs/{shot}")).await;
    assert!(small.bytes.len() < picture.bytes.len() && small.bytes.starts_with(&[0xff, 0xd8]));
}

#[tokio::test]
async fn outlines_and_downloads_are_to_be_had_and_sandboxed() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    let outline = visitor.get(&format!("{ATTEMPT}/outline/2")).await;
    assert_eq!(outline.body, "heading \"shop 2\"");
    assert_eq!(outline.header("content-type"), Some("text/plain; charset=utf-8"));
    let har = visitor.get(&format!("{ATTEMPT}/download/har")).await;
    let har_json: serde_json::Value = serde_json::from_str(&har.body).expect("JSON");
    assert_eq!(har_json["log"]["entries"].as_array().map(Vec::len), Some(8));
    let film = visitor.get(&format!("{ATTEMPT}/download/film")).await;
    assert!(film.bytes.starts_with(b"GIF89a"));
    let trace = visitor.get(&format!("{ATTEMPT}/download/trace")).await;
    assert!(trace.bytes.starts_with(b"PK"));
    for answer in [&outline, &har, &film, &trace] {
        assert!(answer.header("content-security-policy").is_some_and(|policy| policy.starts_with("sandbox")));
    }
    assert_eq!(
        har.header("content-disposition"),
        Some("attachment; filename=\"say-yes-shop-cheapest-lamp-1.har\"")
    );
    assert_eq!(visitor.get(&format!("{ATTEMPT}/download/exe")).await.status, 404);
}

/// Encoders that are never ready; counts how many were asked for.
#[derive(Debug)]
struct Waiting(Arc<AtomicUsize>);

impl FilmStudio for Waiting {
    fn start(&self) -> Starting<'_> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_film_has_its_turn_before_its_encoder_is_started() {
    let started = Arc::new(AtomicUsize::new(0));
    let studio = Waiting(Arc::clone(&started));
    let served = Served::start_with(|options| options.films = Some(Arc::new(studio))).await;
    for _ in 0..3 {
        let mut visitor = served.visitor();
        tokio::spawn(async move { visitor.get(&format!("{ATTEMPT}/download/webm")).await });
    }
    let begun = Instant::now();
    while started.load(Ordering::SeqCst) == 0 {
        assert!(begun.elapsed() < LONGEST, "none was started");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(started.load(Ordering::SeqCst), 1, "the others wait without one");
}

#[tokio::test]
async fn two_agents_are_compared_with_what_was_lost_first() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    let page = visitor
        .get(&format!("/compare?before={RUN}&after={RUN}&before_agent=oracle&after_agent=heuristic"))
        .await;
    assert_eq!(page.status, 200);
    // The oracle passed all but place 7; the heuristic agent 0, 3, 5 and 9.
    assert!(page.body.contains("7 of 12 attempts changed"), "{}", page.body);
    let (lost, gained) =
        (page.body.matches(">lost</span>").count(), page.body.matches(">gained</span>").count());
    assert_eq!((lost, gained), (7, 0));
    let both = visitor
        .get(&format!("/compare?before={RUN}&after={RUN}&before_agent=heuristic&after_agent=my-bot"))
        .await
        .body;
    let (last_lost, first_gained) = (both.rfind(">lost</span>"), both.find(">gained</span>"));
    assert!(last_lost.is_some() && last_lost < first_gained, "{last_lost:?} {first_gained:?}");
}

#[tokio::test]
async fn two_attempts_stand_side_by_side_step_by_step() {
    let served = Served::start().await;
    let side = |agent: &str| format!("{RUN}/{agent}/shop-cheapest-lamp/1");
    let path = format!("/compare/attempts?left={}&right={}", side("oracle"), side("say-yes"));
    let page = served.visitor().get(&path).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.body.matches("class=\"beside\"").count(), 8, "four steps each");
    assert!(!page.body.contains("class=\"differs\""), "both did the same");
}

#[tokio::test]
async fn what_changes_on_disk_is_counted_again() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    let path = format!("/runs/{RUN}?filter=outcome=open");
    assert!(visitor.get(&path).await.body.contains("3 of 48"));
    let run = umpire_store::Runs::new(served.folder.path().join("runs")).open(RUN).expect("a run");
    let id = "my-bot/hub-ads@off/1".parse().expect("an attempt");
    let other = run.attempt(&"my-bot/shop-cheapest-lamp/1".parse().expect("an attempt"));
    let mut verdict = other.verdicts().expect("read").pop().expect("one").verdict;
    verdict.attempt = id;
    run.attempt(&verdict.attempt).append_verdict(&verdict).expect("filed");
    visitor.get_until(&path, |page| page.contains("2 of 48")).await;
}

#[tokio::test]
async fn an_attempt_that_cannot_be_read_does_not_hide_the_others() {
    let served = Served::start().await;
    let run = umpire_store::Runs::new(served.folder.path().join("runs")).open(RUN).expect("a run");
    let journal = run.attempt(&"oracle/shop-cheapest-lamp/1".parse().expect("an attempt")).journal_path();
    // As only a newer Umpire writes it.
    std::fs::write(&journal, "{\"v\":99,\"seq\":0,\"ms\":0,\"type\":\"started\"}\n").expect("written");
    let path = format!("/runs/{RUN}?filter=reason~'cannot+be+read'");
    let page = served.visitor().get_until(&path, |page| page.contains("1 of 48")).await;
    assert!(page.contains("use a newer Umpire"), "{page}");
}

#[tokio::test]
async fn the_index_can_be_thrown_away() {
    let served = Served::start().await;
    let path = format!("/runs/{RUN}?filter=outcome=pass");
    assert!(served.visitor().get(&path).await.body.contains("18 of 48"));
    let options = crate::support::options(served.folder.path());
    let database = umpire_server::Database::open(&options.database).await.expect("opened");
    database.forget_index().await.expect("emptied");
    database.close().await;
    let served = served.restarted(|_| {}).await;
    assert!(served.visitor().get(&path).await.body.contains("18 of 48"));
}

#[tokio::test]
async fn what_is_not_there_is_said_not_to_be() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    for path in ["/runs/none", "/runs/core-7f3a91c2/attempts/x/y/1", "/nowhere", "/assets/none.css"] {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.body.contains("All runs"));
    }
}
