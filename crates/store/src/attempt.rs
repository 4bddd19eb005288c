use std::path::PathBuf;

use umpire_model::{AttemptId, End, Redactor, Trajectory, VOTE_VERSION, Verdict, Vote};

use crate::lines::{append_line, read_lines};
use crate::verdicts::{self, FiledVerdict};
use crate::{Blobs, Journal, JournalWriter, StoreError, Try};

/// Where an attempt stands; decides whether a resumed run has anything left to do for it.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    NotStarted,
    /// The last try has no end: its writer was killed. It runs again as another try.
    Interrupted,
    Ended {
        /// How the last try ended.
        end: End,
        tries: u32,
        /// The latest verdict by rule on that try; none if the run was killed between end and verdict.
        verdict: Option<Verdict>,
    },
}

/// The folder of one attempt. It need not exist yet.
#[derive(Clone, Debug)]
pub struct AttemptDir {
    id: AttemptId,
    folder: PathBuf,
    blobs: Blobs,
}

impl AttemptDir {
    pub(crate) fn new(id: AttemptId, folder: PathBuf, blobs: Blobs) -> Self {
        Self { id, folder, blobs }
    }

    pub fn id(&self) -> &AttemptId {
        &self.id
    }

    pub fn journal_path(&self) -> PathBuf {
        self.folder.join("journal.jsonl")
    }

    /// Opens the journal for another try. Only for the holder of the run's lock.
    pub fn writer(&self, redactor: Redactor) -> Result<JournalWriter, StoreError> {
        JournalWriter::open(self.journal_path(), self.blobs.clone(), redactor)
    }

    /// The last try; empty if there was none.
    pub fn read(&self) -> Result<Trajectory, StoreError> {
        Ok(self.journal()?.trajectory)
    }

    pub fn journal(&self) -> Result<Journal, StoreError> {
        Journal::read(&self.journal_path())
    }

    /// All tries with their ends and what they spent, without reading what else happened in between.
    pub fn tries(&self) -> Result<Vec<Try>, StoreError> {
        Journal::tries(&self.journal_path())
    }

    /// Files a verdict on the last try. Returns once it is on the disk.
    pub fn append_verdict(&self, verdict: &Verdict) -> Result<(), StoreError> {
        let filed = FiledVerdict { r#try: self.tries()?.len() as u32, verdict: verdict.clone() };
        verdicts::append(&self.verdicts_path(), &filed)
    }

    /// All verdicts ever filed, on whichever try, oldest first.
    pub fn verdicts(&self) -> Result<Vec<FiledVerdict>, StoreError> {
        verdicts::read(&self.verdicts_path())
    }

    /// Files what a model said of this attempt. Returns once it is on the disk.
    pub fn append_vote(&self, vote: &Vote) -> Result<(), StoreError> {
        append_line(&self.votes_path(), vote)
    }

    /// All votes ever cast, by whichever judge, oldest first.
    pub fn votes(&self) -> Result<Vec<Vote>, StoreError> {
        read_lines(&self.votes_path(), VOTE_VERSION)
    }

    pub fn status(&self) -> Result<Status, StoreError> {
        self.status_after(&self.tries()?)
    }

    /// The same for one who has read the tries already.
    pub fn status_after(&self, tries: &[Try]) -> Result<Status, StoreError> {
        let count = tries.len() as u32;
        Ok(match tries.last() {
            None => Status::NotStarted,
            Some(Try { end: None, .. }) => Status::Interrupted,
            Some(Try { end: Some(last), .. }) => {
                let on_it = |filed: &FiledVerdict| filed.r#try == count && filed.verdict.by == "rules";
                let verdict = self.verdicts()?.into_iter().rfind(on_it).map(|filed| filed.verdict);
                Status::Ended { end: last.end, tries: count, verdict }
            }
        })
    }

    /// The files that say how the attempt stands; what is derived from them is fresh while they do not change.
    pub fn telling_files(&self) -> [PathBuf; 2] {
        [self.journal_path(), self.verdicts_path()]
    }

    fn votes_path(&self) -> PathBuf {
        self.folder.join("votes.jsonl")
    }

    fn verdicts_path(&self) -> PathBuf {
        self.folder.join("verdicts.jsonl")
    }
}
