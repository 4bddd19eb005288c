//! Foreign clients at the gate: honest ones work, cheating ones are refused and flagged.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use umpire_browser::settle::settle;
use umpire_browser::{Handler, Pool, Seat, SeatOptions};
use umpire_model::{Deadline, EventBody};

use crate::seats::{Memory, html, network, reply, site, small_pool, soon};

fn shop() -> Handler {
    site(|request| match request.uri().path() {
        "/" => html(
            "<title>Shop</title><h1>Lamps</h1><button onclick=\"fetch('/buy', {method: 'POST'})\">Buy</button>",
        ),
        "/alert" => html("<script>alert('stop')</script>"),
        "/form" => html("<input type=file id=file>"),
        _ => reply(200, &[("content-type", "text/html")], "ok"),
    })
}

async fn client_seat() -> (Pool, Seat, Arc<Memory>) {
    let pool = small_pool().await;
    let memory = Arc::new(Memory::default());
    let evidence: Arc<dyn umpire_model::Evidence> = Arc::<Memory>::clone(&memory);
    let mut options = SeatOptions::new(evidence, network(&[("shop.localhost", shop())]));
    options.upload_folders.push(env!("CARGO_MANIFEST_DIR").into());
    let seat = pool.seat_for_client(options, soon()).await.expect("a seat");
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    // A seat is open when the document is there; clients find it read to its end.
    settle(&seat.active_tab(soon()).await.expect("a tab"), soon()).await;
    (pool, seat, memory)
}

/// A minimal client over a raw WebSocket.
struct Raw {
    socket: tokio_tungstenite::WebSocketStream<TcpStream>,
    events: VecDeque<Value>,
    id: i64,
}

impl Raw {
    async fn connect(url: &str) -> Self {
        let address = url.split('/').nth(2).expect("host and port");
        let stream = TcpStream::connect(address).await.expect("connected");
        let (socket, _) = tokio_tungstenite::client_async(url, stream).await.expect("upgraded");
        Self { socket, events: VecDeque::new(), id: 0 }
    }

    async fn receive(&mut self) -> Value {
        loop {
            let message =
                tokio::time::timeout(Duration::from_secs(20), self.socket.next()).await.expect("in time");
            if let Message::Text(text) = message.expect("open").expect("readable") {
                return serde_json::from_str(text.as_str()).expect("JSON");
            }
        }
    }

    /// The answer, with its `result` or `error`.
    async fn ask(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.id += 1;
        let mut message = json!({ "id": self.id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string())).await.expect("sent");
        loop {
            let received = self.receive().await;
            if received["id"] == json!(self.id) {
                assert_eq!(received.get("sessionId").and_then(Value::as_str), session);
                return received;
            }
            self.events.push_back(received);
        }
    }

    async fn result(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        let answer = self.ask(session, method, params).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    async fn refused(&mut self, session: Option<&str>, method: &str, params: Value) {
        let answer = self.ask(session, method, params.clone()).await;
        assert!(answer.get("error").is_some(), "{method} {params}: {answer}");
    }

    /// The session of the first page.
    async fn page(&mut self) -> String {
        let targets = self.result(None, "Target.getTargets", json!({})).await;
        let infos = targets["targetInfos"].as_array().expect("a list").clone();
        assert!(infos.iter().all(|info| info["type"] != "browser_ui"), "{infos:?}");
        let page = infos.iter().find(|info| info["type"] == "page").expect("a page")["targetId"].clone();
        let attached =
            self.result(None, "Target.attachToTarget", json!({ "targetId": page, "flatten": true })).await;
        attached["sessionId"].as_str().expect("an id").to_owned()
    }

    async fn evaluate(&mut self, session: &str, script: &str) -> Value {
        let params = json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
        self.result(Some(session), "Runtime.evaluate", params).await["result"]["value"].clone()
    }
}

async fn http(seat: &Seat, method: &str, path: &str) -> (u16, String) {
    let address = seat.endpoint().expect("has one").http.trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&address).await.expect("connected");
    let request = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    let status = answer.split_whitespace().nth(1).expect("a status").parse().expect("a number");
    (status, answer.split_once("\r\n\r\n").expect("a body").1.to_owned())
}

