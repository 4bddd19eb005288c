//! A browser in somebody else's hands, a person's as a rule, with an onlooker in its pages.
//!
//! Unlike a seat, a visit drives nothing, answers no dialog and writes no evidence. It opens a Chromium of its own,
//! puts the onlooker into every document before its first script, and passes on what that tells. The onlooker is
//! either a pair of scripts, one among the page's own and one in an isolated world with a binding to speak through,
//! or an unpacked extension whose worker speaks through the same binding.

mod attend;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use umpire_model::{BlobRef, Deadline, Digest, EventBody, Evidence, Media, Viewport};

use self::attend::{Attendant, OpenTabs};
use crate::cdp::{CdpError, Session};
use crate::chromium::{Chromium, LaunchError, LaunchOptions};
use crate::netgate::{NetGate, NetworkPolicy};
use crate::record::auto_attach;

/// The global function the onlooker speaks through.
pub const ONLOOKER_BINDING: &str = "umpireReport";
const SCREENSHOT_QUALITY: u32 = 70;

/// Who looks on.
#[derive(Clone, Debug)]
pub enum Onlooker {
    Scripts(OnlookerScripts),
    /// Folder of an unpacked extension.
    Extension(PathBuf),
}

#[derive(Clone, Debug)]
pub struct OnlookerScripts {
    /// Runs among the page's own scripts, before them.
    pub among_page: String,
    /// Runs in a world of its own.
    pub apart: String,
}

#[derive(Clone, Debug)]
pub struct VisitOptions {
    /// Path of Chromium, if it is not to be searched for.
    pub chromium: Option<PathBuf>,
    pub viewport: Viewport,
    /// Shown on the screen; without it, only the protocol can act.
    pub window: bool,
    pub network: NetworkPolicy,
    pub onlooker: Onlooker,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VisitEvent {
    TabOpened {
        tab: String,
        opener: Option<String>,
        url: String,
    },
    TabClosed {
        tab: String,
    },
    /// The onlooker in a page of this tab said something.
    Told {
        tab: String,
        text: String,
    },
    /// The extension's worker said something.
    WorkerTold {
        text: String,
    },
    /// A worker of the extension began, at first or once more.
    WorkerStarted,
    /// The browser is gone; nothing follows.
    Gone,
}

#[derive(Debug, thiserror::Error)]
pub enum VisitError {
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error("cannot open the network gate: {0}")]
    NetGate(std::io::Error),
    #[error(transparent)]
    Cdp(#[from] CdpError),
    #[error("{url} could not be loaded: {reason}")]
    Navigation { url: String, reason: String },
    #[error("the tab is not open any more")]
    TabGone,
    #[error("the picture of the page cannot be read")]
    Picture,
}

/// The open browser; dropping it ends the process.
pub struct Visit {
    chromium: Chromium,
    /// Keeps the only way out open.
    _netgate: NetGate,
    tabs: OpenTabs,
    worker: Arc<Mutex<Option<Session>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    #[serde(default)]
    error_text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetDescription {
    target_info: TargetAddress,
}

#[derive(Deserialize)]
struct TargetAddress {
    url: String,
}

#[derive(Deserialize)]
struct Screenshot {
    data: String,
}

impl Visit {
    /// Opens the browser with one blank tab.
    pub async fn open(
        options: VisitOptions,
        deadline: Deadline,
    ) -> Result<(Self, mpsc::UnboundedReceiver<VisitEvent>), VisitError> {
        let VisitOptions { chromium, viewport, window, network, onlooker } = options;
        let netgate = NetGate::start().await.map_err(VisitError::NetGate)?;
        netgate.open(Arc::new(network), Arc::new(Unwritten));
        let launch = LaunchOptions {
            chromium,
            viewport,
            proxy: Some(netgate.address()),
            window,
            extensions: matches!(onlooker, Onlooker::Extension(_)),
        };
        let chromium = Chromium::launch(&launch, deadline).await?;
        let connection = chromium.connection().clone();
        let (scripts, extension) = match onlooker {
            Onlooker::Scripts(scripts) => (Some(scripts), None),
            Onlooker::Extension(folder) => (None, Some(folder)),
        };
        let (said, events) = mpsc::unbounded_channel();
        // Windows have the size the person gives them.
        let fixed = (!window).then_some(viewport);
        let (tabs, worker) = Attendant::start(&connection, scripts, fixed, said);
        connection.root().run("Target.setAutoAttach", auto_attach(), deadline).await?;
        if let Some(folder) = extension {
            let params = json!({ "path": folder.to_string_lossy() });
            connection.root().run("Extensions.loadUnpacked", params, deadline).await?;
        }
        Ok((Self { chromium, _netgate: netgate, tabs, worker }, events))
    }

    /// Sends a tab to an address, as if it had been typed.
    pub async fn goto(&self, tab: &str, url: &str, deadline: Deadline) -> Result<(), VisitError> {
        let session = self.session(tab).ok_or(VisitError::TabGone)?;
        // The page's process answers in order: the onlooker's scripts are registered when this is answered. A navigation
        // does not wait for them by itself.
        session.run("Page.getFrameTree", json!({}), deadline).await?;
        let navigated: Navigated = session.call("Page.navigate", json!({ "url": url }), deadline).await?;
        match navigated.error_text {
            reason if reason.is_empty() => Ok(()),
            reason => Err(VisitError::Navigation { url: url.to_owned(), reason }),
        }
    }

    /// A JPEG of what the tab shows.
    pub async fn screenshot(&self, tab: &str, deadline: Deadline) -> Result<Vec<u8>, VisitError> {
        let session = self.session(tab).ok_or(VisitError::TabGone)?;
        let params = json!({ "format": "jpeg", "quality": SCREENSHOT_QUALITY });
        let shot: Screenshot = session.call("Page.captureScreenshot", params, deadline).await?;
        base64::engine::general_purpose::STANDARD.decode(shot.data).map_err(|_| VisitError::Picture)
    }

    /// Every open tab, in the order they opened.
    pub fn tabs(&self) -> Vec<String> {
        let tabs = self.tabs.lock().unwrap_or_else(PoisonError::into_inner);
        tabs.iter().map(|(tab, _)| tab.clone()).collect()
    }

    /// The address a tab shows.
    pub async fn address(&self, tab: &str, deadline: Deadline) -> Result<String, VisitError> {
        let root = self.chromium.connection().root();
        let about: TargetDescription =
            root.call("Target.getTargetInfo", json!({ "targetId": tab }), deadline).await?;
        Ok(about.target_info.url)
    }

    /// The protocol session of a tab.
    pub fn session(&self, tab: &str) -> Option<Session> {
        let tabs = self.tabs.lock().unwrap_or_else(PoisonError::into_inner);
        tabs.iter().find(|(open, _)| open == tab).map(|(_, session)| session.clone())
    }

    /// The protocol session of the extension's worker, while it runs.
    pub fn worker(&self) -> Option<Session> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Product and build of the browser.
    pub fn browser_version(&self) -> &str {
        self.chromium.version()
    }

    pub async fn close(self) {
        self.chromium.close().await;
    }
}

/// A visit is nobody's attempt.
struct Unwritten;

impl Evidence for Unwritten {
    fn event(&self, _: EventBody) -> u64 {
        0
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
    }
}
