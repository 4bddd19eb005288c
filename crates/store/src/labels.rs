use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use umpire_model::{HumanLabel, LABEL_VERSION};

use crate::files::{open_for_append, read_if_there, sync_folder_of};
use crate::seals::seal;
use crate::{Run, StoreError};

impl Run {
    /// Where people's labels on the attempts are kept.
    pub fn labels_path(&self) -> PathBuf {
        self.folder().join("labels.jsonl")
    }

    /// All labels ever given, oldest first; `umpire_model::standing_labels` says which of them stand.
    pub fn labels(&self) -> Result<Vec<HumanLabel>, StoreError> {
        read(&self.labels_path())
    }

    /// Adds labels and returns how many were new: giving the very same again changes nothing. Returns once they are on
    /// the disk.
    pub fn append_labels(&self, labels: &[HumanLabel]) -> Result<usize, StoreError> {
        let path = self.labels_path();
        let mut known = self.labels()?;
        let before = known.len();
        let mut lines = Vec::new();
        for label in labels {
            if !known.contains(label) {
                known.push(label.clone());
                serde_json::to_writer(&mut lines, label)
                    .map_err(|error| StoreError::io("write", &path)(error.into()))?;
                lines.push(b'\n');
            }
        }
        if lines.is_empty() {
            return Ok(0);
        }
        let write = || {
            let mut file = open_for_append(&path)?;
            file.write_all(&lines)?;
            file.sync_data()?;
            sync_folder_of(&path)?;
            seal(&path)
        };
        write().map_err(StoreError::io("write", &path))?;
        Ok(known.len() - before)
    }
}

/// A line that is no JSON was torn by a killed import, which the same import mends; one that is JSON and no label is
/// damage, and labels are too dear to pass over it.
fn read(path: &Path) -> Result<Vec<HumanLabel>, StoreError> {
    /// The part that every version has.
    #[derive(Deserialize)]
    struct Head {
        version: u32,
    }
    let mut labels = Vec::new();
    for (index, line) in read_if_there(path)?.split(|byte| *byte == b'\n').enumerate() {
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(line) else { continue };
        if let Ok(Head { version }) = serde_json::from_slice(line)
            && version > LABEL_VERSION
        {
            return Err(StoreError::NewerFormat {
                path: path.to_owned(),
                found: version,
                known: LABEL_VERSION,
            });
        }
        labels.push(serde_json::from_value(value).map_err(|error| StoreError::Malformed {
            path: path.to_owned(),
            line: Some(index + 1),
            problem: error.to_string(),
        })?);
    }
    Ok(labels)
}
