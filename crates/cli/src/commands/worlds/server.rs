//! One world on one port, and a door beside it: `/status` for everybody, `/state` and `/reset` for harnesses.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use umpire_worlds::{Clock, World, WorldError, site_hosts};

use super::addresses::with_port;

/// Largest request body.
const REQUEST_LIMIT: usize = 16 << 20;
/// For a client to send its request's head.
const HEAD_LIMIT: Duration = Duration::from_secs(30);
/// For a client to send its request's body.
const BODY_LIMIT: Duration = Duration::from_mins(1);

pub struct Served {
    sites: Vec<String>,
    port: u16,
    started: Instant,
    requests: AtomicU64,
    resets: AtomicU64,
    current: RwLock<(u64, Arc<World>)>,
}

/// Body of a `POST /reset`; an empty one starts the same world again.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reset {
    seed: Option<u64>,
    /// Merge patch on the fresh world, by site.
    #[serde(default)]
    state: Value,
}

impl Served {
    pub fn new(sites: Vec<String>, seed: u64, port: u16) -> Result<Arc<Self>, WorldError> {
        let world = Arc::new(World::create(&sites, seed, &Value::Null)?);
        Ok(Arc::new(Self {
            sites,
            port,
            started: Instant::now(),
            requests: AtomicU64::new(0),
            resets: AtomicU64::new(0),
            current: RwLock::new((seed, world)),
        }))
    }

    /// Where each site answers.
    pub fn addresses(&self) -> BTreeMap<&str, Vec<String>> {
        let mut addresses: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (host, site) in site_hosts().iter().filter(|(_, site)| self.sites.iter().any(|name| name == site))
        {
            addresses.entry(site).or_default().push(format!("http://{host}:{}/", self.port));
        }
        addresses
    }

    pub fn status(&self) -> Value {
        json!({
            "seed": self.current().0,
            "today": Clock::TODAY,
            "sites": self.addresses(),
            "requests": self.requests.load(Ordering::Relaxed),
            "resets": self.resets.load(Ordering::Relaxed),
            "seconds": self.started.elapsed().as_secs(),
        })
    }

    fn current(&self) -> (u64, Arc<World>) {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Answers until it is dropped.
    pub async fn run(self: &Arc<Self>, listener: TcpListener) {
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // Out of descriptors, most likely; others will be closed.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let served = Arc::clone(self);
            tokio::spawn(async move {
                let service = service_fn(move |request| {
                    let served = Arc::clone(&served);
                    async move { Ok::<_, Infallible>(served.answer(request).await.map(Full::new)) }
                });
                let mut connection = hyper::server::conn::http1::Builder::new();
                connection.timer(TokioTimer::new()).header_read_timeout(HEAD_LIMIT);
                // A client that goes away in the middle is no concern of the others.
                let _ = connection.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Bytes> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let (head, body) = request.into_parts();
        let collected = tokio::time::timeout(BODY_LIMIT, Limited::new(body, REQUEST_LIMIT).collect()).await;
        let body = match collected {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) => return plain(StatusCode::PAYLOAD_TOO_LARGE, "the request is cut off or too large"),
            Err(_) => return plain(StatusCode::REQUEST_TIMEOUT, "the request took too long"),
        };
        let request = Request::from_parts(head, body);
        let host = host_of(&request);
        if site_hosts().iter().any(|(known, _)| *known == host) {
            let (_, world) = self.current();
            let hosts = world.hosts();
            // Most pages take less than a millisecond, but the first search of a seed builds its index.
            let served = tokio::task::spawn_blocking(move || world.serve(request)).await;
            let Ok(mut response) = served else {
                return plain(StatusCode::INTERNAL_SERVER_ERROR, "the site failed on this request");
            };
            with_port(&mut response, &hosts, self.port);
            return response;
        }
        self.door(&request)
    }

    /// What is not a site's: this machine's own names.
    fn door(&self, request: &Request<Bytes>) -> Response<Bytes> {
        // Pages and agents reach this port too, through the browser; browsers say so themselves, one way to this machine's
        // own addresses and another to all others. `sec-fetch-mode` says nothing: Node's own `fetch` sends it too.
        let by_browser = ["origin", "sec-fetch-site", "sec-fetch-dest", "upgrade-insecure-requests"]
            .iter()
            .any(|name| request.headers().contains_key(*name));
        match (request.method(), request.uri().path()) {
            (&Method::GET, "/status") => json_answer(StatusCode::OK, &self.status()),
            (_, "/state" | "/reset") if by_browser => {
                plain(StatusCode::FORBIDDEN, "this door is for harnesses, not for browsers")
            }
            (&Method::GET, "/state") => json_answer(StatusCode::OK, &self.current().1.state()),
            (&Method::POST, "/reset") => self.reset(request.body()),
            (_, "/reset") => plain(StatusCode::METHOD_NOT_ALLOWED, "POST /reset"),
            _ => plain(
                StatusCode::NOT_FOUND,
                "GET /status, GET /state, POST /reset; the sites are at the addresses in /status",
            ),
        }
    }

    fn reset(&self, body: &Bytes) -> Response<Bytes> {
        let asked: Reset = match serde_json::from_slice(body) {
            _ if body.is_empty() => Reset::default(),
            Ok(asked) => asked,
            Err(error) => return plain(StatusCode::BAD_REQUEST, &error.to_string()),
        };
        let seed = asked.seed.unwrap_or(self.current().0);
        match World::create(&self.sites, seed, &asked.state) {
            Ok(world) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = (seed, Arc::new(world));
                self.resets.fetch_add(1, Ordering::Relaxed);
                json_answer(StatusCode::OK, &self.status())
            }
            Err(error) => plain(StatusCode::BAD_REQUEST, &error.to_string()),
        }
    }
}

fn host_of(request: &Request<Bytes>) -> String {
    let header = request.headers().get("host").and_then(|value| value.to_str().ok());
    let host = request.uri().host().or(header).unwrap_or_default();
    host.split(':').next().unwrap_or_default().to_ascii_lowercase()
}

fn plain(status: StatusCode, text: &str) -> Response<Bytes> {
    answer(status, "text/plain; charset=utf-8", format!("{text}\n"))
}

fn json_answer(status: StatusCode, value: &Value) -> Response<Bytes> {
    answer(status, "application/json", value.to_string())
}

fn answer(status: StatusCode, kind: &'static str, body: String) -> Response<Bytes> {
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static(kind));
    response
}
