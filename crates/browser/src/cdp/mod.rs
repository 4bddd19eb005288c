//! CDP over one connection, a pipe or a WebSocket: calls with deadlines, events routed to whoever owns their session.
//!
//! Routing is decided in the reader, in the order messages arrive, so nobody can miss the first events of a session:
//! a session attached under another inherits its route; a target attached at the root goes to the owner of its
//! browser context.

mod pipe;
mod socket;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::WebSocketStream;
use tracing::Instrument as _;
use umpire_model::Deadline;

pub(crate) use self::socket::socket_config;

#[derive(Debug, thiserror::Error)]
pub enum CdpError {
    #[error("{method}: Chromium answered: {message}")]
    Refused { method: String, code: i64, message: String },
    #[error("{method}: no answer before the deadline")]
    Deadline { method: String },
    #[error("{method}: the connection to Chromium is closed")]
    Closed { method: String },
    #[error("{method}: unexpected answer: {problem}")]
    Shape { method: String, problem: String },
}

pub type SessionId = Arc<str>;

/// What arrives on a route.
#[derive(Debug)]
pub enum Incoming {
    Event(CdpEvent),
    /// The answer to a [`Connection::forward`], in order with the events around it.
    Reply {
        token: u64,
        result: Result<Box<RawValue>, ErrorBody>,
    },
    /// The connection is gone; nothing follows.
    Closed,
}

#[derive(Debug)]
pub struct CdpEvent {
    /// `None` for the root session.
    pub session: Option<SessionId>,
    pub method: String,
    pub params: Box<RawValue>,
}

