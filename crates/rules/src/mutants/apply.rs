//! Making a mutant of a recorded attempt.

use std::collections::HashMap;
use std::io;

use serde_json::Value;
use umpire_model::{BlobRef, BlobSource, Digest, EventBody, Media, Trajectory};

use super::states::StateChange;
use super::{Change, Mutant};

/// The blobs of an attempt, with those a mutant changed in front.
pub struct MutatedBlobs<'b> {
    changed: HashMap<Digest, Vec<u8>>,
    recorded: &'b dyn BlobSource,
}

impl BlobSource for MutatedBlobs<'_> {
    fn read(&self, blob: &BlobRef) -> Result<Vec<u8>, io::Error> {
        self.changed.get(&blob.digest).cloned().map_or_else(|| self.recorded.read(blob), Ok)
    }
}

/// The attempt as it would have been recorded, had it been wrong in the way of the mutant. `None` if this attempt has
/// nothing that could be wrong in that way (no state was recorded, a value was the same before, …).
pub fn apply<'b>(
    mutant: &Mutant,
    trajectory: &Trajectory,
    blobs: &'b dyn BlobSource,
) -> Option<(Trajectory, MutatedBlobs<'b>)> {
    let mut mutated = trajectory.clone();
    let mut changed = HashMap::new();
    match &mutant.change {
        Change::Answer(text) => {
            let answers = mutated.events.iter_mut().rev();
            let answer = answers.into_iter().find_map(|event| match &mut event.body {
                EventBody::Answered { response } => Some(response),
                _ => None,
            })?;
            answer.clone_from(text);
        }
        Change::State(change) => {
            let content = changed_state(change, trajectory, blobs)?;
            let digest = Digest::of(&content);
            let blob = BlobRef { digest: digest.clone(), media: Media::Json, bytes: content.len() as u64 };
            let states = mutated.events.iter_mut().rev();
            let state = states.into_iter().find_map(|event| match &mut event.body {
                EventBody::StateAfter { state } => Some(state),
                _ => None,
            })?;
            *state = blob;
            changed.insert(digest, content);
        }
        Change::Request(change) => change.make(&mut mutated, blobs)?,
        Change::Backend(change) => change.make(&mut mutated, blobs)?,
    }
    Some((mutated, MutatedBlobs { changed, recorded: blobs }))
}

fn changed_state(change: &StateChange, trajectory: &Trajectory, blobs: &dyn BlobSource) -> Option<Vec<u8>> {
    let load = |blob: &BlobRef| -> Option<Value> { serde_json::from_slice(&blobs.read(blob).ok()?).ok() };
    let before = trajectory.state_before().and_then(load);
    let before = before.as_ref().and_then(|state| state.get(&change.site));
    let (_, blob) = trajectory.state_after()?;
    let mut after = load(blob)?;
    change.make(before, after.get_mut(&change.site)?)?;
    serde_json::to_vec(&after).ok()
}
