//! A seat with its task in front of it: what both kinds of agents need from the harness.

use std::sync::Arc;
use std::time::{Duration, Instant};

use umpire_browser::{Observation, Seat};
use umpire_model::{Canary, Deadline, End, EventBody, Evidence as _, Media, Observed, TaskBrief};
use umpire_store::JournalWriter;
use umpire_worlds::miniwob::Episode;

use crate::attempt::Closing;
use crate::episode::EpisodeWatch;

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
    /// Set by [`Scene::open`] where the page itself sets the task.
    pub episode: Option<EpisodeWatch>,
}

/// A page that was waited for, with the look taken on the way if it came to rest. Good for the next look and no later one.
pub(crate) struct Rested(Option<Observation>);

impl Scene {
    /// Shows the start pages, the first one in front, and begins the page's own episode where there is one, which gives
    /// the task its intent. The attempt's clock does not run yet. The first page must bear the signs of the canary.
    pub async fn open(
        &mut self,
        canary: Option<&Canary>,
        episode: Option<&Episode>,
    ) -> Result<Rested, Closing> {
        let deadline = Deadline::after(SEAT_LIMIT);
        let mut rested = Rested(None);
        for (index, url) in self.task.start_urls.iter().enumerate() {
            let opened = match index {
                0 => self.seat.open(url, deadline.within(LOAD_LIMIT)).await,
                _ => self.seat.open_tab(url, deadline.within(LOAD_LIMIT)).await,
            };
            opened.map_err(|error| Closing::infra(format!("the start page: {error}")))?;
            rested = self.settle(deadline).await?;
            if index == 0
                && let Some(canary) = canary
            {
                rested = self.recognised(canary, rested, deadline).await?;
            }
        }
        if self.task.start_urls.len() > 1 {
            self.seat.switch_tab(1, deadline).await?;
            rested = Rested(None);
        }
        if let Some(episode) = episode {
            let (watch, utterance) =
                EpisodeWatch::begin(episode, &self.seat, &self.journal, deadline.within(LOAD_LIMIT)).await?;
            self.task.intent = utterance;
            self.episode = Some(watch);
            rested = self.settle(deadline).await?;
        }
        Ok(rested)
    }

    async fn recognised(
        &self,
        canary: &Canary,
        rested: Rested,
        deadline: Deadline,
    ) -> Result<Rested, Closing> {
        let seen = match rested.0 {
            Some(seen) => seen,
            None => self.observe(deadline).await?,
        };
        match canary.missing(&seen.url, &seen.title, &seen.outline) {
            Some(missing) => {
                Err(Closing::new(End::Invalid, format!("the start page is another one: {missing}")))
            }
            None => Ok(Rested(Some(seen))),
        }
    }

    /// How the attempt ends, if the page has ended it.
    pub fn ended_by_page(&self) -> Option<Closing> {
        self.episode.as_ref().and_then(EpisodeWatch::over)
    }

    /// Waits until the page ends the attempt; for ever, where that is not its to do.
    pub async fn until_ended_by_page(&self) -> Closing {
        match &self.episode {
            Some(episode) => episode.until_over().await,
            None => std::future::pending().await,
        }
    }

    /// Writes what is seen of the page in front.
    pub async fn look(&self, step: u32, rested: Rested, clock: Deadline) -> Result<Observation, Closing> {
        let started = Instant::now();
        let seen = match rested.0 {
            Some(seen) => seen,
            None => self.observe(clock).await?,
        };
        let seen = Observation { dialogs: self.seat.take_dialogs(), ..seen };
        self.journal.event(EventBody::Observed(Observed {
            step,
            url: seen.url.clone(),
            title: seen.title.clone(),
            tabs: seen.tabs.clone(),
            screenshot: Some(self.journal.blob(&seen.screenshot, Media::Jpeg)),
            outline: Some(self.journal.blob(seen.outline.as_bytes(), Media::Text)),
            elements: seen.elements.len() as u32,
            took_ms: started.elapsed().as_millis() as u64,
        }));
        Ok(seen)
    }

    async fn observe(&self, clock: Deadline) -> Result<Observation, Closing> {
        let mut looks = 1;
        loop {
            match self.seat.observe(clock.within(LOOK_LIMIT)).await {
                Ok(seen) => return Ok(seen),
                Err(error) if looks == LOOKS || self.seat.is_gone() || clock.passed() => {
                    return Err(error.into());
                }
                Err(_) => looks += 1,
            }
        }
    }

    /// Lets the page in front come to rest, for a while.
    pub async fn settle(&self, clock: Deadline) -> Result<Rested, Closing> {
        Ok(Rested(self.seat.rest(clock.within(SETTLE_LIMIT)).await?))
    }

    pub fn clock(&self) -> Deadline {
        Deadline::after(Duration::from_secs(self.task.limits.seconds))
    }

    pub fn time_is_over(&self) -> Closing {
        Closing::new(End::Time, format!("{} seconds are over", self.task.limits.seconds))
    }

    pub fn actions_are_used_up(&self) -> Closing {
        let detail = format!("{} counted actions are used up", self.task.limits.actions);
        Closing::new(End::Actions, detail)
    }

    pub async fn close(self) {
        self.seat.close(Deadline::after(CLOSE_LIMIT)).await;
    }
}
