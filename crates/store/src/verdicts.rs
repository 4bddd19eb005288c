use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use umpire_model::{VERDICT_VERSION, Verdict};

use crate::StoreError;
use crate::files::{open_for_append, read_if_there, sync_folder_of};

/// A verdict and the try it speaks of: one that was passed on an `infra` try says nothing about the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FiledVerdict {
    pub r#try: u32,
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// Appends a verdict, unless the last one on file by the same judge is the very same: judging again is no news.
pub(crate) fn append(path: &Path, filed: &FiledVerdict) -> Result<(), StoreError> {
    let last = read(path)?.into_iter().rfind(|earlier| earlier.verdict.by == filed.verdict.by);
    if last.as_ref() == Some(filed) {
        return Ok(());
    }
    let write = || {
        let mut line = serde_json::to_vec(filed)?;
        line.push(b'\n');
        let mut file = open_for_append(path)?;
        file.write_all(&line)?;
        file.sync_data()?;
        sync_folder_of(path)
    };
    write().map_err(StoreError::io("write", path))
}

/// All verdicts, oldest first. A line torn by a killed writer is no verdict: its attempt is judged again.
pub(crate) fn read(path: &Path) -> Result<Vec<FiledVerdict>, StoreError> {
    /// The part that every version has.
    #[derive(Deserialize)]
    struct Head {
        version: u32,
    }
    let content = read_if_there(path)?;
    let mut verdicts = Vec::new();
    for line in content.split(|byte| *byte == b'\n') {
        if let Ok(Head { version }) = serde_json::from_slice(line)
            && version > VERDICT_VERSION
        {
            return Err(StoreError::NewerFormat {
                path: path.to_owned(),
                found: version,
                known: VERDICT_VERSION,
            });
        }
        verdicts.extend(serde_json::from_slice::<FiledVerdict>(line).ok());
    }
    Ok(verdicts)
}
