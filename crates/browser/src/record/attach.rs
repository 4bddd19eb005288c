//! Takes hold of targets as they appear, and lets go of them.

use serde_json::json;
use umpire_model::{EventBody, Viewport};

use super::protocol::{AttachedToTarget, DetachedFromTarget, TargetInfo};
use super::{Desk, read};
use crate::cdp::{CdpEvent, Session, SessionId};

/// Largest posted body that comes with the request's event, and largest response Chromium keeps for us.
const BODY: u64 = 2 << 20;
const BODIES_OF_A_TARGET: u64 = 64 << 20;

/// A target the recorder listens to.
pub(super) struct Target {
    pub id: String,
    pub kind: Kind,
    /// The tab it is, or belongs to; shared and service workers belong to none.
    pub tab: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Tab,
    Frame,
    Worker,
    /// A tab beyond the limit, on its way out.
    Refused,
}

impl Desk {
    pub(super) fn target_event(&mut self, name: &str, event: &CdpEvent) {
        match name {
            "attachedToTarget" => {
                if let Some(attached) = read::<AttachedToTarget>(event) {
                    self.attached(event.session.as_ref(), attached);
                }
            }
            "detachedFromTarget" => {
                if let Some(detached) = read::<DetachedFromTarget>(event) {
                    self.detached(&detached.session_id.into());
                }
            }
            _ => {}
        }
    }

    fn attached(&mut self, parent: Option<&SessionId>, event: AttachedToTarget) {
        let id: SessionId = event.session_id.into();
        let session = self.connection.session(id.clone());
        let info = event.target_info;
        if self.targets.values().any(|target| target.id == info.target_id) {
            // Reached over two ways; listening twice would write everything twice.
            session.post("Runtime.runIfWaitingForDebugger", json!({}));
            let over = parent
                .map_or_else(|| self.connection.root(), |parent| self.connection.session(parent.clone()));
            over.post("Target.detachFromTarget", json!({ "sessionId": &*id }));
            return;
        }
        let tab = parent.and_then(|parent| self.targets.get(parent)).and_then(|parent| parent.tab.clone());
        let kind = match info.r#type.as_str() {
            "page" if self.tabs.len() >= self.limits().tabs => {
                self.refuse_tab(&info);
                Kind::Refused
            }
            "page" => Kind::Tab,
            "iframe" => Kind::Frame,
            _ => Kind::Worker,
        };
        let tab = if kind == Kind::Tab { Some(info.target_id.clone()) } else { tab };
        if let Some(stops) = self.attempt.as_ref().and_then(|attempt| attempt.network.stops()) {
            session.post("Fetch.enable", stops);
        }
        listen(&session, kind, self.viewport, self.attempt.as_ref().is_some_and(|attempt| attempt.dark));
        match (kind, &tab) {
            (Kind::Tab, Some(tab)) => {
                self.tabs.opened(tab, session, info.opener_id.clone());
                let url = if info.url.is_empty() { "about:blank".to_owned() } else { info.url };
                self.write(EventBody::TabOpened { tab: tab.clone(), opener: info.opener_id, url });
            }
            (Kind::Frame, Some(tab)) => self.tabs.frame_attached(tab, &info.target_id, session),
            _ => {}
        }
        self.targets.insert(id, Target { id: info.target_id, kind, tab });
    }

    fn refuse_tab(&mut self, info: &TargetInfo) {
        self.connection.root().post("Target.closeTarget", json!({ "targetId": info.target_id }));
        self.summary.tabs_refused += 1;
        if self.summary.tabs_refused == 1 {
            let limit = self.limits().tabs;
            self.flag(
                "a new tab",
                "refused",
                format!("{limit} tabs are open; further ones are closed at once"),
            );
        }
    }

    fn detached(&mut self, session: &SessionId) {
        let Some(target) = self.targets.remove(session) else { return };
        match target.kind {
            Kind::Tab => {
                self.tabs.closed(&target.id);
                self.loading.remove(&target.id);
                self.forget_requests("its tab was closed", |request| {
                    request.tab.as_ref() == Some(&target.id)
                });
                self.write(EventBody::TabClosed { tab: target.id });
            }
            Kind::Frame => {
                self.tabs.frame_detached(session);
                if let Some(tab) = &target.tab {
                    self.set_loading(tab, |frames| frames.retain(|frame| *frame != target.id));
                }
                self.forget_requests("its frame went away", |request| request.target == target.id);
            }
            Kind::Worker => self.forget_requests("its worker ended", |request| request.target == target.id),
            Kind::Refused => {}
        }
    }
}

/// Turns on what the recorder needs and lets the target run. Nothing is waited for: Chromium obeys in order.
fn listen(session: &Session, kind: Kind, viewport: Viewport, dark: bool) {
    if kind != Kind::Refused {
        let network = json!({
            "maxTotalBufferSize": BODIES_OF_A_TARGET, "maxResourceBufferSize": BODY, "maxPostDataSize": BODY,
        });
        session.post("Network.enable", network);
        // Keeps bodies outside of the page's process, so that they outlive a navigation.
        let kept = json!({ "maxTotalBufferSize": BODIES_OF_A_TARGET, "maxResourceBufferSize": BODY });
        session.post("Network.configureDurableMessages", kept);
        session.post("Runtime.enable", json!({}));
        session.post("Inspector.enable", json!({}));
        session.post("Target.setAutoAttach", auto_attach());
    }
    if matches!(kind, Kind::Tab | Kind::Frame) {
        session.post("Page.enable", json!({}));
        session.post("Log.enable", json!({}));
        if dark {
            darken(session);
        }
    }
    if kind == Kind::Tab && session.connection().is_remote() {
        steady(session);
    }
    if kind == Kind::Tab {
        set_viewport(session, viewport);
        // Pages ask whether they have the focus; the answer must not depend on how many seats share the browser.
        session.post("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
    }
    session.post("Runtime.runIfWaitingForDebugger", json!({}));
}

/// What our own browsers are started with, as far as it can be said later.
fn steady(session: &Session) {
    session.post("Emulation.setTimezoneOverride", json!({ "timezoneId": "UTC" }));
    session.post("Emulation.setLocaleOverride", json!({ "locale": "en-US" }));
    let calm = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    session.post("Emulation.setEmulatedMedia", calm);
    // A page whose security is looked at is not kept for going back: that makes a request again.
    session.post("Security.enable", json!({}));
}

pub(super) fn set_viewport(session: &Session, viewport: Viewport) {
    let metrics = json!({
        "width": viewport.width, "height": viewport.height, "deviceScaleFactor": 1, "mobile": false,
    });
    session.post("Emulation.setDeviceMetricsOverride", metrics);
}

/// A page that has a dark theme uses it; the browser makes one for any other.
pub(super) fn darken(session: &Session) {
    let calm = json!({ "name": "prefers-reduced-motion", "value": "reduce" });
    let dark = json!({ "name": "prefers-color-scheme", "value": "dark" });
    let preference = json!({ "features": [dark, calm] });
    session.post("Emulation.setEmulatedMedia", preference);
    session.post("Emulation.setAutoDarkModeOverride", json!({ "enabled": true }));
}

/// New targets wait until they are let go. Chromium's own user interface and its tab strip are not ours to pause.
pub(crate) fn auto_attach() -> serde_json::Value {
    json!({
        "autoAttach": true,
        "waitForDebuggerOnStart": true,
        "flatten": true,
        "filter": [{ "type": "browser_ui", "exclude": true }, { "type": "tab", "exclude": true },
            { "type": "browser", "exclude": true }, {}],
    })
}
