//! Pages that misbehave: the seat survives them and says what happened.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use umpire_browser::{HostPattern, Seat, SeatError};
use umpire_model::EventBody;

use crate::seats::{Memory, evaluate, html, network, reply, seat_with, site, small_pool, soon};

fn dialogs(memory: &Memory) -> Vec<(String, String, bool)> {
    let events = memory.all().into_iter();
    events
        .filter_map(|event| match event {
            EventBody::Dialog(dialog) => Some((dialog.kind, dialog.message, dialog.accepted)),
            _ => None,
        })
        .collect()
}

fn flagged(memory: &Memory, request: &str) -> usize {
    memory.gates().iter().filter(|(asked, ..)| asked.starts_with(request)).count()
}

async fn until_quiet(seat: &Seat) {
    let tab = seat.active_tab(soon()).await.expect("a tab");
    let deadline = umpire_model::Deadline::after(Duration::from_secs(20));
    loop {
        let changed = tab.activity.changed();
        let counts = tab.activity.counts();
        if counts.loading == 0 && counts.in_flight == 0 && !counts.dialog_open {
            return;
        }
        let change = tokio::time::timeout_at(deadline.at().into(), changed).await;
        assert!(change.is_ok(), "it does not calm down: {counts:?}");
    }
}

#[tokio::test]
async fn dialogs_are_answered_and_told() {
    let shop = site(|_| {
        html("<script>alert('hi'); document.title = confirm('sure?') + ' ' + prompt('name?', 'Ada')</script>")
    });
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    until_quiet(&seat).await;
    assert_eq!(evaluate(&seat, "document.title").await, "true Ada");
    assert_eq!(
        seat.take_dialogs(),
        ["alert (accepted): hi", "confirm (accepted): sure?", "prompt (accepted): name?"]
    );
    assert_eq!(seat.take_dialogs(), Vec::<String>::new());
    seat.close(soon()).await;
    let texts: Vec<_> = dialogs(&memory).into_iter().map(|(kind, text, _)| (kind, text)).collect();
    assert_eq!(
        texts,
        [("alert", "hi"), ("confirm", "sure?"), ("prompt", "name?")]
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
}

#[tokio::test]
async fn an_endless_alert_loop_ends() {
    let shop = site(|request| match request.uri().path() {
        "/loop" => html("<h1>trap</h1><script>while (true) alert('again')</script>"),
        "/timer" => html("<h1>trap</h1><script>setInterval(() => alert('again'), 1)</script>"),
        _ => html("<h1>fine</h1>"),
    });
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    for (trap, left) in [("loop", 1), ("timer", 2)] {
        seat.goto(&format!("http://shop.localhost/{trap}"), soon()).await.expect("opened");
        let deadline = soon();
        let is_left =
            |event: &EventBody| matches!(event, EventBody::Navigated { url, .. } if url.starts_with("data:"));
        while memory.all().iter().filter(|event| is_left(event)).count() < left {
            assert!(!deadline.passed(), "{trap} was not left");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        until_quiet(&seat).await;
        assert_eq!(evaluate(&seat, "document.title").await, "Left", "{trap}");
        assert_eq!(flagged(&memory, "a dialog"), left);
    }
    seat.goto("http://shop.localhost/fine", soon()).await.expect("the tab still works");
    until_quiet(&seat).await;
    assert_eq!(evaluate(&seat, "document.querySelector('h1').textContent").await, "fine");
    seat.close(soon()).await;
    assert!(dialogs(&memory).len() < 100);
}

#[tokio::test]
async fn thirty_popups_leave_twelve_tabs() {
    let shop = site(|request| match request.uri().path() {
        "/" => html("<script>for (let i = 0; i < 30; i++) window.open('/ad?' + i)</script><h1>shop</h1>"),
        _ => html("ad"),
    });
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    let first = seat.tabs(soon()).await.expect("tabs").remove(0).id;
    let deadline = soon();
    // All thirty were asked for once the page's script is over.
    while seat.tabs(soon()).await.expect("tabs").len() < 12
        || evaluate_in(&seat, 1, "document.readyState").await != "complete"
    {
        assert!(!deadline.passed());
    }
    assert_eq!(seat.tabs(soon()).await.expect("tabs").len(), 12);
    seat.switch_tab(1, soon()).await.expect("switched");
    let tab = seat.active_tab(soon()).await.expect("a tab");
    assert_eq!(tab.id, first);
    assert_eq!(evaluate(&seat, "document.querySelector('h1').textContent").await, "shop");
    assert!(matches!(seat.open_tab("about:blank", soon()).await, Err(SeatError::TooManyTabs { limit: 12 })));
    let summary = seat.close(soon()).await;
    assert_eq!(summary.tabs_refused, 30 - 11);
    assert_eq!(summary.requests_seen, summary.requests_written);
    assert_eq!(flagged(&memory, "a new tab"), 1);
}

async fn evaluate_in(seat: &Seat, number: u32, script: &str) -> serde_json::Value {
    seat.switch_tab(number, soon()).await.expect("switched");
    evaluate(seat, script).await
}

#[tokio::test]
async fn a_crashed_page_is_told_and_the_tab_can_go_on() {
    let shop = site(|_| html("<h1>alive</h1>"));
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    let tab = seat.active_tab(soon()).await.expect("a tab");
    until_quiet(&seat).await;
    tab.session.post("Page.navigate", json!({ "url": "chrome://crash" }));
    memory
        .until("the crash", |event| matches!(event, EventBody::TabCrashed { tab: id } if *id == tab.id))
        .await;
    assert!(tab.activity.counts().crashed);
    assert!(!seat.is_gone());
    seat.goto("http://shop.localhost/again", soon()).await.expect("reloaded");
    until_quiet(&seat).await;
    assert_eq!(evaluate(&seat, "document.querySelector('h1').textContent").await, "alive");
    assert_eq!(seat.close(soon()).await.tabs_crashed, 1);
}

#[tokio::test]
async fn a_download_is_kept_in_the_seats_folder() {
    let shop = site(|request| match request.uri().path() {
        "/" => html("<a href=/invoice.txt>invoice</a>"),
        _ => reply(
            200,
            &[("content-type", "text/plain"), ("content-disposition", "attachment; filename=invoice.txt")],
            "total 12",
        ),
    });
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    until_quiet(&seat).await;
    evaluate(&seat, "document.querySelector('a').click()").await;
    let done = memory.until("the download", |event| matches!(event, EventBody::Download { .. })).await;
    let EventBody::Download { url, name, bytes, state } = done else { panic!("{done:?}") };
    assert_eq!((url.as_str(), name.as_str()), ("http://shop.localhost/invoice.txt", "invoice.txt"));
    assert_eq!((bytes, state.as_str()), (8, "completed"));
    let files: Vec<_> = std::fs::read_dir(seat.downloads_folder()).expect("readable").flatten().collect();
    assert_eq!(files.len(), 1);
    assert_eq!(std::fs::read_to_string(files[0].path()).expect("readable"), "total 12");
    seat.close(soon()).await;
}

/// A server outside that promises a gigabyte and sends it slowly.
async fn promise_a_gigabyte() -> u16 {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bound");
    let port = listener.local_addr().expect("bound").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let _ = stream.read(&mut [0; 4096]).await;
                let head =
                    "HTTP/1.1 200 OK\r\ncontent-type: application/zip\r\ncontent-length: 1073741824\r\n\r\n";
                let mut sent = stream.write_all(head.as_bytes()).await;
                while sent.is_ok() {
                    sent = stream.write_all(&[0; 1024]).await;
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            });
        }
    });
    port
}

