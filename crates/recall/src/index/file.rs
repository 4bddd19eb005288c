//! The file of an index: a safetensors file, which any tool of the field can open.
//!
//! Its one tensor, `vectors`, has a row for each entry. The metadata under `umpire-recall` says what the vectors were made
//! of, and seals that together with the vectors themselves.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use umpire_model::Digest;

use super::Method;
use crate::bank::Bank;
use crate::keys::Keys;
use crate::vectors::Vectors;

const VERSION: u32 = 1;
const METADATA: &str = "umpire-recall";
const TENSOR: &str = "vectors";

#[derive(Debug, Error)]
pub enum IndexFileError {
    #[error("the index {}: {error}", path.display())]
    Io { path: PathBuf, error: std::io::Error },
    #[error("{} is no index file: {problem}", path.display())]
    Malformed { path: PathBuf, problem: String },
    #[error("the index {} has version {found}; this program knows version {VERSION}", path.display())]
    Version { path: PathBuf, found: u32 },
    #[error("the index {} is out of date: {}. Build it again.", path.display(), reasons.join(", "))]
    Stale { path: PathBuf, reasons: Vec<String> },
    #[error("the index {} is damaged: its content is not what was written. Build it again.", path.display())]
    Damaged { path: PathBuf },
}

/// All that an index is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Identity {
    bank: Digest,
    pub(super) entries: usize,
    keys: String,
    /// None where entries are found by words alone.
    encoder: Option<Digest>,
}

impl Identity {
    pub(super) fn of(bank: &Bank, keys: Keys, method: &Method) -> Self {
        Self {
            bank: bank.digest(),
            entries: bank.entries().len(),
            keys: keys.name().to_owned(),
            encoder: method.embed().map(|embed| embed.identity()),
        }
    }

    /// What makes this one useless where the other is wanted.
    fn differences(&self, wanted: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if (&self.bank, self.entries) != (&wanted.bank, wanted.entries) {
            found.push(format!(
                "the bank has changed since ({} entries then, {} now)",
                self.entries, wanted.entries
            ));
        }
        if self.keys != wanted.keys {
            found.push(format!("it was made of the keys `{}`, not `{}`", self.keys, wanted.keys));
        }
        match (&self.encoder, &wanted.encoder) {
            (None, Some(_)) => found.push("it was made without an embedding model".to_owned()),
            (Some(then), Some(now)) if then != now => {
                found.push(format!("it was made with another embedding model ({then:?}, not {now:?})"));
            }
            _ => {}
        }
        found
    }

    fn seal(&self, vectors: &[u8]) -> Digest {
        Digest::of_json(&(VERSION, self, Digest::of(vectors)))
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    version: u32,
    #[serde(flatten)]
    identity: Identity,
    seal: Digest,
}

/// The part that every version has.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

pub(super) fn write(
    path: &Path,
    identity: &Identity,
    vectors: Option<&Vectors>,
) -> Result<(), IndexFileError> {
    let (dimensions, values) =
        vectors.map_or((0, &[][..]), |vectors| (vectors.dimensions(), vectors.values()));
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let header = Header { version: VERSION, identity: identity.clone(), seal: identity.seal(&bytes) };
    let in_file = |error| IndexFileError::Io { path: path.to_owned(), error };
    let header = serde_json::to_string(&header).map_err(|error| in_file(error.into()))?;
    let metadata = HashMap::from([(METADATA.to_owned(), header)]);
    let unfit = |error| in_file(std::io::Error::other(error));
    let tensor = TensorView::new(Dtype::F32, vec![identity.entries, dimensions], &bytes).map_err(unfit)?;
    let content = safetensors::serialize([(TENSOR, tensor)], Some(metadata)).map_err(unfit)?;
    write_whole(path, &content).map_err(in_file)
}

/// No sync: what a power cut tears is seen by its seal, and can be built again.
fn write_whole(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".new-").tempfile_in(folder)?;
    file.write_all(content)?;
    file.persist(path).map_err(|failed| failed.error)?;
    Ok(())
}

/// The vectors, if the file has the wanted ones; none where none are wanted.
pub(super) fn read(path: &Path, wanted: &Identity) -> Result<Option<Vectors>, IndexFileError> {
    let content = std::fs::read(path).map_err(|error| IndexFileError::Io { path: path.to_owned(), error })?;
    let malformed = |problem: String| IndexFileError::Malformed { path: path.to_owned(), problem };
    let (_, metadata) = SafeTensors::read_metadata(&content).map_err(|error| malformed(error.to_string()))?;
    let written = metadata.metadata().as_ref().and_then(|metadata| metadata.get(METADATA));
    let written = written.ok_or_else(|| malformed(format!("it has no metadata `{METADATA}`")))?;
    let in_header = |error: serde_json::Error| malformed(format!("its metadata: {error}"));
    let Versioned { version } = serde_json::from_str(written).map_err(in_header)?;
    if version != VERSION {
        return Err(IndexFileError::Version { path: path.to_owned(), found: version });
    }
    let header: Header = serde_json::from_str(written).map_err(in_header)?;
    let tensors = SafeTensors::deserialize(&content).map_err(|error| malformed(error.to_string()))?;
    let tensor = tensors.tensor(TENSOR).map_err(|error| malformed(error.to_string()))?;
    if header.seal != header.identity.seal(tensor.data()) {
        return Err(IndexFileError::Damaged { path: path.to_owned() });
    }
    let reasons = header.identity.differences(wanted);
    if !reasons.is_empty() {
        return Err(IndexFileError::Stale { path: path.to_owned(), reasons });
    }
    if wanted.encoder.is_none() {
        return Ok(None);
    }
    let &[entries, dimensions] = tensor.shape() else {
        return Err(IndexFileError::Damaged { path: path.to_owned() });
    };
    if entries != wanted.entries || tensor.dtype() != Dtype::F32 {
        return Err(IndexFileError::Damaged { path: path.to_owned() });
    }
    let values = tensor.data().as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let vectors = Vectors::new(dimensions, values).map_err(|error| malformed(error.to_string()))?;
    Ok(Some(vectors))
}
