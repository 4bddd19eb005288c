//! The network gate: an HTTP proxy per attempt, on a loopback port of its own.
//!
//! Chromium sends every request of the attempt here. Hosts of the built-in world are answered in this process,
//! allowed foreign hosts are forwarded, and everything else is refused and noted in the trajectory. The port exists
//! before the attempt does (warm seats need it); what it lets through is plugged in with [`NetGate::open`], and until
//! then it refuses everything.
//!
//! A gate for a remote browser may have to listen to other machines. Its only peer is then the browser, and it learns
//! which address that has by a proof: see [`proof`].

mod forward;
mod proof;
mod serve;

use std::collections::HashSet;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;
use umpire_model::{Deadline, EventBody, Evidence};

use self::proof::Proof;
use crate::Reach;
use crate::hosts::{HostPattern, Place};

/// A site of the built-in world. It may block for as long as [`HANDLER_LIMIT`]; a panic is caught and answered
/// with status 500.
pub type Handler = Arc<dyn Fn(http::Request<Bytes>) -> http::Response<Bytes> + Send + Sync>;

/// In the extensions of a site's response: it leaves that much later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldBack(pub Duration);

/// In the extensions of a site's response: the connection is closed instead, as if the site had gone away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionDropped;

/// Looks at requests before they leave; held back is what it gives a reason for.
pub trait Sentry: Send + Sync {
    fn hold_back<'a>(&'a self, method: &'a str, url: &'a str) -> HoldingBack<'a>;

    /// Addresses, with `*` for anything, that it wants to see although they are encrypted. No proxy can look into those,
    /// so the browser itself stops at each of them and asks.
    fn encrypted(&self) -> Vec<String> {
        Vec::new()
    }
}

pub type HoldingBack<'a> = Pin<Box<dyn Future<Output = Option<String>> + Send + 'a>>;

/// What an attempt's network consists of.
#[derive(Clone, Default)]
pub struct NetworkPolicy {
    /// Host names answered in this process, on port 80.
    pub origins: Vec<(String, Handler)>,
    /// Hosts outside that may be reached; see [`HostPattern`].
    pub allowed_hosts: Vec<HostPattern>,
    pub sentry: Option<Arc<dyn Sentry>>,
}

impl NetworkPolicy {
    /// What the browser has to stop at, for the sentry to see.
    pub(crate) fn stops(&self) -> Option<Value> {
        let wanted = self.sentry.as_ref()?.encrypted();
        let patterns: Vec<Value> = wanted.iter().map(|url| json!({ "urlPattern": url })).collect();
        (!patterns.is_empty()).then(|| json!({ "patterns": patterns }))
    }

    pub fn allows(&self, place: &Place) -> bool {
        self.handler(place).is_some() || self.pattern(place).is_some()
    }

    fn handler(&self, place: &Place) -> Option<&Handler> {
        let found = self.origins.iter().find(|(host, _)| place.port == 80 && *host == place.host);
        found.map(|(_, handler)| handler)
    }

    fn pattern(&self, place: &Place) -> Option<&HostPattern> {
        self.allowed_hosts.iter().find(|pattern| pattern.matches(place))
    }
}

impl std::fmt::Debug for NetworkPolicy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hosts: Vec<&str> = self.origins.iter().map(|(host, _)| host.as_str()).collect();
        f.debug_struct("NetworkPolicy")
            .field("origins", &hosts)
            .field("allowed", &self.allowed_hosts)
            .finish_non_exhaustive()
    }
}

/// Largest request body that is held in memory for a built-in site; what is forwarded is streamed.
const REQUEST_LIMIT: usize = 64 << 20;
/// Longest a site may think about one request.
const HANDLER_LIMIT: Duration = Duration::from_secs(30);
/// Longest a foreign host may take to connect, and to send its response's head.
const FOREIGN_LIMIT: Duration = Duration::from_secs(30);
/// Longest a tunnel or a response's body may last.
const STREAM_LIMIT: Duration = Duration::from_mins(10);
/// A page may ask for many foreign hosts many times; the first refusals tell the story.
const NOTED_REFUSALS: u32 = 200;

