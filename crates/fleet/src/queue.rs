//! The queue: which attempts are to be made, and whose they are just now.
//!
//! One stream holds the messages of all runs, and each run has a consumer of its own: so a worker takes from all runs in
//! turn, and a run of a million attempts does not keep one of ten waiting. Deliveries are not limited here. An attempt
//! whose account is in use is given back and comes again, any number of times, which says nothing about the attempt; how
//! often its workers failed or died the index knows.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config as StreamConfig, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, AckKind, Context, Message};
use async_nats::{Client, ConnectOptions, StatusCode};
use futures_util::StreamExt as _;
use umpire_model::Deadline;

use crate::patience::Service;
use crate::{Assignment, FleetError, Timing};

const WORK: &str = "UMPIRE_WORK";
const DEAD: &str = "UMPIRE_DEAD";
/// Long enough to look at on Monday what happened on Friday.
const DEAD_AGE: Duration = Duration::from_hours(30 * 24);
/// A run's consumer goes when nobody has asked it for so long; should it be wanted again, it is made again. One that is
/// removed at once leaves those who wait for its messages without an answer.
const FORGOTTEN: Duration = Duration::from_hours(1);
const REQUEST_LIMIT: Duration = Duration::from_secs(5);
/// More than all workers of a fleet can have in hand or ask for at a time.
const MOST_IN_HAND: i64 = 100_000;
/// A file with NATS credentials; not an argument, since arguments are seen by everybody on the machine.
const CREDENTIALS: &str = "UMPIRE_NATS_CREDENTIALS";
/// Messages that are published before the first of them is confirmed.
pub(crate) const PUBLISHED_AT_ONCE: usize = 500;

#[derive(Clone, Debug)]
pub struct Queue {
    client: Client,
    jetstream: Context,
    timing: Timing,
    service: Service,
    consumers: Arc<Mutex<HashMap<String, PullConsumer>>>,
}

/// What a run still has in the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Nobody has them.
    pub waiting: u64,
    /// Somebody has them, or had them and gave them back for a while.
    pub in_hand: u64,
}

impl Depth {
    pub fn is_empty(&self) -> bool {
        self.waiting == 0 && self.in_hand == 0
    }
}

/// An assignment in a worker's hand.
#[derive(Clone, Debug)]
pub struct Delivered {
    pub assignment: Assignment,
    message: Message,
    /// Whether the last word about it is said. A sign of life that the queue hears after it was given back would keep it from
    /// everybody for a whole lease, so what is said of one message is said in order.
    is_settled: Arc<tokio::sync::Mutex<bool>>,
}

impl Queue {
    pub(crate) async fn connect(
        url: &str,
        name: &str,
        timing: Timing,
        service: Service,
        deadline: Deadline,
    ) -> Result<Self, FleetError> {
        let client =
            service.ask(deadline, || async { options(name)?.connect(url).await.map_err(problem) }).await?;
        let mut jetstream = jetstream::new(client.clone());
        jetstream.set_timeout(REQUEST_LIMIT);
        let queue = Self { client, jetstream, timing, service, consumers: Arc::default() };
        queue.service.ask(deadline, || queue.make_streams()).await?;
        Ok(queue)
    }

