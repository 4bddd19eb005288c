//! One attempt's place in a browser: its tabs, its network, its evidence.
//!
//! A [`crate::Pool`] hands seats out. The harness drives one with the methods here and with `act` on
//! [`Seat::active_tab`]; a foreign client drives it through the gate's endpoint. Either way the recorder
//! writes what happens to the attempt's evidence, and [`Seat::close`] ends it.
//!
//! ```ignore
//! let seat = pool.seat(SeatOptions::new(evidence, network), deadline).await?;
//! seat.open("http://shop.localhost/", deadline).await?;
//! let early = seat.rest(deadline).await?;              // as a rule, the page was looked at on the way
//! let seen = match early { Some(seen) => seen, None => seat.observe(deadline).await? };
//! let dialogs = seat.take_dialogs();
//! act::perform(&seat.active_tab(deadline).await?, &action, &seen, uploads, deadline).await?;
//! let summary = seat.close(deadline).await;
//! ```

mod databases;
mod look;
mod navigate;
mod prepare;
mod save;
mod storage;
pub(crate) mod warm;

use std::path::PathBuf;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;
use umpire_model::{Deadline, Evidence, RemoteBrowser, Viewport};

pub use self::databases::{StoredDatabase, StoredIndex, StoredTable};
pub use self::storage::{OriginState, StorageState, StoredCookie, StoredItem};
use self::warm::{Home, Warm};
use crate::cdp::CdpError;
use crate::gate::{ClientActivity, Endpoint, Gate, GateSeat};
use crate::netgate::NetworkPolicy;
use crate::observe::ObserveError;
use crate::pressing::{Starting, Stepping};
use crate::record::{Attempt, DialogAnswer, SeatSummary};

/// Who decides what happens in a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// Umpire itself; dialogs are answered at once.
    Harness,
    /// A client behind the gate, which gets a chance to answer dialogs first.
    Client,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatLimits {
    /// Tabs open at the same time.
    pub tabs: usize,
    /// All downloads together.
    pub download_bytes: u64,
}

impl Default for SeatLimits {
    fn default() -> Self {
        Self { tabs: 12, download_bytes: 50 << 20 }
    }
}

/// What an attempt brings to its seat.
#[derive(Clone)]
pub struct SeatOptions {
    pub evidence: Arc<dyn Evidence>,
    pub network: NetworkPolicy,
    pub viewport: Viewport,
    /// Pages are drawn in a dark theme, their own or one the browser makes of them.
    pub dark: bool,
    pub limits: SeatLimits,
    /// Folders a client may upload files from.
    pub upload_folders: Vec<PathBuf>,
    /// Note what a client does that can change what a page's script does, because that script decides something.
    pub notes_script: bool,
}

