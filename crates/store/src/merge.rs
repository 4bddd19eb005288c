//! One run of several copies that hold different attempts of it: shares of a plan, or what was saved of a disk.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use umpire_model::AttemptId;

use crate::condition::{blobs_in, set_aside, unlike_sealed};
use crate::files::{open_for_append, read_if_there};
use crate::seals;
use crate::{AttemptDir, Run, Runs, Status, StoreError};

/// What a merge came to.
#[derive(Debug, Default, Serialize)]
pub struct Merged {
    /// Attempts that were taken over.
    pub taken: usize,
    /// Attempts that were there already, the same to the byte.
    pub known: usize,
    /// Attempts that another copy has made as well, with another course. The first copy's stands.
    pub made_twice: Vec<AttemptId>,
    /// Attempts that could not be taken over, and why.
    pub damaged: Vec<(AttemptId, String)>,
    pub labels: usize,
    /// Attempts of the plan that no copy has an end of.
    pub open: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is nothing to merge")]
    Nothing,
    #[error("{} is run `{found}`, and {} is run `{wanted}`: only copies of one run can be merged", path.display(), first.display())]
    OtherRun { path: PathBuf, found: String, first: PathBuf, wanted: String },
    #[error("{} and {} are of one plan, and differ in {differs}: a run has one Umpire and one Chromium", path.display(), first.display())]
    OtherMaker { path: PathBuf, first: PathBuf, differs: String },
    #[error("{} is being written; wait for its runner, or stop it", path.display())]
    BeingWritten { path: PathBuf },
}

impl Runs {
    /// Puts copies of one run together in this folder, into the copy that is there already if there is one. What was
    /// merged before is known again, so a merge that was cut short is simply done again. The copies are left as they are.
    pub fn merge(&self, copies: &[Run]) -> Result<(Run, Merged), MergeError> {
        let first = copies.first().ok_or(MergeError::Nothing)?;
        for copy in copies {
            same_run(first, copy)?;
            if copy.is_being_written() {
                return Err(MergeError::BeingWritten { path: copy.folder().to_owned() });
            }
        }
        let run = match self.find(&first.manifest().run)? {
            Some(run) => {
                same_run(first, &run)?;
                run
            }
            None => self.create(first.manifest(), &first.expectations()?)?,
        };
        let _lock = run.lock()?;
        let mut merged = Merged::default();
        let planned = run.planned()?;
        for copy in copies.iter().filter(|copy| !is_same_folder(copy.folder(), run.folder())) {
            for id in &planned {
                merged.take(&run, copy, id)?;
            }
            merged.labels += run.append_labels(&copy.labels()?)?;
        }
        for id in &planned {
            if !matches!(run.attempt(id).status()?, Status::Ended { .. }) {
                merged.open += 1;
            }
        }
        Ok((run, merged))
    }
}

impl Merged {
    fn take(&mut self, run: &Run, copy: &Run, id: &AttemptId) -> Result<(), StoreError> {
        let (mine, theirs) = (run.attempt(id), copy.attempt(id));
        let (my_rank, their_rank) = (rank(&mine)?, rank(&theirs)?);
        if their_rank == 0 {
            return Ok(());
        }
        if let Some(problem) = unlike_sealed(&seals::check(&theirs.journal_path())?) {
            self.damaged.push((id.clone(), format!("its journal {problem}")));
            return Ok(());
        }
        let is_same = read_if_there(&mine.journal_path())? == read_if_there(&theirs.journal_path())?;
        if !is_same && my_rank >= their_rank {
            self.made_twice.push(id.clone());
            return Ok(());
        }
        if let Err(problem) = take_blobs(run, copy, &theirs) {
            self.damaged.push((id.clone(), problem.to_string()));
            return Ok(());
        }
        if is_same {
            for file in ["verdicts.jsonl", "votes.jsonl"] {
                add_lines(&folder_of(&mine).join(file), &folder_of(&theirs).join(file))?;
            }
            self.known += 1;
            return Ok(());
        }
        if my_rank > 0 {
            let folder = folder_of(&mine);
            set_aside(run.folder(), folder.strip_prefix(run.folder()).unwrap_or(&folder))?;
        }
        copy_folder(&folder_of(&theirs), &folder_of(&mine))?;
        self.taken += 1;
        Ok(())
    }
}

