use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use umpire_model::{BlobRef, Digest, EventBody, Evidence, Media};
use umpire_store::JournalWriter;

/// Hides what the harness itself does in a seat before the attempt begins: logging in is nothing the agent did, and
/// evidence of it could pass for something it did. That a tab is there is told all the same.
pub(crate) struct Curtain {
    journal: Arc<JournalWriter>,
    is_up: AtomicBool,
}

impl Curtain {
    pub fn down(journal: &Arc<JournalWriter>) -> Arc<Self> {
        Arc::new(Self { journal: Arc::clone(journal), is_up: AtomicBool::new(false) })
    }

    /// From here on everything is evidence.
    pub fn raise(&self) {
        self.is_up.store(true, Ordering::Release);
    }

    fn shows(&self, body: &EventBody) -> bool {
        let is_first_tab =
            matches!(body, EventBody::TabOpened { opener: None, url, .. } if url == "about:blank");
        is_first_tab || self.is_up.load(Ordering::Acquire)
    }
}

impl Evidence for Curtain {
    fn event(&self, body: EventBody) -> u64 {
        if self.shows(&body) { self.journal.event(body) } else { 0 }
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        if self.is_up.load(Ordering::Acquire) {
            return self.journal.blob(content, media);
        }
        BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
    }
}
