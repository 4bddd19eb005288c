//! Who waits for whom: battles wait their turn, visitors get fair shares of it, and nothing waits or runs for ever.
//!
//! The turn goes by start-time fair queueing. The arena has a virtual clock that stands at the ticket of the battle begun
//! last; a visitor's next battle gets the ticket after the visitor's last one, or after the clock if that is later. So
//! somebody with twenty battles waiting is no nearer than somebody with one, and a stream of newcomers cannot hold up
//! whoever came before: their tickets only grow.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{BattleId, Time, VoterId};

/// What a visitor may ask for, and what the machine can bear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QueueLimits {
    /// Battles at a time. Both sides run in parallel, so each takes two browsers.
    pub running: usize,
    pub running_per_visitor: usize,
    pub waiting_per_visitor: usize,
    /// All that may wait.
    pub waiting: usize,
    /// Battles a visitor may ask for within any hour.
    pub per_hour: usize,
    pub wait_at_most_ms: u64,
    pub run_at_most_ms: u64,
}

impl Default for QueueLimits {
    fn default() -> Self {
        Self {
            running: 1,
            running_per_visitor: 1,
            waiting_per_visitor: 3,
            waiting: 200,
            per_hour: 20,
            wait_at_most_ms: Queue::HOUR,
            run_at_most_ms: Queue::HOUR / 4,
        }
    }
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum QueueRefusal {
    #[error("battle {0} is in the queue already")]
    Known(BattleId),
    #[error("you have {0} battles waiting already, which is as many as may wait")]
    WaitingPerVisitor(usize),
    #[error("the queue is full; try again in a while")]
    Full,
    #[error("you have asked for {asked} battles within the hour; the next is possible in {wait_ms} ms")]
    PerHour { asked: usize, wait_ms: u64 },
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum NotInQueue {
    #[error("battle {0} neither waits nor runs")]
    Unknown(BattleId),
    #[error("battle {0} is somebody else's")]
    NotYours(BattleId),
    #[error("battle {0} has not begun")]
    NotRunning(BattleId),
}

/// What the server is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Begin both sides.
    Start(BattleId),
    /// End both sides: what runs is no longer wanted, or has run too long.
    Stop(BattleId, StopReason),
    /// It waited too long and will not begin.
    GiveUp(BattleId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    Cancelled,
    Deadline,
}

/// What somebody who waits is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "place", rename_all = "kebab-case")]
pub enum Position {
    Waiting { ahead: usize, until: Time },
    Running { until: Time },
}

#[derive(Clone, Debug)]
struct Waiting {
    visitor: VoterId,
    ticket: u64,
    arrival: u64,
    since: Time,
}

#[derive(Clone, Debug)]
struct Running {
    visitor: VoterId,
    until: Time,
}

#[derive(Clone, Debug, Default)]
struct Visitor {
    last_ticket: u64,
    /// When battles of the last hour were asked for, oldest first.
    asked: Vec<(Time, BattleId)>,
}

/// All battles that wait or run.
#[derive(Clone, Debug)]
pub struct Queue {
    limits: QueueLimits,
    clock: u64,
    arrivals: u64,
    waiting: BTreeMap<BattleId, Waiting>,
    running: BTreeMap<BattleId, Running>,
    visitors: BTreeMap<VoterId, Visitor>,
}

impl Queue {
    /// How long what was asked for counts, in milliseconds.
    pub const HOUR: u64 = 3_600_000;

    pub fn new(limits: QueueLimits) -> Self {
        Self {
            limits,
            clock: 0,
            arrivals: 0,
            waiting: BTreeMap::new(),
            running: BTreeMap::new(),
            visitors: BTreeMap::new(),
        }
    }

    /// After a restart: battles that waited wait again, in the order in which they were asked for, whatever the limits
    /// say now. All that was asked for within the hour, whatever became of it, counts as before.
    pub fn resumed(
        limits: QueueLimits,
        mut waiting: Vec<(BattleId, VoterId, Time)>,
        mut asked: Vec<(BattleId, VoterId, Time)>,
    ) -> Self {
        waiting.sort_by(|one, other| (one.2, &one.0).cmp(&(other.2, &other.0)));
        asked.sort_by_key(|(_, _, at)| *at);
        let mut queue = Self::new(limits);
        for (battle, visitor, since) in waiting {
            queue.admit(battle, visitor, since);
        }
        for (battle, visitor, at) in asked {
            queue.visitors.entry(visitor).or_default().asked.push((at, battle));
        }
        queue
    }

    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub fn running(&self) -> usize {
        self.running.len()
    }

    pub fn join(&mut self, battle: BattleId, visitor: VoterId, now: Time) -> Result<Position, QueueRefusal> {
        if self.waiting.contains_key(&battle) || self.running.contains_key(&battle) {
            return Err(QueueRefusal::Known(battle));
        }
        let own = self.waiting.values().filter(|waiting| waiting.visitor == visitor).count();
        if own >= self.limits.waiting_per_visitor {
            return Err(QueueRefusal::WaitingPerVisitor(own));
        }
        if self.waiting.len() >= self.limits.waiting {
            return Err(QueueRefusal::Full);
        }
        let asked = self.visitors.get(&visitor).map(|known| known.asked.as_slice()).unwrap_or_default();
        let recent: Vec<Time> =
            asked.iter().map(|(at, _)| *at).filter(|at| now.since(*at) < Self::HOUR).collect();
        if recent.len() >= self.limits.per_hour {
            let oldest = recent.len() - self.limits.per_hour.max(1);
            let wait_ms = recent.get(oldest).map_or(Self::HOUR, |at| Self::HOUR - now.since(*at));
            return Err(QueueRefusal::PerHour { asked: recent.len(), wait_ms });
        }
        self.admit(battle.clone(), visitor.clone(), now);
        self.visitors.entry(visitor).or_default().asked.push((now, battle.clone()));
        Ok(self.place(&battle).unwrap_or(Position::Waiting { ahead: 0, until: now }))
    }

    fn admit(&mut self, battle: BattleId, visitor: VoterId, now: Time) {
        let known = self.visitors.entry(visitor.clone()).or_default();
        let ticket = known.last_ticket.max(self.clock) + 1;
        known.last_ticket = ticket;
        self.arrivals += 1;
        self.waiting.insert(battle, Waiting { visitor, ticket, arrival: self.arrivals, since: now });
    }

    /// Where a battle stands; `None` if it neither waits nor runs.
    pub fn place(&self, battle: &BattleId) -> Option<Position> {
        if let Some(running) = self.running.get(battle) {
            return Some(Position::Running { until: running.until });
        }
        let this = self.waiting.get(battle)?;
        let ahead = self
            .waiting
            .values()
            .filter(|other| (other.ticket, other.arrival) < (this.ticket, this.arrival))
            .count();
        Some(Position::Waiting { ahead, until: this.since.plus(self.limits.wait_at_most_ms) })
    }

    /// Both sides have ended, or were ended.
    pub fn finished(&mut self, battle: &BattleId) -> Result<(), NotInQueue> {
        if self.running.remove(battle).is_some() {
            return Ok(());
        }
        Err(if self.waiting.contains_key(battle) {
            NotInQueue::NotRunning(battle.clone())
        } else {
            NotInQueue::Unknown(battle.clone())
        })
    }

    /// Its visitor no longer wants it. What runs is to be stopped, and keeps its place until [`Queue::finished`]: its
    /// browsers are still there. What waited does not count for the hour.
    pub fn cancel(&mut self, battle: &BattleId, by: &VoterId) -> Result<Option<Order>, NotInQueue> {
        if let Some(running) = self.running.get(battle) {
            return if running.visitor == *by {
                Ok(Some(Order::Stop(battle.clone(), StopReason::Cancelled)))
            } else {
                Err(NotInQueue::NotYours(battle.clone()))
            };
        }
        match self.waiting.get(battle) {
            None => Err(NotInQueue::Unknown(battle.clone())),
            Some(waiting) if waiting.visitor != *by => Err(NotInQueue::NotYours(battle.clone())),
            Some(_) => {
                self.leave(battle);
                if let Some(visitor) = self.visitors.get_mut(by) {
                    visitor.asked.retain(|(_, asked)| asked != battle);
                }
                Ok(None)
            }
        }
    }

    /// Takes a battle out of those that wait; its visitor's later ones move up by one ticket.
    fn leave(&mut self, battle: &BattleId) {
        let Some(gone) = self.waiting.remove(battle) else { return };
        let mut later: Vec<&mut Waiting> = self
            .waiting
            .values_mut()
            .filter(|waiting| waiting.visitor == gone.visitor && waiting.ticket > gone.ticket)
            .collect();
        later.sort_by_key(|waiting| waiting.ticket);
        let mut free = gone.ticket;
        for waiting in later {
            std::mem::swap(&mut waiting.ticket, &mut free);
        }
        if let Some(visitor) = self.visitors.get_mut(&gone.visitor) {
            visitor.last_ticket = free.saturating_sub(1).max(self.clock);
        }
    }

    /// What is to be done now. Call it whenever something changed, and about once a second.
    pub fn tick(&mut self, now: Time) -> Vec<Order> {
        let mut orders = Vec::new();
        let late: Vec<BattleId> = self
            .waiting
            .iter()
            .filter(|(_, waiting)| now.since(waiting.since) >= self.limits.wait_at_most_ms)
            .map(|(battle, _)| battle.clone())
            .collect();
        for battle in late {
            self.leave(&battle);
            orders.push(Order::GiveUp(battle));
        }
        for (battle, running) in &mut self.running {
            if running.until <= now {
                // Said again a little later if the server does not come back with `finished`.
                running.until = now.plus(10_000);
                orders.push(Order::Stop(battle.clone(), StopReason::Deadline));
            }
        }
        while self.running.len() < self.limits.running {
            let Some(battle) = self.next() else { break };
            let Some(waiting) = self.waiting.remove(&battle) else { break };
            self.clock = self.clock.max(waiting.ticket);
            let until = now.plus(self.limits.run_at_most_ms);
            self.running.insert(battle.clone(), Running { visitor: waiting.visitor, until });
            orders.push(Order::Start(battle));
        }
        self.forget_visitors(now);
        orders
    }

    fn next(&self) -> Option<BattleId> {
        let mut running: BTreeMap<&VoterId, usize> = BTreeMap::new();
        for battle in self.running.values() {
            *running.entry(&battle.visitor).or_default() += 1;
        }
        let may = |waiting: &Waiting| {
            running.get(&waiting.visitor).copied().unwrap_or(0) < self.limits.running_per_visitor
        };
        let first = self
            .waiting
            .iter()
            .filter(|(_, waiting)| may(waiting))
            .min_by_key(|(_, waiting)| (waiting.ticket, waiting.arrival));
        first.map(|(battle, _)| battle.clone())
    }

    /// Visitors who asked for nothing within the hour and have nothing here are as good as new.
    fn forget_visitors(&mut self, now: Time) {
        for visitor in self.visitors.values_mut() {
            visitor.asked.retain(|(at, _)| now.since(*at) < Self::HOUR);
        }
        let clock = self.clock;
        self.visitors.retain(|_, visitor| !visitor.asked.is_empty() || visitor.last_ticket > clock);
    }
}
