//! The screenshots of a case, as a judge looks at them.

use std::sync::Arc;

use umpire_llm::Message;
use umpire_model::BlobSource;

use crate::asking::NoOpinion;
use crate::case::Case;
use crate::evidence::{EvidencePolicy, Screenshots};
use crate::pictures::{self, InMemory, Picture, Policy, Prepared, Screenshot, collapse};

/// A page and the steps that saw it; a long page may take several pictures.
#[derive(Clone, Debug)]
pub struct Frame {
    pub steps: Vec<u32>,
    pub pictures: Arc<[Picture]>,
}

/// What there was to see, and what is left to look at.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    pub frames: Vec<Frame>,
    /// How many were taken.
    pub screenshots: u32,
}

/// Where pictures are made small, once for all who look at them.
#[derive(Debug, Default)]
pub struct Darkroom {
    fingerprints: InMemory,
    prepared: Prepared,
}

impl Frames {
    pub fn of(
        case: &Case,
        policy: &EvidencePolicy,
        blobs: &dyn BlobSource,
        darkroom: &Darkroom,
    ) -> Result<Self, NoOpinion> {
        let mut shots = Vec::new();
        for (step, blob) in case.screenshots(policy.screenshots) {
            let content = blobs
                .read(blob)
                .map_err(|error| NoOpinion::NoEvidence(format!("the screenshot of step {step}: {error}")))?;
            shots.push(Screenshot { step, digest: blob.digest.clone(), content: content.into() });
        }
        let unseen = |bad: pictures::BadPicture| NoOpinion::NoEvidence(bad.to_string());
        let frames = if policy.collapse {
            collapse(&shots, &darkroom.fingerprints).map_err(unseen)?
        } else {
            let alone = |shot: Screenshot| pictures::Frame {
                steps: vec![shot.step],
                digest: shot.digest,
                content: shot.content,
            };
            shots.into_iter().map(alone).collect()
        };
        let size = Policy {
            longest_side: if policy.longest_side == 0 { u32::MAX } else { policy.longest_side },
            ..Policy::default()
        };
        let frames = frames.into_iter().map(|frame| {
            let pictures = darkroom.prepared.pictures_of(&frame, &size).map_err(unseen)?;
            Ok(Frame { steps: frame.steps, pictures })
        });
        Ok(Self { frames: frames.collect::<Result<_, NoOpinion>>()?, ..Self::unseen(case) })
    }

    /// For a model that cannot see.
    pub fn unseen(case: &Case) -> Self {
        let taken = case.screenshots(Screenshots::All).len();
        Self { frames: Vec::new(), screenshots: taken as u32 }
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
        let pictures = self.pictures.iter();
        pictures.fold(message, |message, picture| message.with_image(picture.media, picture.content.clone()))
    }
}
