use std::io;
use std::path::{Path, PathBuf};

use umpire_store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the table of attempts could not be written: {0}")]
    Csv(#[from] csv::Error),
    #[error("the Parquet file could not be written: {0}")]
    Parquet(io::Error),
    #[error("{rows} rows were given for {attempts} attempts")]
    Rows { rows: usize, attempts: usize },
}

impl ReportError {
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }
}
