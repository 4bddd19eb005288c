//! A seat before its attempt: context, network gate, recorder and a blank page, all up and waiting.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::mpsc;
use umpire_model::{Deadline, Viewport};

use super::SeatError;
use crate::cdp::{CdpError, Connection, Incoming};
use crate::netgate::NetGate;
use crate::observe::capture;
use crate::pool::{DISPOSE_LIMIT, Generation};
use crate::record::{Adoption, Recorder};
use crate::running::Running;
use crate::tab::TabHandle;

/// The browser a seat is in.
pub(crate) enum Home {
    /// Shared with other seats; lives until the last of them is closed.
    Shared(Arc<Generation>),
    /// The seat's own, or at least its connection is.
    Own(Running),
}

impl Home {
    pub fn browser(&self) -> &Running {
        match self {
            Self::Shared(generation) => generation.browser(),
            Self::Own(browser) => browser,
        }
    }
}

/// Longest a remote browser may take to come by the network gate.
const PROOF_LIMIT: Duration = Duration::from_secs(10);
/// Longest the tab that it came in may take to go. One that stays goes with its context.
const CLOSE_LIMIT: Duration = Duration::from_secs(3);

pub(crate) struct Warm {
    pub connection: Connection,
    pub home: Home,
    /// The context the seat started with.
    pub context: String,
    pub netgate: NetGate,
    pub recorder: Recorder,
    pub adoption: Arc<Adoption>,
    pub downloads: TempDir,
    /// Only where the context was made for the seat.
    made: Option<MadeContext>,
}

/// A context that we made: it goes with this, if nobody sees to that in a better way before.
struct MadeContext {
    connection: Connection,
    id: Option<String>,
}

impl MadeContext {
    /// Somebody else ends it.
    fn entrust(mut self) {
        self.id = None;
    }
}

impl Drop for MadeContext {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            let params = json!({ "browserContextId": id });
            self.connection.root().post("Target.disposeBrowserContext", params);
        }
    }
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
    /// A fresh context in a browser, shared or not, with `netgate` as its only way out.
    pub async fn in_context(
        home: Home,
        netgate: NetGate,
        viewport: Viewport,
        deadline: Deadline,
    ) -> Result<Self, SeatError> {
        let connection = home.browser().connection().clone();
        let params = json!({
            "proxyServer": format!("http://{}", netgate.authority()),
            // Without this, Chromium never sends loopback hosts, `*.localhost` included, to a proxy.
            "proxyBypassList": "<-loopback>",
            "disposeOnDetach": true,
        });
        let context: NewContext =
            connection.root().call("Target.createBrowserContext", params, deadline).await?;
        let context = context.browser_context_id;
        let made = MadeContext { connection: connection.clone(), id: Some(context.clone()) };
        prove(&connection, &context, &netgate, deadline).await?;
        let mut warm = Self::around(connection, home, context, netgate, viewport, deadline).await?;
        warm.made = Some(made);
        let blank = json!({ "url": "about:blank", "browserContextId": warm.context });
        let tab: NewTarget = warm.connection.root().call("Target.createTarget", blank, deadline).await?;
        let tab = warm.recorder.tabs().ready(&tab.target_id, deadline).await.ok_or(SeatError::TabMissing)?;
        rehearse(&tab, viewport, deadline).await;
        Ok(warm)
    }

    /// The default context of a browser that was started with `netgate` as its proxy and belongs to the seat alone.
    pub async fn in_own(
        browser: Running,
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
        let connection = browser.connection().clone();
        let targets: Targets = connection.root().call("Target.getTargets", json!({}), deadline).await?;
        let page = targets.target_infos.into_iter().find(|info| info.r#type == "page");
        let (page, context) = page
            .and_then(|info| Some((info.target_id, info.browser_context_id?)))
            .ok_or(SeatError::TabMissing)?;
        prove(&connection, &context, &netgate, deadline).await?;
        let warm = Self::around(connection, Home::Own(browser), context, netgate, viewport, deadline).await?;
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
            .tempdir_in(home.browser().folder())
            .map_err(SeatError::Downloads)?;
        let folder = downloads.path().to_owned();
        let (recorder, adoption) = Recorder::start(connection.clone(), browser_session, folder, viewport);
        adoption.adopt(&context);
        let adoption = Arc::new(adoption);
        Ok(Self { connection, home, context, netgate, recorder, adoption, downloads, made: None })
    }

    /// False if its browser or its page died while it waited.
    pub fn is_usable(&self) -> bool {
        let page = self.recorder.tabs().active();
        !self.connection.is_closed() && page.is_some_and(|tab| !tab.activity.counts().crashed)
    }

    /// Gives the place back. The context of a shared browser goes away behind our back, when no attempt
    /// would feel it; an own browser ends now.
    pub async fn leave(self) {
        self.netgate.shut();
        self.adoption.end();
        match self.home {
            Home::Shared(generation) => {
                tokio::spawn(async move {
                    generation.dispose(&self.context).await;
                    if let Some(made) = self.made {
                        made.entrust();
                    }
                    drop(self.downloads);
                });
            }
            Home::Own(browser) => {
                if browser.may_be_shared() {
                    let context = json!({ "browserContextId": self.context });
                    let gone = Deadline::after(DISPOSE_LIMIT);
                    let _ = self.connection.root().run("Target.disposeBrowserContext", context, gone).await;
                }
                if let Some(made) = self.made {
                    made.entrust();
                }
                browser.close().await;
            }
        }
    }
}