impl CdpEvent {
    pub fn params<T: DeserializeOwned>(&self) -> Result<T, CdpError> {
        serde_json::from_str(self.params.get())
            .map_err(|error| CdpError::Shape { method: self.method.clone(), problem: error.to_string() })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ErrorBody {
    pub code: i64,
    pub message: String,
}

pub type Route = mpsc::UnboundedSender<Incoming>;

enum Pending {
    /// The result is a part of the message it came in, not a copy.
    Call(oneshot::Sender<Result<Bytes, ErrorBody>>),
    Forward {
        token: u64,
        route: Route,
    },
}

#[derive(Default)]
struct Routes {
    sessions: HashMap<SessionId, Route>,
    contexts: HashMap<String, Route>,
    root: Option<Route>,
}

struct Shared {
    next_id: AtomicU64,
    pending: Mutex<HashMap<u64, Pending>>,
    routes: Mutex<Routes>,
    outgoing: mpsc::UnboundedSender<ToSend>,
    closed: std::sync::atomic::AtomicBool,
    /// Why it closed, where more is known than that the other side did.
    lost: OnceLock<String>,
    is_remote: bool,
}

/// What the writing side of a connection is told.
enum ToSend {
    Message(Vec<u8>),
    /// Nothing more will be said.
    Close,
}

/// A live connection; cheap to clone.
#[derive(Clone)]
pub struct Connection(Arc<Shared>);

#[derive(Serialize)]
struct Outgoing<'a> {
    id: u64,
    method: &'a str,
    params: &'a RawValue,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u64>,
    method: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<ErrorBody>,
    #[serde(rename = "sessionId")]
    session: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: String,
    target_info: AttachedTarget,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AttachedTarget {
    browser_context_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detached {
    session_id: String,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connection {
    /// Takes over both ends of Chromium's pipe (messages separated by NUL bytes).
    pub fn over_pipe<R, W>(reader: R, writer: W) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (shared, queue) = Shared::new(false);
        tokio::spawn(pipe::write(writer, queue));
        tokio::spawn(pipe::read(reader, Arc::clone(&shared)));
        Self(shared)
    }

    /// Takes over the WebSocket of a browser elsewhere.
    pub(crate) fn over_socket<S>(socket: WebSocketStream<S>) -> Self
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (shared, queue) = Shared::new(true);
        tokio::spawn(socket::pump(socket, queue, Arc::clone(&shared)));
        Self(shared)
    }

    /// Whether the browser may be on another machine, with other files and another clock.
    pub(crate) fn is_remote(&self) -> bool {
        self.0.is_remote
    }

    /// Ends the connection from this side.
    pub(crate) fn hang_up(&self, reason: &str) {
        let _ = self.0.lost.set(reason.to_owned());
        let _ = self.0.outgoing.send(ToSend::Close);
    }

    /// Why the connection closed, as far as it is known.
    pub(crate) fn lost(&self) -> Option<&str> {
        self.0.lost.get().map(String::as_str)
    }

    pub fn root(&self) -> Session {
        Session { connection: self.clone(), id: None }
    }

    pub fn session(&self, id: SessionId) -> Session {
        Session { connection: self.clone(), id: Some(id) }
    }

    pub fn is_closed(&self) -> bool {
        self.0.closed.load(Ordering::Acquire)
    }

    /// Events of the root session, and of every session nobody else owns.
    pub fn route_root(&self, route: Route) {
        lock(&self.0.routes).root = Some(route);
    }

    /// Events of targets in this browser context, from their attachment on.
    pub fn route_context(&self, context: &str, route: Route) {
        lock(&self.0.routes).contexts.insert(context.to_owned(), route);
    }

    pub fn unroute_context(&self, context: &str) {
        lock(&self.0.routes).contexts.remove(context);
    }

    /// Events of this session and of every session attached under it later.
    pub fn route_session(&self, session: SessionId, route: Route) {
        lock(&self.0.routes).sessions.insert(session, route);
    }

    /// Sends a client's message on; the answer arrives on `route` as [`Incoming::Reply`] with `token`.
    pub fn forward(&self, session: Option<&str>, method: &str, params: &RawValue, token: u64, route: &Route) {
        self.send(session, method, params, Pending::Forward { token, route: route.clone() });
    }

    fn send(&self, session: Option<&str>, method: &str, params: &RawValue, pending: Pending) -> u64 {
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        lock(&self.0.pending).insert(id, pending);
        let bytes = serde_json::to_vec(&Outgoing { id, method, params, session }).unwrap_or_default();
        if self.is_closed() || self.0.outgoing.send(ToSend::Message(bytes)).is_err() {
            self.0.fail_pending(id);
        }
        id
    }
}

impl Shared {
    fn new(is_remote: bool) -> (Arc<Self>, mpsc::UnboundedReceiver<ToSend>) {
        let (outgoing, queue) = mpsc::unbounded_channel();
        let shared = Self {
            next_id: AtomicU64::new(1),
            pending: Mutex::default(),
            routes: Mutex::default(),
            outgoing,
            closed: std::sync::atomic::AtomicBool::new(false),
            lost: OnceLock::new(),
            is_remote,
        };
        (Arc::new(shared), queue)
    }

    fn fail_pending(&self, id: u64) {
        // Dropping a caller's channel tells it the connection is closed.
        if let Some(Pending::Forward { token, route }) = lock(&self.pending).remove(&id) {
            let error = ErrorBody { code: -32000, message: "the browser is gone".to_owned() };
            let _ = route.send(Incoming::Reply { token, result: Err(error) });
        }
    }

    fn dispatch(&self, message: &Bytes) {
        if let Some((id, result)) = plain_reply(message) {
            let mut pending = lock(&self.pending);
            if matches!(pending.get(&id), Some(Pending::Call(_)))
                && let Some(Pending::Call(sender)) = pending.remove(&id)
            {
                drop(sender.send(Ok(message.slice_ref(result))));
                return;
            }
        }
        let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(message) else {
            return;
        };
        if let Some(id) = envelope.id {
            let result = match (envelope.error, envelope.result) {
                (Some(error), _) => Err(error),
                (None, result) => Ok(result.map_or_else(empty_object, ToOwned::to_owned)),
            };
            let pending = lock(&self.pending).remove(&id);
            match pending {
                Some(Pending::Call(sender)) => {
                    let text = |raw: Box<RawValue>| Bytes::from(Box::<str>::from(raw).into_string());
                    drop(sender.send(result.map(text)));
                }
                Some(Pending::Forward { token, route }) => {
                    drop(route.send(Incoming::Reply { token, result }));
                }
                None => {}
            }
            return;
        }
        let (Some(method), Some(params)) = (envelope.method, envelope.params) else {
            return;
        };
        let session: Option<SessionId> = envelope.session.map(Into::into);
        let mut routes = lock(&self.routes);
        let owner = match &session {
            Some(id) => routes.sessions.get(id).cloned(),
            None => None,
        };
        let mut owner = owner.or_else(|| routes.root.clone());
        if method == "Target.attachedToTarget"
            && let Ok(attached) = serde_json::from_str::<Attached>(params.get())
        {
            if session.is_none() {
                let context = attached.target_info.browser_context_id.as_deref().unwrap_or_default();
                owner = routes.contexts.get(context).cloned().or(owner);
            }
            if let Some(owner) = &owner {
                routes.sessions.insert(attached.session_id.into(), owner.clone());
            }
        } else if method == "Target.detachedFromTarget"
            && let Ok(detached) = serde_json::from_str::<Detached>(params.get())
        {
            let route = routes.sessions.remove(detached.session_id.as_str());
            if session.is_none() {
                owner = route.or(owner);
            }
        }
        drop(routes);
        if let Some(owner) = owner {
            let _ = owner.send(Incoming::Event(CdpEvent { session, method, params: params.to_owned() }));
        }
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Release);
        let ids: Vec<u64> = lock(&self.pending).keys().copied().collect();
        for id in ids {
            self.fail_pending(id);
        }
        let mut routes = lock(&self.routes);
        let routes = std::mem::take(&mut *routes);
        for route in routes.root.iter().chain(routes.contexts.values()).chain(routes.sessions.values()) {
            let _ = route.send(Incoming::Closed);
        }
    }
}

/// The parts of `{"id":7,"result":{…}}`, with or without a session at its end, cut out without reading the result: a
/// page's snapshot is a megabyte, and whoever asked for it reads it anyway.
fn plain_reply(message: &[u8]) -> Option<(u64, &[u8])> {
    const SESSION: &[u8] = b",\"sessionId\":\"";
    let rest = message.strip_prefix(b"{\"id\":")?;
    let (id, rest) = rest.split_at(memchr::memchr(b',', rest)?);
    let id = std::str::from_utf8(id).ok()?.parse().ok()?;
    let result = rest.strip_prefix(b",\"result\":")?.strip_suffix(b"}")?;
    // Quotes inside texts are escaped, so this can only be the key itself, and only the last one ends in a bare quote.
    let Some(before_quote) = result.strip_suffix(b"\"") else { return Some((id, result)) };
    let session = memchr::memrchr(b'"', before_quote)? + 1;
    Some((id, before_quote[..session].strip_suffix(SESSION).unwrap_or(result)))
}

fn empty_object() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).unwrap_or_default()
}

