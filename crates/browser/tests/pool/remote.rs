//! Seats in browsers that somebody else started.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use umpire_browser::{Pool, PoolOptions, Remote, Seat, SeatError, SeatOptions, act, farewell};
use umpire_model::{Body, Deadline, EventBody, Evidence};

use super::elsewhere::{Driver, Elsewhere, Grid, Relay, http, remote};
use crate::seats::{Memory, evaluate, html, network, reply, site, soon};

/// One at a time: what is left of a Grid's sessions is known for the whole process.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

async fn pool(remote: Option<Remote>) -> Pool {
    let options = PoolOptions { remote, spares: 0, ..PoolOptions::default() };
    Pool::start(options, soon()).await.expect("the pool starts")
}

fn shop(memory: &Arc<Memory>) -> SeatOptions {
    let shop = site(|request| {
        match request.uri().path() {
        "/" => html(
            "<title>Lamps</title><link rel=stylesheet href=/style.css><a href=/second>on</a>
             <label>File <input type=file name=cv></label><script>fetch('/api', { method: 'POST', body: 'hi' })</script>
             <img src='http://elsewhere.example/pixel.png'>",
        ),
        "/style.css" => reply(200, &[("content-type", "text/css")], "h1 { color: red }"),
        "/api" => reply(200, &[("content-type", "application/json")], "{\"ok\":true}"),
        "/invoice" => reply(
            200,
            &[("content-type", "text/plain"), ("content-disposition", "attachment; filename=\"invoice.txt\"")],
            "one lamp",
        ),
        path => html(&format!("<title>{path}</title>")),
    }
    });
    let evidence: Arc<dyn Evidence> = Arc::<Memory>::clone(memory);
    SeatOptions::new(evidence, network(&[("shop.localhost", shop)]))
}

/// Does the same in every browser: loads, reads, goes on and back, gives a file, takes one.
async fn visit(seat: &Seat, memory: &Memory) {
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    memory.until_exchange("/api").await;
    seat.rest(soon()).await.expect("at rest");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("cv.txt"), "me").expect("written");
    let seen = seat.observe(soon()).await.expect("seen");
    let input = seen.elements.iter().find(|element| element.name.contains("File")).expect("the input");
    let action = format!("upload [{}] \"cv.txt\"", input.mark).parse().expect("an action");
    let tab = seat.active_tab(soon()).await.expect("a tab");
    act::perform(&tab, &action, &seen, folder.path(), soon()).await.expect("given");
    let given = "(async () => { const [file] = document.querySelector('input').files;
        return [file.name, file.type, await file.text()] })()";
    assert_eq!(evaluate(seat, given).await, json!(["cv.txt", "text/plain", "me"]));
    seat.goto("http://shop.localhost/second", soon()).await.expect("on");
    seat.rest(soon()).await.expect("at rest");
    seat.back(soon()).await.expect("back");
    seat.rest(soon()).await.expect("at rest");
    assert_eq!(evaluate(seat, "document.title").await, "Lamps");
    let _ = seat.goto("http://shop.localhost/invoice", soon()).await;
    memory.until("the download", |event| matches!(event, EventBody::Download { .. })).await;
}

/// Every exchange in the order of its kind: how often what was asked, and how it was answered.
fn exchanges(memory: &Memory) -> Vec<(String, u16, String)> {
    let content = |body: Option<&Body>| match body {
        Some(Body::Omitted(_)) | None => String::new(),
        Some(body) => memory.text(body),
    };
    let mut all: Vec<_> = memory
        .exchanges()
        .into_iter()
        .map(|exchange| {
            let asked = format!("{} {}", exchange.request.method, exchange.request.url);
            let response = exchange.response.as_ref();
            let status = response.map_or(0, |response| response.status);
            // What is downloaded is not kept, and which part of it was seen before that is a matter of time.
            let is_kept = !exchange.request.url.ends_with("/invoice");
            let body = content(response.and_then(|response| response.body.as_ref()).filter(|_| is_kept));
            (asked, status, body)
        })
        .collect();
    all.sort();
    all
}

fn downloads(memory: &Memory) -> Vec<(String, u64, String)> {
    let told = |event| match event {
        EventBody::Download { name, bytes, state, .. } => Some((name, bytes, state)),
        _ => None,
    };
    memory.all().into_iter().filter_map(told).collect()
}