    async fn make_streams(&self) -> Result<(), FleetError> {
        let work = StreamConfig {
            name: WORK.to_owned(),
            subjects: vec!["umpire.work.>".to_owned()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            ..StreamConfig::default()
        };
        let dead = StreamConfig {
            name: DEAD.to_owned(),
            subjects: vec!["umpire.dead.>".to_owned()],
            max_age: DEAD_AGE,
            storage: StorageType::File,
            ..StreamConfig::default()
        };
        for stream in [work, dead] {
            self.jetstream.get_or_create_stream(stream).await.map_err(problem)?;
        }
        Ok(())
    }

    /// Publishes these, each once however often this is called within the queue's memory of two minutes. Returns when all
    /// of them are on the queue's disk.
    pub(crate) async fn publish(&self, all: &[Assignment], deadline: Deadline) -> Result<(), FleetError> {
        for part in all.chunks(PUBLISHED_AT_ONCE) {
            self.service.ask(deadline, || self.publish_part(part)).await?;
        }
        Ok(())
    }

    async fn publish_part(&self, part: &[Assignment]) -> Result<(), FleetError> {
        let mut confirmations = Vec::with_capacity(part.len());
        for assignment in part {
            let payload = serde_json::to_vec(assignment).map_err(problem)?;
            let message = PublishMessage::build().payload(payload.into()).message_id(assignment.message_id());
            let sent = self.jetstream.send_publish(work_subject(&assignment.run), message).await;
            confirmations.push(sent.map_err(problem)?);
        }
        for confirmation in confirmations {
            confirmation.await.map_err(problem)?;
        }
        Ok(())
    }

    /// Up to `most` attempts of a run. With `wait` none of them is waited for longer than that, and what is there is given
    /// at once; without, what is not there now is not waited for.
    pub(crate) async fn take(
        &self,
        run: &str,
        most: usize,
        wait: Option<Duration>,
    ) -> Result<Vec<Delivered>, FleetError> {
        let consumer = self.consumer(run).await?;
        let limit = wait.unwrap_or_default() + REQUEST_LIMIT;
        let taking = async {
            let mut taken = self.asked(&consumer, most, None).await?;
            if taken.is_empty()
                && let Some(wait) = wait
            {
                taken = self.asked(&consumer, 1, Some(wait)).await?;
            }
            Ok(taken)
        };
        let taken = tokio::time::timeout(limit, taking).await;
        let taken = taken.unwrap_or_else(|_| Err(FleetError::Queue("no answer".to_owned())));
        self.service.note(taken.as_ref().err());
        if taken.is_err() {
            // It may be gone with the server's disk; asked for again, it is made again.
            self.consumers().remove(run);
        }
        taken
    }

    async fn asked(
        &self,
        consumer: &PullConsumer,
        most: usize,
        wait: Option<Duration>,
    ) -> Result<Vec<Delivered>, FleetError> {
        let batch = match wait {
            // Without an end of its own: with one, the server keeps half a batch back until it is over.
            None => consumer.fetch().max_messages(most).messages().await,
            Some(wait) => consumer.batch().max_messages(most).expires(wait).messages().await,
        };
        let mut messages = batch.map_err(problem)?;
        let mut taken = Vec::new();
        while let Some(message) = messages.next().await {
            let message = match message {
                Ok(message) => message,
                Err(error) if taken.is_empty() => return Err(problem(error)),
                // What was taken before must not be lost with it.
                Err(_) => break,
            };
            match serde_json::from_slice(&message.payload) {
                Ok(assignment) => {
                    taken.push(Delivered { assignment, message, is_settled: Arc::default() });
                }
                // Nobody can read it, so nobody shall get it again.
                Err(_) => drop(message.ack_with(AckKind::Term).await),
            }
        }
        Ok(taken)
    }

    pub async fn depth(&self, run: &str, deadline: Deadline) -> Result<Depth, FleetError> {
        self.service
            .ask(deadline, || async {
                let mut consumer = self.consumer(run).await?;
                let info = consumer.info().await;
                if info.is_err() {
                    self.consumers().remove(run);
                }
                let info = info.map_err(problem)?;
                Ok(Depth { waiting: info.num_pending, in_hand: info.num_ack_pending as u64 })
            })
            .await
    }

    /// Whoever needs a run's consumer makes it: it has no owner.
    async fn consumer(&self, run: &str) -> Result<PullConsumer, FleetError> {
        if let Some(known) = self.consumers().get(run) {
            return Ok(known.clone());
        }
        let name = token(run);
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: work_subject(run),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.timing.lease,
            max_ack_pending: MOST_IN_HAND,
            max_waiting: MOST_IN_HAND,
            inactive_threshold: FORGOTTEN,
            ..pull::Config::default()
        };
        let stream = self.jetstream.get_stream_no_info(WORK).await.map_err(problem)?;
        let consumer = match stream.get_or_create_consumer(&name, config).await {
            Ok(consumer) => consumer,
            Err(error) => {
                // The stream itself may be gone with the server's disk.
                self.make_streams().await?;
                return Err(problem(error));
            }
        };
        self.consumers().insert(run.to_owned(), consumer.clone());
        Ok(consumer)
    }

    /// Removes what a run still has here.
    pub async fn close(&self, run: &str, deadline: Deadline) -> Result<(), FleetError> {
        self.consumers().remove(run);
        self.service
            .ask(deadline, || async {
                let stream = self.jetstream.get_stream(WORK).await.map_err(problem)?;
                stream.purge().filter(work_subject(run)).await.map_err(problem)?;
                Ok(())
            })
            .await
    }

    /// Tells whoever looks after the fleet of an attempt that was given up.
    pub(crate) async fn bury(
        &self,
        assignment: &Assignment,
        reason: &str,
        deadline: Deadline,
    ) -> Result<(), FleetError> {
        let (run, attempt) = (&assignment.run, &assignment.attempt);
        let subject = format!("umpire.dead.{}", token(run));
        let letter = serde_json::json!({ "run": run, "attempt": attempt, "reason": reason }).to_string();
        self.service
            .ask(deadline, || async {
                // By its name the queue knows a letter that is sent again because the first was not confirmed.
                let message = PublishMessage::build()
                    .payload(letter.clone().into())
                    .message_id(format!("{run}/{attempt}/dead"));
                let sent = self.jetstream.send_publish(subject.clone(), message).await;
                sent.map_err(problem)?.await.map_err(problem)?;
                Ok(())
            })
            .await
    }

