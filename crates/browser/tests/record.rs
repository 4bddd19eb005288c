//! What the recorder writes about real pages.

use std::collections::HashSet;

use umpire_model::{Body, EventBody};

use crate::seats::{Memory, evaluate, html, network, reply, seat_with, site, soon};

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Vec<&'a str> {
    headers
        .iter()
        .filter(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
        .collect()
}

fn assert_complete(memory: &Memory) {
    let events = memory.all();
    let Some(EventBody::Recorded { requests_seen, requests_written }) = events.last() else {
        panic!("the self-check is last: {events:#?}");
    };
    assert_eq!(requests_seen, requests_written);
    assert_eq!(*requests_written, memory.exchanges().len() as u64);
}

#[tokio::test]
async fn redirects_are_hops_with_raw_headers() {
    let shop = site(|request| match request.uri().path() {
        "/start" => {
            reply(302, &[("location", "/middle"), ("set-cookie", "a=1"), ("set-cookie", "b=2; Path=/")], "")
        }
        "/middle" => reply(301, &[("location", "/end")], ""),
        _ => html("<h1>arrived</h1>"),
    });
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    seat.open("http://shop.localhost/start", soon()).await.expect("opened");
    memory.until_exchange("/end").await;
    let summary = seat.close(soon()).await;
    assert_eq!(summary.requests_seen, summary.requests_written);
    assert_complete(&memory);
    let documents: Vec<_> =
        memory.exchanges().into_iter().filter(umpire_model::Exchange::is_navigation).collect();
    let hops: Vec<_> = documents
        .iter()
        .map(|hop| (hop.request.url.as_str(), hop.response.as_ref().expect("answered").status))
        .collect();
    assert_eq!(
        hops,
        [
            ("http://shop.localhost/start", 302),
            ("http://shop.localhost/middle", 301),
            ("http://shop.localhost/end", 200)
        ]
    );
    let first = documents[0].response.as_ref().expect("answered");
    assert_eq!(header(&first.headers, "set-cookie"), ["a=1", "b=2; Path=/"]);
    assert_eq!(header(&documents[0].request.headers, "cookie"), Vec::<&str>::new());
    assert_eq!(header(&documents[1].request.headers, "cookie"), ["a=1; b=2"]);
    assert_eq!(header(&documents[2].request.headers, "sec-fetch-dest"), ["document"]);
    let body = documents[2].response.as_ref().and_then(|response| response.body.clone()).expect("kept");
    assert_eq!(memory.text(&body), "<h1>arrived</h1>");
    let navigated: Vec<_> = memory
        .all()
        .into_iter()
        .filter_map(|event| if let EventBody::Navigated { url, .. } = event { Some(url) } else { None })
        .collect();
    assert_eq!(navigated, ["http://shop.localhost/end"]);
}

#[tokio::test]
async fn posted_bodies_are_kept_whole_even_if_the_page_is_left_at_once() {
    let shop = site(|request| {
        match request.uri().path() {
        "/" => html(
            "<form method=post action=/buy><input name=item value='blue lämp'><button>Buy</button></form>
             <script>
               const big = 'x'.repeat(300000);
               fetch('/log', {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({big})})
                 .then(answer => answer.text()).then(() => document.forms[0].submit());
             </script>",
        ),
        "/log" => reply(200, &[("content-type", "application/json")], &format!("{{\"got\":{}}}", request.body().len())),
        "/buy" => reply(303, &[("location", "/thanks")], ""),
        _ => html("thanks"),
    }
    });
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    memory.until_exchange("/thanks").await;
    seat.close(soon()).await;
    assert_complete(&memory);
    let log = memory.exchange("/log");
    let posted = memory.text(log.request.body.as_ref().expect("posted"));
    assert_eq!(posted, format!("{{\"big\":\"{}\"}}", "x".repeat(300_000)));
    let answered = log.response.expect("answered").body.expect("kept");
    assert_eq!(memory.text(&answered), format!("{{\"got\":{}}}", posted.len()));
    let buy = memory.exchange("/buy");
    assert_eq!(buy.request.method, "POST");
    assert_eq!(buy.request.body, Some(Body::Text("item=blue+l%C3%A4mp".to_owned())));
    assert_eq!(buy.response.expect("answered").status, 303);
}

