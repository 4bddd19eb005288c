use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

use crate::cdp::Session;

/// A tab as the observer and the actor see it: the sessions of all processes that render it, and how busy it is.
#[derive(Clone)]
pub struct TabHandle {
    /// Target id; also the id of its main frame.
    pub id: String,
    pub session: Session,
    /// Out-of-process frames below the tab, nested ones included.
    pub frames: Vec<RemoteFrame>,
    pub activity: Arc<Activity>,
}

#[derive(Clone)]
pub struct RemoteFrame {
    pub frame_id: String,
    pub session: Session,
}

/// How busy a tab is, kept by the recorder and waited on by settling.
#[derive(Default)]
pub struct Activity {
    counts: Mutex<Counts>,
    changed: Notify,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Requests without an end yet; long-lived streams are not counted.
    pub in_flight: u32,
    /// Documents being loaded in any frame of the tab.
    pub loading: u32,
    /// Main-frame navigations so far.
    pub navigations: u64,
    /// A dialog is open and blocks the page.
    pub dialog_open: bool,
    pub crashed: bool,
    pub closed: bool,
    /// When any of this last changed.
    pub since: Option<Instant>,
}

impl Counts {
    /// The tab crashed or closed, or a dialog blocks it: there is nothing to wait for.
    pub fn is_gone(&self) -> bool {
        self.crashed || self.closed || self.dialog_open
    }
}

impl Activity {
    pub fn counts(&self) -> Counts {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn update(&self, change: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut counts);
        counts.since = Some(Instant::now());
        drop(counts);
        self.changed.notify_waiters();
    }

    /// Waits for the next update. Call [`Activity::counts`] after creating this future, not before: it knows of
    /// every update from its creation on, even if it is not polled yet.
    pub fn changed(&self) -> Notified<'_> {
        self.changed.notified()
    }
}
