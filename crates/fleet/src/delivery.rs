//! What a worker does with one message, from the moment it has it until it may be forgotten.

use std::sync::Arc;
use std::time::Duration;

use umpire_model::{Deadline, Outcome};

use crate::index::Beginning;
use crate::kept::{Kept, record_in};
use crate::patience::jittered;
use crate::pulse::{Grip, Pulse, Stop};
use crate::scratch::Place;
use crate::shipment::Shipped;
use crate::{Begun, Delivered, Ended, Fleet, FleetError, Job, Roster, Scratch, Verdicted};

/// For words that are kind but not necessary.
pub(crate) const COURTESY: Duration = Duration::from_secs(3);

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dealt {
    /// The attempt was carried out here, and this is what came of it.
    Ended(Outcome),
    /// Nothing was to be done, or not here and now.
    Passed,
    /// The attempt has ended here and could not be handed in, for this reason if it is not that the worker leaves; it stays
    /// until it can be.
    Kept(Option<String>),
    /// This worker could not do it.
    Failed(String),
}

/// One message in the hand of a worker.
pub(crate) struct Delivery {
    pub(crate) fleet: Fleet,
    pub(crate) pulse: Arc<Pulse>,
    pub(crate) job: Arc<dyn Job>,
    pub(crate) shipped: Arc<Shipped>,
    pub(crate) scratch: Arc<Scratch>,
}

impl Delivery {
    pub(crate) async fn deal_with(&self, delivered: Delivered) -> Dealt {
        let mut grip = self.pulse.grip(&delivered);
        let place = self.scratch.place(grip.ticket);
        let dealt = self.with_keys(&delivered, &mut grip, &place).await;
        if !matches!(dealt, Ok(Dealt::Kept(_))) {
            place.clear().await;
        }
        dealt.unwrap_or_else(Dealt::Failed)
    }

    async fn with_keys(
        &self,
        delivered: &Delivered,
        grip: &mut Grip,
        place: &Place,
    ) -> Result<Dealt, String> {
        let (index, keys) = (&self.fleet.index, &delivered.assignment.keys);
        if keys.is_empty() {
            return self.begin(delivered, grip, place).await;
        }
        let (ticket, patience) = (grip.ticket, Deadline::after(self.fleet.timing.lease));
        let held = tokio::select! {
            held = index.hold(keys, ticket, &self.pulse.worker, patience) => held.map_err(|error| error.to_string())?,
            why = grip.lost() => return Ok(self.stopped(delivered, ticket, why).await),
        };
        if !held {
            delivered.give_back(jittered(self.fleet.timing.busy)).await;
            return Ok(Dealt::Passed);
        }
        let dealt = self.begin(delivered, grip, place).await;
        // Should this not get through, the hold ends with its lease.
        let _ = index.let_go(ticket, Deadline::after(COURTESY)).await;
        dealt
    }

    async fn begin(&self, delivered: &Delivered, grip: &mut Grip, place: &Place) -> Result<Dealt, String> {
        let (assignment, ticket) = (&delivered.assignment, grip.ticket);
        let beginning = Beginning {
            run: assignment.run.clone(),
            attempt: assignment.attempt.clone(),
            ticket,
            worker: self.pulse.worker.clone(),
            name: self.pulse.name.clone(),
            beside_others: assignment.copy > 0 && assignment.repeatable,
        };
        let begun = tokio::select! {
            begun = self.fleet.index.begin(beginning) => begun.map_err(|error| error.to_string())?,
            why = grip.lost() => return Ok(self.stopped(delivered, ticket, why).await),
        };
        match begun {
            Begun::Yes => self.attempt(delivered, grip, place).await,
            Begun::Ended | Begun::Closed => {
                delivered.done().await;
                Ok(Dealt::Passed)
            }
            Begun::InHand => {
                delivered.give_back(self.fleet.timing.lease).await;
                Ok(Dealt::Passed)
            }
            Begun::ForOthers => {
                delivered.give_back(jittered(self.fleet.timing.busy)).await;
                Ok(Dealt::Passed)
            }
            Begun::GivenUp { reason } => self.bury(delivered, grip, place, &reason).await,
        }
    }

    async fn attempt(&self, delivered: &Delivered, grip: &mut Grip, place: &Place) -> Result<Dealt, String> {
        let (attempt, record) = (&delivered.assignment.attempt, record_in(place.folder()));
        let ended = tokio::select! {
            ended = self.job.attempt(attempt, &record) => ended,
            why = grip.lost() => return Ok(self.stopped(delivered, grip.ticket, why).await),
        };
        match ended {
            Ok(ended) => self.close(delivered, grip, self.kept(delivered, grip, place, ended)).await,
            Err(error) => {
                self.failed(delivered, grip.ticket, &error.to_string()).await;
                Err(format!("{attempt}: {error}"))
            }
        }
    }

