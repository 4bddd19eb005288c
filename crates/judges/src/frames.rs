//! The screenshots of a case, as a judge looks at them.

use bytes::Bytes;
use umpire_llm::Message;
use umpire_model::{BlobSource, Media};

use crate::asking::NoOpinion;
use crate::case::Case;
use crate::evidence::{EvidencePolicy, Screenshots};

/// A picture and the steps that saw it.
#[derive(Clone, Debug)]
pub struct Frame {
    pub steps: Vec<u32>,
    pub media: Media,
    pub content: Bytes,
}

/// What there was to see, and what is left to look at.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    pub frames: Vec<Frame>,
    /// How many were taken.
    pub screenshots: u32,
}

impl Frames {
    pub fn of(case: &Case, policy: &EvidencePolicy, blobs: &dyn BlobSource) -> Result<Self, NoOpinion> {
        let taken: Vec<_> =
            case.turns.iter().filter_map(|turn| Some((turn.step, turn.screenshot.as_ref()?))).collect();
        let screenshots = taken.len() as u32;
        let looked_at = match policy.screenshots {
            Screenshots::None => &[],
            Screenshots::Last => &taken[taken.len().saturating_sub(1)..],
            Screenshots::All => &taken[..],
        };
        let mut frames: Vec<Frame> = Vec::new();
        let mut last = None;
        for (step, blob) in looked_at {
            if policy.collapse && last == Some(&blob.digest) {
                if let Some(frame) = frames.last_mut() {
                    frame.steps.push(*step);
                }
                continue;
            }
            let content = blobs
                .read(blob)
                .map_err(|error| NoOpinion::NoEvidence(format!("the screenshot of step {step}: {error}")))?;
            frames.push(Frame { steps: vec![*step], media: blob.media, content: content.into() });
            last = Some(&blob.digest);
        }
        Ok(Self { frames, screenshots })
    }

    /// For a model that cannot see.
    pub fn unseen(case: &Case) -> Self {
        let taken = case.turns.iter().filter(|turn| turn.screenshot.is_some());
        Self { frames: Vec::new(), screenshots: taken.count() as u32 }
    }
}

impl Frame {
    /// `step 3`, `steps 3 to 5`.
    pub fn name(&self) -> String {
        match self.steps.as_slice() {
            [] => String::new(),
            [only] => format!("step {only}"),
            [first, .., last] => format!("steps {first} to {last}"),
        }
    }

    pub fn onto(&self, message: Message) -> Message {
        message.with_image(self.media, self.content.clone())
    }
}
