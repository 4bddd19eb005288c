//! The port that clients knock at: on this machine only, behind an address nobody can guess, and closed to browsers.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};

/// Largest request body; an answer may have a megabyte.
const REQUEST_LIMIT: usize = 4 << 20;
/// For a client to send its request's head.
const HEAD_LIMIT: Duration = Duration::from_secs(30);
/// For a client to send its request's body.
const BODY_LIMIT: Duration = Duration::from_mins(1);
/// Connections at a time; more have to wait.
const MOST_CONNECTIONS: usize = 256;
/// Headers that only browsers send. `sec-fetch-mode` is none of them: Node's own `fetch` sends it too.
const BY_BROWSERS: [&str; 3] = ["origin", "sec-fetch-site", "sec-fetch-dest"];

pub type Answering<'a> = Pin<Box<dyn Future<Output = Response<Bytes>> + Send + 'a>>;

/// What answers behind the port. Paths come without the token.
pub trait Visit: Send + Sync + 'static {
    fn answer(&self, request: Request<Bytes>) -> Answering<'_>;
}

/// A listening port; dropping it disconnects its clients.
pub struct Server {
    address: SocketAddr,
    token: String,
    listener: AbortHandle,
}

impl Server {
    /// Listens on a port of this machine; 0 takes a free one.
    pub async fn start(port: u16, visit: Arc<dyn Visit>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let token = umpire_process::random_token()?;
        let door = Arc::new(Door { token: token.clone(), visit });
        let listener = tokio::spawn(accept(listener, door)).abort_handle();
        Ok(Self { address, token, listener })
    }

    /// The address clients are given, token included, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}/{}", self.address, self.token)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

struct Door {
    token: String,
    visit: Arc<dyn Visit>,
}

async fn accept(listener: TcpListener, door: Arc<Door>) {
    // Connections live in here too, so that they end with the port.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if connections.len() < MOST_CONNECTIONS => match accepted {
                Ok((stream, _)) => drop(connections.spawn(serve(stream, Arc::clone(&door)))),
                // Out of descriptors, most likely; others will be closed.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(stream: TcpStream, door: Arc<Door>) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let door = Arc::clone(&door);
        async move { Ok::<_, Infallible>(door.answer(request).await.map(Full::new)) }
    });
    let mut connection = hyper::server::conn::http1::Builder::new();
    connection.timer(TokioTimer::new()).header_read_timeout(HEAD_LIMIT);
    // A client that goes away in the middle is no concern of the others.
    let _ = connection.serve_connection(TokioIo::new(stream), service).await;
}

impl Door {
    async fn answer(&self, request: Request<Incoming>) -> Response<Bytes> {
        let (mut head, body) = request.into_parts();
        // Pages reach this port too; browsers say themselves that they are browsers.
        if BY_BROWSERS.iter().any(|name| head.headers.contains_key(*name)) {
            return refusal(StatusCode::FORBIDDEN, "this port is for agents, not for browsers");
        }
        let Some(path) = self.inner_path(head.uri.path()) else {
            return refusal(
                StatusCode::FORBIDDEN,
                "this is not the address that was given out; it has a token in it",
            );
        };
        let query = head.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        match format!("{path}{query}").parse() {
            Ok(uri) => head.uri = uri,
            Err(_) => return refusal(StatusCode::BAD_REQUEST, "the address cannot be read"),
        }
        let collected = tokio::time::timeout(BODY_LIMIT, Limited::new(body, REQUEST_LIMIT).collect()).await;
        match collected {
            Ok(Ok(body)) => self.visit.answer(Request::from_parts(head, body.to_bytes())).await,
            Ok(Err(_)) => refusal(StatusCode::PAYLOAD_TOO_LARGE, "the request is cut off or too large"),
            Err(_) => refusal(StatusCode::REQUEST_TIMEOUT, "the request took too long"),
        }
    }

    /// The path behind the token.
    fn inner_path<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = path.strip_prefix('/')?.strip_prefix(self.token.as_str())?;
        match rest {
            "" => Some("/"),
            rest => rest.starts_with('/').then_some(rest),
        }
    }
}

/// What a body says; an empty one says nothing in particular.
pub(crate) fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, No> {
    let body: &[u8] = if body.is_empty() { b"{}" } else { body };
    serde_json::from_slice(body).map_err(|error| No(StatusCode::BAD_REQUEST, error.to_string()))
}

pub(crate) fn answer(status: StatusCode, body: &Value) -> Response<Bytes> {
    let mut response = Response::new(Bytes::from(body.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

pub(crate) fn refusal(status: StatusCode, reason: &str) -> Response<Bytes> {
    answer(status, &json!({ "error": reason }))
}

/// An answer that is none of those a client hoped for.
pub(crate) struct No(pub StatusCode, pub String);

impl No {
    pub fn into_response(self) -> Response<Bytes> {
        refusal(self.0, &self.1)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    struct Echo;

    impl Visit for Echo {
        fn answer(&self, request: Request<Bytes>) -> Answering<'_> {
            Box::pin(async move { super::answer(StatusCode::OK, &json!(request.uri().to_string())) })
        }
    }

    fn ask(port: u16, path: &str, headers: &str, body: &[u8]) -> String {
        let mut stream = std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        // A body that is refused in the middle need not be taken to its end.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn only_who_was_told_the_address_gets_in() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("runtime");
        let server = runtime.block_on(Server::start(0, Arc::new(Echo))).expect("a port");
        let path = |tail: &str| {
            let url = server.url();
            format!("/{}{tail}", url.rsplit('/').next().expect("a token"))
        };
        let too_much = vec![b' '; REQUEST_LIMIT + 1];
        for (path, headers, body, expected) in [
            (path("/step?x=1"), "", &b"{}"[..], "\"/step?x=1\""),
            (path(""), "", b"", "\"/\""),
            ("/step".to_owned(), "", b"", "403"),
            (path("x/step"), "", b"", "403"),
            ("/0123456789abcdef0123456789abcdef/step".to_owned(), "", b"", "403"),
            (path("/step"), "origin: http://shop.localhost\r\n", b"", "not for browsers"),
            (path("/step"), "sec-fetch-site: cross-site\r\n", b"", "not for browsers"),
            (path("/step"), "sec-fetch-dest: document\r\n", b"", "not for browsers"),
            (path("/step"), "sec-fetch-mode: cors\r\n", b"", "\"/step\""),
            (path("/step"), "", &too_much, "413"),
        ] {
            let got = ask(server.port(), &path, headers, body);
            assert!(got.contains(expected), "{path} {headers}: {got}");
        }
        let port = server.port();
        drop(server);
        let give_up = std::time::Instant::now() + Duration::from_secs(20);
        while std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            assert!(std::time::Instant::now() < give_up, "it still listens");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
