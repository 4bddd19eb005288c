//! What a page tells the harness through a function that the harness gave it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::Deserialize;
use tokio::sync::mpsc;

use super::read;
use crate::cdp::CdpEvent;

/// The first thing a client asked for that can change what a page's script does.
pub(crate) type ClientScript = Arc<OnceLock<String>>;

/// Something a page told the harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageReport {
    pub text: String,
    /// What a client had asked for by then that can change what the page's script does, if it had: the report may then
    /// be the client's own.
    pub client_script: Option<String>,
}

#[derive(Deserialize)]
struct BindingCalled {
    name: String,
    payload: String,
}

/// Where reports go while somebody listens.
#[derive(Default)]
pub(crate) struct Reports {
    listener: Mutex<Option<mpsc::UnboundedSender<PageReport>>>,
    client_script: ClientScript,
}

impl Reports {
    /// The global the function is under until the page's preparation takes it away.
    pub const BINDING: &str = "umpireReport";

    pub fn client_script(&self) -> &ClientScript {
        &self.client_script
    }

    pub fn listen(&self) -> mpsc::UnboundedReceiver<PageReport> {
        let (sender, receiver) = mpsc::unbounded_channel();
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        receiver
    }

    pub(super) fn called(&self, event: &CdpEvent) {
        let Some(BindingCalled { name, payload }) = read(event) else { return };
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listener) = listener.as_ref().filter(|_| name == Self::BINDING) {
            let client_script = self.client_script.get().cloned();
            let _ = listener.send(PageReport { text: payload, client_script });
        }
    }
}
