use serde::{Deserialize, Serialize};

use crate::{Digest, EventBody};

/// What a blob holds; decides how it is stored (images are already compressed) and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Media {
    Jpeg,
    Png,
    Text,
    Json,
    Bytes,
}

impl Media {
    pub fn is_image(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png)
    }

    pub fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Text => "text/plain; charset=utf-8",
            Self::Json => "application/json",
            Self::Bytes => "application/octet-stream",
        }
    }
}

/// A pointer from an event to content in the run's blob store.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BlobRef {
    pub digest: Digest,
    pub media: Media,
    pub bytes: u64,
}

/// Where the harness puts what it sees. The writer behind it redacts before the first byte reaches the disk.
///
/// Neither method may fail towards the caller: a disk that is full is remembered by the writer and makes the
/// attempt `infra` when it is finished, so that recording code has one path.
pub trait Evidence: Send + Sync {
    fn event(&self, body: EventBody) -> u64;
    fn blob(&self, content: &[u8], media: Media) -> BlobRef;
}

/// Keeps nothing: for what happens before an attempt, or outside of any.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unrecorded;

impl Evidence for Unrecorded {
    fn event(&self, _body: EventBody) -> u64 {
        0
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
    }
}

/// Reads blobs back, for verdicts and reports.
pub trait BlobSource {
    fn read(&self, blob: &BlobRef) -> Result<Vec<u8>, std::io::Error>;
}
