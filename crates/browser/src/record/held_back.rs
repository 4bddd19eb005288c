//! Requests the browser stops at before they leave. Only the harness makes it stop in its own sessions: to stand in an
//! origin without asking the site, and for the attempt's sentry, who sees encrypted requests nowhere else.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::{Desk, read};
use crate::cdp::CdpEvent;
use crate::hosts::Place;
use crate::netgate::Sentry;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Paused {
    request_id: String,
    request: Request,
}

#[derive(Deserialize)]
struct Request {
    url: String,
    method: String,
}

impl Desk {
    pub(super) fn stopped_at(&self, event: &CdpEvent) {
        let (Some(Paused { request_id, request }), Some(session)) = (read(event), &event.session) else {
            return;
        };
        let session = self.connection.session(session.clone());
        if self.stands_in.load(Ordering::Acquire) {
            session.post("Fetch.fulfillRequest", answer(&request_id, 200, "text/html", ""));
            return;
        }
        let Some(sentry) = self.sentry_for(&request.url) else {
            session.post("Fetch.continueRequest", json!({ "requestId": request_id }));
            return;
        };
        tokio::spawn(async move {
            match sentry.hold_back(&request.method, &request.url).await {
                Some(reason) => {
                    let plain = answer(&request_id, 403, "text/plain; charset=utf-8", &reason);
                    session.post("Fetch.fulfillRequest", plain);
                }
                None => session.post("Fetch.continueRequest", json!({ "requestId": request_id })),
            }
        });
    }

    /// Who has to be asked. What is not encrypted passes the network gate, which asks by itself and turns away what may
    /// not be reached.
    fn sentry_for(&self, url: &str) -> Option<Arc<dyn Sentry>> {
        let network = &self.attempt.as_ref()?.network;
        let url = Url::parse(url).ok().filter(|url| url.scheme() == "https")?;
        network.sentry.clone().filter(|_| Place::of(&url).is_some_and(|place| network.allows(&place)))
    }
}

fn answer(request_id: &str, status: u16, content_type: &str, body: &str) -> Value {
    let header = json!({ "name": "content-type", "value": content_type });
    json!({
        "requestId": request_id, "responseCode": status, "responseHeaders": [header], "body": STANDARD.encode(body),
    })
}
