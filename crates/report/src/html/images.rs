use std::collections::HashMap;
use std::fs;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use image::codecs::jpeg::JpegEncoder;
use umpire_model::{BlobRef, BlobSource as _, Digest, Media};
use umpire_store::Blobs;

use crate::ReportError;

/// A film strip shows 150 CSS pixels; this is enough for a dense screen.
const THUMB_WIDTH: u32 = 240;
const THUMB_HEIGHT: u32 = 480;
const THUMB_QUALITY: u8 = 72;

/// Screenshots as files next to the pages, each once however many steps show it.
pub(super) struct Images {
    blobs: Blobs,
    root: PathBuf,
    published: Mutex<HashMap<Digest, Slot>>,
}

/// Filled by the first page that needs the image; others wait for it.
type Slot = Arc<OnceLock<Result<Picture, String>>>;

/// Paths from the folder of the index.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub file: String,
    pub thumb: String,
}

impl Images {
    pub(super) fn new(blobs: Blobs, root: &Path) -> Result<Self, ReportError> {
        for folder in [root.join("images"), root.join("thumbs")] {
            fs::create_dir_all(&folder).map_err(ReportError::write(&folder))?;
        }
        Ok(Self { blobs, root: root.to_owned(), published: Mutex::default() })
    }

    /// Makes a screenshot available to pages. One that cannot be read is a sentence on its page: the rest of the
    /// evidence is still worth showing.
    pub(super) fn publish(&self, blob: &BlobRef) -> Result<Picture, String> {
        let slot = {
            let mut published = self.published.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(published.entry(blob.digest.clone()).or_default())
        };
        slot.get_or_init(|| self.write(blob).map_err(|error| error.to_string())).clone()
    }

    fn write(&self, blob: &BlobRef) -> io::Result<Picture> {
        let extension = if blob.media == Media::Png { "png" } else { "jpg" };
        // A digest from a journal is outside data until it has proved to be one.
        let digest = Digest::parse(blob.digest.as_str()).ok_or(io::ErrorKind::InvalidInput)?;
        let picture =
            Picture { file: format!("images/{digest}.{extension}"), thumb: format!("thumbs/{digest}.jpg") };
        let file = self.root.join(&picture.file);
        if !file.exists() {
            self.blobs.export_image(blob, &file)?;
        }
        let thumb = self.root.join(&picture.thumb);
        if !thumb.exists() {
            let small = thumbnail(&self.blobs.read(blob)?).map_err(io::Error::other)?;
            // Under its name only when whole: the next report trusts what it finds.
            let part = thumb.with_extension("part");
            fs::write(&part, small)?;
            fs::rename(&part, &thumb)?;
        }
        Ok(picture)
    }
}

/// The small picture of a film strip, as JPEG.
pub fn thumbnail(content: &[u8]) -> Result<Vec<u8>, image::ImageError> {
    let small = image::load_from_memory(content)?.thumbnail(THUMB_WIDTH, THUMB_HEIGHT).into_rgb8();
    let mut out = Cursor::new(Vec::new());
    small.write_with_encoder(JpegEncoder::new_with_quality(&mut out, THUMB_QUALITY))?;
    Ok(out.into_inner())
}
