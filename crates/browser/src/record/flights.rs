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

    pub fn served_from_cache(&mut self, id: &str) {
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
                match &mut hop.exchange.response {
                    // The answer is there; only the script that asked never looked at its body.
                    Some(response) if hop.exchange.resource == "Fetch" => {
                        response.body = Some(Body::Omitted("the page did not read it".to_owned()));
                    }
                    _ => hop.exchange.error = Some(why.to_owned()),
                }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::protocol::RequestExtraInfo;
    use super::*;

    fn apply(flights: &mut Flights, (kind, params): &(&str, Value), now: Instant) {
        let origin = Origin { target: "tab".to_owned(), tab: Some("tab".to_owned()) };
        let params = params.clone();
        match *kind {
            "sent" => {
                flights.sent(serde_json::from_value(params).expect("well-formed"), &origin, now);
            }
            "request extra" => {
                let extra: RequestExtraInfo = serde_json::from_value(params).expect("well-formed");
                flights.request_extra(extra.request_id, extra.headers);
            }
            "response extra" => flights.response_extra(serde_json::from_value(params).expect("well-formed")),
            "responded" => flights.responded(&serde_json::from_value(params).expect("well-formed")),
            "finished" => flights.finished(&serde_json::from_value(params).expect("well-formed"), now),
            "failed" => flights.failed(&serde_json::from_value(params).expect("well-formed"), now),
            other => panic!("{other}"),
        }
    }

    fn sent(hop: usize, redirected: Option<bool>) -> (&'static str, Value) {
        let mut event = json!({
            "requestId": "1", "timestamp": hop, "wallTime": 100 + hop, "type": "Document", "frameId": "tab",
            "request": {"url": format!("http://a/{hop}"), "method": "GET", "headers": {"raw": "no"}},
        });
        if let Some(has_extra) = redirected {
            event["redirectHasExtraInfo"] = json!(has_extra);
            event["redirectResponse"] = json!({"status": 302, "headers": {"raw": "no"}});
        }
        ("sent", event)
    }

    /// Three hops, the middle one answered from the cache and so without raw headers.
    fn chain() -> [Vec<(&'static str, Value)>; 3] {
        let extra = |hop: usize, status: u16| json!({"requestId": "1", "headers": {"raw": hop.to_string()}, "statusCode": status});
        let story = vec![
            sent(0, None),
            sent(1, Some(true)),
            sent(2, Some(false)),
            (
                "responded",
                json!({"requestId": "1", "response": {"status": 200, "headers": {"raw": "no"}}, "hasExtraInfo": true}),
            ),
            ("finished", json!({"requestId": "1", "timestamp": 3.5, "encodedDataLength": 12})),
        ];
        let requests = vec![("request extra", extra(0, 0)), ("request extra", extra(2, 0))];
        let responses = vec![("response extra", extra(0, 302)), ("response extra", extra(2, 200))];
        [story, requests, responses]
    }

    fn raw(headers: &[(String, String)]) -> &str {
        headers.iter().find(|(name, _)| name == "raw").map_or("", |(_, value)| value)
    }

    proptest! {
        /// However the pieces are interleaved, each hop ends up with its own.
        #[test]
        fn pieces_find_their_hop_in_any_order(choices in prop::collection::vec(0_usize..3, 60)) {
            let mut lanes = chain().map(|lane| lane.into_iter().collect::<std::collections::VecDeque<_>>());
            let (mut flights, now) = (Flights::default(), Instant::now());
            let mut written = Vec::new();
            let rest = [0, 1, 2].into_iter().cycle().take(60);
            for lane in choices.into_iter().chain(rest) {
                if let Some(piece) = lanes[lane].pop_front() {
                    apply(&mut flights, &piece, now);
                    written.extend(flights.take_ready(now));
                }
            }
            written.sort_by(|a, b| a.started.total_cmp(&b.started));
            let seen: Vec<_> = written
                .iter()
                .map(|hop| {
                    let response = hop.response.as_ref().expect("answered");
                    (hop.request.url.as_str(), response.status, raw(&hop.request.headers), raw(&response.headers))
                })
                .collect();
            prop_assert_eq!(
                seen,
                [("http://a/0", 302, "0", "0"), ("http://a/1", 302, "no", "no"), ("http://a/2", 200, "2", "2")]
            );
            prop_assert_eq!(flights.seen(), 3);
            prop_assert!(flights.take_all("over").is_empty());
        }
    }

    #[test]
    fn announced_headers_that_do_not_come_are_not_waited_for_for_ever() {
        let (mut flights, now) = (Flights::default(), Instant::now());
        let [story, ..] = chain();
        for piece in &story {
            apply(&mut flights, piece, now);
        }
        assert_eq!(flights.take_ready(now).len(), 1, "only the hop without raw headers is complete");
        assert!(flights.is_waiting());
        let late = flights.take_ready(now + PATIENCE);
        assert_eq!(late.iter().map(|hop| raw(&hop.request.headers)).collect::<Vec<_>>(), ["no", "no"]);
        assert!(!flights.is_waiting());
    }

    #[test]
    fn an_abandoned_request_may_still_end_well() {
        let (mut flights, now) = (Flights::default(), Instant::now());
        apply(&mut flights, &sent(0, None), now);
        flights.abandon("1", "its page was left", now);
        assert!(flights.take_ready(now).is_empty());
        let end = ("finished", json!({"requestId": "1", "timestamp": 1.0, "encodedDataLength": 0}));
        apply(&mut flights, &end, now);
        assert_eq!(flights.take_ready(now).remove(0).error, None);
        apply(&mut flights, &sent(0, None), now);
        flights.abandon("1", "its page was left", now);
        let given_up = flights.take_ready(now + PATIENCE).remove(0);
        assert_eq!(given_up.error.as_deref(), Some("its page was left"));
    }

    #[test]
    fn a_request_reported_twice_is_one() {
        let (mut flights, now) = (Flights::default(), Instant::now());
        apply(&mut flights, &sent(0, None), now);
        apply(&mut flights, &sent(0, None), now);
        let failed = json!({"requestId": "1", "timestamp": 2.0, "errorText": "net::ERR_FAILED", "blockedReason": "csp"});
        apply(&mut flights, &("failed", failed), now);
        let exchanges = flights.take_ready(now);
        assert_eq!((exchanges.len(), flights.seen()), (1, 1));
        assert_eq!(exchanges[0].error.as_deref(), Some("blocked: csp"));
        assert!((exchanges[0].took_ms - 2000.0).abs() < 1e-6);
    }
}
