//! Which browser contexts belong to a seat.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;

use crate::cdp::{Connection, Route, Session};

/// The browser contexts of a seat; a client behind the gate may add some.
#[derive(Default)]
pub(crate) struct Contexts(Mutex<Vec<String>>);

impl Contexts {
    pub fn add(&self, id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(id.to_owned());
    }

    pub fn contains(&self, id: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|known| known == id)
    }

    pub fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Takes browser contexts into a seat: their targets are recorded and their downloads caught.
pub(crate) struct Adoption {
    connection: Connection,
    route: Route,
    contexts: Arc<Contexts>,
    /// Chromium reports downloads to the browser-level session that asked for them.
    browser_session: Session,
    downloads: PathBuf,
}

impl Adoption {
    pub fn new(
        connection: Connection,
        route: Route,
        contexts: Arc<Contexts>,
        browser_session: Session,
        downloads: PathBuf,
    ) -> Self {
        Self { connection, route, contexts, browser_session, downloads }
    }

    pub fn adopt(&self, context: &str) {
        self.contexts.add(context);
        self.connection.route_context(context, self.route.clone());
        let behaviour = json!({
            "behavior": "allowAndName", "browserContextId": context, "eventsEnabled": true,
            "downloadPath": self.downloads.to_string_lossy(),
        });
        self.browser_session.post("Browser.setDownloadBehavior", behaviour);
    }

    /// Stops listening, and lets go of the browser-level session.
    pub fn end(&self) {
        for context in self.contexts.all() {
            self.connection.unroute_context(&context);
        }
        if let Some(session) = self.browser_session.id() {
            self.connection.root().post("Target.detachFromTarget", json!({ "sessionId": &**session }));
        }
    }

    pub fn contexts(&self) -> &Contexts {
        &self.contexts
    }

    pub fn downloads(&self) -> &Path {
        &self.downloads
    }
}
