use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use umpire_model::{BlobRef, Digest, Event, EventBody, Evidence, JOURNAL_VERSION, Media, Redactor};

use crate::files::{open_for_append, sync_folder_of};
use crate::journal::Journal;
use crate::redaction::{clean_content, clean_event};
use crate::seals::seal;
use crate::{Blobs, StoreError};

/// Writes what is recorded during the tries of one attempt.
///
/// Nothing is written after `ended` until another `started`: a verdict looks at a finished try, and a straggling
/// response must not change the evidence under it.
#[derive(Debug)]
pub struct JournalWriter {
    path: PathBuf,
    blobs: Blobs,
    redactor: Redactor,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    out: BufWriter<File>,
    next_seq: u64,
    /// What an event's `ms` counts from.
    try_started: Instant,
    ended: bool,
    /// The first thing that could not be written. After it nothing more is: a gap would look like evidence.
    failure: Option<Failure>,
}

#[derive(Debug)]
struct Failure {
    doing: &'static str,
    error: io::Error,
}

impl JournalWriter {
    pub(crate) fn open(path: PathBuf, blobs: Blobs, redactor: Redactor) -> Result<Self, StoreError> {
        let file = open_for_append(&path).map_err(StoreError::io("open", &path))?;
        let is_empty = file.metadata().is_ok_and(|found| found.len() == 0);
        let next_seq = if is_empty { 0 } else { Journal::next_seq(&path)? };
        let state = State {
            out: BufWriter::with_capacity(64 * 1024, file),
            next_seq,
            try_started: Instant::now(),
            ended: false,
            failure: None,
        };
        Ok(Self { path, blobs, redactor, state: Mutex::new(state) })
    }

    /// Puts everything on the disk, and says what could not be written, if anything could not. Only after this may
    /// anyone count the try as finished.
    pub fn finish(&self) -> Result<(), StoreError> {
        let mut state = self.state();
        if let Some(Failure { doing, error }) = &state.failure {
            let error = io::Error::new(error.kind(), error.to_string());
            return Err(StoreError::io(doing, &self.path)(error));
        }
        let synced = state.out.flush().and_then(|()| state.out.get_ref().sync_data());
        let sealed = synced.and_then(|()| sync_folder_of(&self.path)).and_then(|()| seal(&self.path));
        sealed.map_err(StoreError::io("write", &self.path))
    }

    /// Writes an event that happened elsewhere, so many milliseconds into its try: an import's own clock says nothing
    /// about the attempt.
    pub fn event_at(&self, ms: u64, body: EventBody) -> u64 {
        self.write(body, |_| ms)
    }

    fn write(&self, mut body: EventBody, ms: impl FnOnce(&State) -> u64) -> u64 {
        clean_event(&self.redactor, &mut body);
        let mut state = self.state();
        if matches!(body, EventBody::Started { .. }) {
            state.try_started = Instant::now();
            state.ended = false;
        }
        if state.ended {
            return state.next_seq.saturating_sub(1);
        }
        let seq = state.next_seq;
        state.next_seq += 1;
        state.ended = matches!(body, EventBody::Ended { .. });
        // A killed runner leaves its trail up to the last action.
        let flush =
            matches!(body, EventBody::Started { .. } | EventBody::Acted { .. } | EventBody::Ended { .. });
        let event = Event { v: JOURNAL_VERSION, seq, ms: ms(&state), body };
        if state.failure.is_none()
            && let Err(error) = write_line(&mut state.out, &event, flush)
        {
            state.failure = Some(Failure { doing: "write", error });
        }
        seq
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves at worst a torn line, which readers know how to handle.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Evidence for JournalWriter {
    fn event(&self, body: EventBody) -> u64 {
        self.write(body, |state| state.try_started.elapsed().as_millis() as u64)
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        let content = clean_content(&self.redactor, content);
        // Stored without holding the journal up.
        let stored = self.blobs.put(&content, media);
        stored.unwrap_or_else(|error| {
            let mut state = self.state();
            if state.failure.is_none() {
                state.failure = Some(Failure { doing: "write a blob of", error });
            }
            BlobRef { digest: Digest::of(&content), media, bytes: content.len() as u64 }
        })
    }
}

fn write_line(out: &mut impl Write, event: &Event, flush: bool) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    out.write_all(&line)?;
    if flush { out.flush() } else { Ok(()) }
}
