use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use umpire_model::{BlobRef, BlobSource, Digest, Media};

use crate::files::new_temporary_in;

/// The usual trade: a few hundred MB/s and most of what can be gained on HTML and JSON.
const ZSTD_LEVEL: i32 = 3;
/// A screenshot of a very long page is a tenth of this.
const LARGEST_IMAGE: u64 = 50 << 20;

/// A run's content, each piece once, named by its digest.
///
/// Images are stored as they are, everything else compressed. A blob appears under its name only when it is whole.
/// Blobs are not synced one by one: should a power cut take one, its digest tells.
#[derive(Clone, Debug)]
pub struct Blobs {
    root: PathBuf,
}

impl Blobs {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// Stores content as it is given. Evidence goes through [`crate::JournalWriter`], which redacts it first.
    pub fn put(&self, content: &[u8], media: Media) -> io::Result<BlobRef> {
        let blob = BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 };
        let path = self.path(&blob.digest, media)?;
        if is_stored(&path, content, media) {
            return Ok(blob);
        }
        let unfinished = self.unfinished();
        fs::create_dir_all(&unfinished)?;
        if let Some(shard) = path.parent() {
            fs::create_dir_all(shard)?;
        }
        let mut file = new_temporary_in(&unfinished)?;
        if media.is_image() {
            file.write_all(content)?;
        } else {
            file.write_all(&zstd::bulk::compress(content, ZSTD_LEVEL)?)?;
        }
        file.persist(&path).map_err(|failed| failed.error)?;
        Ok(blob)
    }

    /// Puts whole content where a damaged blob is.
    pub(crate) fn replace(&self, content: &[u8], blob: &BlobRef) -> io::Result<BlobRef> {
        match fs::remove_file(self.path(&blob.digest, blob.media)?) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        self.put(content, blob.media)
    }

    /// An image by its digest alone, for readers that were given no more; what kind it is its first bytes say.
    pub fn image(&self, digest: &Digest) -> io::Result<(Media, Vec<u8>)> {
        let path = self.path(digest, Media::Jpeg)?;
        let mut content = Vec::new();
        fs::File::open(path)?.take(LARGEST_IMAGE).read_to_end(&mut content)?;
        let media = match content.as_slice() {
            [0xff, 0xd8, ..] => Media::Jpeg,
            [0x89, b'P', b'N', b'G', ..] => Media::Png,
            _ => return Err(io::Error::new(io::ErrorKind::InvalidData, "this blob is no image")),
        };
        if Digest::of(&content) != *digest {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the image does not match its digest"));
        }
        Ok((media, content))
    }

    /// Makes an image available as an ordinary file elsewhere, sharing the disk space where the file system can.
    /// An existing file is left alone.
    pub fn export_image(&self, blob: &BlobRef, to: &Path) -> io::Result<()> {
        let content = self.read(blob)?;
        let stored = self.path(&blob.digest, blob.media)?;
        if to.exists() || (blob.media.is_image() && fs::hard_link(stored, to).is_ok()) {
            return Ok(());
        }
        fs::write(to, content)
    }

    /// Removes what writers that were killed left half-written. Only for the holder of the run's lock.
    pub(crate) fn sweep(&self) -> io::Result<()> {
        match fs::remove_dir_all(self.unfinished()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn unfinished(&self) -> PathBuf {
        self.root.join("unfinished")
    }

    /// A digest from a journal is outside data: only a well-formed one may become part of a path.
    fn path(&self, digest: &Digest, media: Media) -> io::Result<PathBuf> {
        let digest = Digest::parse(digest.as_str()).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("`{digest}` is not a digest"))
        })?;
        let hex = digest.as_str();
        let name = if media.is_image() { hex.to_owned() } else { format!("{hex}.zst") };
        Ok(self.root.join(&hex[..2]).join(name))
    }
}

/// A power cut can leave an empty or cut file under the right name; such a file is written again.
fn is_stored(path: &Path, content: &[u8], media: Media) -> bool {
    fs::metadata(path).is_ok_and(|found| {
        if media.is_image() { found.len() == content.len() as u64 } else { found.len() > 0 }
    })
}

impl BlobSource for Blobs {
    fn read(&self, blob: &BlobRef) -> io::Result<Vec<u8>> {
        let path = self.path(&blob.digest, blob.media)?;
        let explain =
            |error: io::Error| io::Error::new(error.kind(), format!("blob {}: {error}", path.display()));
        let stored = fs::File::open(&path).map_err(explain)?;
        // One byte more than promised shows a blob that is too long, without reading a bomb to its end.
        let limit = blob.bytes.saturating_add(1);
        let mut content = Vec::new();
        if blob.media.is_image() {
            stored.take(limit).read_to_end(&mut content).map_err(explain)?;
        } else {
            zstd::stream::read::Decoder::new(stored)
                .and_then(|decoder| decoder.take(limit).read_to_end(&mut content))
                .map_err(explain)?;
        }
        if content.len() as u64 != blob.bytes || Digest::of(&content) != blob.digest {
            let problem = "its content does not match its digest: the file was damaged or changed";
            return Err(explain(io::Error::new(io::ErrorKind::InvalidData, problem)));
        }
        Ok(content)
    }
}
