//! The page in front of a seat: waited for, and looked at.

use std::sync::PoisonError;
use std::time::Duration;

use umpire_model::Deadline;

use super::{Seat, SeatError};
use crate::observe::inventory::Inventory;
use crate::observe::{capture, inventory};
use crate::settle::settle_while;
use crate::{Observation, TabHandle};

/// Longest a look during the wait for rest may take; one on the page at rest has the caller's deadline.
const EARLY_LOOK: Duration = Duration::from_secs(2);

impl Seat {
    /// Lets the page in front come to rest. The look that was taken while the rest was made sure of is given back, so that
    /// nobody has to take another; there is none if the page did not rest.
    pub async fn rest(&self, deadline: Deadline) -> Result<Option<Observation>, SeatError> {
        let tab = self.active_tab(deadline).await?;
        let early = deadline.within(EARLY_LOOK);
        let (_, looked) = settle_while(&tab, deadline, || async {
            // Frames in other processes come and go; the tab itself has just answered.
            self.warm.recorder.catch_up(early).await;
            let tab = self.warm.recorder.tabs().handle(&tab.id).ok_or(SeatError::TabMissing)?;
            self.look_at(&tab, early).await
        })
        .await;
        drop(self.starting.lock().unwrap_or_else(PoisonError::into_inner).take());
        let is_in_front = self.warm.recorder.tabs().active_id().as_ref() == Some(&tab.id);
        Ok(looked.and_then(Result::ok).filter(|_| is_in_front))
    }

    /// Looks at the page in front. What dialogs said is not part of it, see [`Seat::take_dialogs`].
    pub async fn observe(&self, deadline: Deadline) -> Result<Observation, SeatError> {
        let tab = self.active_tab(deadline).await?;
        self.look_at(&tab, deadline).await
    }

    /// Lists every element of the page in front.
    pub async fn inventory(&self, deadline: Deadline) -> Result<Inventory, SeatError> {
        let tab = self.active_tab(deadline).await?;
        if tab.activity.counts().crashed {
            return Err(SeatError::PageCrashed);
        }
        Ok(inventory(&tab, self.options.viewport, deadline).await?)
    }

    async fn look_at(&self, tab: &TabHandle, deadline: Deadline) -> Result<Observation, SeatError> {
        if tab.activity.counts().crashed {
            return Err(SeatError::PageCrashed);
        }
        let looked = capture(tab, self.options.viewport, deadline);
        let (seen, tabs) = tokio::join!(looked, self.tabs(deadline));
        Ok(Observation { tabs: tabs?, ..seen? })
    }
}