#[tokio::test]
async fn an_honest_client_drives_the_page_and_is_recorded() {
    let (_pool, seat, memory) = client_seat().await;
    let (status, version) = http(&seat, "GET", "/json/version").await;
    let version: Value = serde_json::from_str(&version).expect("JSON");
    let endpoint = seat.endpoint().expect("has one").clone();
    assert_eq!((status, version["webSocketDebuggerUrl"].as_str()), (200, Some(endpoint.websocket.as_str())));
    let (_, list) = http(&seat, "GET", "/json/list").await;
    let list: Value = serde_json::from_str(&list).expect("JSON");
    assert_eq!(list.as_array().map(Vec::len), Some(1));
    assert_eq!(list[0]["url"], "http://shop.localhost/");

    let mut client = Raw::connect(&endpoint.websocket).await;
    let page = client.page().await;
    let activity = seat.client_activity();
    let place = client.evaluate(&page, "(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector('button').getBoundingClientRect())").await;
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
        client.result(Some(&page), "Input.dispatchMouseEvent", event).await;
    }
    memory.until_exchange("/buy").await;
    assert_eq!(activity.borrow().counted, 1);
    assert!(activity.borrow().last.as_ref().expect("one").to_string().starts_with("click ("));

    // The page's own endpoint speaks to it without a session.
    let mut direct = Raw::connect(list[0]["webSocketDebuggerUrl"].as_str().expect("a URL")).await;
    let title = direct.result(None, "Runtime.evaluate", json!({ "expression": "document.title" })).await;
    assert_eq!(title["result"]["value"], "Shop");

    // A tab with a URL is opened blank first, and its first request is recorded.
    let created =
        client.result(None, "Target.createTarget", json!({ "url": "http://shop.localhost/second" })).await;
    let second = memory.until_exchange("/second").await;
    assert!(second.is_navigation() && json!(second.target) == created["targetId"]);

    let summary = seat.close(soon()).await;
    assert_eq!(summary.requests_seen, summary.requests_written);
    assert!(memory.gates().iter().all(|(_, _, suspicious)| !suspicious), "{:?}", memory.gates());
}