/// How much an attempt has come to: not begun, without an end, ended.
fn rank(attempt: &AttemptDir) -> Result<u8, StoreError> {
    Ok(match attempt.status()? {
        Status::NotStarted => 0,
        Status::Interrupted => 1,
        Status::Ended { .. } => 2,
    })
}

fn same_run(first: &Run, other: &Run) -> Result<(), MergeError> {
    let (wanted, found) = (first.manifest(), other.manifest());
    if wanted.run != found.run {
        return Err(MergeError::OtherRun {
            path: other.folder().to_owned(),
            found: found.run.to_string(),
            first: first.folder().to_owned(),
            wanted: wanted.run.to_string(),
        });
    }
    if found.is_alike(wanted) {
        return Ok(());
    }
    let differs = if found.browser != wanted.browser {
        format!("their browser ({} and {})", wanted.browser, found.browser)
    } else if found.remote.is_some() != wanted.remote.is_some() {
        "where their browser was, here or elsewhere".to_owned()
    } else if found.umpire != wanted.umpire {
        format!("their Umpire ({} and {})", wanted.umpire, found.umpire)
    } else {
        "their manifests".to_owned()
    };
    Err(MergeError::OtherMaker { path: other.folder().to_owned(), first: first.folder().to_owned(), differs })
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn folder_of(attempt: &AttemptDir) -> PathBuf {
    attempt.journal_path().parent().map(Path::to_owned).unwrap_or_default()
}

/// Content first: an attempt that is there has all that its events refer to. Each blob is read by its digest, so that
/// damage does not spread.
fn take_blobs(run: &Run, copy: &Run, attempt: &AttemptDir) -> io::Result<()> {
    use umpire_model::BlobSource as _;
    let (to, from) = (run.blobs(), copy.blobs());
    let mut done = HashSet::new();
    for file in ["journal.jsonl", "votes.jsonl"] {
        let content = read_if_there(&folder_of(attempt).join(file)).map_err(io::Error::other)?;
        for blob in blobs_in(&content) {
            if done.insert(blob.digest.clone()) {
                to.put(&from.read(&blob)?, blob.media)?;
            }
        }
    }
    Ok(())
}

/// Copies an attempt's files, so that it appears whole or not at all.
fn copy_folder(from: &Path, to: &Path) -> Result<(), StoreError> {
    let copy = || {
        let parent = to.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        // Only the holder of the run's lock is here; what a killed one left is begun again.
        let new = parent.join(".new-merged");
        if new.exists() {
            fs::remove_dir_all(&new)?;
        }
        fs::create_dir(&new)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                let copied = new.join(entry.file_name());
                fs::copy(entry.path(), &copied)?;
                fs::File::open(&copied)?.sync_all()?;
            }
        }
        // A folder that was made and never written to is in the way of the rename, and no more.
        let _ = fs::remove_dir(to);
        fs::rename(&new, to)?;
        fs::File::open(parent)?.sync_all()
    };
    copy().map_err(StoreError::io("copy", from))
}

/// Adds the lines of one file that another does not have.
fn add_lines(to: &Path, from: &Path) -> Result<(), StoreError> {
    let (mine, theirs) = (read_if_there(to)?, read_if_there(from)?);
    let have: HashSet<&[u8]> = mine.split(|byte| *byte == b'\n').collect();
    let new: Vec<&[u8]> =
        theirs.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && !have.contains(line)).collect();
    if new.is_empty() {
        return Ok(());
    }
    let add = || {
        use std::io::Write as _;
        let mut lines = new.join(&b'\n');
        lines.push(b'\n');
        let mut file = open_for_append(to)?;
        file.write_all(&lines)?;
        file.sync_data()?;
        seals::seal(to)
    };
    add().map_err(StoreError::io("write", to))
}
