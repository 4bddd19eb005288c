//! Sees a run through to its end from the index, wherever the work is done.

use std::collections::HashSet;

use tokio::sync::watch;
use umpire_model::Deadline;

use crate::index::Place;
use crate::{Fleet, FleetError, ResultRow, RunState, StartRow};

/// Rows that are asked for at a time.
const PAGE: usize = 5000;

/// Whoever wants to know.
pub trait Following {
    fn begun(&mut self, _start: &StartRow) {}

    /// Called once for every attempt that ended, before or while this is followed.
    fn ended(&mut self, results: Vec<ResultRow>) -> impl Future<Output = Result<(), FleetError>>;
}

/// How following came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// Every attempt has ended.
    ToTheEnd,
    /// The follower was told to stop; the run goes on.
    Stopped,
    Cancelled,
}

/// Follows a run until it is over or `stop` turns true.
pub async fn follow(
    fleet: &Fleet,
    run: &str,
    mut stop: watch::Receiver<bool>,
    following: &mut impl Following,
) -> Result<Followed, FleetError> {
    let patience = || Deadline::after(fleet.timing.outage);
    let no_such = || FleetError::NoSuchRun(run.to_owned());
    let attempts = fleet.index.find_run(run, patience()).await?.ok_or_else(no_such)?.attempts;
    let mut reader = Reader::default();
    let mut last_start = 0;
    loop {
        for start in fleet.index.starts_since(run, last_start, patience()).await? {
            last_start = start.seq;
            following.begun(&start);
        }
        let results = reader.next(fleet, run, patience()).await?;
        if !results.is_empty() {
            following.ended(results).await?;
        }
        if reader.seen.len() as u64 >= attempts {
            return Ok(Followed::ToTheEnd);
        }
        match fleet.index.find_run(run, patience()).await?.ok_or_else(no_such)?.state {
            RunState::Cancelled => return Ok(Followed::Cancelled),
            // All have ended, so the ones not seen yet are there.
            RunState::Done => reader.look_at_all_again(),
            RunState::Open => {}
        }
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return Ok(Followed::Stopped),
            () = tokio::time::sleep(fleet.timing.poll) => {}
        }
    }
}

/// Reads every result once.
#[derive(Default)]
struct Reader {
    seen: HashSet<String>,
    /// All that was written before is seen.
    from: Place,
}

impl Reader {
    fn look_at_all_again(&mut self) {
        self.from = Place::default();
    }

    async fn next(
        &mut self,
        fleet: &Fleet,
        run: &str,
        deadline: Deadline,
    ) -> Result<Vec<ResultRow>, FleetError> {
        let (mut fresh, mut place, mut settled) = (Vec::new(), self.from, None);
        loop {
            let page = fleet.index.results_after(run, place, PAGE, deadline).await?;
            // What the first look could not see the next round has to look for, whatever later looks saw.
            settled = settled.or(page.settled);
            let is_last = page.rows.len() < PAGE;
            place = page.end.unwrap_or(place);
            fresh.extend(page.rows.into_iter().filter(|row| self.seen.insert(row.attempt.clone())));
            if is_last {
                break;
            }
        }
        self.from = settled.map_or(self.from, Place::of);
        Ok(fresh)
    }
}
