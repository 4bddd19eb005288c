//! A seat with its task in front of it: what both kinds of agents need from the harness.

use std::sync::Arc;
use std::time::{Duration, Instant};

use umpire_browser::observe::capture;
use umpire_browser::settle::settle;
use umpire_browser::{Observation, Seat};
use umpire_model::{Deadline, EventBody, Evidence as _, Media, Observed, TaskBrief};
use umpire_store::JournalWriter;

use crate::attempt::Closing;

/// The parts of a step have limits of their own inside the attempt's: a page that hangs costs a step, not the attempt.
pub(crate) const SEAT_LIMIT: Duration = Duration::from_mins(1);
const LOAD_LIMIT: Duration = Duration::from_secs(30);
/// A look that got lost, behind a dialog or between two documents, is asked for again.
const LOOK_LIMIT: Duration = Duration::from_secs(10);
const LOOKS: u32 = 3;
const SETTLE_LIMIT: Duration = Duration::from_secs(5);
const CLOSE_LIMIT: Duration = Duration::from_secs(10);

pub(crate) struct Scene {
    pub seat: Seat,
    pub task: TaskBrief,
    pub journal: Arc<JournalWriter>,
}

impl Scene {
    /// Shows the start pages, the first one in front. The attempt's clock does not run yet.
    pub async fn open(&self) -> Result<(), Closing> {
        let deadline = Deadline::after(SEAT_LIMIT);
        for (index, url) in self.task.start_urls.iter().enumerate() {
            let opened = match index {
                0 => self.seat.open(url, deadline.within(LOAD_LIMIT)).await,
                _ => self.seat.open_tab(url, deadline.within(LOAD_LIMIT)).await,
            };
            opened.map_err(|error| Closing::infra(format!("the start page: {error}")))?;
            self.settle(deadline).await?;
        }
        if self.task.start_urls.len() > 1 {
            self.seat.switch_tab(1, deadline).await?;
        }
        Ok(())
    }

    /// Looks at the page in front and writes what is seen.
    pub async fn look(&self, step: u32, clock: Deadline) -> Result<Observation, Closing> {
        let started = Instant::now();
        let mut dialogs = self.seat.take_dialogs();
        let mut looks = 1;
        let seen = loop {
            match self.capture(&dialogs, clock.within(LOOK_LIMIT)).await {
                Ok(seen) => break seen,
                Err(closing) if looks == LOOKS || self.seat.is_gone() || clock.passed() => {
                    return Err(closing);
                }
                Err(_) => looks += 1,
            }
            dialogs.extend(self.seat.take_dialogs());
        };
        self.journal.event(EventBody::Observed(Observed {
            step,
            url: seen.url.clone(),
            title: seen.title.clone(),
            tabs: seen.tabs.clone(),
            screenshot: self.journal.blob(&seen.screenshot, Media::Jpeg),
            outline: self.journal.blob(seen.outline.as_bytes(), Media::Text),
            elements: seen.elements.len() as u32,
            took_ms: started.elapsed().as_millis() as u64,
        }));
        Ok(seen)
    }

    async fn capture(&self, dialogs: &[String], deadline: Deadline) -> Result<Observation, Closing> {
        let tab = self.seat.active_tab(deadline).await?;
        if tab.activity.counts().crashed {
            return Err(Closing::infra("the page crashed"));
        }
        let looked = capture(&tab, Vec::new(), dialogs.to_vec(), self.seat.viewport(), deadline);
        let (seen, tabs) = tokio::join!(looked, self.seat.tabs(deadline));
        let seen = seen.map_err(|error| Closing::infra(format!("the page cannot be observed: {error}")))?;
        Ok(Observation { tabs: tabs?, ..seen })
    }

    /// Lets the page in front come to rest, for a while.
    pub async fn settle(&self, clock: Deadline) -> Result<(), Closing> {
        let tab = self.seat.active_tab(clock.within(LOOK_LIMIT)).await?;
        settle(&tab, clock.within(SETTLE_LIMIT)).await;
        Ok(())
    }

    pub fn clock(&self) -> Deadline {
        Deadline::after(Duration::from_secs(self.task.limits.seconds))
    }

    pub fn time_is_over(&self) -> Closing {
        Closing::new(umpire_model::End::Time, format!("{} seconds are over", self.task.limits.seconds))
    }

    pub fn actions_are_used_up(&self) -> Closing {
        let detail = format!("{} counted actions are used up", self.task.limits.actions);
        Closing::new(umpire_model::End::Actions, detail)
    }

    pub async fn close(self) {
        self.seat.close(Deadline::after(CLOSE_LIMIT)).await;
    }
}
