use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use umpire_model::Outcome;

use crate::{Fleet, Roster};

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    pub outcome: Outcome,
    pub reason: String,
    pub ms: u64,
    pub steps: u32,
}

/// This worker could not carry an attempt out, for reasons that say nothing about the attempt: another may.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

/// Why a worker cannot take part in a run.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It never will: another version, an agent that is not configured here.
    #[error("{0}")]
    Lasting(String),
    /// It may, later.
    #[error("{0}")]
    Passing(String),
}

/// A run that a worker takes part in.
#[async_trait]
pub trait Job: Send + Sync {
    /// The whole run, so that any worker can go on planning it.
    fn roster(&self) -> &dyn Roster;

    /// Carries out one attempt and leaves what was recorded in `folder`, which is its own. Dropped half-way, it must stop
    /// acting.
    async fn attempt(&self, attempt: &str, folder: &Path) -> Result<Ended, JobError>;

    /// Records that an attempt was given up, and why, as an attempt of outcome `infra`.
    async fn give_up(&self, attempt: &str, reason: &str, folder: &Path) -> Result<Ended, JobError>;
}

/// Whoever knows how to take part in runs.
#[async_trait]
pub trait Crew: Send + Sync {
    async fn join(&self, run: &str, fleet: &Fleet) -> Result<Arc<dyn Job>, Refusal>;
}