async fn visited(remote: Option<Remote>) -> Arc<Memory> {
    let pool = pool(remote).await;
    let memory = Arc::new(Memory::default());
    let seat = pool.seat(shop(&memory), soon()).await.expect("a seat");
    visit(&seat, &memory).await;
    let summary = seat.close(soon()).await;
    assert_eq!(summary.requests_seen, summary.requests_written);
    memory
}

#[tokio::test]
async fn a_remote_browser_is_recorded_as_a_local_one_is() {
    let here = visited(None).await;
    let elsewhere = Elsewhere::start();
    let before = elsewhere.pages().await;
    for address in [elsewhere.socket.clone(), elsewhere.port_url()] {
        let there = visited(Some(remote(&address))).await;
        assert_eq!(exchanges(&there), exchanges(&here), "{address}");
        assert_eq!(downloads(&there), downloads(&here), "{address}");
        let refused = |memory: &Memory| {
            let gates = memory.gates().into_iter();
            gates.filter(|(request, ..)| request.contains("elsewhere.example")).count()
        };
        assert_eq!(refused(&there), refused(&here), "{address}");
        elsewhere.until_pages(before).await;
    }
    assert!(!downloads(&here).is_empty() && exchanges(&here).len() >= 8, "{:?}", exchanges(&here));
}

#[tokio::test]
async fn a_lost_connection_is_infra_and_the_next_seat_has_a_new_one() {
    let elsewhere = Elsewhere::start();
    let before = elsewhere.pages().await;
    let relay = Relay::to(elsewhere.authority()).await;
    let pool = pool(Some(remote(&format!("http://{}", relay.authority)))).await;
    let memory = Arc::new(Memory::default());
    let first = pool.seat(shop(&memory), soon()).await.expect("a seat");
    first.open("http://shop.localhost/", soon()).await.expect("opened");
    relay.cut();
    let deadline = soon();
    while !first.is_gone() {
        assert!(!deadline.passed());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let error = first.goto("http://shop.localhost/second", soon()).await.expect_err("it is gone");
    assert!(error.is_infra(), "{error}");
    let said = error.to_string();
    assert!(said.contains("the connection to the remote browser at http://127.0.0.1:"), "{said}");
    assert!(first.close(soon()).await.browser_gone);
    let second = pool.seat(shop(&memory), soon()).await.expect("a seat");
    second.open("http://shop.localhost/", soon()).await.expect("opened");
    second.close(soon()).await;
    drop(pool);
    elsewhere.until_pages(before).await;
}

#[tokio::test]
async fn a_browser_that_does_not_come_through_the_gate_gets_no_seat() {
    let elsewhere = Elsewhere::start();
    let before = elsewhere.pages().await;
    // The gate listens at 127.0.0.1; nobody does at 127.0.0.2.
    let lost = Remote { reach: "127.0.0.2".parse().expect("a place"), ..remote(&elsewhere.port_url()) };
    let pool = pool(Some(lost)).await;
    let memory = Arc::new(Memory::default());
    let Err(error) = pool.seat(shop(&memory), soon()).await else { panic!("nothing would be recorded") };
    let said = error.to_string();
    assert!(said.contains("does not come through the network gate at 127.0.0.2:"), "{said}");
    assert!(said.contains("--reach"), "{said}");
    elsewhere.until_pages(before).await;
}

#[tokio::test]
async fn nobody_there_is_said_at_once_and_without_the_token() {
    for (address, expected) in [
        ("ws://127.0.0.1:1/?token=very-secret-token", "cannot be reached"),
        ("http://127.0.0.1:1/?token=very-secret-token", "cannot be reached"),
        ("grid+http://me:very-secret-token@127.0.0.1:1", "cannot be reached"),
        ("wss://127.0.0.1:1/?token=very-secret-token", "cannot be reached"),
    ] {
        let begun = Instant::now();
        let options = PoolOptions { remote: Some(remote(address)), spares: 0, ..PoolOptions::default() };
        let Err(error) = Pool::start(options, soon()).await else { panic!("nobody is there") };
        let said = error.to_string();
        assert!(said.contains(expected) && said.contains("127.0.0.1:1"), "{said}");
        assert!(!format!("{said} {error:?}").contains("very-secret-token"), "{said}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{address}");
    }
}

/// A client that speaks the protocol through the gate.
struct Client(tokio_tungstenite::WebSocketStream<tokio::net::TcpStream>, i64);

impl Client {
    async fn of(seat: &Seat) -> Self {
        let url = seat.endpoint().expect("has one").websocket.clone();
        let authority = url.trim_start_matches("ws://").split('/').next().expect("a host");
        let stream = tokio::net::TcpStream::connect(authority).await.expect("connected");
        let (socket, _) = tokio_tungstenite::client_async(url, stream).await.expect("upgraded");
        Self(socket, 0)
    }

    async fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.1 += 1;
        let ask = json!({ "id": self.1, "method": method, "params": params });
        self.0.send(Message::text(ask.to_string())).await.expect("sent");
        loop {
            let message = self.0.next().await.expect("open").expect("read");
            let Ok(answer) = serde_json::from_str::<Value>(message.to_text().unwrap_or_default()) else {
                continue;
            };
            if answer["id"] == self.1 {
                return match answer["error"]["message"].as_str() {
                    Some(error) => Err(error.to_owned()),
                    None => Ok(answer["result"].clone()),
                };
            }
        }
    }
}