#[tokio::test]
async fn a_gigabyte_download_is_cancelled() {
    let port = promise_a_gigabyte().await;
    let shop = site(move |_| html(&format!("<a href='http://127.0.0.1:{port}/huge.zip'>huge</a>")));
    let mut network = network(&[("shop.localhost", shop)]);
    network.allowed_hosts.push(HostPattern::parse(&format!("127.0.0.1:{port}")));
    let (_pool, seat, memory) = seat_with(network).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    until_quiet(&seat).await;
    evaluate(&seat, "document.querySelector('a').click()").await;
    let end =
        memory.until("the end of the download", |event| matches!(event, EventBody::Download { .. })).await;
    assert!(matches!(&end, EventBody::Download { state, .. } if state == "canceled"), "{end:?}");
    assert_eq!(flagged(&memory, "download of"), 1);
    until_quiet(&seat).await;
    seat.close(soon()).await;
}

#[tokio::test]
async fn a_site_that_panics_or_is_foreign_or_private_is_answered_and_told() {
    let shop = site(|request| match request.uri().path() {
        "/panic" => panic!("a bug in the site"),
        _ => html("fine"),
    });
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    seat.open("http://shop.localhost/panic", soon()).await.expect("an error page is a page");
    assert_eq!(memory.until_exchange("/panic").await.response.expect("answered").status, 500);
    seat.goto("http://shop.localhost/", soon()).await.expect("the site goes on");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
    let private = format!("http://{}/", listener.local_addr().expect("bound"));
    let script = format!("fetch('{private}', {{mode: 'no-cors'}}).then(r => r.type, e => 'failed')");
    evaluate(&seat, &script).await;
    for (url, suspicious) in
        [("file:///etc/passwd", true), (private.as_str(), true), ("http://elsewhere.test/", false)]
    {
        let refused = seat.goto(url, soon()).await;
        assert!(matches!(refused, Err(SeatError::Refused { .. })), "{url}: {refused:?}");
        assert!(memory.gates().contains(&(format!("goto {url}"), "refused".to_owned(), suspicious)), "{url}");
    }
    seat.close(soon()).await;
    assert!(memory.gates().contains(&(format!("GET {private}"), "refused".to_owned(), true)));
    assert!(memory.gates().contains(&(
        "GET http://shop.localhost/panic".to_owned(),
        "noted".to_owned(),
        false
    )));
    listener.set_nonblocking(true).expect("set");
    assert!(listener.accept().is_err(), "nothing reached the private port");
}

