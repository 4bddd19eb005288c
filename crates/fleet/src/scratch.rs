//! Where a worker keeps what is recorded until it is handed in.
//!
//! ```text
//! <folder>/<name>.lock                          held while the process lives, however it ends
//! <folder>/<name>/attempts/<ticket>/record/     what was recorded
//! <folder>/<name>/attempts/<ticket>/kept.json   the attempt has ended: what is needed to hand it in
//! ```
//!
//! A worker has a name of its own there. Process numbers would not do: in containers every worker is number one.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::FleetError;
use crate::kept::{KEPT, Kept};

const ATTEMPTS: &str = "attempts";

/// A worker's own folder. Dropped, it is removed, but for what has ended and is not handed in.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// Places that somebody works at.
    in_use: Mutex<HashSet<i64>>,
    lock: File,
}

impl Scratch {
    /// Makes one, and takes over what workers that are no more left in the same folder: results that were not handed in are
    /// kept, all else is removed.
    pub fn below(folder: &Path) -> Result<Arc<Self>, FleetError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| FleetError::File { path, source }
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let own = folder.join(format!("{:016x}", fastrand::u64(..)));
        // Locked before there is a folder of that name, so that nobody can take it for left behind.
        let lock_path = lock_of(&own);
        let lock = File::create_new(&lock_path).map_err(failed(&lock_path))?;
        lock.lock().map_err(failed(&lock_path))?;
        let attempts = own.join(ATTEMPTS);
        fs::create_dir_all(&attempts).map_err(failed(&attempts))?;
        let scratch = Self { folder: own, in_use: Mutex::default(), lock };
        for entry in fs::read_dir(folder).map_err(failed(folder))?.flatten() {
            let path = entry.path();
            if path.is_dir() && path != scratch.folder {
                // What cannot be read here, as another user's, stays where it is.
                let _ = take_over(&path, &attempts);
            }
        }
        Ok(Arc::new(scratch))
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What has ended here and is not handed in, apart from what somebody works at.
    pub fn kept(&self) -> Vec<Kept> {
        let entries = fs::read_dir(self.folder.join(ATTEMPTS)).into_iter().flatten().flatten();
        let left = entries.filter(|entry| {
            let ticket = entry.file_name().to_str().and_then(|name| i64::from_str_radix(name, 16).ok());
            ticket.is_some_and(|ticket| !self.in_use().contains(&ticket))
        });
        left.filter_map(|entry| Kept::read(&entry.path())).collect()
    }

    /// A place for one attempt.
    pub(crate) fn place(self: &Arc<Self>, ticket: i64) -> Place {
        self.in_use().insert(ticket);
        let folder = self.folder.join(ATTEMPTS).join(format!("{ticket:016x}"));
        Place { scratch: Arc::clone(self), ticket, folder }
    }

    fn in_use(&self) -> MutexGuard<'_, HashSet<i64>> {
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        for entry in fs::read_dir(self.folder.join(ATTEMPTS)).into_iter().flatten().flatten() {
            if !entry.path().join(KEPT).exists() {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.file_name() != ATTEMPTS {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let is_empty = fs::remove_dir(self.folder.join(ATTEMPTS)).and_then(|()| fs::remove_dir(&self.folder));
        if is_empty.is_ok() {
            let _ = fs::remove_file(lock_of(&self.folder));
        }
        // From here on what is left is for whoever comes next.
        let _ = self.lock.unlock();
    }
}

/// One attempt's place, while somebody works at it.
#[derive(Debug)]
pub(crate) struct Place {
    scratch: Arc<Scratch>,
    ticket: i64,
    folder: PathBuf,
}

impl Place {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Nothing of it is needed any more.
    pub(crate) async fn clear(&self) {
        if self.folder.exists() {
            let _ = tokio::fs::remove_dir_all(&self.folder).await;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.scratch.in_use().remove(&self.ticket);
    }
}

fn lock_of(folder: &Path) -> PathBuf {
    folder.with_extension("lock")
}

/// Moves what is kept in a folder that nobody holds, and removes the rest.
fn take_over(left: &Path, attempts: &Path) -> std::io::Result<()> {
    let lock_path = lock_of(left);
    let lock = File::options().create(true).truncate(false).write(true).open(&lock_path)?;
    if lock.try_lock().is_err() {
        return Ok(());
    }
    for entry in fs::read_dir(left.join(ATTEMPTS)).into_iter().flatten().flatten() {
        if entry.path().join(KEPT).exists() {
            fs::rename(entry.path(), attempts.join(entry.file_name()))?;
        }
    }
    // Another that starts at the same time may have done it already.
    if left.exists() {
        fs::remove_dir_all(left)?;
    }
    fs::remove_file(&lock_path)
}

#[cfg(test)]
mod tests {
    use umpire_model::Outcome;

    use super::*;
    use crate::Ended;

    fn keep(scratch: &Arc<Scratch>, ticket: i64) -> PathBuf {
        let place = scratch.place(ticket);
        fs::create_dir_all(place.folder().join("record")).expect("made");
        fs::write(place.folder().join("record/journal.jsonl"), "{}").expect("written");
        let ended = Ended { outcome: Outcome::Pass, reason: String::new(), ms: 7, steps: 1 };
        Kept::new("demo-1", "oracle/shop-1/1", ticket, "anna-1", ended, place.folder())
            .write()
            .expect("kept");
        place.folder().to_owned()
    }

    #[test]
    fn what_a_dead_worker_kept_is_taken_over_and_the_rest_is_swept() {
        let folder = tempfile::tempdir().expect("temp");
        let dead = Scratch::below(folder.path()).expect("made");
        keep(&dead, 7);
        fs::create_dir_all(dead.place(8).folder().join("record")).expect("made");
        fs::create_dir_all(dead.folder().join("suite-demo-1")).expect("made");
        let alive = Scratch::below(folder.path()).expect("made");
        assert_eq!(alive.kept().len(), 0, "who lives keeps what is its own");
        let dead_folder = dead.folder().to_owned();
        // What the kernel does to one that is killed: the lock goes, the files stay.
        dead.lock.unlock().expect("unlocked");
        let next = Scratch::below(folder.path()).expect("made");
        let kept = next.kept();
        assert_eq!(kept.len(), 1);
        assert_eq!((kept[0].run.as_str(), kept[0].attempt.as_str()), ("demo-1", "oracle/shop-1/1"));
        assert!(kept[0].folder.starts_with(next.folder()) && kept[0].record().join("journal.jsonl").exists());
        assert!(!dead_folder.exists() && alive.folder().exists());
    }

    #[test]
    fn one_that_leaves_removes_all_but_what_it_kept() {
        let folder = tempfile::tempdir().expect("temp");
        let scratch = Scratch::below(folder.path()).expect("made");
        let kept = keep(&scratch, 7);
        fs::create_dir_all(scratch.place(8).folder()).expect("made");
        drop(scratch);
        let left: Vec<_> = fs::read_dir(kept.parent().expect("below")).expect("there").flatten().collect();
        assert_eq!(left.iter().map(fs::DirEntry::path).collect::<Vec<_>>(), [kept]);
        drop(Scratch::below(folder.path()).expect("made"));
        let next = Scratch::below(folder.path()).expect("made");
        assert_eq!(next.kept().len(), 1, "it goes from one to the next until it is handed in");
        fs::remove_dir_all(&next.kept()[0].folder).expect("handed in");
        drop(next);
        assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 0);
    }
}
