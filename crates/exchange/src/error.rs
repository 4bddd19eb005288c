use std::io;
use std::path::{Path, PathBuf};

use umpire_model::BadName;
use umpire_store::StoreError;

/// Why one attempt was left out, with the place to look at and what would mend it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {what}", file.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct Problem {
    pub file: PathBuf,
    pub line: Option<usize>,
    pub what: String,
    pub remedy: String,
}

impl Problem {
    pub(crate) fn new(file: &Path, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, what: what.into(), remedy: remedy.into() }
    }

    pub(crate) fn json(file: &Path, error: &serde_json::Error) -> Self {
        Self {
            file: file.to_owned(),
            line: (error.line() > 0).then(|| error.line()),
            what: error.to_string(),
            remedy: "compare the file with the format it is read as".to_owned(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{} holds no {format} attempt: {looked_for}", path.display())]
    Nothing { path: PathBuf, format: &'static str, looked_for: &'static str },
    #[error("no attempt could be imported; the first problem: {first}")]
    AllLeftOut { first: Problem, left_out: Vec<Problem> },
    #[error("{0}")]
    Strict(Problem),
    #[error("there are attempts of several agents ({}): choose one with --agent", .0.join(", "))]
    SeveralAgents(Vec<String>),
    #[error("there is no attempt of `{wanted}`; there are attempts of {}", there.join(", "))]
    NoSuchAgent { wanted: String, there: Vec<String> },
    #[error(transparent)]
    Name(#[from] BadName),
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is there already: choose another place with --out", .0.display())]
    Exists(PathBuf),
    #[error("the run has no finished attempt to export")]
    Nothing,
    #[error("the film could not be encoded: {0}")]
    Encoder(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ExportError {
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{name}` is not one of {known}")]
pub struct UnknownFormat {
    pub name: String,
    pub known: String,
}
