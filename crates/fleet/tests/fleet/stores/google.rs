//! As much of Google's XML interface as a fleet uses: objects with generations, lists in pages. Some requests are answered as
//! a busy cloud answers. No public emulator of it is at hand, so this one shows only that we speak as its documents say.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{ETAG, LAST_MODIFIED};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use url::form_urlencoded;

const BUCKET: &str = "umpire";
const PAGE: usize = 1_000;
const IF_GENERATION: &str = "x-goog-if-generation-match";
const GENERATION: &str = "x-goog-generation";

#[derive(Default)]
pub struct Google {
    objects: Mutex<BTreeMap<String, Bytes>>,
    requests: AtomicU32,
}

impl Google {
    /// Serves until the test's runtime ends; returns the port.
    pub async fn start() -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let google = Arc::<Self>::default();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let google = Arc::clone(&google);
                let service = service_fn(move |request| {
                    let google = Arc::clone(&google);
                    async move { Ok::<_, Infallible>(google.answer(request).await) }
                });
                let connection = hyper::server::conn::http1::Builder::new();
                tokio::spawn(connection.serve_connection(TokioIo::new(stream), service));
            }
        });
        port
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        if self.requests.fetch_add(1, Ordering::Relaxed) % 5 == 4 {
            return plain(StatusCode::SERVICE_UNAVAILABLE, "slow down");
        }
        let path = request.uri().path().trim_start_matches('/').to_owned();
        let (bucket, key) = path.split_once('/').unwrap_or((&path, ""));
        if bucket != BUCKET {
            return plain(StatusCode::NOT_FOUND, "<Error><Code>NoSuchBucket</Code></Error>");
        }
        let key = decoded(key);
        let query = request.uri().query().unwrap_or_default().to_owned();
        let is_new_only = request.headers().get(IF_GENERATION).is_some_and(|value| value == "0");
        let method = request.method().clone();
        let body = request.into_body().collect().await.expect("a body").to_bytes();
        let mut objects = self.objects.lock().expect("nobody panics");
        match method {
            Method::PUT if is_new_only && objects.contains_key(&key) => {
                plain(StatusCode::PRECONDITION_FAILED, "<Error><Code>PreconditionFailed</Code></Error>")
            }
            Method::PUT => {
                objects.insert(key, body);
                plain(StatusCode::OK, "")
            }
            Method::GET if query.contains("list-type=2") => list(&objects, &query),
            Method::GET => match objects.get(&key) {
                Some(content) => described(StatusCode::OK, content.clone()),
                None => plain(StatusCode::NOT_FOUND, "<Error><Code>NoSuchKey</Code></Error>"),
            },
            Method::DELETE if objects.remove(&key).is_some() => plain(StatusCode::NO_CONTENT, ""),
            Method::DELETE => plain(StatusCode::NOT_FOUND, "<Error><Code>NoSuchKey</Code></Error>"),
            _ => plain(StatusCode::METHOD_NOT_ALLOWED, ""),
        }
    }
}

fn decoded(key: &str) -> String {
    let pair = format!("key={key}");
    let decoded = form_urlencoded::parse(pair.as_bytes()).next().map(|(_, value)| value.into_owned());
    decoded.unwrap_or_default()
}

fn plain(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    described(status, Bytes::from_static(text.as_bytes()))
}

fn described(status: StatusCode, content: Bytes) -> Response<Full<Bytes>> {
    let answer = Response::builder().status(status).header(ETAG, "\"1\"").header(GENERATION, "1");
    answer.header(LAST_MODIFIED, "Mon, 01 Jan 2024 00:00:00 GMT").body(Full::new(content)).expect("an answer")
}

fn list(objects: &BTreeMap<String, Bytes>, query: &str) -> Response<Full<Bytes>> {
    let asked: BTreeMap<String, String> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let prefix = asked.get("prefix").map_or("", String::as_str);
    // Where the last page ended.
    let after = asked.get("continuation-token").map_or("", String::as_str);
    let wanted: Vec<_> =
        objects.iter().filter(|(key, _)| key.starts_with(prefix) && key.as_str() > after).collect();
    let mut text = "<ListBucketResult>".to_owned();
    for (key, content) in wanted.iter().take(PAGE) {
        let _ = write!(
            text,
            "<Contents><Key>{key}</Key><Generation>1</Generation><LastModified>2024-01-01T00:00:00Z</LastModified><ETag>1</ETag><Size>{}</Size></Contents>",
            content.len()
        );
    }
    if wanted.len() > PAGE {
        let _ = write!(text, "<NextContinuationToken>{}</NextContinuationToken>", wanted[PAGE - 1].0);
    }
    text.push_str("</ListBucketResult>");
    described(StatusCode::OK, text.into())
}
