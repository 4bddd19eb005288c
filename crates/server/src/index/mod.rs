//! Runs, counted once and kept fresh: opening one of ten thousand attempts reads what changed, and nothing else.
//!
//! Derived from the files of a run, kept in memory for the runs that are looked at and in the database for the others.
//! Whether an attempt has to be read again the size and time of its files say.

mod choose;
mod refresh;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use umpire_model::RunId;
use umpire_report::ReportError;
use umpire_store::{Runs, StoreError};

pub(crate) use self::choose::{ATTEMPT_FIELDS, Order, tag_counts};
pub use self::refresh::IndexedRun;
use self::refresh::{Refreshed, refresh};
use crate::database::{Database, DatabaseError, RunLine};

/// So long a look at the files is good for everybody.
const FRESH: Duration = Duration::from_millis(900);
/// Runs held in memory; of ten thousand attempts each takes some ten megabytes.
const HELD: usize = 12;

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("There is no such run.")]
    NoSuchRun,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error("indexing was cut short: {0}")]
    Cut(#[from] tokio::task::JoinError),
}

pub struct RunIndex {
    runs: Runs,
    database: Database,
    slots: Mutex<Slots>,
}

#[derive(Default)]
struct Slots {
    by_run: HashMap<RunId, (Arc<Slot>, u64)>,
    /// Counts uses, so that the run that was not used for longest can go.
    uses: u64,
}

type Slot = tokio::sync::Mutex<Option<Known>>;

struct Known {
    checked: Instant,
    run: Arc<IndexedRun>,
}

impl RunIndex {
    pub fn new(runs: Runs, database: Database) -> Self {
        Self { runs, database, slots: Mutex::default() }
    }

    /// The run as its files are now, give or take a second. Of several who ask at once, one looks.
    pub async fn open(&self, id: &RunId) -> Result<Arc<IndexedRun>, IndexError> {
        let slot = self.slot(id).await?;
        let mut known = slot.lock().await;
        if let Some(known) = known.as_ref().filter(|known| known.checked.elapsed() < FRESH) {
            return Ok(Arc::clone(&known.run));
        }
        let previous = known.as_ref().map(|known| Arc::clone(&known.run));
        let stored = match previous {
            None => self.database.indexed_attempts(id.as_str()).await?,
            Some(_) => Vec::new(),
        };
        let (runs, id_there) = (self.runs.clone(), id.clone());
        let refreshed = tokio::task::spawn_blocking(move || match previous {
            Some(previous) => refresh(&previous.run, Some(&previous), stored),
            None => refresh(&runs.find(&id_there)?.ok_or(IndexError::NoSuchRun)?, None, stored),
        })
        .await??;
        let Refreshed { run, rows } = refreshed;
        if !rows.is_empty() || known.is_none() {
            let line = line_of(&run);
            // An index that cannot be kept is built again next time; what is shown is right all the same.
            if let Err(error) = self.database.put_indexed(id.as_str(), &rows, &line).await {
                eprintln!("umpire serve: the index of {id} was not kept: {error}");
            }
        }
        *known = Some(Known { checked: Instant::now(), run: Arc::clone(&run) });
        Ok(run)
    }

    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    /// Counts every run there is, the newest first.
    pub(crate) async fn catch_up(&self) {
        let runs = self.runs.clone();
        let Ok(Ok(listing)) = tokio::task::spawn_blocking(move || runs.list()).await else { return };
        for run in listing.runs.iter().rev() {
            if let Err(error) = self.open(&run.manifest().run).await {
                eprintln!("umpire serve: {}: {error}", run.manifest().run);
            }
        }
    }

    async fn slot(&self, id: &RunId) -> Result<Arc<Slot>, IndexError> {
        if let Some(slot) = self.used(id) {
            return Ok(slot);
        }
        // Only what is there gets a slot, or guessing names would push out the runs that are looked at.
        let (runs, wanted) = (self.runs.clone(), id.clone());
        let is_there = tokio::task::spawn_blocking(move || runs.find(&wanted)).await??.is_some();
        if !is_there {
            return Err(IndexError::NoSuchRun);
        }
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.uses += 1;
        let now = slots.uses;
        let slot = Arc::clone(&slots.by_run.entry(id.clone()).or_insert_with(|| (Arc::default(), now)).0);
        if slots.by_run.len() > HELD
            && let Some(oldest) =
                slots.by_run.iter().min_by_key(|(_, (_, last_use))| *last_use).map(|(run, _)| run.clone())
        {
            slots.by_run.remove(&oldest);
        }
        Ok(slot)
    }

    fn used(&self, id: &RunId) -> Option<Arc<Slot>> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.uses += 1;
        let now = slots.uses;
        let (slot, last_use) = slots.by_run.get_mut(id)?;
        *last_use = now;
        Some(Arc::clone(slot))
    }
}

pub(crate) fn line_of(run: &IndexedRun) -> RunLine {
    RunLine {
        agents: run.summary.agents.iter().map(|agent| (agent.name.clone(), agent.outcomes.clone())).collect(),
    }
}
