//! What the tests of the gateway share.

pub mod raw;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use umpire_llm::{Asker, Budget, Caller, Gateway, GatewayOptions, Limits, Message, ModelSpec, Prompt};
use umpire_model::{BlobRef, Deadline, Digest, EventBody, Evidence, Media, ModelCall};

/// Evidence in memory.
#[derive(Default)]
pub struct Memory {
    events: Mutex<Vec<EventBody>>,
    blobs: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Evidence for Memory {
    fn event(&self, body: EventBody) -> u64 {
        let mut events = self.events.lock().expect("events");
        events.push(body);
        events.len() as u64 - 1
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        let digest = Digest::of(content);
        self.blobs.lock().expect("blobs").insert(digest.to_string(), content.to_vec());
        BlobRef { digest, media, bytes: content.len() as u64 }
    }
}

impl Memory {
    pub fn calls(&self) -> Vec<ModelCall> {
        let events = self.events.lock().expect("events");
        let call = |event: &EventBody| match event {
            EventBody::ModelCalled(call) => Some(call.as_ref().clone()),
            _ => None,
        };
        events.iter().filter_map(call).collect()
    }

    pub fn text(&self, blob: &BlobRef) -> String {
        let blobs = self.blobs.lock().expect("blobs");
        String::from_utf8_lossy(&blobs[blob.digest.as_str()]).into_owned()
    }

    pub fn has_blob(&self, content: &[u8]) -> bool {
        self.blobs.lock().expect("blobs").contains_key(Digest::of(content).as_str())
    }

    /// Everything that was written, as one text.
    pub fn everything(&self) -> String {
        let blobs = self.blobs.lock().expect("blobs");
        let blobs: String = blobs.values().map(|blob| String::from_utf8_lossy(blob).into_owned()).collect();
        format!("{:?}{blobs}", self.events.lock().expect("events"))
    }
}

pub fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

pub fn gateway(
    models: impl IntoIterator<Item = (&'static str, ModelSpec)>,
    options: &GatewayOptions,
) -> Arc<Gateway> {
    let specs = models.into_iter().map(|(name, spec)| (name.to_owned(), spec)).collect();
    let variable = |name: &str| (name == "THE_KEY").then(|| "sk-very-secret".to_owned());
    Gateway::new(specs, options, &variable).expect("a gateway")
}

/// A caller with its evidence.
pub fn caller(limits: Limits) -> (Caller, Arc<Memory>) {
    let memory = Arc::new(Memory::default());
    (Caller::new("attempt-1", vec![Budget::new("attempt", limits)], Arc::clone(&memory) as _), memory)
}

/// One model, asked by a caller without limits.
pub fn asker(spec: ModelSpec) -> (Asker, Arc<Memory>) {
    let (caller, memory) = caller(Limits::default());
    let gateway = gateway([("m", spec)], &GatewayOptions::default());
    (gateway.asker("m", caller).expect("usable"), memory)
}

pub fn prompt(text: &str) -> Prompt {
    Prompt { messages: vec![Message::user(text)], ..Prompt::default() }
}

/// Says that what a test needs is not here. Where all was fetched for the tests, that is a failure.
pub fn skipped(why: &str) {
    assert!(std::env::var_os("UMPIRE_TEST_NO_SKIP").is_none(), "all should be here, but {why}");
    println!("skipped: {why}");
}
