//! What the tests of seats share: evidence in memory, small sites, and waiting for a condition.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use umpire_browser::{Handler, NetworkPolicy, Pool, PoolOptions, Seat, SeatOptions};
use umpire_model::{BlobRef, Body, Deadline, Digest, EventBody, Evidence, Exchange, Media};

pub fn soon() -> Deadline {
    Deadline::after(Duration::from_mins(1))
}

/// Keeps everything in memory.
#[derive(Default)]
pub struct Memory {
    pub events: Mutex<Vec<EventBody>>,
    pub blobs: Mutex<Vec<(BlobRef, Vec<u8>)>>,
}

impl Evidence for Memory {
    fn event(&self, body: EventBody) -> u64 {
        let mut events = self.events.lock().expect("not poisoned");
        events.push(body);
        events.len() as u64 - 1
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        let blob = BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 };
        self.blobs.lock().expect("not poisoned").push((blob.clone(), content.to_vec()));
        blob
    }
}

impl Memory {
    pub fn all(&self) -> Vec<EventBody> {
        self.events.lock().expect("not poisoned").clone()
    }

    pub fn exchanges(&self) -> Vec<Exchange> {
        let events = self.all().into_iter();
        events
            .filter_map(
                |event| if let EventBody::Exchange(exchange) = event { Some(*exchange) } else { None },
            )
            .collect()
    }

    /// The only exchange whose URL ends with `tail`.
    pub fn exchange(&self, tail: &str) -> Exchange {
        let mut found: Vec<Exchange> =
            self.exchanges().into_iter().filter(|exchange| exchange.request.url.ends_with(tail)).collect();
        assert_eq!(found.len(), 1, "exchanges ending with {tail}: {found:#?}");
        found.remove(0)
    }

    pub fn text(&self, body: &Body) -> String {
        match body {
            Body::Text(text) => text.clone(),
            Body::Blob(blob) => {
                let blobs = self.blobs.lock().expect("not poisoned");
                let (_, bytes) = blobs.iter().find(|(known, _)| known == blob).expect("stored");
                String::from_utf8(bytes.clone()).expect("text")
            }
            Body::Omitted(why) => panic!("omitted: {why}"),
        }
    }

    /// Waits until some event satisfies `wanted`.
    pub async fn until(&self, what: &str, wanted: impl Fn(&EventBody) -> bool) -> EventBody {
        let deadline = Deadline::after(Duration::from_secs(20));
        loop {
            if let Some(event) = self.all().into_iter().find(|event| wanted(event)) {
                return event;
            }
            assert!(!deadline.passed(), "{what} did not come; there are {:#?}", self.all());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until an exchange whose URL ends with `tail` is written.
    pub async fn until_exchange(&self, tail: &str) -> Exchange {
        let wanted =
            |event: &EventBody| matches!(event, EventBody::Exchange(e) if e.request.url.ends_with(tail));
        match self.until(&format!("exchange {tail}"), wanted).await {
            EventBody::Exchange(exchange) => *exchange,
            other => panic!("{other:?}"),
        }
    }

    pub fn gates(&self) -> Vec<(String, String, bool)> {
        let events = self.all().into_iter();
        events
            .filter_map(|event| match event {
                EventBody::Gate { request, decision, suspicious, .. } => {
                    Some((request, decision, suspicious))
                }
                _ => None,
            })
            .collect()
    }
}

pub fn html(body: &str) -> Response<Bytes> {
    reply(200, &[("content-type", "text/html; charset=utf-8")], body)
}

pub fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Response<Bytes> {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(Bytes::from(body.to_owned())).expect("well-formed")
}

pub fn site(answer: impl Fn(&Request<Bytes>) -> Response<Bytes> + Send + Sync + 'static) -> Handler {
    Arc::new(move |request| answer(&request))
}

/// A network of the given sites and nothing else.
pub fn network(sites: &[(&str, Handler)]) -> NetworkPolicy {
    NetworkPolicy {
        origins: sites.iter().map(|(host, handler)| ((*host).to_owned(), Arc::clone(handler))).collect(),
        ..NetworkPolicy::default()
    }
}

pub async fn small_pool() -> Pool {
    let options = PoolOptions { spares: 1, ..PoolOptions::default() };
    Pool::start(options, soon()).await.expect("the pool starts")
}

/// A seat of its own pool, driven by the harness.
pub async fn seat_with(network: NetworkPolicy) -> (Pool, Seat, Arc<Memory>) {
    let pool = small_pool().await;
    let memory = Arc::new(Memory::default());
    let evidence: Arc<dyn Evidence> = Arc::<Memory>::clone(&memory);
    let seat = pool.seat(SeatOptions::new(evidence, network), soon()).await.expect("a seat");
    (pool, seat, memory)
}

/// Runs a script in the active tab and returns its value.
pub async fn evaluate(seat: &Seat, script: &str) -> serde_json::Value {
    let tab = seat.active_tab(soon()).await.expect("a tab");
    let params = serde_json::json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
    let answer: serde_json::Value =
        tab.session.call("Runtime.evaluate", params, soon()).await.expect("evaluated");
    assert!(answer.get("exceptionDetails").is_none(), "{answer}");
    answer["result"]["value"].clone()
}