    /// Gives what was said last the time to leave this process.
    pub(crate) async fn flush(&self) {
        in_time(self.client.flush()).await;
    }

    fn consumers(&self) -> std::sync::MutexGuard<'_, HashMap<String, PullConsumer>> {
        self.consumers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Delivered {
    /// It need not come again. Not confirmed: should it be lost, the attempt comes again and is found to have ended.
    pub(crate) async fn done(&self) {
        self.settle(AckKind::Ack).await;
    }

    /// Somebody else may have it, after a while.
    pub(crate) async fn give_back(&self, after: Duration) {
        self.settle(AckKind::Nak(Some(after))).await;
    }

    async fn settle(&self, word: AckKind) {
        in_time(async {
            let mut is_settled = self.is_settled.lock().await;
            *is_settled = true;
            self.message.ack_with(word).await
        })
        .await;
    }

    /// Says that the attempt is still being worked on, unless it is settled.
    pub(crate) async fn still_mine(&self) {
        in_time(async {
            let is_settled = self.is_settled.lock().await;
            if !*is_settled {
                let _ = self.message.ack_with(AckKind::Progress).await;
            }
        })
        .await;
    }

    /// The same, and whether the queue heard it; nothing if there was nothing to say any more.
    pub(crate) async fn still_mine_for_sure(&self) -> Option<bool> {
        let heard = tokio::time::timeout(REQUEST_LIMIT, self.say_and_listen()).await;
        heard.unwrap_or(Ok(Some(false))).unwrap_or(Some(false))
    }

    async fn say_and_listen(&self) -> Result<Option<bool>, async_nats::Error> {
        let client = self.message.context.client();
        let reply = self.message.reply.clone().ok_or("a message of a stream has a reply")?;
        let inbox = client.new_inbox();
        let mut answers = client.subscribe(inbox.clone()).await?;
        // The answer is not waited for in here: whoever wants to settle the message meanwhile can.
        {
            let is_settled = self.is_settled.lock().await;
            if *is_settled {
                return Ok(None);
            }
            client.publish_with_reply(reply, inbox, AckKind::Progress.into()).await?;
        }
        // The server says so where nobody listens any more.
        let is_heard = |answer: async_nats::Message| answer.status != Some(StatusCode::NO_RESPONDERS);
        Ok(Some(answers.next().await.is_some_and(is_heard)))
    }
}

/// Soon or not at all: while the queue is away, a full buffer would hold whoever speaks for ever. What was not heard, the
/// lease makes good.
async fn in_time<T>(said: impl Future<Output = T>) {
    let _ = tokio::time::timeout(REQUEST_LIMIT, said).await;
}

fn options(name: &str) -> Result<ConnectOptions, FleetError> {
    let options = ConnectOptions::new()
        .name(name)
        .request_timeout(Some(REQUEST_LIMIT))
        .ping_interval(REQUEST_LIMIT)
        .max_reconnects(None)
        .reconnect_delay_callback(|tries| {
            Duration::from_millis(50u64.saturating_mul(1 << tries.min(5))).min(Duration::from_secs(1))
        });
    let Ok(file) = std::env::var(CREDENTIALS) else { return Ok(options) };
    let failed = |source| FleetError::File { path: file.clone().into(), source };
    let text = std::fs::read_to_string(&file).map_err(failed)?;
    options.credentials(&text).map_err(failed)
}

fn problem(error: impl std::fmt::Display) -> FleetError {
    FleetError::Queue(error.to_string())
}

fn work_subject(run: &str) -> String {
    format!("umpire.work.{}", token(run))
}

/// A run's name as one word of a subject and as a name of a consumer: letters, digits and dashes stay, all else is spelt out.
fn token(run: &str) -> String {
    run.bytes().fold(String::new(), |mut word, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => word.push(char::from(byte)),
            other => drop(write!(word, "_{other:02x}")),
        }
        word
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_run_is_one_word() {
        assert_eq!(token("demo-1a2b3c4d"), "demo-1a2b3c4d");
        assert_eq!(token("my suite.v2>*"), "my_20suite_2ev2_3e_2a");
        assert_ne!(token("a_b"), token("a.b"), "two runs never share a queue");
    }
}
