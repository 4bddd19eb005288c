//! Recorded attempts on disk, in the reference's layout: one folder per task, named by the task's number, with the
//! agent's response and the trace in it.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::config::Config;
use crate::trace::{Retention, Trace, TraceError};

/// The configuration an attempt may carry with it.
const RUN_CONFIG: &str = "run_config.json";

/// The folder of one attempt.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AttemptFolder {
    pub task_id: i64,
    pub path: PathBuf,
}

/// Why an attempt has no configuration of its own that could be used.
#[derive(Debug, thiserror::Error)]
pub enum RunConfigError {
    #[error("cannot read {RUN_CONFIG}: {0}")]
    Read(#[from] io::Error),
    #[error("{RUN_CONFIG} is no configuration: {0}")]
    Json(#[from] serde_json::Error),
}

/// The attempts below a folder, by task number. Everything that is not a folder named by a number is passed over.
pub fn find(run: &Path) -> io::Result<Vec<AttemptFolder>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(run)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        let is_number = !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
        if let (true, Ok(task_id)) = (is_number, name.parse())
            && is_folder(&entry)?
        {
            folders.push(AttemptFolder { task_id, path: entry.path() });
        }
    }
    folders.sort_unstable();
    Ok(folders)
}

/// A link to a folder is one too. The listing itself tells what is no link, so nothing is asked twice.
fn is_folder(entry: &fs::DirEntry) -> io::Result<bool> {
    let kind = entry.file_type()?;
    Ok(kind.is_dir() || (kind.is_symlink() && entry.path().is_dir()))
}

impl AttemptFolder {
    pub fn response_path(&self, config: &Config) -> PathBuf {
        self.path.join(&config.agent_response_file_name)
    }

    /// A name without a dot is that of a Playwright archive.
    pub fn trace_path(&self, config: &Config) -> PathBuf {
        let name = &config.trace_file_name;
        self.path.join(if name.contains('.') { name.clone() } else { format!("{name}.zip") })
    }

    /// The files that should be there and are not.
    pub fn missing_files(&self, config: &Config) -> Vec<PathBuf> {
        [self.response_path(config), self.trace_path(config)]
            .into_iter()
            .filter(|path| !path.exists())
            .collect()
    }

    /// The configuration recorded with the attempt, if there is one.
    pub fn run_config(&self) -> Result<Option<Config>, RunConfigError> {
        let path = self.path.join(RUN_CONFIG);
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(&fs::read(path)?)?))
    }

    pub fn read_response(&self, config: &Config) -> io::Result<String> {
        fs::read_to_string(self.response_path(config))
    }

    pub fn read_trace(&self, config: &Config, retention: &Retention) -> Result<Trace, TraceError> {
        Trace::open(&self.trace_path(config), retention)
    }
}

/// Applies a judgement to every item, several at a time; the answers come in the order of the items.
pub fn in_parallel<I: Sync, T: Send>(
    items: &[I],
    threads: NonZeroUsize,
    judge: impl Fn(&I) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let judged = Mutex::new(Vec::with_capacity(items.len()));
    let work = || {
        let mut own = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            own.push((index, judge(item)));
        }
        // The lock is only poisoned by a panic of another judgement, which ends the scope anyway.
        judged.lock().unwrap_or_else(std::sync::PoisonError::into_inner).append(&mut own);
    };
    std::thread::scope(|scope| {
        // The calling thread is one of them.
        for _ in 1..threads.get().min(items.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut judged = judged.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    judged.sort_unstable_by_key(|(index, _)| *index);
    judged.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_the_numbered_folders() {
        let run = tempfile::tempdir().expect("a folder");
        for name in ["12", "3", "x1", "1x"] {
            fs::create_dir(run.path().join(name)).expect("a folder");
        }
        fs::write(run.path().join("7"), "a file").expect("written");
        let found: Vec<i64> =
            find(run.path()).expect("readable").iter().map(|folder| folder.task_id).collect();
        assert_eq!(found, [3, 12]);
        assert!(find(&run.path().join("nowhere")).is_err());
    }

    #[test]
    fn an_archive_needs_no_ending_in_the_configuration() {
        let folder = AttemptFolder { task_id: 1, path: PathBuf::from("run/1") };
        let config = Config { trace_file_name: "trace".to_owned(), ..Config::default() };
        assert_eq!(folder.trace_path(&config), PathBuf::from("run/1/trace.zip"));
        assert_eq!(folder.trace_path(&Config::default()), PathBuf::from("run/1/network.har"));
        assert_eq!(folder.missing_files(&config).len(), 2);
    }

    #[test]
    fn answers_keep_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        let threads = NonZeroUsize::new(4).expect("four");
        assert_eq!(
            in_parallel(&items, threads, |item| item * 2),
            items.iter().map(|i| i * 2).collect::<Vec<_>>()
        );
        assert_eq!(in_parallel(&[] as &[usize], threads, |item| *item), [0; 0]);
    }
}
