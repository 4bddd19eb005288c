//! A stream passed on as it comes, or told in another format as it comes, and metered while it passes.

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
use crate::call::{Live, Wanted, content_type, read_answer};
use crate::exchange::Ticket;
use crate::reply::Finish;
use crate::serve::{Body, BodyError, response};
use crate::wire::{Answer, SseEvent, SseParser, StreamReader, StreamWriter};

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
    wanted: Wanted,
    shown: Shown,
}

/// How the client is shown what passes.
pub(super) enum Shown {
    AsItComes,
    /// The count, which it did not ask for, is left out.
    Uncounted(SseParser),
    Translated(Box<Translation>),
}

/// Pieces told in the client's format.
pub(super) struct Translation {
    writer: StreamWriter,
    counts: bool,
    has_ended: bool,
}

impl Shown {
    pub(super) fn uncounted(hides_usage: bool) -> Self {
        if hides_usage { Self::Uncounted(SseParser::default()) } else { Self::AsItComes }
    }

    pub(super) fn translated(writer: StreamWriter, counts: bool) -> Self {
        Self::Translated(Box::new(Translation { writer, counts, has_ended: false }))
    }
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
            wanted,
            shown: Shown::AsItComes,
        }
    }

    pub(super) fn response(mut self, shown: Shown) -> Response<Body> {
        self.shown = shown;
        let kind = match self.shown {
            Shown::Translated(_) => "text/event-stream".to_owned(),
            _ => self.content_type.clone(),
        };
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
        loop {
            let Some(chunk) = self.chunk().await? else { return self.ending() };
            self.passed.extend_from_slice(&chunk);
            let heard = self.reader.as_mut().map_or(Ok(Vec::new()), |reader| reader.push(&chunk));
            match &mut self.shown {
                // What the client makes of it is its own business; here it only has to be counted.
                Shown::AsItComes => return Ok(Some(chunk)),
                Shown::Uncounted(parser) => {
                    let events = parser.push(&chunk).map_err(|error| error.to_string())?;
                    return Ok(Some(shown(&events)));
                }
                Shown::Translated(translation) => {
                    let told = heard.and_then(|deltas| {
                        if deltas.is_empty() { Ok(Vec::new()) } else { translation.writer.tell(&deltas) }
                    });
                    let told = told.map_err(|error| error.to_string())?;
                    if !told.is_empty() {
                        return Ok(Some(text_of(&told)));
                    }
                }
            }
        }
    }

    async fn chunk(&mut self) -> Result<Option<Bytes>, String> {
        if matches!(&self.shown, Shown::Translated(translation) if translation.has_ended) {
            return Ok(None);
        }
        let limit = self.limit.min(self.guest.deadline.left());
        match timeout(limit, self.live.chunk()).await {
            Ok(Ok(chunk)) => Ok(chunk),
            Ok(Err(fault)) => Err(fault.to_string()),
            Err(_) => Err(format!("the stream was silent for {} s", limit.as_secs())),
        }
    }

    /// What a translated stream says after its last piece. By then the call is recorded.
    fn ending(&mut self) -> Result<Option<Bytes>, String> {
        if !matches!(&self.shown, Shown::Translated(translation) if !translation.has_ended) {
            return Ok(None);
        }
        let mut answer = self.answer()?;
        self.guest.signatures().keep(&answer);
        self.close(None);
        let Shown::Translated(translation) = &mut self.shown else { return Ok(None) };
        translation.has_ended = true;
        answer.usage = answer.usage.filter(|_| translation.counts);
        Ok(Some(text_of(&translation.writer.end(&answer))))
    }

    /// The whole answer; `Err` if it did not come to its end.
    fn answer(&self) -> Result<Answer, String> {
        let pieces = self.reader.as_ref().map(StreamReader::finish);
        match pieces {
            Some(Ok(answer)) => Ok(answer),
            // Some servers answer whole although they were asked for pieces.
            _ => read_answer(self.wanted, &self.passed).map_err(|fault| fault.to_string()),
        }
    }

    fn close(&mut self, problem: Option<String>) {
        let Some(ticket) = self.ticket.take() else { return };
        let finished = self.answer();
        let is_complete = matches!(&finished, Ok(answer) if answer.finish == Finish::Complete);
        let counted = finished.as_ref().ok().and_then(|answer| answer.usage);
        let usage = counted.or_else(|| self.reader.as_ref().and_then(StreamReader::usage));
        let problem = problem.or_else(|| finished.err());
        if let Some(problem) = problem.as_ref().filter(|problem| *problem != CLIENT_LEFT) {
            let is_late = self.guest.deadline.passed();
            let error = if is_late { AskError::Deadline } else { AskError::Unavailable(problem.clone()) };
            self.guest.note(Some(error));
        }
        let source = CallSource::Provider;
        ticket.close(&self.content_type, &self.passed, usage, is_complete, source, self.tries, problem);
    }
}

fn shown(events: &[SseEvent]) -> Bytes {
    let shown = events.iter().filter(|event| !is_only_a_count(event));
    Bytes::from(shown.map(SseEvent::to_text).collect::<String>())
}

fn text_of(events: &[SseEvent]) -> Bytes {
    Bytes::from(events.iter().map(SseEvent::to_text).collect::<String>())
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
        if self.ticket.is_none() {
            return;
        }
        // Many clients hang up once they have read the last event, which is no leaving.
        let has_ended = self.answer().is_ok();
        self.close((!has_ended).then(|| CLIENT_LEFT.to_owned()));
    }
}
