//! Puts exchanges together from Chromium's events.
//!
//! A request's story arrives in pieces, from several processes and not always in order: the raw headers may come
//! before or after the request they belong to, and a document that moves to another process ends on another session
//! than it began. So pieces are collected by request id alone, over the whole seat. A chain of redirects is one
//! request id; each hop becomes an exchange of its own, ready as soon as its own pieces are there.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use base64::Engine as _;
use umpire_model::{Body, Exchange, ExchangeRequest, ExchangeResponse};

use super::protocol::{
    Headers, LoadingFailed, LoadingFinished, PostDataEntry, RequestWillBeSent, Response, ResponseExtraInfo,
    ResponseReceived,
};

/// How long an ended hop waits for raw headers that were announced but did not come.
const PATIENCE: Duration = Duration::from_secs(1);

/// Who made a request.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// Tab, frame or worker target.
    pub target: String,
    /// The tab it belongs to, if any; its id is its main frame's id too.
    pub tab: Option<String>,
}

#[derive(Default)]
pub(super) struct Flights {
    open: HashMap<String, Flight>,
    seen: u64,
}

#[derive(Default)]
struct Flight {
    hops: Vec<Hop>,
    request_extras: Vec<Headers>,
    response_extras: Vec<(u16, Headers)>,
}

struct Hop {
    exchange: Exchange,
    /// Monotonic seconds of Chromium's clock.
    began: f64,
    /// Whether raw headers belong to this hop; unknown until it has a response.
    has_extra: Option<bool>,
    from_cache: bool,
    decoded_bytes: u64,
    /// Bodies still being fetched.
    fetching: u8,
    /// Set when nothing more is expected but raw headers.
    ended: Option<Instant>,
    /// Ended by us; its own end may still be on its way.
    abandoned: bool,
    written: bool,
}

/// What is to be done about a request that was just seen.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sent {
    /// False for a further hop, or the same request reported twice.
    pub first: bool,
    pub posted: Posted,
}

/// The body of a request; unless there is none, [`Flights::post_data`] must follow.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Posted {
    Nothing,
    Given(Vec<u8>),
    /// Chromium left it out of the event and must be asked.
    LeftOut,
}

/// A response whose body may be worth keeping.
pub(super) struct Arrived<'a> {
    pub resource: &'a str,
    pub method: &'a str,
    pub response: &'a ExchangeResponse,
    pub decoded_bytes: u64,
}