/// The running proxy; dropping it closes the port and its connections.
pub struct NetGate {
    address: SocketAddr,
    /// Host and port by which its browser finds it.
    authority: String,
    inside: Arc<Inside>,
    listener: AbortHandle,
}

#[derive(Default)]
struct Inside {
    attempt: RwLock<Option<Attempt>>,
    refusals: AtomicU32,
    /// Requests that Chromium makes once more by itself, and that are to fail all the same.
    dropped: Mutex<HashSet<String>>,
    /// Who may come, where that is not the whole of this machine.
    proof: Option<Proof>,
}

#[derive(Clone)]
struct Attempt {
    policy: Arc<NetworkPolicy>,
    evidence: Arc<dyn Evidence>,
}

impl NetGate {
    /// Listens on a free loopback port and refuses everything so far.
    pub async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let authority = listener.local_addr()?.to_string();
        Self::behind(listener, authority, Inside::default())
    }

    /// Listens where a remote browser will look, and refuses everything until that browser has proved itself.
    pub(crate) async fn start_for(reach: &Reach) -> io::Result<Self> {
        let listener = reach.listen().await?;
        let authority = format!("{}:{}", reach.host(), listener.local_addr()?.port());
        Self::behind(listener, authority, Inside { proof: Some(Proof::new()?), ..Inside::default() })
    }

    fn behind(listener: TcpListener, authority: String, inside: Inside) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let inside = Arc::new(inside);
        let listener = tokio::spawn(serve::accept(listener, Arc::clone(&inside))).abort_handle();
        Ok(Self { address, authority, inside, listener })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Host and port by which its browser finds it.
    pub(crate) fn authority(&self) -> &str {
        &self.authority
    }

    /// The address that only this gate answers for, to be shown by its browser; `None` if no proof is needed.
    pub(crate) fn proof_url(&self) -> Option<String> {
        self.inside.proof.as_ref().map(Proof::url)
    }

    /// Waits until the browser came by with its proof.
    pub(crate) async fn is_proven(&self, deadline: Deadline) -> bool {
        match &self.inside.proof {
            Some(proof) => tokio::time::timeout_at(deadline.at().into(), proof.given()).await.is_ok(),
            None => true,
        }
    }

    /// Plugs an attempt in.
    pub fn open(&self, policy: Arc<NetworkPolicy>, evidence: Arc<dyn Evidence>) {
        *self.inside.attempt.write().unwrap_or_else(PoisonError::into_inner) =
            Some(Attempt { policy, evidence });
    }

    /// Refuses everything again; nothing is written for the attempt from here on.
    pub fn shut(&self) {
        *self.inside.attempt.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Drop for NetGate {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

impl Inside {
    fn attempt(&self) -> Option<Attempt> {
        self.attempt.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers that a request was dropped. On a connection that had served before, Chromium takes that for an old
    /// connection gone stale and asks again on a new one, unseen by the page.
    fn drop_again(&self, asked: &str, is_reused: bool) {
        let mut dropped = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        if is_reused {
            dropped.insert(asked.to_owned());
        } else {
            dropped.remove(asked);
        }
    }

    fn is_dropped_again(&self, asked: &str) -> bool {
        self.dropped.lock().unwrap_or_else(PoisonError::into_inner).contains(asked)
    }

    fn note(&self, request: String, decision: &str, reason: String, suspicious: bool) {
        let Some(attempt) = self.attempt() else { return };
        let count = self.refusals.fetch_add(1, Ordering::Relaxed);
        let reason = match count {
            NOTED_REFUSALS.. => return,
            count if count + 1 == NOTED_REFUSALS => format!("{reason}; further ones are not noted"),
            _ => reason,
        };
        attempt.evidence.event(EventBody::Gate {
            request,
            decision: decision.to_owned(),
            reason,
            suspicious,
        });
    }
}