/// A session on a connection: the root, or one attached to a target.
#[derive(Clone)]
pub struct Session {
    connection: Connection,
    id: Option<SessionId>,
}

impl Session {
    pub fn id(&self) -> Option<&SessionId> {
        self.id.as_ref()
    }

    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Calls and decodes the fields `R` asks for; the rest of a large answer is skipped, not built.
    pub async fn call<P: Serialize, R: DeserializeOwned>(
        &self,
        method: &str,
        params: P,
        deadline: Deadline,
    ) -> Result<R, CdpError> {
        let reply = self.call_bytes(method, params, deadline).await?;
        serde_json::from_slice(&reply)
            .map_err(|error| CdpError::Shape { method: method.to_owned(), problem: error.to_string() })
    }

    /// Calls for the effect only.
    pub async fn run<P: Serialize>(
        &self,
        method: &str,
        params: P,
        deadline: Deadline,
    ) -> Result<(), CdpError> {
        self.call_bytes(method, params, deadline).await.map(drop)
    }

    /// The result as Chromium wrote it, for a reader of one's own.
    pub async fn call_bytes<P: Serialize>(
        &self,
        method: &str,
        params: P,
        deadline: Deadline,
    ) -> Result<Bytes, CdpError> {
        let named = || method.to_owned();
        let params = to_raw_value(&params)
            .map_err(|error| CdpError::Shape { method: named(), problem: error.to_string() })?;
        let (sender, receiver) = oneshot::channel();
        let span = tracing::debug_span!("cdp", method);
        let id = self.connection.send(self.id.as_deref(), method, &params, Pending::Call(sender));
        match tokio::time::timeout_at(deadline.at().into(), receiver).instrument(span).await {
            Ok(Ok(Ok(raw))) => Ok(raw),
            Ok(Ok(Err(ErrorBody { code, message }))) => {
                Err(CdpError::Refused { method: named(), code, message })
            }
            Ok(Err(_)) => Err(CdpError::Closed { method: named() }),
            Err(_) => {
                lock(&self.connection.0.pending).remove(&id);
                Err(CdpError::Deadline { method: named() })
            }
        }
    }

    /// Sends without waiting; the answer is dropped.
    pub fn post<P: Serialize>(&self, method: &str, params: P) {
        if let Ok(params) = to_raw_value(&params) {
            let (sender, _) = oneshot::channel();
            self.connection.send(self.id.as_deref(), method, &params, Pending::Call(sender));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::plain_reply;

    #[test]
    fn replies_are_cut_at_their_result() {
        for (message, cut) in [
            (r#"{"id":7,"result":{}}"#, Some((7, "{}"))),
            (r#"{"id":7,"result":{"a":"b"},"sessionId":"AB12"}"#, Some((7, r#"{"a":"b"}"#))),
            (r#"{"id":7,"result":{"x":1,"sessionId":"AB12"}}"#, Some((7, r#"{"x":1,"sessionId":"AB12"}"#))),
            (r#"{"id":7,"result":{"a":",\"sessionId\":\"x"}}"#, Some((7, r#"{"a":",\"sessionId\":\"x"}"#))),
            (r#"{"id":7,"error":{"code":-32000,"message":"no"}}"#, None),
            (r#"{"method":"Page.loadEventFired","params":{}}"#, None),
            (r#"{"id":7,"result":{"#, None),
        ] {
            let cut = cut.map(|(id, result): (u64, &str)| (id, result.as_bytes()));
            assert_eq!(plain_reply(message.as_bytes()), cut, "{message}");
        }
    }
}
