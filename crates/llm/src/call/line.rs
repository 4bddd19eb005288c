//! The line to one model: its provider's address, how many may talk at a time, when to hang up and when to ring again.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::header::HeaderMap;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tracing::Instrument as _;
use umpire_model::{Deadline, Redactor};
use url::Url;

use super::backoff::pause;
use super::breaker::{Breaker, Open};
use super::endpoint::Endpoint;
use super::fault::{CallError, Fault};
use super::http::{HttpClient, Live, content_type};
use crate::spec::ModelSpec;
use crate::wire::{Answer, StreamReader, WireFormat, read_embeddings};

/// A provider that has been silent for so long may hang, even if the attempt's clock did not let it finish.
const HANG: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(crate) struct Line {
    endpoint: Endpoint,
    /// What the provider calls the model.
    model: String,
    /// Some providers repeat a key they do not like.
    redactor: Redactor,
    client: HttpClient,
    limit: Duration,
    tries: u32,
    slots: Arc<Semaphore>,
    breaker: Breaker,
}

/// What is asked of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Reply {
        format: WireFormat,
        streams: bool,
    },
    /// In OpenAI's format.
    Embeddings,
}

impl Wanted {
    pub(crate) fn name(self) -> String {
        match self {
            Self::Reply { format, streams: false } => format.name().to_owned(),
            Self::Reply { format, streams: true } => format!("{} in pieces", format.name()),
            Self::Embeddings => "embeddings".to_owned(),
        }
    }
}

/// A request ready to go.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// An answer that came in whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Delivered {
    pub(crate) content_type: String,
    pub(crate) body: Bytes,
    pub(crate) answer: Answer,
}

/// A call's outcome with the number of requests it took.
pub(crate) struct Tried<T> {
    pub(crate) outcome: Result<T, CallError>,
    pub(crate) tries: u32,
    /// Its place among the concurrent calls, to be kept until the answer is read.
    pub(crate) slot: Option<OwnedSemaphorePermit>,
}

impl Line {
    pub(crate) fn new(spec: &ModelSpec, endpoint: Endpoint, client: HttpClient) -> Self {
        Self {
            redactor: Redactor::new(endpoint.secrets()),
            endpoint,
            model: spec.model.clone(),
            client,
            limit: spec.timeout(),
            tries: spec.tries(),
            slots: Arc::new(Semaphore::new(spec.concurrency())),
            breaker: Breaker::new(spec.breaker_calls(), spec.breaker_pause()),
        }
    }

    /// `headers` are the client's own, for a request that is passed on.
    pub(crate) fn outgoing(&self, wanted: Wanted, headers: &HeaderMap, body: &Value) -> Outgoing {
        let mut all = self.endpoint.headers();
        for (name, value) in headers {
            all.insert(name.clone(), value.clone());
        }
        let url = match wanted {
            Wanted::Reply { format, streams } => self.endpoint.url(format, streams),
            Wanted::Embeddings => self.endpoint.embeddings(),
        };
        Outgoing { url, headers: all, body: Bytes::from(body.to_string()) }
    }

    /// A whole answer that can be read; whatever cannot is tried again.
    pub(crate) async fn whole(
        &self,
        wanted: Wanted,
        outgoing: &Outgoing,
        deadline: Deadline,
    ) -> Tried<Delivered> {
        self.call(deadline, || async {
            let live = self.send(outgoing).await?;
            let content_type = content_type(&live.headers).to_owned();
            let body = live.whole().await?;
            let answer = read_answer(wanted, &body)?;
            Ok(Delivered { content_type, body, answer })
        })
        .await
    }

    /// An answer that has begun, to be passed on as it comes. What happens to it later is not tried again: its
    /// beginning has been seen.
    pub(crate) async fn live(&self, outgoing: &Outgoing, deadline: Deadline) -> Tried<Live> {
        self.call(deadline, || self.send(outgoing)).await
    }

    async fn send(&self, outgoing: &Outgoing) -> Result<Live, Fault> {
        let sent = self.client.post(&outgoing.url, outgoing.headers.clone(), outgoing.body.clone()).await;
        sent.map_err(|fault| fault.redacted(&self.redactor))
    }

