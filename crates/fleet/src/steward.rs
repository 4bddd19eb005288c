//! Looks after one run: publishes what is planned, repeats what is slow at the end, replaces what was lost, and closes it.
//!
//! There is one steward for a run at a time, by a claim in the index that lapses with its holder. Whoever follows the run
//! claims it; when nobody does, a worker. Two at a time, which a broken network can bring about, publish the same twice: the
//! queue knows a plan's message again, and an attempt ends once whatever the queue does.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use umpire_model::Deadline;

use crate::index::{Claim, RunState, UnderWay};
use crate::queue::PUBLISHED_AT_ONCE;
use crate::shipment::discard;
use crate::{Assignment, Fleet, FleetError, Roster};

/// An attempt is slow when it takes so many times what is usual.
const SLOW: u32 = 2;
/// What may be in more than one hand at a time.
const MOST_HANDS: u64 = 2;
/// A long plan says so now and then while it is published.
const CHUNK: usize = 4 * PUBLISHED_AT_ONCE;
const SWEEP_LIMIT: Duration = Duration::from_mins(1);

pub struct Steward {
    fleet: Fleet,
    run: String,
    /// Who looks after it.
    name: String,
}

/// What a steward remembers from one look to the next.
#[derive(Default)]
struct Memory {
    /// The latest copies, by their numbers, and when they were published.
    copies: HashMap<String, (u32, Instant)>,
    /// Copies are numbered from here.
    before_first: u32,
    /// Since when nothing is in the queue or in anybody's hand although attempts are missing.
    idle_since: Option<Instant>,
    places: HashMap<String, usize>,
}

impl Steward {
    pub fn new(fleet: Fleet, run: &str, name: &str) -> Self {
        Self { fleet, run: run.to_owned(), name: name.to_owned() }
    }

    /// Looks after the run until it is over, whenever nobody else does.
    pub async fn tend(&self, roster: &dyn Roster) -> Result<(), FleetError> {
        loop {
            match self.hold_office(roster).await? {
                Claim::Over => return Ok(()),
                _ => tokio::time::sleep(self.fleet.timing.beat()).await,
            }
        }
    }

    /// The same, but leaves it to somebody else who does.
    pub(crate) async fn tend_if_free(&self, roster: &dyn Roster) -> Result<(), FleetError> {
        self.hold_office(roster).await.map(drop)
    }

    /// Gives the duties back, so that the next need not wait until they lapse.
    pub async fn resign(&self, deadline: Deadline) {
        let _ = self.fleet.index.release(&self.run, &self.name, deadline).await;
    }

    async fn hold_office(&self, roster: &dyn Roster) -> Result<Claim, FleetError> {
        let mut memory = Memory::of_new_office();
        let mut pause = Duration::ZERO;
        loop {
            tokio::time::sleep(pause).await;
            let published = match self.fleet.index.claim(&self.run, &self.name, self.fleet.patience()).await?
            {
                Claim::Mine { published } => published as usize,
                Claim::Taken => return Ok(Claim::Taken),
                Claim::Over => {
                    // Cancelled, or closed by one that died before it could clear up.
                    self.fleet.queue.close(&self.run, self.fleet.patience()).await?;
                    return Ok(Claim::Over);
                }
            };
            if published < roster.len() {
                self.publish_from(published, roster).await?;
                pause = Duration::ZERO;
            } else if self.look_after(roster, &mut memory).await? {
                return Ok(Claim::Over);
            } else {
                pause = self.fleet.timing.poll.min(self.fleet.timing.beat());
            }
        }
    }

    async fn publish_from(&self, first: usize, roster: &dyn Roster) -> Result<(), FleetError> {
        let last = (first + CHUNK).min(roster.len());
        let part: Vec<Assignment> = (first..last).map(|place| roster.at(place)).collect();
        self.fleet.queue.publish(&part, self.fleet.patience()).await?;
        self.fleet.index.note_published(&self.run, last as u64, self.fleet.patience()).await
    }

    /// True when the run is over.
    async fn look_after(&self, roster: &dyn Roster, memory: &mut Memory) -> Result<bool, FleetError> {
        let Fleet { queue, index, .. } = &self.fleet;
        let patience = self.fleet.patience();
        let depth = queue.depth(&self.run, patience).await?;
        if depth.waiting > 0 {
            memory.idle_since = None;
            return Ok(false);
        }
        if index.count_results(&self.run, patience).await? >= roster.len() as u64 {
            self.close().await?;
            return Ok(true);
        }
        let under_way = index.under_way(&self.run, patience).await?;
        let is_idle = depth.is_empty() && under_way.is_empty();
        if !is_idle {
            memory.idle_since = None;
            self.repeat_slow(&under_way, roster, memory).await?;
            return Ok(false);
        }
        // Between two steps of a worker an attempt may be in neither place for a moment.
        let since = *memory.idle_since.get_or_insert_with(Instant::now);
        if since.elapsed() >= self.fleet.timing.lease {
            memory.idle_since = None;
            self.replace_lost(roster, memory).await?;
        }
        Ok(false)
    }

