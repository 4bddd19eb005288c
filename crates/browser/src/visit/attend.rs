//! Takes hold of every target before it runs, places the onlooker in it, and lets it go.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use umpire_model::Viewport;

use super::{ONLOOKER_BINDING, OnlookerScripts, VisitEvent};
use crate::cdp::{CdpEvent, Connection, Incoming, Session, SessionId};
use crate::record::auto_attach;

/// The isolated world of the onlooker's script.
const WORLD: &str = "umpire-onlooker";
const EXTENSION_SCHEME: &str = "chrome-extension://";

/// Target ids and sessions, in the order they opened.
pub(super) type OpenTabs = Arc<Mutex<Vec<(String, Session)>>>;

pub(super) struct Attendant {
    connection: Connection,
    scripts: Option<OnlookerScripts>,
    viewport: Option<Viewport>,
    said: mpsc::UnboundedSender<VisitEvent>,
    tabs: OpenTabs,
    worker: Arc<Mutex<Option<Session>>>,
    /// What each session is attached to.
    held: HashMap<SessionId, Held>,
}

enum Held {
    Tab(String),
    /// A frame in another process, and its tab.
    Frame(String),
    Worker,
    Other,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: String,
    target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetInfo {
    target_id: String,
    r#type: String,
    #[serde(default)]
    url: String,
    opener_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detached {
    session_id: String,
}

#[derive(Deserialize)]
struct BindingCalled {
    name: String,
    payload: String,
}

impl Attendant {
    pub fn start(
        connection: &Connection,
        scripts: Option<OnlookerScripts>,
        viewport: Option<Viewport>,
        said: mpsc::UnboundedSender<VisitEvent>,
    ) -> (OpenTabs, Arc<Mutex<Option<Session>>>) {
        let (route, events) = mpsc::unbounded_channel();
        connection.route_root(route);
        let tabs = OpenTabs::default();
        let worker = Arc::<Mutex<Option<Session>>>::default();
        let attendant = Self {
            connection: connection.clone(),
            scripts,
            viewport,
            said,
            tabs: Arc::clone(&tabs),
            worker: Arc::clone(&worker),
            held: HashMap::new(),
        };
        tokio::spawn(attendant.run(events));
        (tabs, worker)
    }

    async fn run(mut self, mut events: mpsc::UnboundedReceiver<Incoming>) {
        while let Some(incoming) = events.recv().await {
            match incoming {
                Incoming::Event(event) => self.event(&event),
                Incoming::Reply { .. } => {}
                Incoming::Closed => break,
            }
        }
        let _ = self.said.send(VisitEvent::Gone);
    }

    fn event(&mut self, event: &CdpEvent) {
        match event.method.as_str() {
            "Target.attachedToTarget" => {
                if let Ok(attached) = event.params() {
                    self.attached(event.session.as_ref(), attached);
                }
            }
            "Target.detachedFromTarget" => {
                if let Ok(Detached { session_id }) = event.params() {
                    self.detached(&session_id.into());
                }
            }
            "Runtime.bindingCalled" => {
                if let Ok(BindingCalled { name, payload }) = event.params()
                    && name == ONLOOKER_BINDING
                {
                    self.told(event.session.as_ref(), payload);
                }
            }
            _ => {}
        }
    }

    fn attached(&mut self, parent: Option<&SessionId>, attached: Attached) {
        let id: SessionId = attached.session_id.into();
        let session = self.connection.session(id.clone());
        let info = attached.target_info;
        let held = match info.r#type.as_str() {
            "page" if !info.url.starts_with("devtools:") && !info.url.starts_with(EXTENSION_SCHEME) => {
                self.attend_page(&session);
                if let Some(size) = self.viewport {
                    let metrics = json!({
                        "width": size.width, "height": size.height, "deviceScaleFactor": 1, "mobile": false,
                    });
                    session.post("Emulation.setDeviceMetricsOverride", metrics);
                }
                self.open_tabs().push((info.target_id.clone(), session.clone()));
                self.say(VisitEvent::TabOpened {
                    tab: info.target_id.clone(),
                    opener: info.opener_id,
                    url: info.url,
                });
                Held::Tab(info.target_id)
            }
            "iframe" => {
                self.attend_page(&session);
                match parent.and_then(|parent| self.held.get(parent)) {
                    Some(Held::Tab(tab) | Held::Frame(tab)) => Held::Frame(tab.clone()),
                    _ => Held::Other,
                }
            }
            "service_worker" if info.url.starts_with(EXTENSION_SCHEME) => {
                session.post("Runtime.enable", json!({}));
                session.post("Runtime.addBinding", json!({ "name": ONLOOKER_BINDING }));
                *self.worker.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.clone());
                self.say(VisitEvent::WorkerStarted);
                Held::Worker
            }
            _ => Held::Other,
        };
        session.post("Runtime.runIfWaitingForDebugger", json!({}));
        self.held.insert(id, held);
    }

    /// Nothing is waited for: Chromium obeys in order, and the target runs only after all of it.
    fn attend_page(&self, session: &Session) {
        session.post("Page.enable", json!({}));
        session.post("Target.setAutoAttach", auto_attach());
        let Some(OnlookerScripts { among_page, apart }) = &self.scripts else { return };
        session.post("Runtime.enable", json!({}));
        // The page's own world has no such function.
        let binding = json!({ "name": ONLOOKER_BINDING, "executionContextName": WORLD });
        session.post("Runtime.addBinding", binding);
        session.post("Page.addScriptToEvaluateOnNewDocument", json!({ "source": among_page }));
        let apart = json!({ "source": apart, "worldName": WORLD });
        session.post("Page.addScriptToEvaluateOnNewDocument", apart);
    }

    fn detached(&mut self, session: &SessionId) {
        match self.held.remove(session) {
            Some(Held::Tab(tab)) => {
                self.open_tabs().retain(|(open, _)| *open != tab);
                self.say(VisitEvent::TabClosed { tab });
            }
            Some(Held::Worker) => {
                let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
                if worker.as_ref().is_some_and(|worker| worker.id() == Some(session)) {
                    *worker = None;
                }
            }
            _ => {}
        }
    }

    fn told(&self, session: Option<&SessionId>, text: String) {
        match session.and_then(|session| self.held.get(session)) {
            Some(Held::Tab(tab) | Held::Frame(tab)) => {
                self.say(VisitEvent::Told { tab: tab.clone(), text });
            }
            Some(Held::Worker) => self.say(VisitEvent::WorkerTold { text }),
            _ => {}
        }
    }

    fn open_tabs(&self) -> std::sync::MutexGuard<'_, Vec<(String, Session)>> {
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, event: VisitEvent) {
        let _ = self.said.send(event);
    }
}