    async fn call<T, F>(&self, deadline: Deadline, attempt: impl Fn() -> F) -> Tried<T>
    where
        F: Future<Output = Result<T, Fault>>,
    {
        let failed = |error| Tried { outcome: Err(error), tries: 0, slot: None };
        let Ok(Ok(slot)) = timeout(deadline.left(), Arc::clone(&self.slots).acquire_owned()).await else {
            return failed(CallError::Deadline);
        };
        let admission = match self.breaker.admit() {
            Ok(admission) => admission,
            Err(Open(left)) => {
                let why = "it failed too often in a row and is left alone";
                return failed(CallError::Unavailable(format!("{why} for {} s", left.as_secs().max(1))));
            }
        };
        let span = tracing::info_span!("model", model = self.model, tries = tracing::field::Empty);
        let began = tokio::time::Instant::now();
        let (outcome, tries) = self.retry(deadline, attempt).instrument(span.clone()).await;
        span.record("tries", tries);
        match &outcome {
            Ok(_) | Err(CallError::Rejected(_) | CallError::TooLong(_)) => admission.answered(),
            // The attempt's clock, not the provider's fault.
            Err(CallError::Deadline) if began.elapsed() < HANG => {}
            Err(CallError::Unavailable(_) | CallError::Deadline) => {
                if admission.failed() {
                    tracing::warn!(model = self.model, "the provider fails too often and is left alone");
                }
            }
        }
        Tried { outcome, tries, slot: Some(slot) }
    }

    async fn retry<T, F>(&self, deadline: Deadline, attempt: impl Fn() -> F) -> (Result<T, CallError>, u32)
    where
        F: Future<Output = Result<T, Fault>>,
    {
        let mut tries = 0;
        loop {
            tries += 1;
            let limit = self.limit.min(deadline.left());
            let began = Instant::now();
            let (why, wait) = match timeout(limit, attempt()).await {
                Ok(Ok(answer)) => return (Ok(answer), tries),
                Ok(Err(Fault::Rejected(rejection))) => return (Err(CallError::Rejected(rejection)), tries),
                Ok(Err(Fault::TooLong(rejection))) => return (Err(CallError::TooLong(rejection)), tries),
                Ok(Err(Fault::Passing { why, wait })) => (why, wait),
                Err(_) if limit < self.limit => return (Err(CallError::Deadline), tries),
                Err(_) => {
                    (format!("no answer within {} s", began.elapsed().as_secs().max(limit.as_secs())), None)
                }
            };
            let gave_up = |reason: String| (Err(CallError::Unavailable(reason)), tries);
            if tries >= self.tries {
                return gave_up(format!("{why} (after {tries} tries)"));
            }
            let pause = pause(tries, wait, fastrand::f64());
            if pause >= deadline.left() {
                let waits = pause.as_secs().max(1);
                return gave_up(format!(
                    "{why} (the next try would be in {waits} s, after the attempt's time)"
                ));
            }
            // What the provider said may quote what it was asked; it is in the attempt's record.
            tracing::warn!(
                model = self.model,
                tries,
                pause_seconds = pause.as_secs_f64(),
                "model call tried again"
            );
            tokio::time::sleep(pause).await;
        }
    }
}

