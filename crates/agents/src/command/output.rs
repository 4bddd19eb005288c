//! What the command writes: kept up to a limit, read to the end whatever comes.
//!
//! A pipe that nobody reads would block the agent, and one that is kept whole would fill the disk. So reading never
//! stops, and what is beyond the limit is only counted.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt as _};
use umpire_model::{EventBody, Evidence};

use super::answer::MAX_ANSWER;

/// Both streams together.
const MAX_KEPT: usize = 1024 * 1024;
/// Each event costs some bytes of its own, so that a flood of tiny lines ends as early as one of long ones.
const EVENT_COST: usize = 64;
const CHUNK: usize = 16 * 1024;
/// Lines of standard error that explain a failure, and how much of each.
const TAIL_LINES: usize = 5;
const TAIL_CHARS: usize = 400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Stdout,
    Stderr,
}

impl Stream {
    fn name(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}

/// The part of the output that two readers share.
pub(super) struct Output {
    evidence: Arc<dyn Evidence>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    cost: usize,
    dropped: u64,
    /// Last line of standard output that is a JSON object.
    answer: Option<String>,
    tail: VecDeque<String>,
}

impl Output {
    pub fn new(evidence: Arc<dyn Evidence>) -> Arc<Self> {
        Arc::new(Self { evidence, kept: Mutex::default() })
    }

    /// Reads a stream to its end.
    pub async fn drain(self: Arc<Self>, stream: Stream, mut reader: impl AsyncRead + Unpin) {
        let mut lines = Lines::default();
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = reader.read(&mut chunk).await.unwrap_or_default();
            if read == 0 {
                break;
            }
            // Text of whole lines goes out together: one event a chunk, not one a line.
            let mut whole = String::new();
            lines.feed(&chunk[..read], |line| {
                self.look_at(stream, line);
                whole.push_str(line);
                whole.push('\n');
            });
            self.keep(stream, &whole);
        }
        let rest = lines.rest();
        self.look_at(stream, &rest);
        self.keep(stream, &rest);
    }

    fn look_at(&self, stream: Stream, line: &str) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        match stream {
            Stream::Stdout if is_json_object(line) => self.kept().answer = Some(line.to_owned()),
            Stream::Stdout => {}
            Stream::Stderr => {
                let tail = &mut self.kept().tail;
                if tail.len() == TAIL_LINES {
                    tail.pop_front();
                }
                tail.push_back(line.chars().take(TAIL_CHARS).collect());
            }
        }
    }

    fn keep(&self, stream: Stream, text: &str) {
        if text.is_empty() {
            return;
        }
        let mut kept = self.kept();
        let room = MAX_KEPT.saturating_sub(kept.cost + EVENT_COST);
        let end = text.floor_char_boundary(room.min(text.len()));
        kept.dropped += (text.len() - end) as u64;
        if end > 0 {
            kept.cost += end + EVENT_COST;
            drop(kept);
            let text = text[..end].trim_end_matches('\n').to_owned();
            self.evidence.event(EventBody::AgentOutput { stream: stream.name().to_owned(), text });
        }
    }

    /// Says in the journal how much of the output is not in it.
    pub fn note_dropped(&self) {
        let dropped = self.kept().dropped;
        if dropped > 0 {
            let text = format!("{dropped} more bytes of output were not kept");
            self.evidence.event(EventBody::AgentOutput { stream: "umpire".to_owned(), text });
        }
    }

    pub fn answer(&self) -> Option<String> {
        self.kept().answer.clone()
    }

    pub fn error_tail(&self) -> String {
        self.kept().tail.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_json_object(line: &str) -> bool {
    line.starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok()
}

/// Cuts a stream into lines. A line longer than any answer may be is cut into pieces, none of which parses as one.
#[derive(Default)]
struct Lines {
    partial: Vec<u8>,
}

impl Lines {
    fn feed(&mut self, bytes: &[u8], mut with_line: impl FnMut(&str)) {
        let mut parts = bytes.split(|byte| *byte == b'\n');
        let last = parts.next_back().unwrap_or_default();
        for part in parts {
            self.partial.extend_from_slice(part);
            with_line(&String::from_utf8_lossy(&self.partial));
            self.partial.clear();
        }
        self.partial.extend_from_slice(last);
        if self.partial.len() as u64 > MAX_ANSWER {
            with_line(&String::from_utf8_lossy(&self.partial));
            self.partial.clear();
        }
    }

    fn rest(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.partial)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_json_object_is_told_from_what_looks_like_one() {
        for (line, expected) in
            [("{}", true), ("{\"a\":[1]}", true), ("{a}", false), ("[1]", false), ("{} {}", false)]
        {
            assert_eq!(is_json_object(line), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn lines_are_the_same_however_the_bytes_arrive(text in "[a-zé\n]{0,60}", cut in 0..80_usize) {
            let bytes = text.as_bytes();
            let (head, tail) = bytes.split_at(cut.min(bytes.len()));
            let (mut lines, mut got) = (Lines::default(), Vec::new());
            lines.feed(head, |line| got.push(line.to_owned()));
            lines.feed(tail, |line| got.push(line.to_owned()));
            got.push(lines.rest());
            prop_assert_eq!(got.join("\n"), text);
        }
    }
}