    /// Somebody else may begin it. Nobody died, so it is not counted as a death.
    async fn stopped(&self, delivered: &Delivered, ticket: i64, why: Stop) -> Dealt {
        if why == Stop::LeaseLost {
            let assignment = &delivered.assignment;
            tracing::warn!(
                run = assignment.run,
                attempt = assignment.attempt,
                "lease lost; attempt given back"
            );
        }
        let telling_index = self.fleet.index.give_back(ticket, Deadline::after(COURTESY));
        let telling_queue = async {
            match why {
                Stop::InVain => delivered.done().await,
                Stop::LeaseLost | Stop::Leaving => delivered.give_back(Duration::ZERO).await,
            }
        };
        let _ = tokio::join!(telling_index, tokio::time::timeout(COURTESY, telling_queue));
        Dealt::Passed
    }

    /// It is tried again after a while, that grows each time; how often, the index counts.
    async fn failed(&self, delivered: &Delivered, ticket: i64, problem: &str) {
        let timing = &self.fleet.timing;
        let noted = self.fleet.index.note_failure(ticket, problem, Deadline::after(COURTESY)).await;
        let pause = noted.map_or(timing.lease, |failures| timing.back_off(failures));
        delivered.give_back(pause).await;
    }

    /// The attempt is not tried again: it ends as `infra`, with the reason, and whoever looks after the fleet gets a letter.
    async fn bury(
        &self,
        delivered: &Delivered,
        grip: &mut Grip,
        place: &Place,
        reason: &str,
    ) -> Result<Dealt, String> {
        let assignment = &delivered.assignment;
        let ticket = grip.ticket;
        let is_planned = is_in(self.job.roster(), &assignment.attempt);
        let given_up = self.job.give_up(&assignment.attempt, reason, &record_in(place.folder())).await;
        if let (Err(error), true) = (&given_up, is_planned) {
            // A machine that can write will do it.
            delivered.give_back(self.fleet.timing.lease).await;
            return Err(format!("{}: {error}", assignment.attempt));
        }
        let sent = tokio::select! {
            sent = self.fleet.queue.bury(assignment, reason, self.fleet.patience()) => sent,
            why = grip.lost() => return Ok(self.stopped(delivered, ticket, why).await),
        };
        sent.map_err(|error| error.to_string())?;
        match given_up {
            Ok(ended) => {
                let kept = self.kept(delivered, grip, place, ended).given_up();
                self.close(delivered, grip, kept).await
            }
            // The run does not wait for it.
            Err(error) => {
                delivered.done().await;
                Err(format!("{}: {error}", assignment.attempt))
            }
        }
    }

    fn kept(&self, delivered: &Delivered, grip: &Grip, place: &Place, ended: Ended) -> Kept {
        let assignment = &delivered.assignment;
        let worker = &self.pulse.worker;
        Kept::new(&assignment.run, &assignment.attempt, grip.ticket, worker, ended, place.folder())
    }

    /// Hands in what has ended, and then acknowledges.
    async fn close(&self, delivered: &Delivered, grip: &mut Grip, kept: Kept) -> Result<Dealt, String> {
        if let Err(error) = kept.write() {
            self.fleet
                .voice
                .say(&format!("{error}; should this worker be killed now, the attempt is made again"));
        }
        let ticket = grip.ticket;
        let called_off = async {
            let why = grip.lost_after_its_end().await;
            if why == Stop::Leaving {
                // With servers that answer it is a matter of moments.
                tokio::time::sleep(COURTESY).await;
            }
            why
        };
        let handed_in = tokio::select! {
            handed_in = kept.hand_in(&self.fleet, &self.shipped) => handed_in,
            why = called_off => match why {
                Stop::InVain => {
                    kept.withdraw(&self.fleet).await;
                    return Ok(self.stopped(delivered, ticket, why).await);
                }
                Stop::LeaseLost | Stop::Leaving => return Ok(Dealt::Kept(None)),
            },
        };
        match handed_in {
            Ok(committed) => {
                delivered.done().await;
                Ok(if committed == Verdicted::First { Dealt::Ended(kept.outcome()) } else { Dealt::Passed })
            }
            Err(error) => {
                // Servers that are away say nothing about the attempt; what they refuse, they refuse again.
                if !matches!(error, FleetError::OutOfPatience { .. }) {
                    self.failed(delivered, ticket, &error.to_string()).await;
                }
                Ok(Dealt::Kept(Some(format!("{}: {error}", kept.attempt))))
            }
        }
    }
}

fn is_in(roster: &dyn Roster, attempt: &str) -> bool {
    (0..roster.len()).any(|place| roster.at(place).attempt == attempt)
}
