//! Builds instances and trajectories in memory.

use std::collections::HashMap;
use std::io;

use serde_json::{Value, json};
use umpire_model::{
    AttemptId, BlobRef, BlobSource, Body, Digest, End, Event, EventBody, Exchange, ExchangeRequest,
    ExchangeResponse, Instance, JOURNAL_VERSION, Media, TaskKind, Trajectory, Verdict,
};

#[derive(Default)]
pub struct Blobs(HashMap<Digest, Vec<u8>>);

impl Blobs {
    pub fn put(&mut self, content: &[u8], media: Media) -> BlobRef {
        let digest = Digest::of(content);
        self.0.insert(digest.clone(), content.to_vec());
        BlobRef { digest, media, bytes: content.len() as u64 }
    }
}

impl BlobSource for Blobs {
    fn read(&self, blob: &BlobRef) -> Result<Vec<u8>, io::Error> {
        self.0.get(&blob.digest).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }
}

/// An attempt in the making: events are pushed in order, blobs stored beside them.
#[derive(Default)]
pub struct Attempt {
    pub trajectory: Trajectory,
    pub blobs: Blobs,
}

impl Attempt {
    /// One that ended with an answer.
    pub fn answered(response: &str) -> Self {
        let mut attempt = Self::default();
        attempt.push(EventBody::Answered { response: response.to_owned() });
        attempt.end(End::Answered)
    }

    pub fn stopped() -> Self {
        Self::default().end(End::Stopped)
    }

    pub fn push(&mut self, body: EventBody) -> u64 {
        let seq = self.trajectory.events.last().map_or(0, |event| event.seq + 1);
        self.trajectory.events.push(Event { v: JOURNAL_VERSION, seq, ms: seq, body });
        seq
    }

    pub fn end(mut self, end: End) -> Self {
        self.push(EventBody::Ended { end, detail: String::new(), steps: 1, counted: 1 });
        self
    }

    pub fn states(mut self, before: &Value, after: &Value) -> Self {
        let state = self.blobs.put(before.to_string().as_bytes(), Media::Json);
        self.push(EventBody::StateBefore { state });
        let state = self.blobs.put(after.to_string().as_bytes(), Media::Json);
        self.push(EventBody::StateAfter { state });
        self
    }

    pub fn exchange(mut self, exchange: Exchange) -> Self {
        self.push(EventBody::Exchange(Box::new(exchange)));
        self
    }

    pub fn judged_by(&self, kind: TaskKind, checks: Value) -> Verdict {
        umpire_rules::evaluate(&attempt_id(), &instance(kind, checks), &self.trajectory, &self.blobs)
    }
}

pub fn attempt_id() -> AttemptId {
    AttemptId::new("agent", "task", 1).expect("a good name")
}

pub fn instance(kind: TaskKind, checks: Value) -> Instance {
    Instance {
        intent: "Do it.".to_owned(),
        sites: vec!["shop".to_owned()],
        start_urls: vec!["http://shop.localhost/".to_owned()],
        category: "test".to_owned(),
        checks: serde_json::from_value(checks).expect("well-formed checks"),
        ..Instance::bare("task", kind)
    }
}

pub fn answer(action: &str, status: &str, results: &Value) -> String {
    json!({"action": action, "status": status, "results": results, "error_details": null}).to_string()
}

/// A document loaded into the tab itself, answered with 200. `started` follows from the number.
pub fn page(number: u32, url: &str) -> Exchange {
    request(number, "GET", url, "Document")
}

pub fn request(number: u32, method: &str, url: &str, resource: &str) -> Exchange {
    Exchange {
        target: "tab".to_owned(),
        frame: Some("main".to_owned()),
        main_frame: true,
        resource: resource.to_owned(),
        started: f64::from(number) * 1000.0,
        took_ms: 5.0,
        request: ExchangeRequest {
            method: method.to_owned(),
            url: url.to_owned(),
            http_version: "HTTP/1.1".to_owned(),
            headers: vec![("Accept".to_owned(), "*/*".to_owned())],
            body: None,
        },
        response: Some(ExchangeResponse {
            status: 200,
            status_text: "OK".to_owned(),
            http_version: "HTTP/1.1".to_owned(),
            headers: Vec::new(),
            mime: "text/html".to_owned(),
            encoded_bytes: 10,
            from_cache: false,
            remote: None,
            body: None,
        }),
        error: None,
    }
}

pub fn form_post(number: u32, url: &str, body: Body) -> Exchange {
    let mut exchange = request(number, "POST", url, "Document");
    exchange
        .request
        .headers
        .push(("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned()));
    exchange.request.body = Some(body);
    exchange
}

pub fn answered_with(mut exchange: Exchange, status: u16, headers: &[(&str, &str)]) -> Exchange {
    if let Some(response) = &mut exchange.response {
        response.status = status;
        response.headers = headers.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    }
    exchange
}
