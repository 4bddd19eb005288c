//! Replies kept on disk: the cache, by content, and cassettes, which are a run's calls in their order.
//!
//! What is kept is the request (without images and secrets) and the provider's answer as it came; headers are never
//! kept. A key is the digest of the cleaned request, so it does not change with the key that paid for it.

mod cache;
mod cassette;
mod entry;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use umpire_model::{CallSource, Redactor};

use cache::Cache;
use cassette::Cassette;
pub(crate) use entry::{Taped, TapedCall};

pub use cassette::{CassetteMode, UnknownMode};

/// What is kept and replayed.
#[derive(Clone, Debug, Default)]
pub struct TapeOptions {
    pub cache: Option<CacheOptions>,
    pub cassette: Option<(PathBuf, CassetteMode)>,
}

#[derive(Clone, Debug)]
pub struct CacheOptions {
    pub folder: PathBuf,
    /// Also keeps replies that were drawn by chance: those asked for without `temperature = 0`.
    pub any_temperature: bool,
}

#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct TapeError {
    path: PathBuf,
    problem: String,
}

#[derive(Debug, Default)]
pub(crate) struct Tapes {
    cache: Option<Cache>,
    cassette: Option<Cassette>,
    redactor: Redactor,
    /// How many answers the disk did not take, and why the first was not.
    unkept: Mutex<Option<(u32, String)>>,
}

/// There is no such call on a cassette that must have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotOnCassette(pub(crate) String);

impl Tapes {
    pub(crate) fn open(options: &TapeOptions, redactor: Redactor) -> Result<Self, TapeError> {
        let cassette =
            options.cassette.as_ref().map(|(path, mode)| Cassette::open(path, *mode)).transpose()?;
        let cache = options.cache.as_ref().map(Cache::open).transpose()?;
        Ok(Self { cache, cassette, redactor, unkept: Mutex::default() })
    }

    /// Whether anything is kept at all.
    pub(crate) fn is_on(&self) -> bool {
        self.cache.is_some() || self.cassette.is_some()
    }

    /// Only replays: no provider is needed.
    pub(crate) fn never_calls(&self) -> bool {
        self.cassette.as_ref().is_some_and(Cassette::is_read_only)
    }

    pub(crate) fn problems(&self) -> Vec<String> {
        let damaged = self.cassette.as_ref().map_or(0, Cassette::damaged_lines);
        let unread = (damaged > 0)
            .then(|| format!("{damaged} torn or unreadable lines of the cassette were not replayed"));
        let unkept = self.unkept.lock().unwrap_or_else(PoisonError::into_inner);
        let unkept = unkept.as_ref().map(|(count, first)| {
            format!("{count} replies of models could not be kept on disk; the first because: {first}")
        });
        unread.into_iter().chain(unkept).collect()
    }

    /// What names a call: everything but who pays and who asks.
    pub(crate) fn call(&self, caller: &str, provider: &str, wanted: &str, request: &Value) -> TapedCall {
        let mut request = request.clone();
        self.redactor.json(&mut request);
        TapedCall::new(caller, provider, wanted, request)
    }

    pub(crate) fn find(&self, call: &TapedCall) -> Result<Option<(Taped, CallSource)>, NotOnCassette> {
        if let Some(cassette) = &self.cassette
            && let Some(taped) = cassette.next(call)?
        {
            return Ok(Some((taped, CallSource::Cassette)));
        }
        Ok(self.cache.as_ref().and_then(|cache| cache.find(call)).map(|taped| (taped, CallSource::Cache)))
    }

    /// Keeps an answer. A disk that does not take it costs no attempt.
    pub(crate) fn keep(&self, call: &TapedCall, content_type: &str, answer: &[u8], is_complete: bool) {
        let taped = Taped {
            content_type: content_type.to_owned(),
            body: self.redactor.text(&String::from_utf8_lossy(answer)).into_owned(),
        };
        let kept = [
            self.cassette.as_ref().map(|cassette| cassette.keep(call, &taped)),
            self.cache.as_ref().filter(|_| is_complete).map(|cache| cache.keep(call, &taped)),
        ];
        for error in kept.into_iter().flatten().filter_map(Result::err) {
            let mut unkept = self.unkept.lock().unwrap_or_else(PoisonError::into_inner);
            let (count, _) = unkept.get_or_insert_with(|| (0, error.to_string()));
            *count += 1;
        }
    }
}