impl SeatOptions {
    pub fn new(evidence: Arc<dyn Evidence>, network: NetworkPolicy) -> Self {
        Self {
            evidence,
            network,
            viewport: Viewport::default(),
            dark: false,
            limits: SeatLimits::default(),
            upload_folders: Vec::new(),
            notes_script: false,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    #[error("the browser is gone{}", words(last_words))]
    BrowserGone { last_words: String },
    #[error(transparent)]
    Cdp(#[from] CdpError),
    #[error("cannot open the network gate: {0}")]
    NetGate(std::io::Error),
    #[error(
        "the remote browser does not come through the network gate at {gate}: {reason}. Nothing it did would be \
         recorded; `--reach` says under which address it sees this machine"
    )]
    NotThroughGate { gate: String, reason: String },
    #[error("cannot open the gate: {0}")]
    Gate(std::io::Error),
    #[error("cannot make a folder for downloads: {0}")]
    Downloads(std::io::Error),
    #[error("{url} was not opened: {reason}")]
    Refused { url: String, reason: String },
    #[error("{url} could not be loaded: {reason}")]
    Navigation { url: String, reason: String },
    #[error("there is no tab {number}; {open} are open")]
    NoSuchTab { number: u32, open: usize },
    #[error("{limit} tabs are open, which is the limit")]
    TooManyTabs { limit: usize },
    #[error("the last tab cannot be closed")]
    LastTab,
    #[error("the recorder did not take the attempt over")]
    RecorderGone,
    #[error("a new tab did not appear in time")]
    TabMissing,
    #[error("there is no page to go {0} to")]
    NoHistory(&'static str),
    #[error("the page crashed")]
    PageCrashed,
    #[error("what a context remembers could not be read or put back: {0}")]
    Storage(String),
    #[error("the page cannot be observed: {0}")]
    Unseen(#[from] ObserveError),
}

fn words(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!("; {last_words}") }
}

impl SeatError {
    /// True if the harness or the browser failed, not the agent or the site.
    pub fn is_infra(&self) -> bool {
        match self {
            Self::BrowserGone { .. }
            | Self::NetGate(_)
            | Self::NotThroughGate { .. }
            | Self::Gate(_)
            | Self::Downloads(_)
            | Self::RecorderGone
            | Self::PageCrashed
            | Self::Unseen(_)
            | Self::TabMissing => true,
            Self::Cdp(error) => matches!(error, CdpError::Closed { .. } | CdpError::Shape { .. }),
            _ => false,
        }
    }
}

/// Longest the end of a seat waits for events that are already on their way.
const LAST_EVENTS: Duration = Duration::from_secs(1);

pub struct Seat {
    warm: Warm,
    network: Arc<NetworkPolicy>,
    options: SeatOptions,
    /// Only in a seat for a client.
    gate: Option<Gate>,
    activity: watch::Receiver<ClientActivity>,
    /// Until the first page rests.
    starting: Mutex<Option<Starting>>,
}

impl Seat {
    /// Plugs an attempt into a warm seat.
    pub(crate) async fn take(
        warm: Warm,
        options: SeatOptions,
        driver: Driver,
        starting: Option<Starting>,
        deadline: Deadline,
    ) -> Result<Self, SeatError> {
        let network = Arc::new(options.network.clone());
        let attempt = Attempt {
            evidence: Arc::clone(&options.evidence),
            driver,
            limits: options.limits,
            viewport: options.viewport,
            dark: options.dark,
            network: Arc::clone(&network),
        };
        if !warm.recorder.hand_over(attempt, deadline).await {
            return Err(SeatError::RecorderGone);
        }
        warm.netgate.open(Arc::clone(&network), Arc::clone(&options.evidence));
        let (sender, activity) = watch::channel(ClientActivity::default());
        let starting = Mutex::new(starting);
        let mut seat = Self { warm, network, options, gate: None, activity, starting };
        if driver == Driver::Client {
            seat.gate = Some(Gate::start(seat.behind_the_gate(sender)).await.map_err(SeatError::Gate)?);
        }
        Ok(seat)
    }

    fn behind_the_gate(&self, activity: watch::Sender<ClientActivity>) -> Arc<GateSeat> {
        Arc::new(GateSeat {
            connection: self.warm.connection.clone(),
            tabs: Arc::clone(self.warm.recorder.tabs()),
            adoption: Arc::clone(&self.warm.adoption),
            network: Arc::clone(&self.network),
            evidence: Arc::clone(&self.options.evidence),
            proxy: self.warm.netgate.authority().to_owned(),
            shared_context: self.warm.home.browser().may_be_shared().then(|| self.warm.context.clone()),
            upload_folders: self.options.upload_folders.clone(),
            activity,
            noted: AtomicU32::new(0),
            script: self
                .options
                .notes_script
                .then(|| Arc::clone(self.warm.recorder.reports().client_script())),
        })
    }

    /// Where a foreign client connects to; `None` in a seat that the harness drives.
    pub fn endpoint(&self) -> Option<&Endpoint> {
        self.gate.as_ref().map(Gate::endpoint)
    }

    /// What the client did last; changes with each of its actions.
    pub fn client_activity(&self) -> watch::Receiver<ClientActivity> {
        self.activity.clone()
    }

    /// Product and build of the browser, such as `Chrome/156.0.8078.79`.
    pub fn browser_version(&self) -> &str {
        self.warm.home.browser().version()
    }

    /// Where the browser is, if somebody else started it.
    pub fn remote(&self) -> Option<&RemoteBrowser> {
        self.warm.home.browser().remote()
    }

    /// Says that a step is under way for as long as this is held: what can wait in a shared browser waits meanwhile.
    pub fn stepping(&self) -> Option<Stepping> {
        match &self.warm.home {
            Home::Shared(generation) => Some(generation.pressing().step()),
            Home::Own(_) => None,
        }
    }

    /// Dialogs that opened and were answered since the last call, oldest first.
    pub fn take_dialogs(&self) -> Vec<String> {
        self.warm.recorder.take_dialogs()
    }

    /// Says beforehand how the dialogs to come are answered, in order; what is not foreseen is accepted. Replaces what
    /// was said before. Only in a seat that the harness drives.
    pub fn foresee_dialogs(&self, answers: Vec<DialogAnswer>) {
        self.warm.recorder.foresee_dialogs(answers);
    }

    pub fn viewport(&self) -> Viewport {
        self.options.viewport
    }

    /// Files that were downloaded, named by Chromium's ids; gone after [`Seat::close`].
    pub fn downloads_folder(&self) -> &std::path::Path {
        self.warm.downloads.path()
    }

    /// True once the whole browser went away; whatever the seat says from then on is `infra`.
    pub fn is_gone(&self) -> bool {
        self.warm.connection.is_closed()
    }

    /// Ends the attempt's recording and gives the place back. Nothing is written to the evidence after this returns.
    pub async fn close(self, deadline: Deadline) -> SeatSummary {
        let Self { warm, gate, .. } = self;
        drop(gate);
        // Chromium answers in order: what it reported before this answer has been received when it is there.
        let _ =
            warm.connection.root().run("Browser.getVersion", json!({}), deadline.within(LAST_EVENTS)).await;
        let summary = warm.recorder.finish(deadline).await;
        warm.leave().await;
        summary
    }
}
