//! Network events: into exchanges, and into how busy a tab is.

use std::time::{Duration, Instant};

use serde_json::json;
use umpire_model::{Body, Deadline};

use super::bodies::{self, Content};
use super::flights::{Origin, Posted};
use super::protocol::{
    DataReceived, LoadingFailed, LoadingFinished, Request, RequestExtraInfo, RequestId, RequestWillBeSent,
    ResponseReceived, WebSocketClosed, WebSocketCreated, WebSocketHandshakeRequest,
    WebSocketHandshakeResponse,
};
use super::{Desk, Note, read};
use crate::cdp::{CdpError, CdpEvent, Session};

/// Longest Chromium may take to give a body out.
const BODY_LIMIT: Duration = Duration::from_secs(5);

/// A body that arrives with its head.
const SMALL_BODY: u64 = 64 << 10;

/// A script's request ends when the script has read the body, which one that only looks at the status never does.
/// What comes of a small answer shows in the page anyway.
fn is_small_fetch(received: &ResponseReceived) -> bool {
    let length =
        received.response.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length: Option<u64> = length.and_then(|(_, value)| value.as_str()?.trim().parse().ok());
    received.r#type.as_deref() == Some("Fetch") && length.is_some_and(|length| length <= SMALL_BODY)
}

/// A request that keeps its tab busy.
pub(super) struct InFlight {
    pub tab: Option<String>,
    pub target: String,
    pub frame: Option<String>,
    pub loader: String,
    /// A document that has no response yet: perhaps the next page, on its way while the last one is left.
    pub is_coming: bool,
}

/// A body that was asked for.
pub(super) enum Fetched {
    Response { id: String, content: Result<Content, CdpError> },
    Posted { id: String, hop: usize, content: Result<Content, CdpError> },
}

impl Desk {
    pub(super) fn network_event(&mut self, name: &str, event: &CdpEvent) {
        let now = Instant::now();
        match name {
            "requestWillBeSent" => {
                if let (Some(sent), Some(session)) = (read(event), self.session_of(event)) {
                    self.sent(sent, &session, event);
                }
            }
            "requestWillBeSentExtraInfo" => {
                if let Some(RequestExtraInfo { request_id, headers }) = read(event) {
                    self.flights.request_extra(request_id, headers);
                }
            }
            "responseReceivedExtraInfo" => {
                if let Some(extra) = read(event) {
                    self.flights.response_extra(extra);
                }
            }
            "responseReceived" => {
                if let Some(received) = read::<ResponseReceived>(event) {
                    self.flights.responded(&received);
                    if let Some(request) = self.in_flight.get_mut(&received.request_id) {
                        request.is_coming = false;
                    }
                    if received.response.mime_type == "text/event-stream" || is_small_fetch(&received) {
                        self.request_ended(&received.request_id);
                    }
                }
            }
            "requestServedFromCache" => {
                if let Some(RequestId { request_id }) = read(event) {
                    self.flights.served_from_cache(&request_id);
                }
            }
            "dataReceived" => {
                if let Some(DataReceived { request_id, data_length }) = read(event) {
                    self.flights.data(&request_id, data_length);
                }
            }
            "loadingFinished" => {
                if let (Some(finished), Some(session)) =
                    (read::<LoadingFinished>(event), self.session_of(event))
                {
                    self.flights.finished(&finished, now);
                    self.fetch_response(&finished.request_id, session);
                    self.request_ended(&finished.request_id);
                }
            }
            "loadingFailed" => {
                if let Some(failed) = read::<LoadingFailed>(event) {
                    self.flights.failed(&failed, now);
                    self.request_ended(&failed.request_id);
                }
            }
            _ if name.starts_with("webSocket") => self.socket_event(name, event, now),
            _ => {}
        }
    }

    fn socket_event(&mut self, name: &str, event: &CdpEvent, now: Instant) {
        match name {
            "webSocketCreated" => {
                if let Some(WebSocketCreated { request_id, url }) = read(event) {
                    self.sockets.insert(request_id, url);
                }
            }
            "webSocketWillSendHandshakeRequest" => {
                let (Some(shake), Some(session)) =
                    (read::<WebSocketHandshakeRequest>(event), self.session_of(event))
                else {
                    return;
                };
                let Some(url) = self.sockets.remove(&shake.request_id) else { return };
                let sent = RequestWillBeSent {
                    request_id: shake.request_id,
                    loader_id: String::new(),
                    request: Request {
                        url,
                        method: "GET".to_owned(),
                        headers: shake.request.headers,
                        has_post_data: false,
                        post_data_entries: Vec::new(),
                    },
                    timestamp: shake.timestamp,
                    wall_time: shake.wall_time,
                    redirect_has_extra_info: false,
                    redirect_response: None,
                    r#type: Some("WebSocket".to_owned()),
                    frame_id: None,
                };
                self.sent(sent, &session, event);
            }
            "webSocketHandshakeResponseReceived" => {
                if let Some(WebSocketHandshakeResponse { request_id, response }) = read(event) {
                    self.flights.responded(&ResponseReceived {
                        request_id,
                        response,
                        has_extra_info: false,
                        r#type: None,
                    });
                }
            }
            "webSocketClosed" => {
                if let Some(WebSocketClosed { request_id, timestamp }) = read(event) {
                    self.sockets.remove(&request_id);
                    self.flights
                        .finished(&LoadingFinished { request_id, timestamp, encoded_data_length: 0.0 }, now);
                }
            }
            _ => {}
        }
    }

