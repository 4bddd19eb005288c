//! What a judge is, and what lies before it.

use serde_json::Value;
use umpire_model::{BlobSource, Digest, Ruling, Shown};

use crate::asking::{Asking, NoOpinion};
use crate::case::Case;
use crate::definition::{Definition, Pipeline};
use crate::evidence::{EvidencePolicy, Texts};
use crate::frames::Frames;
use crate::pipelines;

/// A way to look at attempts and say what one thinks of them.
#[derive(Clone, Debug)]
pub struct Judge {
    definition: Definition,
    digest: Digest,
}

impl Judge {
    pub fn new(definition: Definition) -> Self {
        Self { digest: definition.digest(), definition }
    }

    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// Of all that could change what it says, except the model.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    pub fn evidence(&self) -> &EvidencePolicy {
        &self.definition.evidence
    }

    /// Compares two attempts at one task instead of judging one.
    pub fn compares(&self) -> bool {
        self.definition.pipeline == Pipeline::Pairwise
    }

    pub async fn judge(&self, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
        pipelines::opinion(&self.definition, bench).await
    }

    /// Calls and pictures for a case of so many frames, if no answer has to be asked for again.
    pub fn effort(&self, frames: usize) -> Effort {
        pipelines::effort(&self.definition, frames)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    pub calls: usize,
    pub images: usize,
}

/// What one vote says.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    pub ruling: Ruling,
    pub reason: String,
    pub findings: Value,
    /// Pictures that were shown, all calls together.
    pub images: u32,
}

/// A case as it lies before a judge, and the model it may ask.
pub struct Bench<'a> {
    pub side: Side<'a>,
    /// The other attempt, for a judge that compares.
    pub other: Option<Side<'a>>,
    pub asking: Asking<'a>,
}

/// One attempt, as far as a model can be shown it.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub exhibit: &'a Exhibit,
    pub frames: &'a Frames,
}

/// One attempt's evidence, put into words.
#[derive(Clone, Debug)]
pub struct Exhibit {
    pub case: Case,
    pub texts: Texts,
}

impl Exhibit {
    pub fn new(case: Case, policy: &EvidencePolicy, blobs: &dyn BlobSource) -> Self {
        Self { texts: Texts::of(&case, policy, blobs), case }
    }

    /// Of all that may be shown; a vote holds as long as this does. Told without looking into any picture.
    pub fn digest(&self, policy: &EvidencePolicy) -> Digest {
        let pictures = self.case.screenshots(policy.screenshots).into_iter().map(|(_, blob)| &blob.digest);
        Digest::of_json(&(self.texts.values(), pictures.collect::<Vec<_>>()))
    }
}

impl Side<'_> {
    pub fn shown(&self, images: u32, plain: Effort) -> Shown {
        Shown {
            screenshots: self.frames.screenshots,
            frames: self.frames.frames.len() as u32,
            images,
            plain_images: plain.images as u32,
            plain_calls: plain.calls as u32,
            canaries: self.exhibit.texts.canaries,
        }
    }
}
