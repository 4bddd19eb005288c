use std::path::Path;

use serde::{Deserialize, Serialize};
use umpire_model::{VERDICT_VERSION, Verdict};

use crate::StoreError;
use crate::lines::{append_line, read_lines};

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
    append_line(path, filed)
}

/// All verdicts, oldest first. A line torn by a killed writer is no verdict: its attempt is judged again.
pub(crate) fn read(path: &Path) -> Result<Vec<FiledVerdict>, StoreError> {
    read_lines(path, VERDICT_VERSION)
}
