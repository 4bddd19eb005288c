//! Hands out seats without making attempts wait for a browser.
//!
//! Built-in agents share one Chromium and get a browser context each; a few of those are always warm, with a blank
//! page attached and recording, because a fresh one costs most of a second (its renderer process). The shared browser
//! is replaced when it died or has served its share; an old one ends with its last seat. Foreign clients get a
//! Chromium process of their own. With a remote browser it is the same, as far as that one starts browsers for us; where
//! it does not, clients get a connection and a context of their own.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::json;
use tokio::sync::mpsc;
use umpire_model::{Deadline, RemoteBrowser, Viewport};

use crate::cdp::{Connection, Incoming};
use crate::chromium::{LaunchError, LaunchOptions};
use crate::pressing::Pressing;
use crate::remote::{Remote, RemoteError};
use crate::running::{Running, Source};
use crate::seat::warm::{Home, Warm};
use crate::seat::{Driver, Seat, SeatError, SeatOptions};

#[derive(Clone, Debug)]
pub struct PoolOptions {
    /// Path of Chromium, if it is not to be searched for.
    pub chromium: Option<PathBuf>,
    /// A browser elsewhere, to be used instead.
    pub remote: Option<Remote>,
    pub viewport: Viewport,
    /// Warm seats kept ready.
    pub spares: usize,
    /// Seats a shared browser hands out before it is replaced: long-lived browsers grow slow and fat.
    pub seats_per_browser: u32,
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self {
            chromium: None,
            remote: None,
            viewport: Viewport::default(),
            spares: 2,
            seats_per_browser: 200,
        }
    }
}

