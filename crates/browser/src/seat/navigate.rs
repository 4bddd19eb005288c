//! Tabs and navigation, as the harness does them on an agent's behalf. Every URL passes the gate's policy.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use umpire_model::{Deadline, EventBody, Tab};

use super::warm::NewTarget;
use super::{Seat, SeatError};
use crate::cdp::CdpError;
use crate::gate::policy::{check_url, is_blank};
use crate::tab::{Counts, TabHandle};

/// Longest a tab may be without any document.
const BETWEEN_DOCUMENTS: Duration = Duration::from_secs(1);
/// Longest a step in the history may take to show its page.
const HISTORY_STEP: Duration = Duration::from_secs(10);

/// Chromium's word for a navigation that was overtaken, or answered without content: the old page stays.
const ABORTED: &str = "net::ERR_ABORTED";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    #[serde(default)]
    error_text: String,
    #[serde(default)]
    is_download: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct History {
    current_index: i64,
    entries: Vec<HistoryEntry>,
}

#[derive(Deserialize)]
struct HistoryEntry {
    id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetDescription {
    target_info: TargetInfo,
}

#[derive(Deserialize)]
struct TargetInfo {
    title: String,
    url: String,
}

impl Seat {
    /// Shows the attempt's start page in the tab that is already there; nothing can have happened to it yet.
    pub async fn open(&self, url: &str, deadline: Deadline) -> Result<(), SeatError> {
        self.check(url)?;
        let tab = self.warm.recorder.tabs().active().ok_or(SeatError::TabMissing)?;
        self.send(&tab, url, deadline).await
    }

    /// Sends the active tab to a URL; returns when the new document is there, not when it is done loading.
    pub async fn goto(&self, url: &str, deadline: Deadline) -> Result<(), SeatError> {
        self.check(url)?;
        let tab = self.active_tab(deadline).await?;
        self.send(&tab, url, deadline).await
    }

    /// Every open tab, in the order they were opened.
    pub async fn tabs(&self, deadline: Deadline) -> Result<Vec<Tab>, SeatError> {
        let open = self.warm.recorder.tabs();
        let active = open.active_id();
        let mut tabs = Vec::new();
        for id in open.ids() {
            let about = json!({ "targetId": id });
            match self.warm.connection.root().call("Target.getTargetInfo", about, deadline).await {
                Ok(TargetDescription { target_info: TargetInfo { title, url } }) => {
                    tabs.push(Tab { active: active.as_ref() == Some(&id), id, url, title });
                }
                // It closed in between.
                Err(CdpError::Refused { .. }) => {}
                Err(error) => return Err(self.explain(error)),
            }
        }
        Ok(tabs)
    }

    /// The tab in front, with the sessions of its out-of-process frames as they are now, between documents never. If
    /// pages closed every tab, a blank one is opened.
    pub async fn active_tab(&self, deadline: Deadline) -> Result<TabHandle, SeatError> {
        self.warm.recorder.catch_up(deadline).await;
        let Some(tab) = self.warm.recorder.tabs().active() else {
            return self.new_tab(deadline).await;
        };
        self.until_attached(&tab, deadline.within(BETWEEN_DOCUMENTS)).await?;
        Ok(tab)
    }

