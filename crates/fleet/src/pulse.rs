//! A worker's signs of life: to the queue for every attempt in hand, to the index for itself. What could not be told in
//! time is somebody else's, and the work on it ends here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::Value;
use tokio::sync::{Notify, watch};
use umpire_model::Deadline;

use crate::index::Heartbeat;
use crate::{Delivered, Fleet};

/// Why the work on an attempt ends before the attempt does; of several reasons the last of these counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stop {
    /// Neither queue nor index heard of it in time, or it uses what the index takes for free by now.
    LeaseLost,
    /// It has ended elsewhere, or its run has.
    InVain,
    /// The worker was told to leave at once.
    Leaving,
}

struct Hand {
    delivered: Delivered,
    /// It uses what others wait for.
    is_keyed: bool,
    stop: watch::Sender<Option<Stop>>,
}

impl Hand {
    fn stop(&self, why: Stop) {
        self.stop.send_if_modified(|known| {
            let is_news = *known < Some(why);
            *known = (*known).max(Some(why));
            is_news
        });
    }
}

#[derive(Default)]
struct Hands {
    held: HashMap<i64, Hand>,
    /// Why nothing that is taken from now on is worked on.
    stopped: Option<Stop>,
}

pub(crate) struct Pulse {
    fleet: Fleet,
    pub(crate) worker: String,
    pub(crate) name: String,
    capacity: Value,
    slots: usize,
    hands: Mutex<Hands>,
    note: Mutex<String>,
    /// Runs that it takes from.
    serves: Mutex<Vec<String>>,
    has_news: Notify,
}

/// An attempt in hand, until this is dropped.
pub(crate) struct Grip {
    pulse: Arc<Pulse>,
    pub(crate) ticket: i64,
    stop: watch::Receiver<Option<Stop>>,
}

impl Grip {
    /// Ends when the work has to.
    pub(crate) async fn lost(&mut self) -> Stop {
        self.stopped(|_| true).await
    }

    /// The same for an attempt that has ended: whose lease is lost may still be the first to hand it in.
    pub(crate) async fn lost_after_its_end(&mut self) -> Stop {
        self.stopped(|why| why != Stop::LeaseLost).await
    }

    async fn stopped(&mut self, for_this: impl Fn(Stop) -> bool) -> Stop {
        let why = self.stop.wait_for(|why| why.is_some_and(&for_this)).await.map(|why| *why);
        match why {
            Ok(Some(why)) => why,
            _ => std::future::pending().await,
        }
    }
}

impl Drop for Grip {
    fn drop(&mut self) {
        self.pulse.hands().held.remove(&self.ticket);
    }
}

impl Pulse {
    pub(crate) fn new(fleet: Fleet, name: String, capacity: Value, slots: usize) -> Arc<Self> {
        let worker = format!("{name}-{:012x}", fastrand::u64(..) >> 16);
        let (hands, note, serves) = (Mutex::default(), Mutex::default(), Mutex::default());
        let has_news = Notify::new();
        Arc::new(Self { fleet, worker, name, capacity, slots, hands, note, serves, has_news })
    }

    /// Keeps a delivered assignment, under a ticket of its own.
    pub(crate) fn grip(self: &Arc<Self>, delivered: &Delivered) -> Grip {
        let ticket = fastrand::i64(1..);
        let is_keyed = !delivered.assignment.keys.is_empty();
        let mut hands = self.hands();
        let (stop, stopped) = watch::channel(hands.stopped);
        hands.held.insert(ticket, Hand { delivered: delivered.clone(), is_keyed, stop });
        drop(hands);
        Grip { pulse: Arc::clone(self), ticket, stop: stopped }
    }

    /// What people who look at the fleet should know of this worker.
    pub(crate) fn note(&self, text: &str) {
        text.clone_into(&mut self.note.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The others should know soon who could take what went wrong with them.
    pub(crate) fn serve(&self, runs: Vec<String>) {
        let mut serves = self.serves.lock().unwrap_or_else(PoisonError::into_inner);
        if *serves != runs {
            *serves = runs;
            self.has_news.notify_one();
        }
    }

    /// Ends the work on all that is in hand, and on what comes into it later.
    pub(crate) fn stop_all(&self, why: Stop) {
        let mut hands = self.hands();
        hands.stopped = Some(why);
        for hand in hands.held.values() {
            hand.stop(why);
        }
    }

    /// Beats until it is dropped.
    pub(crate) async fn go_on(&self) {
        let timing = self.fleet.timing;
        let beat = timing.beat();
        let (mut heard_by_queue, mut heard_by_index) = (Instant::now(), Instant::now());
        loop {
            let began = Instant::now();
            let limit = Deadline::after(beat);
            let (queue, index) = tokio::join!(self.tell_queue(limit), self.tell_index(false, limit));
            if queue {
                heard_by_queue = began;
            }
            if index {
                heard_by_index = began;
            }
            // While one of the two hears of an attempt nobody else begins it: the queue does not hand it out, or the index says
            // that it is in hand. What is held is free for others one lease after the index last heard of it, and there a beat
            // earlier is on the safe side: two attempts with one account would spoil each other.
            if heard_by_index.elapsed() >= timing.lease.saturating_sub(beat) {
                let is_lost = heard_by_queue.elapsed() >= timing.lease;
                for hand in self.hands().held.values().filter(|hand| is_lost || hand.is_keyed) {
                    hand.stop(Stop::LeaseLost);
                }
            }
            tokio::select! {
                () = tokio::time::sleep(beat.saturating_sub(began.elapsed())) => {}
                () = self.has_news.notified() => {}
            }
        }
    }

    async fn tell_queue(&self, limit: Deadline) -> bool {
        let deliveries: Vec<Delivered> =
            self.hands().held.values().map(|hand| hand.delivered.clone()).collect();
        let telling = async {
            for one in &deliveries {
                one.still_mine().await;
            }
            // They go one way in one order: if one was heard after all, all were.
            for one in &deliveries {
                if let Some(is_heard) = one.still_mine_for_sure().await {
                    return is_heard;
                }
            }
            true
        };
        tokio::time::timeout_at(limit.at().into(), telling).await.unwrap_or(false)
    }

    async fn tell_index(&self, has_left: bool, limit: Deadline) -> bool {
        let running: Vec<i64> = self.hands().held.keys().copied().collect();
        let note = self.note.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let serves = self.serves.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let beat = Heartbeat {
            worker: &self.worker,
            name: &self.name,
            capacity: &self.capacity,
            slots: self.slots,
            running: &running,
            serves: &serves,
            note: &note,
            has_left,
        };
        match self.fleet.index.beat(&beat, limit).await {
            Ok(in_vain) => {
                let hands = self.hands();
                for hand in in_vain.iter().filter_map(|ticket| hands.held.get(ticket)) {
                    hand.stop(Stop::InVain);
                }
                true
            }
            Err(_) => false,
        }
    }

    /// The first sign of life: nothing is taken before it.
    pub(crate) async fn join(&self, limit: Deadline) -> bool {
        self.tell_index(false, limit).await
    }

    /// The last sign of life.
    pub(crate) async fn leave(&self, limit: Deadline) {
        self.tell_index(true, limit).await;
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.hands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
