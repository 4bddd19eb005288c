//! What a provider wants back with the calls it made, kept for clients whose format has no place for it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use umpire_model::Digest;

use crate::wire::{Answer, Conversation, ToolCall};

/// Signatures by the call they belong to, for as long as the attempt lasts.
#[derive(Debug, Default)]
pub(super) struct Signatures(Mutex<HashMap<Digest, String>>);

impl Signatures {
    pub(super) fn keep(&self, answer: &Answer) {
        let signed = answer.tool_calls.iter().filter_map(|call| Some((key(call), call.signature.clone()?)));
        self.lock().extend(signed);
    }

    /// Puts back what the client could not keep.
    pub(super) fn restore(&self, conversation: &mut Conversation) {
        let known = self.lock();
        for call in conversation.tool_calls_mut().filter(|call| call.signature.is_none()) {
            call.signature = known.get(&key(call)).cloned();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A provider that gives its calls no ids has them told apart by what is asked of the tool.
fn key(call: &ToolCall) -> Digest {
    Digest::of_json(&serde_json::json!([call.id, call.name, call.arguments]))
}