#[tokio::test]
async fn a_page_that_never_answers_costs_no_more_than_the_deadline() {
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let receiver = std::sync::Mutex::new(receiver);
    let shop = site(move |request| {
        if request.uri().path() == "/never" {
            let _ = receiver.lock().expect("not poisoned").recv();
        }
        html("fine")
    });
    let (_pool, seat, _memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    let short = umpire_model::Deadline::after(Duration::from_millis(300));
    let refused = seat.open("http://shop.localhost/never", short).await.expect_err("it never comes");
    assert!(!refused.is_infra(), "{refused}");
    drop(sender);
    seat.goto("http://shop.localhost/", soon()).await.expect("the tab still works");
    seat.close(soon()).await;
}

#[tokio::test]
async fn history_goes_back_and_forward_with_requests() {
    let shop = site(|request| html(&format!("<h1>{}</h1><a href='#part'>part</a>", request.uri().path())));
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    seat.open("http://shop.localhost/one", soon()).await.expect("opened");
    let first = seat.back(soon()).await;
    assert!(matches!(first, Err(SeatError::NoHistory("back"))), "{first:?}");
    seat.goto("http://shop.localhost/two", soon()).await.expect("opened");
    seat.back(soon()).await.expect("went back");
    assert_eq!(evaluate(&seat, "location.pathname").await, "/one");
    seat.forward(soon()).await.expect("went forward");
    assert_eq!(evaluate(&seat, "location.pathname").await, "/two");
    until_quiet(&seat).await;
    evaluate(&seat, "document.querySelector('a').click()").await;
    seat.back(soon()).await.expect("went back within the page");
    seat.close(soon()).await;
    let shown = |path: &str| {
        memory.exchanges().iter().filter(|e| e.is_navigation() && e.request.url.ends_with(path)).count()
    };
    assert_eq!((shown("/one"), shown("/two")), (2, 2));
}

#[tokio::test]
async fn every_page_sees_the_same_machine() {
    let shop = site(|_| html("<iframe src='http://other.localhost/'></iframe>"));
    let other = site(|_| html("<script>new Worker('data:text/javascript,')</script>"));
    let (_pool, seat, _memory) =
        seat_with(network(&[("shop.localhost", shop), ("other.localhost", other)])).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    let seen = evaluate(
        &seat,
        "[Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, new Date(0).getHours(),
          innerWidth, innerHeight, devicePixelRatio, matchMedia('(prefers-reduced-motion: reduce)').matches,
          document.hasFocus()]",
    )
    .await;
    assert_eq!(seen, json!(["UTC", "en-US", 0, 1280, 1024, 1, true, true]));
    seat.close(soon()).await;
}

#[tokio::test]
async fn two_seats_do_not_see_each_other() {
    let pool = small_pool().await;
    let mut seats = Vec::new();
    for name in ["a", "b"] {
        let memory = std::sync::Arc::new(Memory::default());
        let shop = site(move |_| {
            reply(200, &[("content-type", "text/html"), ("set-cookie", &format!("who={name}"))], name)
        });
        let evidence: std::sync::Arc<dyn umpire_model::Evidence> = std::sync::Arc::<Memory>::clone(&memory);
        let options = umpire_browser::SeatOptions::new(evidence, network(&[("shop.localhost", shop)]));
        seats.push((pool.seat(options, soon()).await.expect("a seat"), memory));
    }
    for (seat, _) in &seats {
        seat.open("http://shop.localhost/", soon()).await.expect("opened");
    }
    for ((seat, memory), name) in seats.into_iter().zip(["a", "b"]) {
        // The document is there when a seat is opened; it need not be read to its end.
        let seen = "new Promise(read => document.readyState === 'complete' ? read() : addEventListener('load', read))
            .then(() => document.body.textContent + document.cookie)";
        assert_eq!(evaluate(&seat, seen).await, format!("{name}who={name}"));
        assert_eq!(seat.tabs(soon()).await.expect("tabs").len(), 1);
        seat.close(soon()).await;
        assert_eq!(memory.exchanges().iter().filter(|exchange| exchange.is_navigation()).count(), 1);
    }
}