impl Flights {
    /// Requests seen so far, each hop counted.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    pub fn sent(&mut self, event: RequestWillBeSent, origin: &Origin, now: Instant) -> Sent {
        let flight = self.open.entry(event.request_id).or_default();
        let mut first = true;
        if let Some(last) = flight.hops.last_mut() {
            first = false;
            let Some(response) = event.redirect_response else {
                return Sent { first: false, posted: Posted::Nothing };
            };
            last.exchange.response = Some(response_of(&response));
            last.exchange.took_ms = millis(event.timestamp - last.began);
            last.has_extra = Some(event.redirect_has_extra_info);
            last.ended = Some(now);
        }
        self.seen += 1;
        let posted = match joined_entries(&event.request.post_data_entries) {
            Some(bytes) => Posted::Given(bytes),
            None if event.request.has_post_data => Posted::LeftOut,
            None => Posted::Nothing,
        };
        flight.hops.push(Hop {
            exchange: Exchange {
                target: origin.target.clone(),
                main_frame: event.frame_id.is_some() && event.frame_id == origin.tab,
                frame: event.frame_id,
                resource: event.r#type.unwrap_or_else(|| "Other".to_owned()),
                started: event.wall_time * 1000.0,
                took_ms: 0.0,
                request: ExchangeRequest {
                    method: event.request.method,
                    url: event.request.url,
                    http_version: "HTTP/1.1".to_owned(),
                    headers: pairs(&event.request.headers),
                    body: None,
                },
                response: None,
                error: None,
            },
            began: event.timestamp,
            has_extra: None,
            from_cache: false,
            decoded_bytes: 0,
            fetching: u8::from(posted != Posted::Nothing),
            ended: None,
            abandoned: false,
            written: false,
        });
        Sent { first, posted }
    }

    pub fn request_extra(&mut self, id: String, headers: Headers) {
        self.open.entry(id).or_default().request_extras.push(headers);
    }

    pub fn response_extra(&mut self, event: ResponseExtraInfo) {
        let extras = &mut self.open.entry(event.request_id).or_default().response_extras;
        extras.push((event.status_code, event.headers));
    }

    pub fn responded(&mut self, event: &ResponseReceived) {
        if let Some(hop) = self.last_hop(&event.request_id) {
            hop.exchange.response = Some(response_of(&event.response));
            hop.has_extra = Some(event.has_extra_info);
            if let Some(resource) = &event.r#type {
                // A response may know better what it is than its request did.
                hop.exchange.resource.clone_from(resource);
            }
        }
    }

    pub fn from_cache(&mut self, id: &str) {
        if let Some(hop) = self.last_hop(id) {
            hop.from_cache = true;
        }
    }

    pub fn data(&mut self, id: &str, bytes: u64) {
        if let Some(hop) = self.last_hop(id) {
            hop.decoded_bytes += bytes;
        }
    }

    pub fn finished(&mut self, event: &LoadingFinished, now: Instant) {
        if let Some(hop) = self.last_hop(&event.request_id) {
            hop.exchange.took_ms = millis(event.timestamp - hop.began);
            if let Some(response) = &mut hop.exchange.response {
                response.encoded_bytes = event.encoded_data_length.max(0.0) as u64;
            }
            if std::mem::take(&mut hop.abandoned) {
                hop.exchange.error = None;
            }
            hop.ended = Some(now);
        }
    }

    pub fn failed(&mut self, event: &LoadingFailed, now: Instant) {
        if let Some(hop) = self.last_hop(&event.request_id) {
            hop.exchange.took_ms = millis(event.timestamp - hop.began);
            let why = event
                .blocked_reason
                .clone()
                .map(|reason| format!("blocked: {reason}"))
                .or_else(|| event.cors_error_status.as_ref().map(|cors| format!("CORS: {}", cors.cors_error)))
                .unwrap_or_else(|| event.error_text.clone());
            hop.exchange.error = Some(why);
            hop.abandoned = false;
            hop.ended = Some(now);
        }
    }

    /// Ends a request whose document or worker is gone, and with it perhaps the end of its story.
    pub fn abandon(&mut self, id: &str, why: &str, now: Instant) {
        if let Some(hop) = self.last_hop(id).filter(|hop| hop.ended.is_none()) {
            hop.exchange.error = Some(why.to_owned());
            hop.abandoned = true;
            hop.ended = Some(now);
        }
    }

    /// A response that just arrived whole; asking marks its body as being fetched if `wanted` says so.
    pub fn fetch_response(
        &mut self,
        id: &str,
        wanted: impl FnOnce(&Arrived<'_>) -> Result<bool, String>,
    ) -> bool {
        let Some(hop) = self.last_hop(id) else { return false };
        let Some(response) = &hop.exchange.response else { return false };
        let arrived = Arrived {
            resource: &hop.exchange.resource,
            method: &hop.exchange.request.method,
            response,
            decoded_bytes: hop.decoded_bytes,
        };
        match wanted(&arrived) {
            Ok(fetch) => {
                hop.fetching += u8::from(fetch);
                fetch
            }
            Err(omitted) => {
                if let Some(response) = &mut hop.exchange.response {
                    response.body = Some(Body::Omitted(omitted));
                }
                false
            }
        }
    }

    pub fn response_body(&mut self, id: &str, body: Option<Body>) {
        if let Some(hop) = self.last_hop(id) {
            hop.fetching = hop.fetching.saturating_sub(1);
            if let Some(response) = &mut hop.exchange.response {
                response.body = body;
            }
        }
    }

    /// The hop is named, because a redirect may have added one while the data was on its way.
    pub fn post_data(&mut self, id: &str, hop: usize, body: Option<Body>) {
        if let Some(hop) = self.open.get_mut(id).and_then(|flight| flight.hops.get_mut(hop)) {
            hop.fetching = hop.fetching.saturating_sub(1);
            hop.exchange.request.body = body;
        }
    }

    pub fn hops(&self, id: &str) -> usize {
        self.open.get(id).map_or(0, |flight| flight.hops.len())
    }

    pub fn mime(&self, id: &str) -> Option<&str> {
        let hop = self.open.get(id)?.hops.last()?;
        hop.exchange.response.as_ref().map(|response| response.mime.as_str())
    }

    /// Whether a body is still on its way.
    pub fn is_fetching(&self) -> bool {
        self.open.values().flat_map(|flight| &flight.hops).any(|hop| !hop.written && hop.fetching > 0)
    }

    /// Whether something ended that cannot be written yet.
    pub fn is_waiting(&self) -> bool {
        self.open.values().flat_map(|flight| &flight.hops).any(|hop| !hop.written && hop.ended.is_some())
    }

    /// Removes and returns every exchange whose pieces are there, or were waited for long enough.
    pub fn take_ready(&mut self, now: Instant) -> Vec<Exchange> {
        let mut ready = Vec::new();
        self.open.retain(|_, flight| {
            flight.collect(&mut ready, |hop, complete| {
                hop.fetching == 0
                    && hop.ended.is_some_and(|at| complete || now.duration_since(at) >= PATIENCE)
            });
            flight.hops.iter().any(|hop| !hop.written) || flight.hops.is_empty()
        });
        in_order(ready)
    }

    /// Removes and returns everything that is left; what has no end gets `why` as its error.
    pub fn take_all(&mut self, why: &str) -> Vec<Exchange> {
        let mut rest = Vec::new();
        for (_, mut flight) in self.open.drain() {
            for hop in flight.hops.iter_mut().filter(|hop| hop.ended.is_none()) {
                hop.exchange.error = Some(why.to_owned());
            }
            flight.collect(&mut rest, |_, _| true);
        }
        in_order(rest)
    }

    fn last_hop(&mut self, id: &str) -> Option<&mut Hop> {
        self.open.get_mut(id)?.hops.last_mut()
    }
}

