//! One file of calls, one a line, in the order they were answered.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use umpire_model::Digest;

use super::entry::{Entry, Taped, TapedCall, VERSION};
use super::{NotOnCassette, TapeError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CassetteMode {
    /// Every call is made, and appended.
    Record,
    /// What is there is replayed; what is not is made, and appended.
    Replay,
    /// What is there is replayed; what is not fails.
    ReplayOrFail,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is no way to use a cassette; there are record, replay and replay-or-fail")]
pub struct UnknownMode(String);

impl FromStr for CassetteMode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, UnknownMode> {
        match text {
            "record" => Ok(Self::Record),
            "replay" => Ok(Self::Replay),
            "replay-or-fail" => Ok(Self::ReplayOrFail),
            other => Err(UnknownMode(other.to_owned())),
        }
    }
}

#[derive(Debug)]
pub(super) struct Cassette {
    mode: CassetteMode,
    calls: Mutex<HashMap<Digest, Vec<Take>>>,
    /// None if nothing is to be appended.
    out: Option<Mutex<File>>,
    damaged_lines: usize,
}

/// One recorded answer to a call.
#[derive(Debug)]
struct Take {
    caller: String,
    answer: Taped,
    used: bool,
}

impl Cassette {
    pub(super) fn open(path: &Path, mode: CassetteMode) -> Result<Self, TapeError> {
        let failed = |problem: String| TapeError { path: path.to_owned(), problem };
        let (calls, damaged_lines) = match File::open(path) {
            Ok(_) if mode == CassetteMode::Record => (HashMap::new(), 0),
            Ok(file) => read(file).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound && mode != CassetteMode::ReplayOrFail => {
                (HashMap::new(), 0)
            }
            Err(error) => return Err(failed(error.to_string())),
        };
        let out = match mode {
            CassetteMode::ReplayOrFail => None,
            _ => Some(Mutex::new(appendable(path).map_err(|error| failed(error.to_string()))?)),
        };
        Ok(Self { mode, calls: Mutex::new(calls), out, damaged_lines })
    }

    pub(super) fn is_read_only(&self) -> bool {
        self.mode == CassetteMode::ReplayOrFail
    }

    pub(super) fn damaged_lines(&self) -> usize {
        self.damaged_lines
    }

    /// The caller's own answers in their order, then its last again; else one given to another caller. The same
    /// question has several answers where chance decides, and each attempt shall get back its own.
    pub(super) fn next(&self, call: &TapedCall) -> Result<Option<Taped>, NotOnCassette> {
        if self.mode == CassetteMode::Record {
            return Ok(None);
        }
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let found = calls.get_mut(&call.key).and_then(|takes| {
            let own = |take: &Take| take.caller == call.caller;
            let place = takes
                .iter()
                .position(|take| own(take) && !take.used)
                .or_else(|| takes.iter().rposition(own))
                .unwrap_or(0);
            let take = takes.get_mut(place)?;
            take.used = true;
            Some(take.answer.clone())
        });
        match (found, self.mode) {
            (None, CassetteMode::ReplayOrFail) => Err(NotOnCassette(format!("call {}", call.name()))),
            (found, _) => Ok(found),
        }
    }

    pub(super) fn keep(&self, call: &TapedCall, answer: &Taped) -> io::Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        let mut line = serde_json::to_vec(&Entry::new(call, answer))?;
        line.push(b'\n');
        let file = out.lock().unwrap_or_else(PoisonError::into_inner);
        // Another process may record on the same cassette.
        file.lock()?;
        let written = (&*file).write_all(&line);
        file.unlock()?;
        written
    }
}

fn read(file: File) -> Result<(HashMap<Digest, Vec<Take>>, usize), String> {
    let mut calls: HashMap<Digest, Vec<Take>> = HashMap::new();
    let mut damaged = 0;
    for line in BufReader::new(file).split(b'\n') {
        let line = line.map_err(|error| error.to_string())?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice::<Entry>(&line) {
            Ok(entry) if entry.v > VERSION => {
                return Err(format!("version {} of a cassette is newer than this program knows", entry.v));
            }
            Ok(Entry { key, caller, answer, .. }) => {
                calls.entry(key).or_default().push(Take { caller, answer, used: false });
            }
            // A writer that was killed leaves a torn line.
            Err(_) => damaged += 1,
        }
    }
    Ok((calls, damaged))
}

