//! Waiting for pages: short where nothing moves, bounded where something always does.

use std::time::{Duration, Instant};

use umpire_browser::settle::{Settled, settle};
use umpire_model::Deadline;

use crate::support::{Lab, Page};

async fn timed(lab: &Lab, limit: Duration) -> (Settled, Duration) {
    let start = Instant::now();
    let settled = settle(&lab.tab(), Deadline::after(limit)).await;
    (settled, start.elapsed())
}

#[tokio::test]
async fn a_still_page_is_quiet_long_before_the_deadline() {
    let lab = Lab::page("<h1>Still</h1>").await;
    // How long before is the benchmark's business: other tests share the machine.
    let (settled, took) = timed(&lab, Duration::from_secs(30)).await;
    assert_eq!(settled, Settled::Quiet);
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[tokio::test]
async fn what_a_response_renders_is_waited_for() {
    let html = "<p id=p>Loading</p><script>
        fetch('/data').then(r => r.text()).then(t => setTimeout(() => { p.textContent = t; document.title = 'done' }, 20));
        </script>";
    let wait = Duration::from_millis(600);
    let pages = [
        ("/".to_owned(), Page { html: html.to_owned(), wait: Duration::ZERO }),
        ("/data".to_owned(), Page { html: "arrived".to_owned(), wait }),
    ];
    let lab = Lab::open_pages(pages.into()).await;
    assert_eq!(lab.js("p.textContent").await, "arrived");
}

#[tokio::test]
async fn a_page_that_says_it_is_busy_is_waited_for() {
    let lab = Lab::page("<main aria-busy=true>…</main><script>setTimeout(() => { document.querySelector('main').ariaBusy = 'false'; document.title = 'ready' }, 500)</script>").await;
    assert_eq!(lab.js("document.title").await, "ready");
}

#[tokio::test]
async fn what_never_rests_does_not_cost_the_deadline() {
    for (what, html) in [
        (
            "an animation by script",
            "<p id=p style='position:relative'>x</p><script>(function f(t) { p.style.left = (t || 0) / 10 % 300 + 'px'; requestAnimationFrame(f) })()</script>",
        ),
        ("a clock", "<p id=p></p><script>setInterval(() => p.textContent = Date.now(), 10)</script>"),
        (
            "a spinner",
            "<style>@keyframes s { to { transform: rotate(1turn) } } p { animation: s 1s linear infinite }</style><p>x</p>",
        ),
    ] {
        let lab = Lab::page(html).await;
        let (settled, took) = timed(&lab, Duration::from_secs(20)).await;
        assert_ne!(settled, Settled::Deadline, "{what}");
        assert!(took < Duration::from_secs(15), "{what} took {took:?}");
    }
}

#[tokio::test]
async fn an_open_request_is_waited_for_until_the_deadline_or_taken_for_a_poll() {
    let html = "<script>fetch('/poll')</script>";
    let pages = [
        ("/".to_owned(), Page { html: html.to_owned(), wait: Duration::ZERO }),
        ("/poll".to_owned(), Page { html: String::new(), wait: Duration::from_hours(1) }),
    ];
    let lab = Lab::open_pages(pages.into()).await;
    lab.goto("http://shop.localhost/").await;
    let (settled, took) = timed(&lab, Duration::from_millis(300)).await;
    assert!(settled != Settled::Quiet && took < Duration::from_secs(10), "{settled:?} after {took:?}");
    let (settled, took) = timed(&lab, Duration::from_secs(30)).await;
    assert!(settled == Settled::Restless && took < Duration::from_secs(20), "{settled:?} after {took:?}");
}