impl Flight {
    /// Moves unwritten hops for which `is_ready(hop, complete)` holds to `out`, with their raw headers.
    fn collect(&mut self, out: &mut Vec<Exchange>, is_ready: impl Fn(&Hop, bool) -> bool) {
        let mut extra = 0;
        for hop in &mut self.hops {
            let request = self.request_extras.get(extra).filter(|_| hop.has_extra != Some(false));
            let response = self.response_extras.get(extra).filter(|_| hop.has_extra != Some(false));
            let raw_headers = hop.has_extra != Some(true) || (request.is_some() && response.is_some());
            let complete = raw_headers && !hop.abandoned;
            extra += usize::from(hop.has_extra == Some(true));
            if hop.written || !is_ready(hop, complete) {
                continue;
            }
            hop.written = true;
            let mut exchange = hop.exchange.clone();
            if let Some(headers) = request {
                exchange.request.headers = pairs(headers);
            }
            if let (Some(seen), Some((status, headers))) = (&mut exchange.response, response) {
                // A revalidated answer is reported as 200 from the cache, while 304 crossed the wire.
                if seen.status == *status || *status == 304 {
                    seen.headers = pairs(headers);
                }
            }
            if let Some(response) = &mut exchange.response {
                response.from_cache |= hop.from_cache;
            }
            if let Some(version) = exchange.response.as_ref().map(|response| response.http_version.clone()) {
                exchange.request.http_version = version;
            }
            out.push(exchange);
        }
    }
}

fn in_order(mut exchanges: Vec<Exchange>) -> Vec<Exchange> {
    exchanges.sort_by(|a, b| a.started.total_cmp(&b.started));
    exchanges
}

fn millis(seconds: f64) -> f64 {
    (seconds * 1_000_000.0).max(0.0).round() / 1000.0
}

pub(super) fn pairs(headers: &Headers) -> Vec<(String, String)> {
    let mut pairs = Vec::with_capacity(headers.len());
    for (name, value) in headers {
        // Spoken to the network gate, not to the site.
        if name.eq_ignore_ascii_case("proxy-connection") {
            continue;
        }
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        pairs.extend(value.split('\n').map(|value| (name.clone(), value.to_owned())));
    }
    pairs
}

pub(super) fn response_of(response: &Response) -> ExchangeResponse {
    ExchangeResponse {
        status: response.status,
        status_text: response.status_text.clone(),
        http_version: match response.protocol.as_str() {
            "h2" => "HTTP/2".to_owned(),
            "h3" => "HTTP/3".to_owned(),
            "" => "HTTP/1.1".to_owned(),
            other => other.to_ascii_uppercase(),
        },
        headers: pairs(&response.headers),
        mime: response.mime_type.clone(),
        encoded_bytes: response.encoded_data_length.max(0.0) as u64,
        from_cache: response.from_disk_cache || response.from_prefetch_cache,
        // Chromium only ever talks to the network gate; its address says nothing about the site.
        remote: None,
        body: None,
    }
}

/// The whole posted body, if Chromium gave all of it.
fn joined_entries(entries: &[PostDataEntry]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for entry in entries {
        bytes.extend(base64::engine::general_purpose::STANDARD.decode(entry.bytes.as_ref()?).ok()?);
    }
    (!entries.is_empty()).then_some(bytes)
}