/// Open for appending, with a torn last line ended so that the next one stands alone.
fn appendable(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;

    fn call(caller: &str, text: &str) -> TapedCall {
        TapedCall::new(caller, "openai", "chat", json!({"messages": [text]}))
    }

    fn answer(text: &str) -> Taped {
        Taped { content_type: "application/json".into(), body: text.into() }
    }

    #[test]
    fn each_caller_gets_its_own_answers_back() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("deep/er/calls.jsonl");
        let recorder = Cassette::open(&path, CassetteMode::Record).expect("opened");
        for (caller, said) in [("a", "a1"), ("b", "b1"), ("a", "a2")] {
            assert_eq!(recorder.next(&call(caller, "same")), Ok(None));
            recorder.keep(&call(caller, "same"), &answer(said)).expect("kept");
        }
        let player = Cassette::open(&path, CassetteMode::ReplayOrFail).expect("opened");
        for (caller, said) in [("b", "b1"), ("a", "a1"), ("a", "a2"), ("a", "a2"), ("c", "a1"), ("b", "b1")] {
            assert_eq!(player.next(&call(caller, "same")), Ok(Some(answer(said))), "{caller}");
        }
        assert!(player.next(&call("a", "other")).is_err());
        assert!(Cassette::open(&folder.path().join("none"), CassetteMode::ReplayOrFail).is_err());
    }

    #[test]
    fn what_is_missing_is_recorded_when_replaying() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("calls.jsonl");
        let first = Cassette::open(&path, CassetteMode::Replay).expect("opened");
        assert_eq!(first.next(&call("a", "one")), Ok(None));
        first.keep(&call("a", "one"), &answer("1")).expect("kept");
        let second = Cassette::open(&path, CassetteMode::Replay).expect("opened");
        assert_eq!(second.next(&call("a", "one")), Ok(Some(answer("1"))));
        assert_eq!(second.next(&call("a", "two")), Ok(None));
    }

    #[test]
    fn a_torn_line_is_counted_and_costs_only_itself() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("calls.jsonl");
        let recorder = Cassette::open(&path, CassetteMode::Record).expect("opened");
        recorder.keep(&call("a", "one"), &answer("1")).expect("kept");
        recorder.keep(&call("a", "two"), &answer("2")).expect("kept");
        let text = std::fs::read_to_string(&path).expect("text");
        std::fs::write(&path, &text[..text.len() - 9]).expect("torn");
        let again = Cassette::open(&path, CassetteMode::Replay).expect("opened");
        assert_eq!(again.damaged_lines(), 1);
        again.keep(&call("a", "two"), &answer("2 again")).expect("kept");
        let player = Cassette::open(&path, CassetteMode::ReplayOrFail).expect("opened");
        assert_eq!(player.next(&call("a", "one")), Ok(Some(answer("1"))));
        assert_eq!(player.next(&call("a", "two")), Ok(Some(answer("2 again"))));
    }

    #[test]
    fn a_cassette_from_the_future_is_refused() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("calls.jsonl");
        let entry = Entry { v: VERSION + 1, ..Entry::new(&call("a", "one"), &answer("1")) };
        std::fs::write(&path, serde_json::to_string(&entry).expect("json")).expect("written");
        let error = Cassette::open(&path, CassetteMode::Replay).expect_err("newer");
        assert!(error.to_string().contains("newer than this program"), "{error}");
    }

    #[test]
    fn many_writers_do_not_tear_each_others_lines() {
        let folder = tempfile::tempdir().expect("folder");
        let path = Arc::new(folder.path().join("calls.jsonl"));
        let long = "x".repeat(20_000);
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let (path, long) = (Arc::clone(&path), &long);
                // Each opens the file for itself, as another process would.
                scope.spawn(move || {
                    let cassette = Cassette::open(&path, CassetteMode::Record).expect("opened");
                    for number in 0..10 {
                        cassette
                            .keep(&call("w", &format!("{writer}-{number}")), &answer(long))
                            .expect("kept");
                    }
                });
            }
        });
        let player = Cassette::open(&path, CassetteMode::ReplayOrFail).expect("opened");
        assert_eq!(player.damaged_lines(), 0);
        for writer in 0..8 {
            for number in 0..10 {
                assert!(player.next(&call("w", &format!("{writer}-{number}"))).is_ok(), "{writer}-{number}");
            }
        }
    }
}
