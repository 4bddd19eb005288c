//! The endpoints of a debugging port, as clients expect them.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;
use umpire_model::Deadline;
use umpire_process::random_token;

use super::client::{self, Entrance};
use super::policy::Objection;
use super::{Endpoint, GateSeat};
use crate::cdp::socket_config;

/// Longest Chromium may take to describe itself or its targets.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

/// The running gate; dropping it disconnects its clients.
pub(crate) struct Gate {
    endpoint: Endpoint,
    listener: AbortHandle,
}

struct Door {
    seat: Arc<GateSeat>,
    address: SocketAddr,
    /// Part of the WebSocket's path, so that it cannot be guessed.
    token: String,
}

impl Gate {
    pub async fn start(seat: Arc<GateSeat>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let door = Arc::new(Door { seat, address, token: random_token()? });
        let endpoint = Endpoint { http: format!("http://{address}"), websocket: door.websocket() };
        let listener = tokio::spawn(accept(listener, door)).abort_handle();
        Ok(Self { endpoint, listener })
    }

    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

async fn accept(listener: TcpListener, door: Arc<Door>) {
    // Clients live in here too, so that they end with the gate.
    let (clients, mut new_clients) = tokio::sync::mpsc::unbounded_channel();
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    tasks.spawn(serve(stream, Arc::clone(&door), clients.clone()));
                }
            }
            Some((upgrade, entrance)) = new_clients.recv() => {
                tasks.spawn(welcome(upgrade, entrance, Arc::clone(&door)));
            }
            Some(_) = tasks.join_next() => {}
        }
    }
}

type NewClients = tokio::sync::mpsc::UnboundedSender<(hyper::upgrade::OnUpgrade, Entrance)>;

async fn serve(stream: TcpStream, door: Arc<Door>, clients: NewClients) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let (door, clients) = (Arc::clone(&door), clients.clone());
        async move { Ok::<_, Infallible>(door.answer(request, &clients).await) }
    });
    let connection =
        hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let _ = connection.with_upgrades().await;
}

async fn welcome(upgrade: hyper::upgrade::OnUpgrade, entrance: Entrance, door: Arc<Door>) {
    let Ok(upgraded) = upgrade.await else { return };
    let config = Some(socket_config());
    let socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, config).await;
    client::run(socket, entrance, Arc::clone(&door.seat)).await;
}

impl Door {
    fn websocket(&self) -> String {
        format!("ws://{}/devtools/browser/{}", self.address, self.token)
    }

    async fn answer(&self, mut request: Request<Incoming>, clients: &NewClients) -> Response<Full<Bytes>> {
        let path = request.uri().path().trim_end_matches('/').to_owned();
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        match parts.as_slice() {
            ["json", "version"] => self.describe().await,
            ["json"] | ["json", "list"] => self.list().await,
            ["json", "protocol"] => {
                self.refuse(&request, "the protocol is Chromium's own; see its published description", false)
            }
            ["json", "new" | "close" | "activate", ..] => {
                self.refuse(&request, "tabs are opened and closed over the WebSocket", true)
            }
            ["devtools", "browser", token] if *token == self.token => {
                open_socket(&mut request, Entrance::Browser, clients)
            }
            ["devtools", "page", id] if self.seat.tabs.handle(id).is_some() => {
                open_socket(&mut request, Entrance::Page((*id).to_owned()), clients)
            }
            ["devtools", ..] => self.refuse(&request, "there is no such browser or page", false),
            _ => reply(StatusCode::NOT_FOUND, "text/plain", "There is nothing here."),
        }
    }

    fn refuse(&self, request: &Request<Incoming>, reason: &str, suspicious: bool) -> Response<Full<Bytes>> {
        let asked = format!("{} {}", request.method(), request.uri());
        self.seat.note(&asked, "refused", &Objection { reason: reason.to_owned(), suspicious });
        reply(StatusCode::FORBIDDEN, "text/plain", reason)
    }

    async fn describe(&self) -> Response<Full<Bytes>> {
        let root = self.seat.connection.root();
        let about: Result<Value, _> =
            root.call("Browser.getVersion", json!({}), Deadline::after(ANSWER_LIMIT)).await;
        match about {
            Ok(about) => json_reply(&json!({
                "Browser": about["product"],
                "Protocol-Version": about["protocolVersion"],
                "User-Agent": about["userAgent"],
                "V8-Version": about["jsVersion"],
                "WebKit-Version": webkit_version(&about),
                "webSocketDebuggerUrl": self.websocket(),
            })),
            Err(error) => reply(StatusCode::BAD_GATEWAY, "text/plain", &error.to_string()),
        }
    }

    async fn list(&self) -> Response<Full<Bytes>> {
        let mut pages = Vec::new();
        for id in self.seat.tabs.ids() {
            let root = self.seat.connection.root();
            let about: Result<Value, _> = root
                .call("Target.getTargetInfo", json!({ "targetId": id }), Deadline::after(ANSWER_LIMIT))
                .await;
            if let Ok(about) = about {
                pages.push(json!({
                    "description": "",
                    "id": id,
                    "title": about["targetInfo"]["title"],
                    "type": "page",
                    "url": about["targetInfo"]["url"],
                    "webSocketDebuggerUrl": format!("ws://{}/devtools/page/{id}", self.address),
                }));
            }
        }
        json_reply(&Value::Array(pages))
    }
}

/// As a debugging port writes it, `537.36 (@…)`: ChromeDriver reads the revision in the brackets.
fn webkit_version(about: &Value) -> String {
    let text = |name: &str| about[name].as_str().unwrap_or_default();
    let engine = text("userAgent").split("AppleWebKit/").nth(1).and_then(|rest| rest.split(' ').next());
    format!("{} ({})", engine.unwrap_or("537.36"), text("revision"))
}

fn open_socket(
    request: &mut Request<Incoming>,
    entrance: Entrance,
    clients: &NewClients,
) -> Response<Full<Bytes>> {
    let is_upgrade = request
        .headers()
        .get(header::UPGRADE)
        .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"websocket"));
    let Some(key) = request.headers().get(header::SEC_WEBSOCKET_KEY).filter(|_| is_upgrade) else {
        return reply(StatusCode::UPGRADE_REQUIRED, "text/plain", "This is a WebSocket.");
    };
    let accept = derive_accept_key(key.as_bytes());
    let _ = clients.send((hyper::upgrade::on(request), entrance));
    let mut response = Response::new(Full::new(Bytes::new()));
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(header::UPGRADE, header::HeaderValue::from_static("websocket"));
    headers.insert(header::CONNECTION, header::HeaderValue::from_static("Upgrade"));
    if let Ok(accept) = accept.parse() {
        headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
    }
    response
}

fn json_reply(value: &Value) -> Response<Full<Bytes>> {
    reply(StatusCode::OK, "application/json; charset=UTF-8", &value.to_string())
}

fn reply(status: StatusCode, kind: &'static str, text: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text.to_owned())));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    response
}
