//! Screenshots on their way to a judge: near-identical ones collapsed, sizes bounded, work done once.
//!
//! A run of a hundred steps has perhaps forty different pages, and a judge that is sent all hundred pays for sixty times
//! nothing. But the evidence it needs may be one switch in a corner: so frames are collapsed only where no reader could see
//! a difference ([`collapse()`]), the end of a run is never cut off ([`select`]), long pages are cut into tiles instead of
//! being shrunk until nothing can be read ([`prepare`]), and what is fine as it was recorded is passed on untouched.

mod cache;
mod collapse;
mod decode;
mod fingerprint;
mod header;
mod likeness;
mod memory;
mod prepare;
mod select;

use bytes::Bytes;
use umpire_model::Digest;

pub use cache::Prepared;
pub use collapse::{Frame, collapse};
pub use fingerprint::Fingerprint;
pub use likeness::{Likeness, likeness};
pub use memory::{InMemory, Memory};
pub use prepare::{Picture, Policy, prepare};
pub use select::{Choice, Rest, select};

/// What was recorded at one step, as it lies in the blob store.
#[derive(Clone, Debug)]
pub struct Screenshot {
    pub step: u32,
    pub digest: Digest,
    pub content: Bytes,
}

/// A screenshot that cannot be shown. It is named, because evidence that silently goes missing changes a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the screenshot of step {step} cannot be shown: {problem}")]
pub struct BadPicture {
    pub step: u32,
    pub problem: String,
}
