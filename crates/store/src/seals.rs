//! Seals: what a file's first bytes hash to, written down when they had just been written.
//!
//! A flipped bit can leave a line that still reads as JSON and says something else. Blobs are named by their digests;
//! for the files that grow line by line, and for the two that are written once, `seals.jsonl` in the same folder has
//! the digests. Files only grow, so an old seal holds for ever.

use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use umpire_model::Digest;

use crate::StoreError;
use crate::files::{new_temporary_in, open_for_append, read_if_there};
use crate::lines::read_lines;

pub(crate) const SEALS: &str = "seals.jsonl";
const SEAL_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Seal {
    version: u32,
    /// A file of the same folder.
    file: String,
    bytes: u64,
    digest: Digest,
}

impl Seal {
    fn length(&self) -> Option<usize> {
        usize::try_from(self.bytes).ok()
    }

    fn holds(&self, content: &[u8]) -> bool {
        let sealed = self.length().and_then(|bytes| content.get(..bytes));
        sealed.is_some_and(|first| Digest::of(first) == self.digest)
    }
}

/// How a file compares to what was sealed of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Sealed {
    /// Nobody sealed it: it is older than seals, or its writer was killed before it could.
    Never,
    /// Every sealed byte is as it was.
    Whole,
    /// It is shorter than it was.
    Cut { bytes: u64, sealed: u64 },
    /// Somewhere between these two bytes it is not what was sealed.
    Altered { after: u64, before: u64 },
}

/// Seals a file as it is now. Not synced: a power cut that takes a seal leaves a file without one, which is no damage.
pub(crate) fn seal(path: &Path) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
    let content = std::fs::read(path)?;
    let seal = Seal {
        version: SEAL_VERSION,
        file: name.to_string_lossy().into_owned(),
        bytes: content.len() as u64,
        digest: Digest::of(&content),
    };
    let mut line = serde_json::to_vec(&seal)?;
    line.push(b'\n');
    open_for_append(&folder.join(SEALS))?.write_all(&line)
}

/// Compares a file with its seals.
pub(crate) fn check(path: &Path) -> Result<Sealed, StoreError> {
    let (seals, content) = (seals_of(path)?, read_if_there(path)?);
    Ok(match seals.last() {
        None => Sealed::Never,
        Some(last) if last.bytes > content.len() as u64 => {
            Sealed::Cut { bytes: content.len() as u64, sealed: last.bytes }
        }
        Some(last) if last.holds(&content) => Sealed::Whole,
        Some(last) => Sealed::Altered { after: sound(&seals, &content).len() as u64, before: last.bytes },
    })
}

/// As much of a file's beginning as is known to be what was written.
pub(crate) fn sound_beginning(path: &Path) -> Result<Vec<u8>, StoreError> {
    let (seals, content) = (seals_of(path)?, read_if_there(path)?);
    Ok(sound(&seals, &content).to_vec())
}

fn sound<'a>(seals: &[Seal], content: &'a [u8]) -> &'a [u8] {
    let holding = seals.iter().filter(|seal| seal.holds(content)).filter_map(Seal::length).max();
    content.get(..holding.unwrap_or(0)).unwrap_or_default()
}

fn seals_of(path: &Path) -> Result<Vec<Seal>, StoreError> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Ok(Vec::new()) };
    let mut seals: Vec<Seal> = read_lines(&folder.join(SEALS), SEAL_VERSION)?;
    seals.retain(|seal| name.to_str() == Some(&seal.file));
    Ok(seals)
}

/// Forgets the seals of a file that was taken away, so that its successor is not measured by them.
pub(crate) fn unseal(path: &Path) -> Result<(), StoreError> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
    let seals = folder.join(SEALS);
    let mut kept: Vec<Seal> = read_lines(&seals, SEAL_VERSION)?;
    kept.retain(|seal| name.to_str() != Some(&seal.file));
    let write = || {
        let mut file = new_temporary_in(folder)?;
        for seal in &kept {
            serde_json::to_writer(&mut file, seal)?;
            file.write_all(b"\n")?;
        }
        file.persist(&seals).map_err(|failed| failed.error).map(drop)
    };
    write().map_err(StoreError::io("write", &seals))
}
