//! A seat before its attempt: context, network gate, recorder and a blank page, all up and waiting.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use tempfile::TempDir;
use umpire_model::{Deadline, Viewport};

use super::SeatError;
use crate::cdp::Connection;
use crate::chromium::Chromium;
use crate::netgate::NetGate;
use crate::observe::capture;
use crate::pool::Generation;
use crate::record::{Adoption, Recorder};
use crate::tab::TabHandle;

/// The browser a seat is in.
pub(crate) enum Home {
    /// Shared with other seats; lives until the last of them is closed.
    Shared(Arc<Generation>),
    /// The seat's own.
    Own(Box<Chromium>),
}

impl Home {
    pub fn version(&self) -> &str {
        match self {
            Self::Shared(generation) => generation.version(),
            Self::Own(chromium) => chromium.version(),
        }
    }

    fn profile(&self) -> &Path {
        match self {
            Self::Shared(generation) => generation.profile(),
            Self::Own(chromium) => chromium.profile(),
        }
    }

    pub fn last_words(&self) -> String {
        match self {
            Self::Shared(generation) => generation.last_words(),
            Self::Own(chromium) => chromium.last_words(),
        }
    }
}

pub(crate) struct Warm {
    pub connection: Connection,
    pub home: Home,
    /// The context the seat started with.
    pub context: String,
    pub netgate: NetGate,
    pub recorder: Recorder,
    pub adoption: Arc<Adoption>,
    pub downloads: TempDir,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewContext {
    browser_context_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewSession {
    pub session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewTarget {
    pub target_id: String,
}

impl Warm {
    /// A fresh context in a shared browser.
    pub async fn in_shared(
        generation: Arc<Generation>,
        viewport: Viewport,
        deadline: Deadline,
    ) -> Result<Self, SeatError> {
        let connection = generation.connection().clone();
        let netgate = NetGate::start().await.map_err(SeatError::NetGate)?;
        let params = json!({
            "proxyServer": format!("http://{}", netgate.address()),
            // Without this, Chromium never sends loopback hosts, `*.localhost` included, to a proxy.
            "proxyBypassList": "<-loopback>",
            "disposeOnDetach": true,
        });
        let context: NewContext =
            connection.root().call("Target.createBrowserContext", params, deadline).await?;
        let context = context.browser_context_id;
        let warm =
            Self::around(connection, Home::Shared(generation), context, netgate, viewport, deadline).await?;
        let blank = json!({ "url": "about:blank", "browserContextId": warm.context });
        let tab: NewTarget = warm.connection.root().call("Target.createTarget", blank, deadline).await?;
        let tab = warm.recorder.tabs().ready(&tab.target_id, deadline).await.ok_or(SeatError::TabMissing)?;
        rehearse(&tab, viewport, deadline).await;
        Ok(warm)
    }

    /// The default context of a browser that was started with `netgate` as its proxy and belongs to the seat alone.
    pub async fn in_own(
        chromium: Chromium,
        netgate: NetGate,
        viewport: Viewport,
        deadline: Deadline,
    ) -> Result<Self, SeatError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Targets {
            target_infos: Vec<Info>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Info {
            target_id: String,
            r#type: String,
            browser_context_id: Option<String>,
        }
        let connection = chromium.connection().clone();
        let targets: Targets = connection.root().call("Target.getTargets", json!({}), deadline).await?;
        let page = targets.target_infos.into_iter().find(|info| info.r#type == "page");
        let (page, context) = page
            .and_then(|info| Some((info.target_id, info.browser_context_id?)))
            .ok_or(SeatError::TabMissing)?;
        let home = Home::Own(Box::new(chromium));
        let warm = Self::around(connection, home, context, netgate, viewport, deadline).await?;
        let root = warm.connection.root();
        root.run("Target.setAutoAttach", crate::record::auto_attach(), deadline).await?;
        warm.recorder.tabs().ready(&page, deadline).await.ok_or(SeatError::TabMissing)?;
        Ok(warm)
    }

    async fn around(
        connection: Connection,
        home: Home,
        context: String,
        netgate: NetGate,
        viewport: Viewport,
        deadline: Deadline,
    ) -> Result<Self, SeatError> {
        let session: NewSession =
            connection.root().call("Target.attachToBrowserTarget", json!({}), deadline).await?;
        let browser_session = connection.session(session.session_id.into());
        // Inside the profile, so that whatever cleans up after a killed runner takes it along.
        let downloads = tempfile::Builder::new()
            .prefix("downloads-")
            .tempdir_in(home.profile())
            .map_err(SeatError::Downloads)?;
        let folder = downloads.path().to_owned();
        let (recorder, adoption) = Recorder::start(connection.clone(), browser_session, folder, viewport);
        adoption.adopt(&context);
        Ok(Self { connection, home, context, netgate, recorder, adoption: Arc::new(adoption), downloads })
    }

    /// False if its browser or its page died while it waited.
    pub fn is_usable(&self) -> bool {
        let page = self.recorder.tabs().active();
        !self.connection.is_closed() && page.is_some_and(|tab| !tab.activity.counts().crashed)
    }

    /// Gives the place back. The context of a shared browser goes away behind our back, when no attempt is
    /// starting; an own browser ends now.
    pub async fn leave(self) {
        self.netgate.shut();
        self.adoption.end();
        match self.home {
            Home::Shared(generation) => {
                tokio::spawn(async move {
                    generation.dispose(&self.context).await;
                    drop(self.downloads);
                });
            }
            Home::Own(chromium) => chromium.close().await,
        }
    }
}

/// Draws and reads a small page once, so that fonts, the compositor and the script engine of the tab's
/// process are loaded before an attempt waits for them. The page is written into the blank document: it has no URL, makes
/// no request and no entry in the history, and goes with the first navigation.
async fn rehearse(tab: &TabHandle, viewport: Viewport, deadline: Deadline) {
    const PAGE: &str = include_str!("rehearsal.html");
    let content = json!({ "frameId": tab.id, "html": PAGE });
    if tab.session.run("Page.setDocumentContent", content, deadline).await.is_ok() {
        let _ = capture(tab, viewport, deadline).await;
        let blank = json!({ "frameId": tab.id, "html": "" });
        let _ = tab.session.run("Page.setDocumentContent", blank, deadline).await;
    }
}