    async fn repeat_slow(
        &self,
        under_way: &[UnderWay],
        roster: &dyn Roster,
        memory: &mut Memory,
    ) -> Result<(), FleetError> {
        let Some(usual) = self.fleet.index.usual_ms(&self.run, self.fleet.patience()).await? else {
            return Ok(());
        };
        let slow = (Duration::from_millis(usual) * SLOW).max(self.fleet.timing.straggle);
        let mut copies = Vec::new();
        for one in under_way.iter().filter(|one| one.hands < MOST_HANDS) {
            // A copy that nobody has taken yet is not repeated before it could have become slow itself.
            let is_due = memory.copies.get(&one.attempt).is_none_or(|(_, at)| at.elapsed() > 2 * slow);
            if Duration::from_millis(one.age_ms) > slow && is_due {
                copies.extend(memory.copy(&one.attempt, roster).filter(|copy| copy.repeatable));
            }
        }
        self.fleet.queue.publish(&copies, self.fleet.patience()).await
    }

    /// A queue that lost its disk, or a message that nobody could read: what has not ended is published again.
    async fn replace_lost(&self, roster: &dyn Roster, memory: &mut Memory) -> Result<(), FleetError> {
        let ended: HashSet<String> =
            self.fleet.index.ended_attempts(&self.run, self.fleet.patience()).await?;
        let missing: Vec<String> = (0..roster.len())
            .map(|place| roster.at(place).attempt)
            .filter(|attempt| !ended.contains(attempt))
            .collect();
        if !missing.is_empty() {
            let text = format!(
                "{} attempts of {} were lost in the queue; they are published again",
                missing.len(),
                self.run
            );
            self.fleet.voice.say(&text);
        }
        let again: Vec<Assignment> =
            missing.iter().filter_map(|attempt| memory.copy(attempt, roster)).collect();
        self.fleet.queue.publish(&again, self.fleet.patience()).await
    }

    /// Ends the run and clears up: what the queue still has of it, and what came second.
    async fn close(&self) -> Result<(), FleetError> {
        let Fleet { queue, index, depot, .. } = &self.fleet;
        index.close_run(&self.run, RunState::Done, self.fleet.patience()).await?;
        queue.close(&self.run, self.fleet.patience()).await?;
        let deadline = Deadline::after(SWEEP_LIMIT);
        for ticket in index.late_tickets(&self.run, deadline).await.unwrap_or_default() {
            if discard(depot, &self.run, ticket, deadline).await.is_err() {
                break;
            }
        }
        Ok(())
    }
}

impl Memory {
    /// Whoever had the office before may have published copies a moment ago, and the queue takes two of one number for one
    /// message. So each office has numbers of its own.
    fn of_new_office() -> Self {
        Self { before_first: fastrand::u32(..u32::MAX / 2), ..Self::default() }
    }

    /// The next copy of an attempt's assignment.
    fn copy(&mut self, attempt: &str, roster: &dyn Roster) -> Option<Assignment> {
        if self.places.is_empty() {
            self.places = (0..roster.len()).map(|place| (roster.at(place).attempt, place)).collect();
        }
        let assignment = roster.at(*self.places.get(attempt)?);
        let (number, at) =
            self.copies.entry(attempt.to_owned()).or_insert((self.before_first, Instant::now()));
        *number += 1;
        *at = Instant::now();
        Some(Assignment { copy: *number, ..assignment })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_takes_the_copies_of_no_two_offices_for_one() {
        let assignment = Assignment {
            run: "demo-1".to_owned(),
            attempt: "oracle/shop-1/1".to_owned(),
            keys: Vec::new(),
            repeatable: true,
            copy: 0,
        };
        let roster = vec![assignment.clone()];
        let mut ids = HashSet::from([assignment.message_id()]);
        for mut memory in [Memory::of_new_office(), Memory::of_new_office()] {
            for _ in 0..2 {
                let copy = memory.copy(&assignment.attempt, &roster).expect("it is planned");
                assert!(copy.copy > 0, "whoever gets it knows that somebody may have it in hand");
                assert!(ids.insert(copy.message_id()), "{} was published before", copy.message_id());
            }
        }
    }
}
