//! Who may ask: keys, and what stands behind them.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use umpire_model::{Deadline, Digest};

use super::signatures::Signatures;
use crate::ask::AskError;
use crate::caller::Caller;

/// Keys that are valid now, by their digest: comparing digests tells nothing about a key that is nearly right.
#[derive(Debug, Default)]
pub(super) struct Guests(Mutex<HashMap<Digest, Arc<Guest>>>);

#[derive(Debug)]
pub(super) struct Guest {
    pub(super) caller: Caller,
    /// Names of the configuration.
    pub(super) models: Vec<String>,
    pub(super) deadline: Deadline,
    last_error: Mutex<Option<AskError>>,
    signatures: Signatures,
}

impl Guest {
    pub(super) fn new(caller: Caller, models: Vec<String>, deadline: Deadline) -> Self {
        Self { caller, models, deadline, last_error: Mutex::default(), signatures: Signatures::default() }
    }

    /// Of calls that were told in a format without a place for them.
    pub(super) fn signatures(&self) -> &Signatures {
        &self.signatures
    }

    /// Remembers how the latest call ended.
    pub(super) fn note(&self, error: Option<AskError>) {
        *self.last_error.lock().unwrap_or_else(PoisonError::into_inner) = error;
    }
}

impl Guests {
    pub(super) fn find(&self, key: &str) -> Option<Arc<Guest>> {
        self.lock().get(&Digest::of(key.as_bytes())).map(Arc::clone)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, Arc<Guest>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An attempt's way to the models. Its key ends with it.
#[derive(Debug)]
pub struct Pass {
    key: String,
    address: SocketAddr,
    guest: Arc<Guest>,
    guests: Arc<Guests>,
}

impl Pass {
    pub(super) fn issue(guests: &Arc<Guests>, guest: Guest, address: SocketAddr) -> Result<Self, String> {
        let mut random = [0; 24];
        getrandom::fill(&mut random).map_err(|error| error.to_string())?;
        // Some clients check the beginning of a key.
        let key = format!("sk-umpire-{}", URL_SAFE_NO_PAD.encode(random));
        let guest = Arc::new(guest);
        guests.lock().insert(Digest::of(key.as_bytes()), Arc::clone(&guest));
        Ok(Self { key, address, guest, guests: Arc::clone(guests) })
    }

    pub fn key(&self) -> &str {
        &self.key
    }

    /// Where the gateway listens on this machine.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// For clients of OpenAI, which expect the version in it.
    pub fn openai_base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// For clients of Anthropic.
    pub fn anthropic_base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// For clients of Gemini.
    pub fn gemini_base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The variables that the vendors' own clients read, and the first model's name.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let mut variables = vec![
            ("OPENAI_BASE_URL", self.openai_base_url()),
            ("OPENAI_API_BASE", self.openai_base_url()),
            ("OPENAI_API_KEY", self.key.clone()),
            ("ANTHROPIC_BASE_URL", self.anthropic_base_url()),
            ("ANTHROPIC_API_KEY", self.key.clone()),
            ("GOOGLE_GEMINI_BASE_URL", self.gemini_base_url()),
            ("GEMINI_API_KEY", self.key.clone()),
            ("GOOGLE_API_KEY", self.key.clone()),
        ];
        variables.extend(self.guest.models.first().map(|model| ("UMPIRE_MODEL", model.clone())));
        variables
    }

    /// What the latest call failed with; none if it was answered, or refused for what the agent itself had written. An
    /// agent that gave up after this was not at fault, unless it was the budget.
    pub fn last_error(&self) -> Option<AskError> {
        self.guest.last_error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.guests.lock().remove(&Digest::of(self.key.as_bytes()));
    }
}
