//! An attempt that has ended and is not handed in yet. What that takes is written beside its record, so that whoever comes after
//! a worker that was killed, or left while the servers were away, can do it in its place.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use umpire_model::{Deadline, Outcome};

use crate::delivery::COURTESY;
use crate::index::NewResult;
use crate::patience::jittered;
use crate::shipment::{Shipped, discard, ship};
use crate::{Ended, Fleet, FleetError, Scratch, Verdicted};

pub(crate) const KEPT: &str = "kept.json";
const RECORD: &str = "record";
const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    version: u32,
    pub run: String,
    pub attempt: String,
    ticket: i64,
    worker: String,
    ended: Ended,
    is_dead: bool,
    /// Where it is.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Kept {
    pub(crate) fn new(
        run: &str,
        attempt: &str,
        ticket: i64,
        worker: &str,
        ended: Ended,
        folder: &Path,
    ) -> Self {
        let (run, attempt, worker) = (run.to_owned(), attempt.to_owned(), worker.to_owned());
        Self {
            version: VERSION,
            run,
            attempt,
            ticket,
            worker,
            ended,
            is_dead: false,
            folder: folder.to_owned(),
        }
    }

    /// It was given up, not carried out.
    pub(crate) fn given_up(self) -> Self {
        Self { is_dead: true, ..self }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        self.ended.outcome
    }

    pub(crate) fn record(&self) -> PathBuf {
        record_in(&self.folder)
    }

    /// Whole or not at all.
    pub(crate) fn write(&self) -> Result<(), FleetError> {
        let path = self.folder.join(KEPT);
        let half = self.folder.join("kept.half");
        let writing = || {
            fs::create_dir_all(&self.folder)?;
            fs::write(&half, serde_json::to_vec(self)?)?;
            fs::rename(&half, &path)
        };
        writing().map_err(|source| FleetError::File { path: path.clone(), source })
    }

    /// None if there is none, or it is of a newer Umpire: that one will hand it in.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        let kept: Self = serde_json::from_slice(&fs::read(folder.join(KEPT)).ok()?).ok()?;
        (kept.version <= VERSION).then(|| Self { folder: folder.to_owned(), ..kept })
    }

    /// Ship, commit: in this order, whatever was done twice before it is done once.
    pub(crate) async fn hand_in(&self, fleet: &Fleet, shipped: &Shipped) -> Result<Verdicted, FleetError> {
        let Fleet { index, depot, .. } = fleet;
        let is_shipped =
            ship(depot, &self.run, self.ticket, &self.record(), shipped, fleet.patience()).await?;
        let result = NewResult {
            run: self.run.clone(),
            attempt: self.attempt.clone(),
            ticket: self.ticket,
            worker: self.worker.clone(),
            ended: self.ended.clone(),
            is_shipped,
            is_dead: self.is_dead,
        };
        let committed = index.commit(result).await?;
        if committed == Verdicted::Late {
            self.withdraw(fleet).await;
        }
        Ok(committed)
    }

    /// Somebody else was quicker. What stays in the depot all the same is removed when the run is closed.
    pub(crate) async fn withdraw(&self, fleet: &Fleet) {
        let _ = discard(&fleet.depot, &self.run, self.ticket, Deadline::after(COURTESY)).await;
    }

    /// The same for one whose run may have been closed since: what would come second is not even shipped.
    async fn hand_in_late(&self, fleet: &Fleet) -> Result<Verdicted, FleetError> {
        match fleet.index.standing(&self.run, &self.attempt, fleet.patience()).await? {
            Some(other) if other != self.ticket => {
                // It may have been shipped by one that died before it could know.
                discard(&fleet.depot, &self.run, self.ticket, fleet.patience()).await?;
                Ok(Verdicted::Late)
            }
            _ => self.hand_in(fleet, &Shipped::default()).await,
        }
    }
}

/// Where in its place an attempt is recorded.
pub(crate) fn record_in(place: &Path) -> PathBuf {
    place.join(RECORD)
}

/// Hands in what this worker, or one before it in the same folder, kept; until it is dropped.
pub(crate) async fn hand_in_what_is_kept(fleet: Fleet, scratch: Arc<Scratch>) {
    let mut told = HashSet::new();
    loop {
        for kept in scratch.kept() {
            let Kept { run, attempt, .. } = &kept;
            match kept.hand_in_late(&fleet).await {
                Ok(committed) => {
                    let _ = tokio::fs::remove_dir_all(&kept.folder).await;
                    let what = match committed {
                        Verdicted::First => "is handed in",
                        Verdicted::Late => "is discarded: it has ended elsewhere",
                    };
                    fleet.voice.say(&format!("the kept result of {run} {attempt} {what}"));
                }
                Err(error) if told.insert(kept.ticket) => {
                    let path = kept.folder.display();
                    fleet
                        .voice
                        .say(&format!("the result of {run} {attempt} stays in {path} for now: {error}"));
                }
                Err(_) => {}
            }
        }
        tokio::time::sleep(jittered(fleet.timing.lease)).await;
    }
}