/// Reads an answer that came whole, be it in pieces. Some servers answer whole although they were asked for pieces.
pub(crate) fn read_answer(wanted: Wanted, body: &[u8]) -> Result<Answer, Fault> {
    let is_object = body.trim_ascii_start().starts_with(b"{");
    if let Wanted::Reply { format, streams: true } = wanted
        && !is_object
    {
        let mut reader = StreamReader::new(format);
        reader.push(body)?;
        return Ok(reader.finish()?);
    }
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| Fault::passing(format!("the answer is no JSON: {error}")))?;
    Ok(match wanted {
        Wanted::Reply { format, .. } => format.read_answer(&value)?,
        Wanted::Embeddings => read_embeddings(&value)?,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::call::fault::Rejection;
    use crate::spec::Provider;

    fn line(tries: u32) -> Line {
        line_of(tries, 10)
    }

    fn line_of(tries: u32, timeout_seconds: u64) -> Line {
        let spec = ModelSpec {
            tries: Some(tries),
            timeout_seconds: Some(timeout_seconds),
            breaker_calls: Some(2),
            ..ModelSpec::new(Provider::OpenAi, "m")
        };
        let base = Url::parse("http://127.0.0.1:9").expect("a URL");
        let endpoint = Endpoint::new(&spec, base, None, &[]).expect("sendable");
        Line::new(&spec, endpoint, HttpClient::new())
    }

    fn hour() -> Deadline {
        Deadline::after(Duration::from_hours(1))
    }

    /// Faults in order, then success.
    async fn through(line: &Line, deadline: Deadline, faults: &[Fault]) -> (Tried<u32>, Duration) {
        let count = AtomicU32::new(0);
        let began = tokio::time::Instant::now();
        let tried = line
            .call(deadline, || {
                let number = count.fetch_add(1, Ordering::Relaxed);
                let outcome = faults.get(number as usize).cloned().map_or(Ok(number), Err);
                async move { outcome }
            })
            .await;
        (tried, began.elapsed())
    }

    fn waiting(seconds: u64) -> Fault {
        Fault::Passing { why: "busy".into(), wait: Some(Duration::from_secs(seconds)) }
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_the_provider_asks_for_is_kept() {
        let (tried, took) = through(&line(4), hour(), &[waiting(30), waiting(45)]).await;
        assert_eq!((tried.outcome, tried.tries), (Ok(2), 3));
        assert!(took >= Duration::from_secs(75) && took < Duration::from_secs(77), "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_sleeps_past_the_deadline() {
        let deadline = Deadline::after(Duration::from_secs(20));
        let (tried, took) = through(&line(4), deadline, &[waiting(60)]).await;
        assert!(
            matches!(tried.outcome, Err(CallError::Unavailable(why)) if why.contains("after the attempt's time"))
        );
        assert_eq!((tried.tries, took), (1, Duration::ZERO));
    }

    #[tokio::test(start_paused = true)]
    async fn what_will_not_change_is_not_asked_twice() {
        let rejection = Rejection { status: 401, body: Bytes::new(), why: "no".into() };
        let (tried, took) = through(&line(4), hour(), &[Fault::Rejected(rejection.clone())]).await;
        assert_eq!(
            (tried.outcome, tried.tries, took),
            (Err(CallError::Rejected(rejection)), 1, Duration::ZERO)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_dead_provider_is_left_alone_after_a_few_calls() {
        let line = line(2);
        let dead = vec![Fault::passing("connection refused"); 100];
        for _ in 0..2 {
            let (tried, _) = through(&line, hour(), &dead).await;
            assert_eq!(tried.tries, 2);
            assert!(matches!(tried.outcome, Err(CallError::Unavailable(_))));
        }
        let (tried, took) = through(&line, hour(), &dead).await;
        assert!(matches!(&tried.outcome, Err(CallError::Unavailable(why)) if why.contains("left alone")));
        assert_eq!((tried.tries, took), (0, Duration::ZERO), "without a single request");
        tokio::time::advance(Duration::from_secs(31)).await;
        let (tried, _) = through(&line, hour(), &[]).await;
        assert_eq!(tried.outcome, Ok(0), "and tried again after the pause");
    }

    #[tokio::test(start_paused = true)]
    async fn a_provider_that_hangs_is_given_its_time_and_no_more() {
        let line = line(2);
        let began = tokio::time::Instant::now();
        let tried = line.call(hour(), std::future::pending::<Result<(), Fault>>).await;
        assert!(
            matches!(&tried.outcome, Err(CallError::Unavailable(why)) if why.starts_with("no answer within 10 s"))
        );
        assert_eq!(tried.tries, 2);
        assert!(began.elapsed() >= Duration::from_secs(20) && began.elapsed() < Duration::from_secs(22));
        let short = Deadline::after(Duration::from_secs(3));
        let tried = line.call(short, std::future::pending::<Result<(), Fault>>).await;
        assert_eq!((tried.outcome, tried.tries), (Err(CallError::Deadline), 1), "the attempt's own clock");
    }

    #[tokio::test(start_paused = true)]
    async fn a_provider_that_hangs_until_attempts_are_over_is_left_alone_too() {
        for (seconds, is_left_alone) in [(29, false), (31, true)] {
            let line = line_of(4, 120);
            for _ in 0..2 {
                let deadline = Deadline::after(Duration::from_secs(seconds));
                let tried = line.call(deadline, std::future::pending::<Result<(), Fault>>).await;
                assert_eq!(tried.outcome, Err(CallError::Deadline), "{seconds} s");
            }
            let (tried, _) = through(&line, hour(), &[]).await;
            assert_eq!(tried.outcome.is_err(), is_left_alone, "after {seconds} s of silence");
        }
    }
}
