//! The states of an attempt's world at its start and end, read from their blobs once.

use std::cell::OnceCell;

use serde_json::Value;
use umpire_model::{BlobRef, BlobSource, EventBody, Trajectory};

use crate::ruling::Undecided;
use crate::words;

pub(crate) struct RecordedStates<'a> {
    trajectory: &'a Trajectory,
    blobs: &'a dyn BlobSource,
    before: OnceCell<Result<(u64, Value), Undecided>>,
    after: OnceCell<Result<(u64, Value), Undecided>>,
}

impl<'a> RecordedStates<'a> {
    pub(crate) fn new(trajectory: &'a Trajectory, blobs: &'a dyn BlobSource) -> Self {
        Self { trajectory, blobs, before: OnceCell::new(), after: OnceCell::new() }
    }

    /// A site's state at the start, and the journal position it was recorded at.
    pub(super) fn before(&self, site: &str) -> Result<(u64, &Value), Undecided> {
        of_site(self.before.get_or_init(|| self.load(self.first(), "at the start")), site)
    }

    /// A site's state at the end.
    pub(super) fn after(&self, site: &str) -> Result<(u64, &Value), Undecided> {
        of_site(self.after.get_or_init(|| self.load(self.last(), "at the end")), site)
    }

    fn first(&self) -> Option<(u64, &'a BlobRef)> {
        self.trajectory.events.iter().find_map(|event| match &event.body {
            EventBody::StateBefore { state } => Some((event.seq, state)),
            _ => None,
        })
    }

    fn last(&self) -> Option<(u64, &'a BlobRef)> {
        self.trajectory.state_after()
    }

    fn load(&self, recorded: Option<(u64, &BlobRef)>, when: &str) -> Result<(u64, Value), Undecided> {
        let Some((seq, blob)) = recorded else {
            return Err(if self.first().is_none() && self.last().is_none() {
                Undecided::Broken("the task's world shows no state".to_owned())
            } else {
                Undecided::NoEvidence(format!("the state {when} was not recorded"))
            });
        };
        let unreadable = |problem: String| {
            Undecided::NoEvidence(format!("the state {when} cannot be read: {}", words::shorten(&problem)))
        };
        let bytes = self.blobs.read(blob).map_err(|error| unreadable(error.to_string()))?;
        let state = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
        Ok((seq, state))
    }
}

fn of_site<'v>(
    loaded: &'v Result<(u64, Value), Undecided>,
    site: &str,
) -> Result<(u64, &'v Value), Undecided> {
    let (seq, state) = loaded.as_ref().map_err(Clone::clone)?;
    let state = state
        .get(site)
        .ok_or_else(|| Undecided::Broken(format!("the world has no site `{}`", words::shorten(site))))?;
    Ok((*seq, state))
}
