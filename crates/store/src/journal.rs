//! Reading a journal: which tries there were, and what the last one recorded.

use std::collections::HashSet;
use std::path::Path;

use serde::Deserialize;
use umpire_model::{End, Event, EventBody, JOURNAL_VERSION, Spending, Trajectory};

use crate::StoreError;
use crate::files::read_if_there;

/// Everything a journal holds.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// The last try, with the number of tries and of damaged lines.
    pub trajectory: Trajectory,
    pub tries: Vec<Try>,
    /// Events of a kind that only a newer Umpire knows; they were passed over.
    pub unknown_events: u32,
}

/// One try of an attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct Try {
    pub number: u32,
    /// RFC 3339, UTC.
    pub at: String,
    /// None if it was interrupted.
    pub end: Option<TryEnd>,
    pub spending: Spending,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TryEnd {
    pub end: End,
    pub detail: String,
    pub steps: u32,
    pub counted: u32,
    /// Milliseconds from the start of the try.
    pub ms: u64,
}

impl Journal {
    pub(crate) fn read(path: &Path) -> Result<Self, StoreError> {
        let mut journal = Self::default();
        for (number, line) in lines(&read_if_there(path)?) {
            match Line::parse(path, number, line)? {
                Line::Known(event) => {
                    if matches!(event.body, EventBody::Started { .. }) {
                        journal.trajectory.events.clear();
                    }
                    note(&mut journal.tries, &event);
                    journal.trajectory.events.push(*event);
                }
                Line::Unknown => journal.unknown_events += 1,
                Line::Damaged => journal.trajectory.damaged_lines += 1,
            }
        }
        journal.trajectory.tries = journal.tries.len() as u32;
        Ok(journal)
    }

    /// The tries with what they spent. Most lines are passed over unread, so a run of hundreds of attempts resumes at once.
    pub(crate) fn tries(path: &Path) -> Result<Vec<Try>, StoreError> {
        let mut tries = Vec::new();
        for (number, line) in lines(&read_if_there(path)?).filter(|(_, line)| tells_of_a_try(line)) {
            if let Line::Known(event) = Line::parse(path, number, line)? {
                note(&mut tries, &event);
            }
        }
        Ok(tries)
    }

    /// The number that the next event gets.
    pub(crate) fn next_seq(path: &Path) -> Result<u64, StoreError> {
        let mut next = 0;
        for (number, line) in lines(&read_if_there(path)?) {
            if let Line::Known(event) = Line::parse(path, number, line)? {
                next = next.max(event.seq.saturating_add(1));
            }
        }
        Ok(next)
    }
}

/// Lines with their numbers, each content once: a copy made twice adds no event, since every event is numbered.
pub(crate) fn lines(content: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut seen = HashSet::new();
    content
        .split(|byte| *byte == b'\n')
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.iter().all(u8::is_ascii_whitespace))
        .filter(move |(_, line)| seen.insert(*line))
}

/// The writer puts the type within the first bytes of a line, before anything that a page could have a say in.
fn tells_of_a_try(line: &[u8]) -> bool {
    const HEAD: usize = 96;
    let head = &line[..line.len().min(HEAD)];
    [&b"\"type\":\"started\""[..], b"\"type\":\"ended\"", b"\"type\":\"model_called\""]
        .iter()
        .any(|wanted| head.windows(wanted.len()).any(|window| window == *wanted))
}

pub(crate) enum Line {
    Known(Box<Event>),
    /// Well-formed, of a type this version has no name for.
    Unknown,
    Damaged,
}

/// The part of a line that every version has.
#[derive(Deserialize)]
struct Head {
    v: u32,
    #[serde(rename = "type")]
    kind: String,
}

impl Line {
    pub(crate) fn parse(path: &Path, number: usize, line: &[u8]) -> Result<Self, StoreError> {
        let newer = |found: u32| {
            let path = format!("{}:{number}", path.display()).into();
            StoreError::NewerFormat { path, found, known: JOURNAL_VERSION }
        };
        match serde_json::from_slice::<Event>(line) {
            Ok(event) if event.v > JOURNAL_VERSION => Err(newer(event.v)),
            Ok(event) => Ok(Self::Known(Box::new(event))),
            Err(error) => match serde_json::from_slice::<Head>(line) {
                Ok(head) if head.v > JOURNAL_VERSION => Err(newer(head.v)),
                Ok(head) if error.to_string().starts_with(&format!("unknown variant `{}`", head.kind)) => {
                    Ok(Self::Unknown)
                }
                _ => Ok(Self::Damaged),
            },
        }
    }
}

fn note(tries: &mut Vec<Try>, event: &Event) {
    match &event.body {
        EventBody::Started { r#try, at, .. } => {
            tries.push(Try { number: *r#try, at: at.clone(), end: None, spending: Spending::default() });
        }
        EventBody::ModelCalled(call) => {
            if let Some(last) = tries.last_mut() {
                last.spending.count(call);
            }
        }
        EventBody::Ended { end, detail, steps, counted } => {
            let end =
                TryEnd { end: *end, detail: detail.clone(), steps: *steps, counted: *counted, ms: event.ms };
            match tries.last_mut() {
                Some(last) => last.end = Some(end),
                // Its beginning is damaged; that it finished still counts.
                None => tries.push(Try {
                    number: 1,
                    at: String::new(),
                    end: Some(end),
                    spending: Spending::default(),
                }),
            }
        }
        _ => {}
    }
}