    fn sent(&mut self, sent: RequestWillBeSent, session: &Session, event: &CdpEvent) {
        let Some(target) = self.target_of(event) else { return };
        let origin = Origin { target: target.id.clone(), tab: target.tab.clone() };
        let id = sent.request_id.clone();
        let resource = sent.r#type.clone().unwrap_or_default();
        let request = InFlight {
            tab: origin.tab.clone(),
            target: origin.target.clone(),
            frame: sent.frame_id.clone(),
            loader: sent.loader_id.clone(),
            is_coming: resource == "Document",
        };
        let outcome = self.flights.sent(sent, &origin, Instant::now());
        // Streams and beacons last as long as they please, and icons (`Other`) change nothing in a page.
        let counts = !matches!(
            resource.as_str(),
            "EventSource" | "WebSocket" | "Ping" | "Media" | "Preflight" | "Other"
        );
        if outcome.first && counts {
            self.in_flight.insert(id.clone(), request);
            self.tell_in_flight(origin.tab.as_deref());
        }
        let hop = self.flights.hops(&id).saturating_sub(1);
        match outcome.posted {
            Posted::Nothing => {}
            Posted::Given(bytes) => {
                let body = self.attempt.as_ref().map(|attempt| bodies::keep(&bytes, "", &*attempt.evidence));
                self.flights.post_data(&id, hop, body);
            }
            Posted::LeftOut => {
                self.fetch(session.clone(), "Network.getRequestPostData", id, move |id, content| {
                    Fetched::Posted { id, hop, content }
                });
            }
        }
    }

    fn fetch_response(&mut self, id: &str, session: Session) {
        if self.flights.fetch_response(id, bodies::is_wanted) {
            self.fetch(session, "Network.getResponseBody", id.to_owned(), |id, content| Fetched::Response {
                id,
                content,
            });
        }
    }

    fn fetch(
        &self,
        session: Session,
        method: &'static str,
        id: String,
        fetched: impl FnOnce(String, Result<Content, CdpError>) -> Fetched + Send + 'static,
    ) {
        let notes = self.notes.clone();
        tokio::spawn(async move {
            let content = session.call(method, json!({ "requestId": id }), Deadline::after(BODY_LIMIT)).await;
            let _ = notes.send(Note::Fetched(fetched(id, content)));
        });
    }

    pub(super) fn fetched(&mut self, fetched: Fetched) {
        let evidence = self.attempt.as_ref().map(|attempt| attempt.evidence.clone());
        let kept = |content: Result<Content, CdpError>, mime: &str| match (content, &evidence) {
            (Ok(content), Some(evidence)) => Some(bodies::keep_content(&content, mime, &**evidence)),
            (Err(error), _) => Some(Body::Omitted(error.to_string())),
            (Ok(_), None) => None,
        };
        match fetched {
            Fetched::Response { id, content } => {
                let body = kept(content, self.flights.mime(&id).unwrap_or_default());
                self.flights.response_body(&id, body);
            }
            Fetched::Posted { id, hop, content } => self.flights.post_data(&id, hop, kept(content, "")),
        }
        self.write_ready();
    }

    fn request_ended(&mut self, id: &str) {
        if let Some(request) = self.in_flight.remove(id) {
            self.tell_in_flight(request.tab.as_deref());
        }
    }

    /// Stops waiting for requests whose maker is gone.
    pub(super) fn forget_requests(&mut self, why: &str, is_gone: impl Fn(&InFlight) -> bool) {
        let gone: Vec<String> =
            self.in_flight.iter().filter(|(_, request)| is_gone(request)).map(|(id, _)| id.clone()).collect();
        for id in gone {
            if let Some(request) = self.in_flight.remove(&id) {
                self.flights.abandon(&id, why, Instant::now());
                self.tell_in_flight(request.tab.as_deref());
            }
        }
    }

    fn tell_in_flight(&self, tab: Option<&str>) {
        let Some(handle) = tab.and_then(|tab| self.tabs.handle(tab)) else { return };
        let count = self.in_flight.values().filter(|request| request.tab.as_deref() == tab).count();
        handle.activity.update(|counts| counts.in_flight = count as u32);
    }

    fn session_of(&self, event: &CdpEvent) -> Option<Session> {
        event.session.clone().map(|id| self.connection.session(id))
    }
}