#[tokio::test]
async fn a_client_in_a_shared_browser_sees_its_own_context_and_no_other() {
    let elsewhere = Elsewhere::start();
    let before = elsewhere.pages().await;
    let pool = pool(Some(remote(&elsewhere.port_url()))).await;
    let memory = Arc::new(Memory::default());
    let mut options = shop(&memory);
    let uploads = tempfile::tempdir().expect("a folder");
    options.upload_folders.push(uploads.path().to_owned());
    let seat = pool.seat_for_client(options, soon()).await.expect("a seat");
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    let mut client = Client::of(&seat).await;
    let targets = client.ask("Target.getTargets", json!({})).await.expect("told");
    let urls: Vec<_> =
        targets["targetInfos"].as_array().expect("a list").iter().map(|info| &info["url"]).collect();
    assert_eq!(urls, ["http://shop.localhost/"]);
    // Without a context named, the browser would mean its default one.
    let made = client.ask("Target.createTarget", json!({ "url": "http://shop.localhost/second" })).await;
    made.expect("made");
    memory.until_exchange("/second").await;
    let cookies = client.ask("Storage.getCookies", json!({})).await.expect("told");
    assert_eq!(cookies["cookies"], json!([]));
    for (method, params) in [
        ("Fetch.enable", json!({})),
        ("Security.setIgnoreCertificateErrors", json!({ "ignore": true })),
        ("Target.closeTarget", json!({ "targetId": "somebody-elses" })),
    ] {
        client.ask(method, params).await.expect_err(method);
    }
    client.ask("Target.createBrowserContext", json!({})).await.expect("made");
    drop(client);
    let summary = seat.close(soon()).await;
    assert_eq!(summary.requests_seen, summary.requests_written);
    elsewhere.until_pages(before).await;
}

#[tokio::test]
async fn a_driver_lends_browsers_and_gets_them_back() {
    let _alone = ALONE.lock().await;
    let Some(driver) = Driver::start() else { return };
    let here = visited(None).await;
    let pool = pool(Some(driver.remote())).await;
    assert_eq!(driver.sessions().await, 1);
    let missing = pool.remote().expect("it is elsewhere").without.clone();
    assert_eq!(missing, Some(Vec::new()), "a browser that is started for us has our switches");
    let memory = Arc::new(Memory::default());
    let seat = pool.seat(shop(&memory), soon()).await.expect("a seat");
    visit(&seat, &memory).await;
    seat.close(soon()).await;
    assert_eq!(exchanges(&memory), exchanges(&here));
    // A client has a session to itself, with the gate as its proxy from the start.
    let memory = Arc::new(Memory::default());
    let own = pool.seat_for_client(shop(&memory), soon()).await.expect("a seat");
    assert_eq!(driver.sessions().await, 2);
    own.open("http://shop.localhost/", soon()).await.expect("opened");
    let mut client = Client::of(&own).await;
    client.ask("Target.createTarget", json!({ "url": "http://shop.localhost/second" })).await.expect("made");
    memory.until_exchange("/second").await;
    drop(client);
    own.close(soon()).await;
    assert_eq!(driver.sessions().await, 1);
    // Whatever is still open when all is over.
    drop(pool);
    assert_eq!(farewell(soon()).await, 0);
    assert_eq!(driver.sessions().await, 0);
}