impl PoolOptions {
    fn source(&self) -> Source {
        match &self.remote {
            Some(remote) => Source::Remote(remote.clone()),
            None => {
                Source::Local(LaunchOptions { chromium: self.chromium.clone(), ..LaunchOptions::default() })
            }
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Remote(#[from] RemoteError),
    #[error(transparent)]
    Seat(#[from] SeatError),
}

/// Longest a spare may take; a browser that needs more is as good as dead.
const SPARE_LIMIT: Duration = Duration::from_mins(1);

pub(crate) const DISPOSE_LIMIT: Duration = Duration::from_secs(10);
/// The processes of a context end after the answer, and their memory is given back by the cores the next step needs.
const BETWEEN_DISPOSALS: Duration = Duration::from_millis(150);

/// Cheap to clone; the browser ends when the pool and all seats are gone.
#[derive(Clone)]
pub struct Pool(Arc<Inside>);

struct Inside {
    options: PoolOptions,
    source: Source,
    version: String,
    remote: Option<RemoteBrowser>,
    current: tokio::sync::Mutex<Arc<Generation>>,
    spares: Mutex<VecDeque<Warm>>,
    /// Seats that will still be asked for, as far as anybody knows.
    expected: AtomicUsize,
    refilling: AtomicBool,
    pressing: Arc<Pressing>,
}

/// One shared browser.
pub(crate) struct Generation {
    browser: Running,
    seats: AtomicU32,
    pressing: Arc<Pressing>,
    /// Attempts that began together often end together; their contexts go one after the other, or those still running
    /// would feel it.
    going: tokio::sync::Mutex<()>,
}

impl Generation {
    async fn start(
        source: &Source,
        viewport: Viewport,
        pressing: Arc<Pressing>,
        deadline: Deadline,
    ) -> Result<Arc<Self>, PoolError> {
        let browser = source.shared(viewport, deadline).await?;
        let connection = browser.connection();
        let (route, orphans) = mpsc::unbounded_channel();
        connection.route_root(route);
        tokio::spawn(let_orphans_run(connection.clone(), orphans));
        let attach = crate::record::auto_attach();
        connection.root().run("Target.setAutoAttach", attach, deadline).await.map_err(SeatError::Cdp)?;
        Ok(Arc::new(Self {
            browser,
            seats: AtomicU32::new(0),
            pressing,
            going: tokio::sync::Mutex::default(),
        }))
    }

    pub fn connection(&self) -> &Connection {
        self.browser.connection()
    }

    pub fn browser(&self) -> &Running {
        &self.browser
    }

    /// What cannot wait in this browser and the pool's others.
    pub fn pressing(&self) -> &Arc<Pressing> {
        &self.pressing
    }

    /// Ends a context, when it is its turn and the attempts under way would not feel it.
    pub async fn dispose(&self, context: &str) {
        // Counted from here, so that those behind it do not wait once more.
        let patience = Pressing::patience();
        let _turn = self.going.lock().await;
        self.pressing.calm(patience).await;
        let params = json!({ "browserContextId": context });
        // A browser that does not answer any more has no contexts to end.
        let _ = self
            .connection()
            .root()
            .run("Target.disposeBrowserContext", params, Deadline::after(DISPOSE_LIMIT))
            .await;
        tokio::time::sleep(BETWEEN_DISPOSALS).await;
    }
}

/// Targets outside of every seat wait for nobody, such as the page Chromium itself opens at the start.
async fn let_orphans_run(connection: Connection, mut events: mpsc::UnboundedReceiver<Incoming>) {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Attached {
        session_id: String,
        waiting_for_debugger: bool,
    }
    while let Some(Incoming::Event(event)) = events.recv().await {
        if event.method == "Target.attachedToTarget"
            && let Ok(Attached { session_id, waiting_for_debugger }) = event.params()
        {
            connection.session(session_id.as_str().into()).post("Runtime.runIfWaitingForDebugger", json!({}));
            // Sessions that we asked for are told of here too; nothing waits in those.
            if connection.is_remote() && waiting_for_debugger {
                // Somebody else's, who is not to be slowed down by our listening.
                connection.root().post("Target.detachFromTarget", json!({ "sessionId": session_id }));
            }
        }
    }
}

impl Pool {
    /// Starts the shared browser and begins to warm seats.
    pub async fn start(options: PoolOptions, deadline: Deadline) -> Result<Self, PoolError> {
        let pressing = Arc::<Pressing>::default();
        let source = options.source();
        let first = Generation::start(&source, options.viewport, Arc::clone(&pressing), deadline).await?;
        let pool = Self(Arc::new(Inside {
            options,
            source,
            version: first.browser().version().to_owned(),
            remote: first.browser().remote().cloned(),
            current: tokio::sync::Mutex::new(first),
            spares: Mutex::default(),
            expected: AtomicUsize::new(usize::MAX),
            refilling: AtomicBool::new(false),
            pressing,
        }));
        pool.refill();
        Ok(pool)
    }

    /// Product and build of the browser, for the manifest.
    pub fn version(&self) -> &str {
        &self.0.version
    }

    /// Where the browser is, if somebody else started it.
    pub fn remote(&self) -> Option<&RemoteBrowser> {
        self.0.remote.as_ref()
    }

    /// Says how many seats will still be asked for, so that no more are warmed. More may be asked for all the same.
    pub fn expect_seats(&self, seats: usize) {
        self.0.expected.store(seats, Ordering::Relaxed);
    }

    /// A seat in the shared browser, driven by the harness: a warm one if there is one.
    pub async fn seat(&self, options: SeatOptions, deadline: Deadline) -> Result<Seat, PoolError> {
        let starting = self.0.pressing.enter().await;
        self.0.one_expected_came();
        let spare = self.0.take_spare();
        self.refill();
        let warm = match spare {
            Some(warm) => warm,
            None => self.0.warm_one(deadline).await?,
        };
        Ok(Seat::take(warm, options, Driver::Harness, Some(starting), deadline).await?)
    }

    /// A seat in a browser of its own, for a foreign client: the default context with one page. Where browsers are not
    /// ours to start, a context of its own.
    pub async fn seat_for_client(&self, options: SeatOptions, deadline: Deadline) -> Result<Seat, PoolError> {
        let netgate = self.0.source.netgate().await?;
        let browser = self.0.source.own(options.viewport, &netgate, deadline).await?;
        let connection = browser.connection().clone();
        let (route, orphans) = mpsc::unbounded_channel();
        connection.route_root(route);
        tokio::spawn(let_orphans_run(connection.clone(), orphans));
        let warm = if browser.may_be_shared() {
            let attach = crate::record::auto_attach();
            connection.root().run("Target.setAutoAttach", attach, deadline).await.map_err(SeatError::Cdp)?;
            Warm::in_context(Home::Own(browser), netgate, options.viewport, deadline).await?
        } else {
            Warm::in_own(browser, netgate, options.viewport, deadline).await?
        };
        Ok(Seat::take(warm, options, Driver::Client, None, deadline).await?)
    }

    fn refill(&self) {
        if self.0.refilling.swap(true, Ordering::AcqRel) {
            return;
        }
        // Weak, so that a pool that was dropped is not kept alive by its own refilling.
        let inside = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            loop {
                let pressing = inside.upgrade().and_then(|pool| {
                    // With no spare left, the next attempt is about to wait for this one.
                    (!pool.spares().is_empty()).then(|| Arc::clone(&pool.pressing))
                });
                if let Some(pressing) = pressing {
                    pressing.no_start(Pressing::patience()).await;
                }
                let Some(pool) = inside.upgrade() else { return };
                let wanted = pool.options.spares.min(pool.expected.load(Ordering::Relaxed));
                let is_full = pool.spares().len() >= wanted;
                let warm =
                    if is_full { None } else { pool.warm_one(Deadline::after(SPARE_LIMIT)).await.ok() };
                // If a spare cannot be made, whoever asks for a seat next gets the reason.
                let Some(warm) = warm else {
                    pool.refilling.store(false, Ordering::Release);
                    return;
                };
                pool.spares().push_back(warm);
            }
        });
    }
}

impl Inside {
    fn spares(&self) -> MutexGuard<'_, VecDeque<Warm>> {
        self.spares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn one_expected_came(&self) {
        let fewer = |expected: usize| match expected {
            usize::MAX => None,
            expected => Some(expected.saturating_sub(1)),
        };
        // An error means that nobody said how many will come.
        let _ = self.expected.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
    }

    /// A spare whose browser and page are still alive.
    fn take_spare(&self) -> Option<Warm> {
        let mut spares = self.spares();
        while let Some(warm) = spares.pop_front() {
            if warm.is_usable() {
                return Some(warm);
            }
        }
        None
    }

    async fn warm_one(&self, deadline: Deadline) -> Result<Warm, PoolError> {
        let generation = self.current_browser(deadline).await?;
        match self.warm_in(Arc::clone(&generation), deadline).await {
            Err(_) if generation.connection().is_closed() => {
                let generation = self.current_browser(deadline).await?;
                Ok(self.warm_in(generation, deadline).await?)
            }
            other => Ok(other?),
        }
    }

    async fn warm_in(&self, generation: Arc<Generation>, deadline: Deadline) -> Result<Warm, SeatError> {
        let netgate = self.source.netgate().await?;
        Warm::in_context(Home::Shared(generation), netgate, self.options.viewport, deadline).await
    }

    /// The shared browser, or a new one if it died or served its share. Counts one seat towards it.
    async fn current_browser(&self, deadline: Deadline) -> Result<Arc<Generation>, PoolError> {
        let mut current = self.current.lock().await;
        let is_worn = current.seats.fetch_add(1, Ordering::Relaxed) >= self.options.seats_per_browser;
        if is_worn || current.connection().is_closed() {
            let seats = current.seats.load(Ordering::Relaxed).saturating_sub(1);
            let why = if is_worn { "it served its share" } else { "it ended" };
            tracing::info!(seats, why, "browser replaced");
            let pressing = Arc::clone(&self.pressing);
            *current = Generation::start(&self.source, self.options.viewport, pressing, deadline).await?;
            current.seats.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Arc::clone(&current))
    }
}
