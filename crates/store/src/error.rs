use std::io;
use std::path::{Path, PathBuf};

/// What can go wrong with files of a run, in words for the person who has to mend it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot {doing} {}: {source}", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("{}{}: {problem}", path.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
    Malformed { path: PathBuf, line: Option<usize>, problem: String },
    #[error("{} has format version {found}, this Umpire reads up to {known}: use a newer Umpire", path.display())]
    NewerFormat { path: PathBuf, found: u32, known: u32 },
    #[error("there is no run `{wanted}` in {}{}", root.display(), listed(there))]
    NoSuchRun { wanted: String, root: PathBuf, there: Vec<String> },
    #[error("`{wanted}` could be any of these runs: {}", candidates.join(", "))]
    AmbiguousRun { wanted: String, candidates: Vec<String> },
    #[error("there is already a run `{run}` in {}", root.display())]
    RunExists { run: String, root: PathBuf },
    #[error("run `{run}` is being written by another process{}; wait for it, or stop it", holder.map(|pid| format!(" ({pid})")).unwrap_or_default())]
    Locked { run: String, holder: Option<u32> },
}

impl StoreError {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }
}

/// The runs a mistyped name may have meant, short enough for one message.
fn listed(there: &[String]) -> String {
    const SHOWN: usize = 8;
    match there.len() {
        0 => "; there are none".to_owned(),
        count => {
            let names: Vec<&str> = there.iter().take(SHOWN).map(String::as_str).collect();
            let more = if count > SHOWN { format!(" and {} more", count - SHOWN) } else { String::new() };
            format!("; there is {}{more}", names.join(", "))
        }
    }
}
