//! Runs on disk.
//!
//! ```text
//! runs/<run>/manifest.json
//! runs/<run>/instances.json                                      what was asked, and what was expected
//! runs/<run>/lock                                                held by the one runner that writes
//! runs/<run>/attempts/<agent>/<instance>/<trial>/journal.jsonl   events, append-only, one a line
//! runs/<run>/attempts/…/verdicts.jsonl                           appended, never edited
//! runs/<run>/attempts/…/votes.jsonl                              what models said of the attempt, appended
//! runs/<run>/labels.jsonl                                        what people say; appended, never edited
//! runs/<run>/blobs/<aa>/<sha256>[.zst]                           content-addressed
//! runs/<run>/set-aside/…                                         what `umpire doctor RUN --mend` no longer counts
//! …/seals.jsonl                                                  digests of the files beside it as they were written
//! ```
//!
//! Three promises are kept here. A finished try is never lost: files are only appended to, a line torn by a killed
//! writer is fenced off by the next one, and `ended` is on the disk before [`JournalWriter::finish`] returns. No
//! secret reaches the disk: every free text of every event and every textual blob passes the redactor first. And
//! what is read is what was written: a blob that does not hash to its name is an error, a damaged line is counted.
//!
//! A run's folder holds expected answers, in its instances and in its verdicts: whoever runs an agent keeps it out of
//! that agent's reach.

mod attempt;
mod blobs;
mod condition;
mod error;
mod facts;
mod files;
mod journal;
mod labels;
mod lines;
mod merge;
mod redaction;
mod run;
mod runs;
mod seals;
mod verdicts;
mod writer;

pub use attempt::{AttemptDir, Status};
pub use blobs::Blobs;
pub use condition::{Condition, Damage, Effect, Mended, inspect};
pub use error::StoreError;
pub use facts::InstanceFacts;
pub use journal::{Journal, Try, TryEnd};
pub use merge::{MergeError, Merged};
pub use run::{Run, RunLock};
pub use runs::{Listing, Runs};
pub use verdicts::FiledVerdict;
pub use writer::JournalWriter;
