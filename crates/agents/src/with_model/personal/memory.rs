use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Instant;

use umpire_model::{HistoryAccess, HistoryHit, HistoryScheme};

/// The history of the person one attempt is for, as an agent may ask it. Who answers also counts what may still be asked.
pub trait Memory: fmt::Debug + Send + Sync {
    fn recall<'a>(&'a self, query: &'a str) -> Recalling<'a>;

    /// Writes down what was asked and what became of it.
    fn accessed(&self, access: HistoryAccess);

    /// What is true of this person, one fact a line, for agents that are told instead of having to look.
    fn profile(&self) -> String;
}

pub type Recalling<'a> = Pin<Box<dyn Future<Output = Result<Recalled, NoMemory>> + Send + 'a>>;

/// What a query brought up.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    pub method: String,
    /// Best first; those with a text are to be shown.
    pub hits: Vec<HistoryHit>,
}

impl Recalled {
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.hits.iter().filter_map(|hit| hit.text.as_deref())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMemory {
    /// As often as it may, the history was asked.
    #[error("the history has been asked {0} times, which is all there may be")]
    Spent(u32),
    #[error("the history could not be searched: {0}")]
    Broken(String),
}

/// Looks something up for an agent that makes of it what it will, and writes that down.
pub async fn look_up(
    memory: &dyn Memory,
    step: u32,
    query: &str,
    reason: Option<&str>,
) -> Result<Recalled, NoMemory> {
    let started = Instant::now();
    let found = memory.recall(query).await;
    let (method, hits) = found
        .as_ref()
        .map_or_else(|_| Default::default(), |found| (found.method.clone(), found.hits.clone()));
    memory.accessed(HistoryAccess {
        step,
        scheme: HistoryScheme::OnDemand,
        query: query.to_owned(),
        reason: reason.map(str::to_owned),
        method,
        hits,
        answer: None,
        error: found.as_ref().err().map(ToString::to_string),
        took_ms: started.elapsed().as_millis() as u64,
    });
    found
}
