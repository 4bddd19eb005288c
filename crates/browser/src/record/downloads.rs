//! Downloads: noted when they end, and cancelled when they would fill the disk.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::json;
use umpire_model::EventBody;

use super::protocol::{DownloadProgress, DownloadWillBegin};
use super::{Contexts, Desk, read};
use crate::cdp::{CdpEvent, Session};

/// Downloads of a seat. Chromium reports them on the browser session that asked for them, so each seat has one.
pub(super) struct Downloads {
    session: Session,
    contexts: Arc<Contexts>,
    running: HashMap<String, Running>,
    finished_bytes: u64,
}

struct Running {
    url: String,
    name: String,
    received: u64,
    cancelled: bool,
}

impl Downloads {
    pub fn new(session: Session, contexts: Arc<Contexts>) -> Self {
        Self { session, contexts, running: HashMap::new(), finished_bytes: 0 }
    }

    /// Bytes on the disk, and those a running download has promised.
    fn total(&self, progress: &DownloadProgress) -> u64 {
        let others = self.running.iter().filter(|(guid, _)| **guid != progress.guid);
        let received: u64 = others.map(|(_, running)| running.received).sum();
        self.finished_bytes + received + progress.total_bytes.max(progress.received_bytes).max(0.0) as u64
    }

    fn cancel(&self, guid: &str) {
        // The event does not say in which context; the others do not know the download and ignore it.
        for context in self.contexts.all() {
            self.session.post("Browser.cancelDownload", json!({ "guid": guid, "browserContextId": context }));
        }
    }
}

impl Desk {
    pub(super) fn download_event(&mut self, name: &str, event: &CdpEvent) {
        match name {
            "downloadWillBegin" => {
                if let Some(DownloadWillBegin { guid, url, suggested_filename }) = read(event) {
                    let running = Running { url, name: suggested_filename, received: 0, cancelled: false };
                    self.downloads.running.insert(guid, running);
                }
            }
            "downloadProgress" => {
                if let Some(progress) = read(event) {
                    self.download_progress(&progress);
                }
            }
            _ => {}
        }
    }

    fn download_progress(&mut self, progress: &DownloadProgress) {
        let limit = self.limits().download_bytes;
        let total = self.downloads.total(progress);
        let Some(running) = self.downloads.running.get_mut(&progress.guid) else { return };
        running.received = progress.received_bytes.max(0.0) as u64;
        if progress.state != "inProgress" {
            let Some(running) = self.downloads.running.remove(&progress.guid) else { return };
            self.downloads.finished_bytes += running.received;
            self.write_download(running, &progress.state);
        } else if total > limit && !running.cancelled {
            running.cancelled = true;
            let (url, guid) = (running.url.clone(), progress.guid.as_str());
            self.downloads.cancel(guid);
            let reason = format!("{total} bytes of downloads are more than the limit of {limit}");
            self.flag(&format!("download of {url}"), "refused", reason);
        }
    }

    /// Notes downloads that were still running when the attempt ended.
    pub(super) fn close_downloads(&mut self) {
        for (guid, running) in std::mem::take(&mut self.downloads.running) {
            self.downloads.cancel(&guid);
            self.write_download(running, "unfinished");
        }
    }

    fn write_download(&self, running: Running, state: &str) {
        let Running { url, name, received, .. } = running;
        self.write(EventBody::Download { url, name, bytes: received, state: state.to_owned() });
    }
}