#[tokio::test]
async fn a_grid_that_misbehaves_is_told_from_one_that_works() {
    let _alone = ALONE.lock().await;
    let session =
        |capabilities: Value| json!({ "value": { "sessionId": "abc", "capabilities": capabilities } });
    let cdp = |url: &str| session(json!({ "se:cdp": url }));
    for (status, answer, expected, deleted) in [
        (
            500,
            json!({ "value": { "error": "session not created", "message": "no slot is free" } }),
            "no slot is free",
            0,
        ),
        (200, json!({ "value": {} }), "it made no session", 0),
        (200, json!({ "value": { "sessionId": "../abc" } }), "it made no session", 0),
        (200, session(json!({ "browserName": "firefox" })), "without `se:cdp`", 1),
        (200, cdp("ws://10.1.1.1:4444/session/abc/se/cdp"), "refused", 1),
        (200, cdp("ws://127.0.0.1:1/"), "cannot be reached", 1),
    ] {
        let grid = Grid::answering(status, answer.clone(), Duration::ZERO).await;
        let address = remote(&format!("grid+http://{}", grid.authority));
        let options = PoolOptions { remote: Some(address), spares: 0, ..PoolOptions::default() };
        let Err(error) = Pool::start(options, soon()).await else { panic!("{answer}") };
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(farewell(soon()).await, 0);
        assert_eq!(grid.deleted(), deleted, "{answer}");
    }
}

#[tokio::test]
async fn a_session_that_comes_too_late_is_ended_all_the_same() {
    let _alone = ALONE.lock().await;
    let answer =
        json!({ "value": { "sessionId": "abc", "capabilities": { "se:cdp": "ws://127.0.0.1:1/" } } });
    let grid = Grid::answering(200, answer, Duration::from_millis(600)).await;
    let address = remote(&format!("grid+http://{}", grid.authority));
    let options = PoolOptions { remote: Some(address), spares: 0, ..PoolOptions::default() };
    let Err(error) = Pool::start(options, Deadline::after(Duration::from_millis(200))).await else {
        panic!("the Grid is not that fast")
    };
    assert!(error.to_string().contains("did not answer in time"), "{error}");
    assert_eq!((grid.deleted(), farewell(soon()).await), (0, 0));
    assert_eq!(grid.deleted(), 1);
}

#[tokio::test]
async fn a_gate_that_listens_to_others_serves_its_browser_alone() {
    let Some(world) = super::apart::World::make() else { return };
    let (elsewhere, _relay) = world.chromium();
    let memory = Arc::new(Memory::default());
    // Its loopback is not ours, so the usual gate is out of its reach.
    let lost = pool(Some(remote(&elsewhere.port_url()))).await;
    let Err(umpire_browser::PoolError::Seat(SeatError::NotThroughGate { .. })) =
        lost.seat(shop(&memory), soon()).await
    else {
        panic!("nothing would be recorded")
    };
    drop(lost);
    let reach = world.near().parse().expect("a place");
    let pool = pool(Some(Remote { reach, ..remote(&elsewhere.port_url()) })).await;
    let seat = pool.seat(shop(&memory), soon()).await.expect("a seat");
    visit(&seat, &memory).await;
    let here = visited(None).await;
    assert_eq!(exchanges(&memory), exchanges(&here));
    // Somebody on this machine, who finds the port, is not the browser.
    let ports = super::apart::World::gate_ports();
    assert!(!ports.is_empty());
    for port in ports {
        let asked = http("GET", &format!("{}:{port}", world.near()), "http://shop.localhost/").await;
        assert_eq!(asked.0, 403);
    }
    let strangers = memory.gates().into_iter().filter(|(.., suspicious)| *suspicious).count();
    assert_eq!(strangers, 1, "{:#?}", memory.gates());
    seat.close(soon()).await;
}
