//! Files of versioned JSON lines that are appended to and never edited.

use std::io::Write as _;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::StoreError;
use crate::files::{open_for_append, read_if_there, sync_folder_of};
use crate::seals::seal;

/// Returns once the line is on the disk.
pub(crate) fn append_line<T: Serialize>(path: &Path, record: &T) -> Result<(), StoreError> {
    let write = || {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let mut file = open_for_append(path)?;
        file.write_all(&line)?;
        file.sync_data()?;
        sync_folder_of(path)?;
        seal(path)
    };
    write().map_err(StoreError::io("write", path))
}

/// All records, oldest first. A line torn by a killed writer is none.
pub(crate) fn read_lines<T: DeserializeOwned>(path: &Path, known: u32) -> Result<Vec<T>, StoreError> {
    /// The part that every version has.
    #[derive(Deserialize)]
    struct Head {
        version: u32,
    }
    let content = read_if_there(path)?;
    let mut records = Vec::new();
    for line in content.split(|byte| *byte == b'\n') {
        if let Ok(Head { version: found }) = serde_json::from_slice(line)
            && found > known
        {
            return Err(StoreError::NewerFormat { path: path.to_owned(), found, known });
        }
        records.extend(serde_json::from_slice::<T>(line).ok());
    }
    Ok(records)
}
