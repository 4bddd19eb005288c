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
pub(crate) const SEAT_LIMIT: Duration = Duration::from_secs(60);
const LOAD_LIMIT: Duration = Duration::from_secs(30);
const LOOK_LIMIT: Duration = Duration::from_secs(30);
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
        let deadline = clock.within(LOOK_LIMIT);
        let tab = self.seat.active_tab(deadline).await?;
        let tabs = self.seat.tabs(deadline).await?;
        let dialogs = self.seat.take_dialogs();
        let seen = capture(&tab, tabs, dialogs, self.seat.viewport(), deadline)
            .await
            .map_err(|error| Closing::infra(format!("the page cannot be observed: {error}")))?;
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
