//! A stream passed on as it comes, and metered while it passes.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::stream;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::Frame;
use hyper::{Response, StatusCode};
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use umpire_model::CallSource;

use super::guests::Guest;
use crate::ask::AskError;
use crate::call::{Live, Wanted, content_type};
use crate::exchange::Ticket;
use crate::reply::Finish;
use crate::serve::{Body, BodyError, response};
use crate::wire::{SseEvent, SseParser, StreamReader};

const CLIENT_LEFT: &str = "the client left before the stream ended";

/// The stream with everything that has to be settled when it ends, however it ends.
pub(super) struct Relay {
    live: Live,
    /// None once it is settled.
    ticket: Option<Ticket>,
    reader: Option<StreamReader>,
    passed: BytesMut,
    content_type: String,
    tries: u32,
    _slot: Option<OwnedSemaphorePermit>,
    guest: Arc<Guest>,
    /// The longest silence.
    limit: Duration,
    /// Present if the count is hidden from the client.
    events: Option<SseParser>,
}

impl Relay {
    pub(super) fn new(
        live: Live,
        ticket: Ticket,
        wanted: Wanted,
        tries: u32,
        slot: Option<OwnedSemaphorePermit>,
        guest: Arc<Guest>,
        limit: Duration,
    ) -> Self {
        let reader = match wanted {
            Wanted::Reply { format, .. } => Some(StreamReader::new(format)),
            Wanted::Embeddings => None,
        };
        let content_type = content_type(&live.headers).to_owned();
        Self {
            live,
            ticket: Some(ticket),
            reader,
            passed: BytesMut::new(),
            content_type,
            tries,
            _slot: slot,
            guest,
            limit,
            events: None,
        }
    }

    pub(super) fn response(mut self, hides_usage: bool) -> Response<Body> {
        self.events = hides_usage.then(SseParser::default);
        let kind = self.content_type.clone();
        let frames = stream::unfold(Some(self), |relay| async move {
            let mut relay = relay?;
            match relay.next().await {
                Ok(Some(chunk)) => Some((Ok(Frame::data(chunk)), Some(relay))),
                Ok(None) => {
                    relay.close(None);
                    None
                }
                Err(problem) => {
                    relay.close(Some(problem.clone()));
                    Some((Err(BodyError::from(problem)), None))
                }
            }
        });
        response(StatusCode::OK, &kind, StreamBody::new(frames).boxed())
    }

    async fn next(&mut self) -> Result<Option<Bytes>, String> {
        let limit = self.limit.min(self.guest.deadline.left());
        let chunk = match timeout(limit, self.live.chunk()).await {
            Ok(Ok(chunk)) => chunk,
            Ok(Err(fault)) => return Err(fault.to_string()),
            Err(_) => return Err(format!("the stream was silent for {} s", limit.as_secs())),
        };
        let Some(chunk) = chunk else { return Ok(None) };
        self.passed.extend_from_slice(&chunk);
        if let Some(reader) = &mut self.reader {
            // What the client makes of it is its own business; here it only has to be counted.
            let _ = reader.push(&chunk);
        }
        match &mut self.events {
            None => Ok(Some(chunk)),
            Some(parser) => {
                let events = parser.push(&chunk).map_err(|error| error.to_string())?;
                Ok(Some(shown(&events)))
            }
        }
    }

    fn close(&mut self, problem: Option<String>) {
        let Some(ticket) = self.ticket.take() else { return };
        let finished = self.reader.as_ref().map(StreamReader::finish);
        let is_complete = matches!(&finished, Some(Ok(answer)) if answer.finish == Finish::Complete);
        let usage = self.reader.as_ref().and_then(StreamReader::usage);
        let problem = problem.or_else(|| finished.and_then(Result::err).map(|error| error.to_string()));
        if let Some(problem) = problem.as_ref().filter(|problem| *problem != CLIENT_LEFT) {
            self.guest.note(Some(AskError::Unavailable(problem.clone())));
        }
        let source = CallSource::Provider;
        ticket.close(&self.content_type, &self.passed, usage, is_complete, source, self.tries, problem);
    }
}

fn shown(events: &[SseEvent]) -> Bytes {
    let shown = events.iter().filter(|event| !is_only_a_count(event));
    Bytes::from(shown.map(SseEvent::to_text).collect::<String>())
}

/// A whole stream for a client that did not ask for the count.
pub(super) fn without_count(stream: &Bytes) -> Bytes {
    SseParser::default().push(stream).map_or_else(|_| stream.clone(), |events| shown(&events))
}

/// The last piece that a stream asked to count has: no choice, only the usage.
fn is_only_a_count(event: &SseEvent) -> bool {
    let Ok(chunk) = serde_json::from_str::<Value>(&event.data) else { return false };
    chunk["usage"].is_object() && chunk["choices"].as_array().is_some_and(Vec::is_empty)
}

impl Drop for Relay {
    fn drop(&mut self) {
        // Many clients hang up once they have read the last event, which is no leaving.
        let has_ended = self.reader.as_ref().is_some_and(|reader| reader.finish().is_ok());
        self.close((!has_ended).then(|| CLIENT_LEFT.to_owned()));
    }
}
