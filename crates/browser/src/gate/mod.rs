//! The gate: the only way a client reaches the browser.
//!
//! [`policy`] decides about every message and URL, for built-in agents and foreign clients alike. [`server`] is what
//! a foreign client sees: the HTTP and WebSocket endpoints of a browser's debugging port, behind which each
//! connection ([`client`]) has a browser-level session of its own, scoped to the seat.

mod client;
mod inputs;
pub(crate) mod policy;
mod script;
mod server;
mod shared;
mod view;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use serde_json::Value;
use tokio::sync::watch;
use umpire_model::{Action, EventBody, Evidence};

use self::policy::Objection;
use self::script::can_change_script;
pub(crate) use self::server::Gate;
use crate::cdp::Connection;
use crate::netgate::NetworkPolicy;
use crate::record::{Adoption, ClientScript, Tabs};

/// Entries a client can cause in the trajectory; a refused call may be repeated a million times.
const NOTED: u32 = 500;

/// Where a foreign client connects to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// For clients that ask for a URL such as `http://127.0.0.1:9222`.
    pub http: String,
    /// For clients that ask for a WebSocket.
    pub websocket: String,
}

/// What a client did last, for whoever wants to look at the page after it.
#[derive(Clone, Debug, Default)]
pub struct ClientActivity {
    /// Actions so far that use up a budget. Letters typed one after the other are one action.
    pub counted: u64,
    pub last: Option<Action>,
    pub at: Option<Instant>,
}

/// What the gate knows about its seat.
pub(crate) struct GateSeat {
    pub connection: Connection,
    pub tabs: Arc<Tabs>,
    pub adoption: Arc<Adoption>,
    pub network: Arc<NetworkPolicy>,
    pub evidence: Arc<dyn Evidence>,
    /// Host and port of the network gate, as the browser sees it.
    pub proxy: String,
    /// The seat's own context, in a browser in which others have theirs.
    pub shared_context: Option<String>,
    pub upload_folders: Vec<PathBuf>,
    pub activity: watch::Sender<ClientActivity>,
    pub noted: AtomicU32,
    /// Where the first thing is kept that can change what a page's script does, if that matters.
    pub script: Option<ClientScript>,
}

impl GateSeat {
    /// Remembers and flags the first message that can change what a page's script does.
    fn watch_script(&self, method: &str, params: &Value) {
        let Some(script) = &self.script else { return };
        if script.get().is_none()
            && can_change_script(method, params)
            && script.set(method.to_owned()).is_ok()
        {
            let reason = "can change what the page's script does, which decides the reward".to_owned();
            self.note(method, "noted", &Objection { reason, suspicious: true });
        }
    }

    fn note(&self, request: &str, decision: &str, objection: &Objection) {
        let count = self.noted.fetch_add(1, Ordering::Relaxed);
        if count < NOTED {
            let last = if count + 1 == NOTED { "; further entries are left out" } else { "" };
            self.evidence.event(EventBody::Gate {
                request: request.to_owned(),
                decision: decision.to_owned(),
                reason: format!("{}{last}", objection.reason),
                suspicious: objection.suspicious,
            });
        }
    }

    fn acted(&self, action: Action) {
        self.activity.send_modify(|activity| {
            let is_more_typing = match (&activity.last, &action) {
                (Some(Action::Type(place, before)), Action::Type(now_at, now)) => {
                    place == now_at && now.starts_with(before)
                }
                // Typing into a field that was focused without a click has no place.
                (Some(Action::Press(before)), Action::Press(now)) => {
                    now.len() > before.len() && now.starts_with(before)
                }
                _ => false,
            };
            activity.counted += u64::from(action.is_counted() && !is_more_typing);
            activity.last = Some(action);
            activity.at = Some(Instant::now());
        });
    }

    /// Links are followed first: a file in the attempt's folder may point anywhere.
    fn may_upload(&self, path: &str) -> bool {
        let Ok(file) = Path::new(path).canonicalize() else { return false };
        let inside = |folder: &PathBuf| folder.canonicalize().is_ok_and(|folder| file.starts_with(folder));
        file.is_file() && self.upload_folders.iter().any(inside)
    }
}
