//! What a judge is.

use std::future::Future;
use std::pin::Pin;

use serde_json::Value;
use umpire_model::{BlobSource, Digest, Ruling, Shown};

use crate::asking::{Asking, NoOpinion};
use crate::case::Case;
use crate::evidence::{EvidencePolicy, Exhibits};
use crate::frames::{Darkroom, Frames};

/// A way to look at attempts and say what one thinks of them.
pub trait Judge: Send + Sync {
    fn name(&self) -> &str;

    /// Of all that could change what it says, except the model.
    fn digest(&self) -> Digest;

    fn evidence(&self) -> &EvidencePolicy;

    fn judge<'a>(&'a self, bench: &'a Bench<'a>) -> Judging<'a>;

    /// Calls and pictures for a case of so many frames, if no answer has to be asked for again.
    fn effort(&self, frames: usize) -> Effort;

    /// Compares two attempts at one task instead of judging one.
    fn compares(&self) -> bool {
        false
    }
}

pub type Judging<'a> = Pin<Box<dyn Future<Output = Result<Opinion, NoOpinion>> + Send + 'a>>;

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
    pub exhibit: &'a Exhibit,
    /// The other attempt, for a judge that compares.
    pub other: Option<&'a Exhibit>,
    pub asking: Asking<'a>,
}

/// One attempt's evidence, chosen and put into words.
pub struct Exhibit {
    pub case: Case,
    pub texts: Exhibits,
    pub frames: Frames,
}

impl Exhibit {
    /// Without a darkroom nothing is shown: for a model that cannot see.
    pub fn prepare(
        case: Case,
        policy: &EvidencePolicy,
        blobs: &dyn BlobSource,
        darkroom: Option<&Darkroom>,
    ) -> Result<Self, NoOpinion> {
        let texts = Exhibits::of(&case, policy, blobs);
        let frames = match darkroom {
            Some(darkroom) => Frames::of(&case, policy, blobs, darkroom)?,
            None => Frames::unseen(&case),
        };
        Ok(Self { case, texts, frames })
    }

    /// Of all that is shown; a vote holds as long as this does.
    pub fn digest(&self) -> Digest {
        let pictures: Vec<&Digest> = self.frames.frames.iter().map(|frame| &frame.digest).collect();
        Digest::of_json(&(self.texts.values(), pictures))
    }

    pub fn shown(&self, images: u32, effort: Effort) -> Shown {
        Shown {
            screenshots: self.frames.screenshots,
            frames: self.frames.frames.len() as u32,
            images,
            plain_images: effort.images as u32,
            plain_calls: effort.calls as u32,
            canaries: self.texts.canaries,
        }
    }
}