    /// While one document gives way to the next, Chromium refuses most calls for a moment.
    async fn until_attached(&self, tab: &TabHandle, deadline: Deadline) -> Result<(), SeatError> {
        loop {
            match tab.session.run("Page.getNavigationHistory", json!({}), deadline).await {
                Err(CdpError::Closed { method }) => return Err(self.explain(CdpError::Closed { method })),
                Err(CdpError::Refused { message, .. })
                    if message.contains("Not attached to an active page") && !deadline.passed() =>
                {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
                // A crashed or hanging page is still the one in front.
                _ => return Ok(()),
            }
        }
    }

    /// Brings a tab to the front, by its number from 1.
    pub async fn switch_tab(&self, number: u32, deadline: Deadline) -> Result<(), SeatError> {
        let open = self.warm.recorder.tabs();
        let ids = open.ids();
        let at = (number as usize).checked_sub(1);
        let id = at.and_then(|at| ids.get(at)).ok_or(SeatError::NoSuchTab { number, open: ids.len() })?;
        self.bring_to_front(id, deadline).await
    }

    /// Opens a tab in front and sends it to a URL.
    pub async fn open_tab(&self, url: &str, deadline: Deadline) -> Result<(), SeatError> {
        if !is_blank(url) {
            self.check(url)?;
        }
        let limit = self.options.limits.tabs;
        if self.warm.recorder.tabs().len() >= limit {
            return Err(SeatError::TooManyTabs { limit });
        }
        let tab = self.new_tab(deadline).await?;
        if is_blank(url) { Ok(()) } else { self.send(&tab, url, deadline).await }
    }

    /// Closes the tab in front; the one that opened it, or the newest, comes to the front.
    pub async fn close_tab(&self, deadline: Deadline) -> Result<(), SeatError> {
        let open = self.warm.recorder.tabs();
        if open.len() < 2 {
            return Err(SeatError::LastTab);
        }
        let tab = self.active_tab(deadline).await?;
        let root = self.warm.connection.root();
        root.run("Target.closeTarget", json!({ "targetId": tab.id }), deadline)
            .await
            .map_err(|e| self.explain(e))?;
        if !open.gone(&tab.id, deadline).await {
            return Err(SeatError::Cdp(CdpError::Deadline { method: "Target.closeTarget".to_owned() }));
        }
        match open.active_id() {
            Some(next) => self.bring_to_front(&next, deadline).await,
            None => Ok(()),
        }
    }

    pub async fn back(&self, deadline: Deadline) -> Result<(), SeatError> {
        self.step_in_history(-1, "back", deadline).await
    }

    pub async fn forward(&self, deadline: Deadline) -> Result<(), SeatError> {
        self.step_in_history(1, "forward", deadline).await
    }

    /// Loads the page in front again, from the network as far as the page's caching asks for that.
    pub async fn reload(&self, deadline: Deadline) -> Result<(), SeatError> {
        let tab = self.active_tab(deadline).await?;
        let before = tab.activity.counts();
        tab.session.run("Page.reload", json!({}), deadline).await.map_err(|error| self.explain(error))?;
        until_navigated(&tab, before, deadline).await.map_err(|error| self.explain(error))?;
        self.until_attached(&tab, deadline.within(BETWEEN_DOCUMENTS)).await
    }

    async fn step_in_history(&self, by: i64, way: &'static str, deadline: Deadline) -> Result<(), SeatError> {
        let tab = self.active_tab(deadline).await?;
        let history: History = tab
            .session
            .call("Page.getNavigationHistory", json!({}), deadline)
            .await
            .map_err(|error| self.explain(error))?;
        let wanted = usize::try_from(history.current_index + by).ok();
        // The blank page a seat starts with is not a place an agent came from.
        let entry = wanted.filter(|&at| at > 0).and_then(|at| history.entries.get(at));
        let entry = entry.ok_or(SeatError::NoHistory(way))?;
        let before = tab.activity.counts();
        let go = json!({ "entryId": entry.id });
        tab.session
            .run("Page.navigateToHistoryEntry", go, deadline)
            .await
            .map_err(|error| self.explain(error))?;
        let patience = deadline.within(HISTORY_STEP);
        until_navigated(&tab, before, patience).await.map_err(|error| self.explain(error))?;
        self.until_attached(&tab, deadline.within(BETWEEN_DOCUMENTS)).await
    }

    fn check(&self, url: &str) -> Result<(), SeatError> {
        check_url(url, &self.network).map_err(|objection| {
            self.options.evidence.event(EventBody::Gate {
                request: format!("goto {url}"),
                decision: "refused".to_owned(),
                reason: objection.reason.clone(),
                suspicious: objection.suspicious,
            });
            SeatError::Refused { url: url.to_owned(), reason: objection.reason }
        })
    }

    pub(super) async fn send(&self, tab: &TabHandle, url: &str, deadline: Deadline) -> Result<(), SeatError> {
        let before = tab.activity.counts();
        let answer = tab.session.call("Page.navigate", json!({ "url": url }), deadline).await;
        let shown = match answer {
            Ok(Navigated { is_download: true, .. }) => return Ok(()),
            // Chromium answers when the response is there; its document comes a moment later.
            Ok(Navigated { error_text, .. }) if error_text == ABORTED => Ok(error_text),
            Ok(Navigated { error_text, .. }) => {
                until_navigated(tab, before, deadline).await.map(|()| error_text)
            }
            Err(error) => Err(error),
        };
        match shown {
            Ok(error_text) if error_text.is_empty() => {
                self.until_attached(tab, deadline.within(BETWEEN_DOCUMENTS)).await
            }
            Ok(reason) => Err(SeatError::Navigation { url: url.to_owned(), reason }),
            Err(error) => {
                // A page that never answers must not keep the tab busy for the rest of the attempt.
                tab.session.post("Page.stopLoading", json!({}));
                Err(self.explain(error))
            }
        }
    }

    async fn new_tab(&self, deadline: Deadline) -> Result<TabHandle, SeatError> {
        let blank = json!({ "url": "about:blank", "browserContextId": self.warm.context });
        let root = self.warm.connection.root();
        let NewTarget { target_id } =
            root.call("Target.createTarget", blank, deadline).await.map_err(|error| self.explain(error))?;
        let open = self.warm.recorder.tabs();
        let tab = open.ready(&target_id, deadline).await.ok_or(SeatError::TabMissing)?;
        open.activate(&target_id);
        Ok(tab)
    }

    async fn bring_to_front(&self, id: &str, deadline: Deadline) -> Result<(), SeatError> {
        let root = self.warm.connection.root();
        root.run("Target.activateTarget", json!({ "targetId": id }), deadline)
            .await
            .map_err(|error| self.explain(error))?;
        self.warm.recorder.tabs().activate(id);
        Ok(())
    }

    /// A closed connection means that the browser died, and its last words say why.
    fn explain(&self, error: CdpError) -> SeatError {
        match error {
            CdpError::Closed { .. } => {
                SeatError::BrowserGone { last_words: self.warm.home.browser().last_words() }
            }
            other => SeatError::Cdp(other),
        }
    }
}

/// Waits for the next document, or place in it, to be shown in a tab.
async fn until_navigated(tab: &TabHandle, before: Counts, deadline: Deadline) -> Result<(), CdpError> {
    let navigated = async {
        loop {
            let changed = tab.activity.changed();
            let counts = tab.activity.counts();
            let crashed = counts.crashed && !before.crashed;
            if counts.navigations != before.navigations || counts.closed || crashed {
                return;
            }
            changed.await;
        }
    };
    tokio::time::timeout_at(deadline.at().into(), navigated)
        .await
        .map_err(|_| CdpError::Deadline { method: "showing the page".to_owned() })
}