/// Sends a remote browser to the gate's own address, and makes sure that it arrived there. Before the recorder listens:
/// nothing of this is the attempt's.
async fn prove(
    connection: &Connection,
    context: &str,
    netgate: &NetGate,
    deadline: Deadline,
) -> Result<(), SeatError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Navigated {
        error_text: Option<String>,
    }
    let Some(url) = netgate.proof_url() else { return Ok(()) };
    let deadline = deadline.within(PROOF_LIMIT);
    let root = connection.root();
    // Until the recorder takes the context over.
    let (route, mut attached) = mpsc::unbounded_channel();
    connection.route_context(context, route);
    let blank = json!({ "url": "about:blank", "browserContextId": context });
    let tab: NewTarget = root.call("Target.createTarget", blank, deadline).await?;
    let attach = json!({ "targetId": tab.target_id, "flatten": true });
    let session: NewSession = root.call("Target.attachToTarget", attach, deadline).await?;
    let session = connection.session(session.session_id.into());
    // Each session that was told of the new tab holds it up until it is let go.
    while let Ok(Incoming::Event(event)) = attached.try_recv() {
        if let Ok(NewSession { session_id }) = event.params() {
            connection.session(session_id.into()).post("Runtime.runIfWaitingForDebugger", json!({}));
        }
    }
    let navigated: Result<Navigated, _> =
        session.call("Page.navigate", json!({ "url": url }), deadline).await;
    let reason = match navigated {
        Ok(Navigated { error_text: Some(reason) }) => reason,
        Ok(Navigated { error_text: None }) if netgate.is_proven(deadline).await => String::new(),
        Ok(Navigated { error_text: None }) => "it went somewhere else".to_owned(),
        Err(CdpError::Deadline { .. }) => format!("it did not get there in {} s", PROOF_LIMIT.as_secs()),
        Err(error) => return Err(error.into()),
    };
    let closed = async {
        // A tab is not closed while its document is on the way; its process answers when that is there.
        let _ = session.run("Page.getFrameTree", json!({}), deadline).await;
        root.run("Target.closeTarget", json!({ "targetId": tab.target_id }), deadline).await?;
        // The answer comes before the tab is gone, and nobody is to find it.
        while let Some(Incoming::Event(event)) = attached.recv().await {
            if event.method == "Target.detachedFromTarget" {
                break;
            }
        }
        Ok::<_, CdpError>(())
    };
    let _ = tokio::time::timeout(CLOSE_LIMIT, closed).await;
    if reason.is_empty() {
        return Ok(());
    }
    Err(SeatError::NotThroughGate { gate: netgate.authority().to_owned(), reason })
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
