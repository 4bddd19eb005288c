use serde::{Deserialize, Serialize};
use serde_json::Value;
use umpire_model::Digest;

pub(super) const VERSION: u32 = 1;

/// A call by what it asks.
#[derive(Clone, Debug)]
pub(crate) struct TapedCall {
    pub(super) key: Digest,
    pub(super) caller: String,
    pub(super) request: Value,
}

/// A provider's answer as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Taped {
    pub(crate) content_type: String,
    pub(crate) body: String,
}

/// One line of a cassette, one file of the cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) v: u32,
    pub(super) key: Digest,
    #[serde(default)]
    pub(super) caller: String,
    /// For readers; the key is what is looked for.
    pub(super) request: Value,
    pub(super) answer: Taped,
}

impl TapedCall {
    pub(super) fn new(caller: &str, provider: &str, wanted: &str, request: Value) -> Self {
        let key = Digest::of_json(&(provider, wanted, &request));
        Self { key, caller: caller.to_owned(), request }
    }

    /// Short enough to name it in a message.
    pub(super) fn name(&self) -> String {
        self.key.as_str().chars().take(12).collect()
    }
}

impl Entry {
    pub(super) fn new(call: &TapedCall, answer: &Taped) -> Self {
        Self {
            v: VERSION,
            key: call.key.clone(),
            caller: call.caller.clone(),
            request: call.request.clone(),
            answer: answer.clone(),
        }
    }
}
