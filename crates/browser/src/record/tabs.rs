//! The tabs of a seat, kept by the recorder and read by the seat and the gate.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use tokio::sync::Notify;
use umpire_model::Deadline;

use crate::cdp::{Session, SessionId};
use crate::tab::{Activity, RemoteFrame, TabHandle};

#[derive(Default)]
pub(crate) struct Tabs {
    list: Mutex<List>,
    changed: Notify,
}

#[derive(Default)]
struct List {
    /// In the order they were opened.
    tabs: Vec<OpenTab>,
    active: Option<String>,
}

struct OpenTab {
    id: String,
    session: Session,
    opener: Option<String>,
    activity: Arc<Activity>,
    /// Out-of-process frames by frame id.
    frames: BTreeMap<String, Session>,
}

impl Tabs {
    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A tab opened by a page comes to the front, as it does for a person.
    pub fn opened(&self, id: &str, session: Session, opener: Option<String>) -> Arc<Activity> {
        let activity = Arc::new(Activity::default());
        let mut list = self.list();
        if list.active.is_none() || opener.is_some() {
            list.active = Some(id.to_owned());
        }
        list.tabs.push(OpenTab {
            id: id.to_owned(),
            session,
            opener,
            activity: Arc::clone(&activity),
            frames: BTreeMap::new(),
        });
        drop(list);
        self.changed.notify_waiters();
        activity
    }

    /// The tab that opened a closed one comes back to the front, or else the newest.
    pub fn closed(&self, id: &str) {
        let mut list = self.list();
        let Some(at) = list.tabs.iter().position(|tab| tab.id == id) else { return };
        let tab = list.tabs.remove(at);
        if list.active.as_deref() == Some(id) {
            let opener = list.tabs.iter().find(|other| Some(&other.id) == tab.opener.as_ref());
            list.active = opener.or(list.tabs.last()).map(|next| next.id.clone());
        }
        drop(list);
        tab.activity.update(|counts| counts.closed = true);
        self.changed.notify_waiters();
    }

    pub fn frame_attached(&self, tab: &str, frame: &str, session: Session) {
        if let Some(tab) = self.list().tabs.iter_mut().find(|open| open.id == tab) {
            tab.frames.insert(frame.to_owned(), session);
        }
    }

    pub fn frame_detached(&self, session: &SessionId) {
        for tab in &mut self.list().tabs {
            tab.frames.retain(|_, frame| frame.id() != Some(session));
        }
    }

    pub fn activate(&self, id: &str) {
        let mut list = self.list();
        if list.tabs.iter().any(|tab| tab.id == id) {
            list.active = Some(id.to_owned());
        }
    }

    pub fn len(&self) -> usize {
        self.list().tabs.len()
    }

    pub fn ids(&self) -> Vec<String> {
        self.list().tabs.iter().map(|tab| tab.id.clone()).collect()
    }

    pub fn active_id(&self) -> Option<String> {
        self.list().active.clone()
    }

    pub fn active(&self) -> Option<TabHandle> {
        let list = self.list();
        list.active.as_ref().and_then(|id| list.handle(id))
    }

    pub fn handle(&self, id: &str) -> Option<TabHandle> {
        self.list().handle(id)
    }

    pub fn handles(&self) -> Vec<TabHandle> {
        self.list().tabs.iter().map(OpenTab::handle).collect()
    }

    /// Waits until the recorder has taken hold of a new tab: from then on nothing in it goes unrecorded.
    pub async fn attached(&self, id: &str, deadline: Deadline) -> Option<TabHandle> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if let Some(tab) = self.handle(id) {
                return Some(tab);
            }
            tokio::time::timeout_at(deadline.at().into(), changed).await.ok()?;
        }
    }

    /// Waits until a new tab is attached and its blank page is there: a navigation before that may be overtaken by it.
    pub async fn ready(&self, id: &str, deadline: Deadline) -> Option<TabHandle> {
        let tab = self.attached(id, deadline).await?;
        tab.session.run("Page.getFrameTree", json!({}), deadline).await.ok()?;
        Some(tab)
    }

    /// Waits until a tab is gone.
    pub async fn gone(&self, id: &str, deadline: Deadline) -> bool {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if self.handle(id).is_none() {
                return true;
            }
            if tokio::time::timeout_at(deadline.at().into(), changed).await.is_err() {
                return false;
            }
        }
    }
}

impl List {
    fn handle(&self, id: &str) -> Option<TabHandle> {
        self.tabs.iter().find(|tab| tab.id == id).map(OpenTab::handle)
    }
}

impl OpenTab {
    fn handle(&self) -> TabHandle {
        let frames = self.frames.iter();
        TabHandle {
            id: self.id.clone(),
            session: self.session.clone(),
            frames: frames
                .map(|(id, session)| RemoteFrame { frame_id: id.clone(), session: session.clone() })
                .collect(),
            activity: Arc::clone(&self.activity),
        }
    }
}