#[tokio::test]
async fn frames_workers_and_popups_are_recorded() {
    let shop = site(|request| match request.uri().path() {
        "/" => html(
            "<iframe src='http://consent.localhost/frame'></iframe>
             <script>
               new Worker('/worker.js');
               navigator.serviceWorker;
             </script>
             <a id=new href='/popup' target=_blank>new</a>",
        ),
        "/worker.js" => reply(200, &[("content-type", "text/javascript")], "fetch('/from-worker')"),
        "/popup" => html("<script>fetch('/from-popup')</script>"),
        _ => reply(200, &[("content-type", "text/plain")], "ok"),
    });
    let consent = site(|request| match request.uri().path() {
        "/frame" => html("<script>fetch('/from-frame')</script>"),
        _ => reply(200, &[("content-type", "text/plain")], "framed"),
    });
    let (_pool, seat, memory) =
        seat_with(network(&[("shop.localhost", shop), ("consent.localhost", consent)])).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    memory.until_exchange("/from-frame").await;
    memory.until_exchange("/from-worker").await;
    let tab = seat.active_tab(soon()).await.expect("a tab");
    assert_eq!(tab.frames.len(), 1, "the frame is out of process");
    evaluate(&seat, "document.getElementById('new').click()").await;
    memory.until_exchange("/from-popup").await;
    let tabs = seat.tabs(soon()).await.expect("tabs");
    assert_eq!(
        tabs.iter().map(|tab| (tab.url.as_str(), tab.active)).collect::<Vec<_>>(),
        [("http://shop.localhost/", false), ("http://shop.localhost/popup", true)]
    );
    seat.close_tab(soon()).await.expect("closed");
    assert_eq!(seat.active_tab(soon()).await.expect("a tab").id, tab.id);
    seat.close(soon()).await;
    assert_complete(&memory);
    let frame = memory.exchange("/frame");
    assert!(!frame.main_frame && frame.resource == "Document");
    let framed = memory.exchange("/from-frame").response.expect("answered").body.expect("kept");
    assert_eq!(memory.text(&framed), "framed");
    let popup = memory.exchange("/popup");
    assert!(popup.is_navigation());
    assert_ne!(popup.target, tab.id);
    let opened: HashSet<_> = memory
        .all()
        .into_iter()
        .filter_map(|event| if let EventBody::TabOpened { opener, .. } = event { Some(opener) } else { None })
        .collect();
    assert_eq!(opened, HashSet::from([None, Some(tab.id)]));
    assert!(
        memory
            .all()
            .iter()
            .any(|event| matches!(event, EventBody::TabClosed { tab } if *tab == popup.target))
    );
}

#[tokio::test]
async fn console_and_exceptions_and_failures_are_kept() {
    let shop = site(|_| {
        html(
            "<script>console.warn('careful', 3); fetch('http://elsewhere.test/x').catch(() => {}); throw new Error('boom')</script>",
        )
    });
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    let refused = memory.until_exchange("elsewhere.test/x").await;
    memory
        .until("the warning", |event| matches!(event, EventBody::Console { level, text, .. } if level == "warning" && text == "careful 3"))
        .await;
    memory
        .until("the exception", |event| matches!(event, EventBody::Console { level, text, .. } if level == "error" && text.contains("boom")))
        .await;
    seat.close(soon()).await;
    assert_complete(&memory);
    assert!(refused.error.is_some(), "{refused:?}");
    assert!(memory.gates().contains(&(
        "GET http://elsewhere.test/x".to_owned(),
        "refused".to_owned(),
        false
    )));
}

#[tokio::test]
async fn what_never_ends_is_written_when_the_attempt_does() {
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let receiver = std::sync::Mutex::new(receiver);
    let shop = site(move |request| {
        if request.uri().path() == "/never" {
            // Ends when the test drops its end.
            let _ = receiver.lock().expect("not poisoned").recv();
        }
        html("<script>fetch('/never')</script>")
    });
    let (_pool, seat, memory) = seat_with(network(&[("shop.localhost", shop)])).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    let tab = seat.active_tab(soon()).await.expect("a tab");
    while tab.activity.counts().in_flight == 0 || tab.activity.counts().loading > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    seat.close(soon()).await;
    drop(sender);
    assert_complete(&memory);
    assert!(memory.exchange("/never").error.is_some());
}

#[tokio::test]
async fn service_workers_and_web_sockets_are_recorded() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bound");
    let port = listener.local_addr().expect("bound").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { continue };
            let greeting = tokio_tungstenite::tungstenite::Message::text("welcome");
            let _ = futures_util::SinkExt::send(&mut socket, greeting).await;
            let _ = socket.close(None).await;
        }
    });
    let shop = site(move |request| match request.uri().path() {
        "/" => html(&format!(
            "<script>
               navigator.serviceWorker.register('/sw.js');
               new WebSocket('ws://127.0.0.1:{port}/live').onmessage = event => document.title = event.data;
             </script>"
        )),
        "/sw.js" => reply(
            200,
            &[("content-type", "text/javascript")],
            "addEventListener('install', event => event.waitUntil(fetch('/from-service-worker')))",
        ),
        _ => reply(200, &[("content-type", "text/plain")], "ok"),
    });
    let mut network = network(&[("shop.localhost", shop)]);
    network.allowed_hosts.push(umpire_browser::HostPattern::parse(&format!("127.0.0.1:{port}")));
    let (_pool, seat, memory) = seat_with(network).await;
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    memory.until_exchange("/from-service-worker").await;
    let socket = memory.until_exchange("/live").await;
    assert_eq!((socket.resource.as_str(), socket.response.expect("shook hands").status), ("WebSocket", 101));
    assert_eq!(evaluate(&seat, "document.title").await, "welcome");
    seat.close(soon()).await;
    assert_complete(&memory);
}
