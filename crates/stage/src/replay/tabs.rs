//! The session's tabs, by number, and the seat's, by id: opened, followed, left again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use umpire_browser::{Seat, SeatError};
use umpire_model::Deadline;

const RETRY: Duration = Duration::from_millis(50);

#[derive(Default)]
pub(super) struct OpenTabs {
    ids: BTreeMap<u32, String>,
    /// Those whose opening was not needed this time.
    unneeded: BTreeSet<u32>,
}

/// Whether a tab of the session is in front now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InFront {
    Yes,
    /// It was there and has closed by itself.
    Closed,
    /// It never opened.
    Never,
    /// What would have opened it was skipped.
    Unneeded,
}

impl OpenTabs {
    /// The tab in front is the session's first.
    pub async fn begin(seat: &Seat, deadline: Deadline) -> Result<Self, SeatError> {
        let tab = seat.active_tab(deadline).await?;
        Ok(Self { ids: BTreeMap::from([(1, tab.id)]), unneeded: BTreeSet::new() })
    }

    /// Brings a tab of the session to the front. One that is not known yet is the newest that nobody knows.
    pub async fn bring(
        &mut self,
        number: u32,
        seat: &Seat,
        limit: Deadline,
        deadline: Deadline,
    ) -> Result<InFront, SeatError> {
        if self.unneeded.contains(&number) {
            return Ok(InFront::Unneeded);
        }
        if !self.ids.contains_key(&number) && !self.follow(number, seat, limit, deadline).await? {
            return Ok(InFront::Never);
        }
        let open = seat.tabs(deadline).await?;
        let id = self.ids.get(&number);
        match open.iter().position(|tab| Some(&tab.id) == id) {
            None => Ok(InFront::Closed),
            Some(at) if open[at].active => Ok(InFront::Yes),
            Some(at) => {
                seat.switch_tab(at as u32 + 1, deadline).await?;
                Ok(InFront::Yes)
            }
        }
    }

    /// Waits for a tab that the page opens, and calls it by this number.
    pub async fn follow(
        &mut self,
        number: u32,
        seat: &Seat,
        limit: Deadline,
        deadline: Deadline,
    ) -> Result<bool, SeatError> {
        loop {
            let open = seat.tabs(deadline).await?;
            let unknown = open.iter().rev().find(|tab| !self.ids.values().any(|known| *known == tab.id));
            if let Some(tab) = unknown {
                self.ids.insert(number, tab.id.clone());
                return Ok(true);
            }
            if limit.passed() {
                return Ok(false);
            }
            tokio::time::sleep(limit.within(RETRY).left()).await;
        }
    }

    pub fn leave_out(&mut self, number: u32) {
        self.unneeded.insert(number);
    }

    /// The tab in front is called by this number from here on.
    pub async fn call_front(
        &mut self,
        number: u32,
        seat: &Seat,
        deadline: Deadline,
    ) -> Result<(), SeatError> {
        let tab = seat.active_tab(deadline).await?;
        self.ids.insert(number, tab.id);
        Ok(())
    }
}