#[tokio::test]
async fn a_cheating_client_is_refused_and_flagged() {
    let (_pool, seat, memory) = client_seat().await;
    let secret = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
    let private = format!("http://{}/state", secret.local_addr().expect("bound"));
    let mut client = Raw::connect(&seat.endpoint().expect("has one").websocket).await;
    let page = client.page().await;
    let on_page = Some(page.as_str());

    client.refused(None, "Target.createTarget", json!({ "url": "file:///etc/passwd" })).await;
    client.refused(on_page, "Page.navigate", json!({ "url": "view-source:http://shop.localhost/" })).await;
    client.refused(on_page, "Page.navigate", json!({ "url": "file:///etc/passwd" })).await;
    client.refused(on_page, "Page.navigate", json!({ "url": private })).await;
    client.refused(on_page, "Page.navigate", json!({ "url": "chrome://version" })).await;
    client.refused(None, "Browser.crash", json!({})).await;
    client.refused(None, "Target.setRemoteLocations", json!({ "locations": [] })).await;
    client
        .refused(Some("no-such-session"), "Page.navigate", json!({ "url": "http://shop.localhost/" }))
        .await;
    for (method, path) in [
        ("PUT", "/json/new?file:///etc/passwd"),
        ("GET", "/json/new?http://shop.localhost/"),
        ("GET", "/json/close/x"),
        ("GET", "/json/activate/x"),
    ] {
        assert_eq!(http(&seat, method, path).await.0, 403, "{method} {path}");
    }
    assert_eq!(http(&seat, "GET", "/devtools/browser/guess").await.0, 403);

    // A proxy of the client's own is replaced by ours, so that its context is in the seat like any other.
    let evil = json!({ "proxyServer": format!("http://{}", secret.local_addr().expect("bound")), "proxyBypassList": "*" });
    let context = client.result(None, "Target.createBrowserContext", evil).await["browserContextId"].clone();
    let blank = json!({ "url": "http://shop.localhost/from-own-context", "browserContextId": context });
    client.result(None, "Target.createTarget", blank).await;
    memory.until_exchange("/from-own-context").await;

    // Scripts have no other way out either.
    let tried = format!("fetch('{private}', {{mode: 'no-cors'}}).then(() => 'answered', () => 'failed')");
    client.evaluate(&page, &tried).await;

    // Files outside of the attempt's folders stay there.
    client.result(on_page, "Page.navigate", json!({ "url": "http://shop.localhost/form" })).await;
    memory.until_exchange("/form").await;
    let deadline = Deadline::after(Duration::from_secs(20));
    let node = loop {
        let params = json!({ "expression": "document.getElementById('file')" });
        let found = client.result(on_page, "Runtime.evaluate", params).await;
        match found["result"]["objectId"].as_str() {
            Some(object) => break object.to_owned(),
            None => assert!(!deadline.passed()),
        }
    };
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    client
        .refused(on_page, "DOM.setFileInputFiles", json!({ "files": ["/etc/passwd"], "objectId": node }))
        .await;
    let around = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    client.refused(on_page, "DOM.setFileInputFiles", json!({ "files": [around], "objectId": node })).await;
    client.result(on_page, "DOM.setFileInputFiles", json!({ "files": [own], "objectId": node })).await;

    seat.close(soon()).await;
    secret.set_nonblocking(true).expect("set");
    assert!(secret.accept().is_err(), "nothing reached the private port");
    let suspicious: Vec<String> = memory
        .gates()
        .into_iter()
        .filter(|(_, _, suspicious)| *suspicious)
        .map(|(request, ..)| request)
        .collect();
    for expected in [
        "Target.createTarget file:///etc/passwd".to_owned(),
        "Page.navigate view-source:http://shop.localhost/".to_owned(),
        "Page.navigate file:///etc/passwd".to_owned(),
        format!("Page.navigate {private}"),
        "PUT /json/new?file:///etc/passwd".to_owned(),
        format!("Target.createBrowserContext http://{}", secret.local_addr().expect("bound")),
        format!("GET {private}"),
        "DOM.setFileInputFiles [\"/etc/passwd\"]".to_owned(),
    ] {
        assert!(suspicious.contains(&expected), "{expected} is missing in {suspicious:#?}");
    }
}

#[tokio::test]
async fn a_client_may_answer_dialogs_itself_and_is_helped_if_it_does_not() {
    let (_pool, seat, memory) = client_seat().await;
    let mut client = Raw::connect(&seat.endpoint().expect("has one").websocket).await;
    let page = client.page().await;
    client.result(Some(&page), "Page.enable", json!({})).await;
    client.result(Some(&page), "Page.navigate", json!({ "url": "http://shop.localhost/alert" })).await;
    let is_dialog = |event: &Value| event["method"] == "Page.javascriptDialogOpening";
    while !client.events.iter().any(is_dialog) {
        let event = client.receive().await;
        client.events.push_back(event);
    }
    client.result(Some(&page), "Page.handleJavaScriptDialog", json!({ "accept": false })).await;
    memory
        .until("the dialog", |event| matches!(event, EventBody::Dialog(dialog) if dialog.message == "stop"))
        .await;
    client.ask(Some(&page), "Page.navigate", json!({ "url": "http://shop.localhost/alert?2" })).await;
    let deadline = Deadline::after(Duration::from_secs(20));
    while memory.all().iter().filter(|event| matches!(event, EventBody::Dialog(_))).count() < 2 {
        assert!(!deadline.passed(), "nobody answered the second dialog");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    seat.close(soon()).await;
}

#[tokio::test]
async fn closing_the_seat_ends_the_client_and_leaves_nothing_to_write() {
    let (_pool, seat, memory) = client_seat().await;
    let mut client = Raw::connect(&seat.endpoint().expect("has one").websocket).await;
    client.page().await;
    assert_eq!(client.ask(None, "Browser.close", json!({})).await["result"], json!({}));
    assert!(!seat.is_gone(), "the browser stays until the attempt is over");
    seat.close(soon()).await;
    let written = memory.all().len();
    let end = tokio::time::timeout(Duration::from_secs(10), async {
        while let Some(Ok(_)) = client.socket.next().await {}
    });
    end.await.expect("the connection ends");
    assert_eq!(memory.all().len(), written);
}
