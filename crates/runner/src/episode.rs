//! A task that the page itself sets and rewards: begun before the agent's clock, over when the page says so.

use std::sync::{Arc, OnceLock};

use tokio::sync::Mutex;
use tokio::sync::mpsc::UnboundedReceiver;
use umpire_browser::{PageReport, Seat};
use umpire_model::{Deadline, End, EventBody, Evidence as _};
use umpire_store::JournalWriter;
use umpire_worlds::miniwob::{Episode, Report};

use crate::attempt::Closing;

/// An episode under way.
pub(crate) struct EpisodeWatch {
    seconds: u64,
    reports: Mutex<UnboundedReceiver<PageReport>>,
    over: OnceLock<Closing>,
    journal: Arc<JournalWriter>,
}

impl EpisodeWatch {
    /// Begins an episode in the page in front; returns what the page wants done. The agent cannot have touched the page.
    pub async fn begin(
        episode: &Episode,
        seat: &Seat,
        journal: &Arc<JournalWriter>,
        deadline: Deadline,
    ) -> Result<(Self, String), Closing> {
        let prepared = seat.prepare_page(Episode::BEGIN, &episode.argument(), deadline).await;
        let (said, reports) =
            prepared.map_err(|error| Closing::infra(format!("the episode could not begin: {error}")))?;
        let utterance = said.as_str().unwrap_or_default().to_owned();
        journal.event(EventBody::EpisodeBegan(episode.began(utterance.clone())));
        let watch = Self {
            seconds: episode.seconds,
            reports: Mutex::new(reports),
            over: OnceLock::new(),
            journal: Arc::clone(journal),
        };
        Ok((watch, utterance))
    }

    /// How the attempt ends, if the page has said by now that its episode is over.
    pub fn over(&self) -> Option<Closing> {
        // Whoever holds the lock is waiting for the next report and takes it in.
        if let Ok(mut reports) = self.reports.try_lock() {
            while let Ok(report) = reports.try_recv() {
                self.take_in(report);
            }
        }
        self.over.get().cloned()
    }

    /// Waits until the page says that its episode is over.
    pub async fn until_over(&self) -> Closing {
        let mut reports = self.reports.lock().await;
        loop {
            if let Some(closing) = self.over.get() {
                return closing.clone();
            }
            match reports.recv().await {
                Some(report) => self.take_in(report),
                // The recorder is gone; whoever else waits will hear of it.
                None => std::future::pending().await,
            }
        }
    }

    fn take_in(&self, PageReport { text, client_script }: PageReport) {
        if self.over.get().is_some() {
            return;
        }
        let Ok(report) = Report::read(&text) else { return };
        let closing = if report.is_timeout() {
            Closing::new(End::Time, format!("the page gave {} seconds", self.seconds))
        } else {
            Closing::new(End::Over, "")
        };
        self.journal.event(EventBody::Rewarded(report.rewarded(client_script)));
        let _ = self.over.set(closing);
    }
}
