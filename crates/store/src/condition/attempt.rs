//! One attempt: its journal line by line, the blobs its events refer to, its verdicts and votes.

use std::path::PathBuf;

use serde_json::Value;
use umpire_model::{AttemptId, BlobRef, EventBody};

use super::{Blob, Condition, Damage, Effect, Looked, attempt_folder, unlike_sealed};
use crate::files::read_if_there;
use crate::journal::{Line, lines};
use crate::seals::{self, Sealed};
use crate::{AttemptDir, Status, StoreError};

/// What the lines of a journal say about themselves.
#[derive(Default)]
struct Reading {
    /// Lines of the last try that are no events.
    damaged: Vec<usize>,
    /// The same of earlier tries.
    damaged_before: Vec<usize>,
    /// The first number that the last try leaves out.
    gap: Option<u64>,
    /// Blobs, and whether the last try refers to them.
    blobs: Vec<(BlobRef, bool)>,
    last_seq: Option<u64>,
}

impl Looked<'_> {
    pub(super) fn attempt(&mut self, id: &AttemptId, condition: &mut Condition) -> Result<(), StoreError> {
        let folder = attempt_folder(id);
        let here = self.folder.join(&folder);
        let attempt = AttemptDir::new(id.clone(), here.clone(), self.blobs.clone());
        let damages = &mut condition.damages;
        let mut note = |file: PathBuf, what: String, effect: Effect| {
            damages.push(Damage { file, attempt: Some(id.clone()), what, effect });
        };

        let journal = folder.join("journal.jsonl");
        let sealed = seals::check(&attempt.journal_path())?;
        if let Some(what) = unlike_sealed(&sealed) {
            note(journal, what, Effect::Evidence);
            return Ok(());
        }
        let reading = read(&attempt)?;
        let tries = attempt.tries()?;
        let is_ended = tries.last().is_some_and(|last| last.end.is_some());
        condition.ended += usize::from(is_ended);
        condition.interrupted += usize::from(!is_ended && !tries.is_empty());
        for (effect, what) in reading.problems(&sealed, is_ended) {
            note(journal.clone(), what, effect);
        }
        for (blob, counts) in &reading.blobs {
            if let Some(problem) = self.problem_of(blob) {
                let what = format!("{} blob {} {problem}", blob.media.mime(), short(blob));
                note(journal.clone(), what, Effect::Blob(Blob { blob: blob.clone(), counts: *counts }));
            }
        }
        let verdicts = folder.join("verdicts.jsonl");
        if let Some(what) = unlike_sealed(&seals::check(&here.join("verdicts.jsonl"))?) {
            note(verdicts, what, Effect::Verdicts);
        } else if self.is_judged
            && matches!(attempt.status_after(&tries)?, Status::Ended { verdict: None, .. })
        {
            note(verdicts, "has no verdict by rule on the last try".to_owned(), Effect::NoVerdict);
        }
        if let Some(what) = unlike_sealed(&seals::check(&here.join("votes.jsonl"))?) {
            note(folder.join("votes.jsonl"), what, Effect::Votes);
        }
        Ok(())
    }
}

fn read(attempt: &AttemptDir) -> Result<Reading, StoreError> {
    let path = attempt.journal_path();
    let content = read_if_there(&path)?;
    let mut reading = Reading::default();
    for (number, line) in lines(&content) {
        match Line::parse(&path, number, line)? {
            Line::Known(event) => {
                if matches!(event.body, EventBody::Started { .. }) {
                    reading.begin_try();
                }
                reading.follow(event.seq);
            }
            Line::Unknown => {}
            Line::Damaged => reading.damaged.push(number),
        }
        if let Ok(value) = serde_json::from_slice(line) {
            collect_blobs(&value, &mut reading.blobs);
        }
    }
    reading.blobs.dedup();
    Ok(reading)
}

impl Reading {
    /// What was the last try until now is an earlier one. A line torn by a killed writer ends the try it is in.
    fn begin_try(&mut self) {
        self.damaged_before.append(&mut self.damaged);
        self.gap = None;
        self.last_seq = None;
        for (_, counts) in &mut self.blobs {
            *counts = false;
        }
    }

    fn follow(&mut self, seq: u64) {
        let expected = self.last_seq.map(|last| last.saturating_add(1));
        if let Some(expected) = expected.filter(|expected| seq > *expected) {
            self.gap.get_or_insert(expected);
        }
        self.last_seq = Some(self.last_seq.map_or(seq, |last| last.max(seq)));
    }

    fn problems(&self, sealed: &Sealed, is_ended: bool) -> Vec<(Effect, String)> {
        let mut problems = Vec::new();
        // A try without an end is made again whatever it looks like, and one that is sealed was written like this.
        let counts = is_ended && *sealed == Sealed::Never;
        let effect = || if counts { Effect::Evidence } else { Effect::Harmless };
        if !self.damaged_before.is_empty() {
            problems.push((
                Effect::Harmless,
                format!("{} of an earlier try, torn or damaged", listed(&self.damaged_before)),
            ));
        }
        if !self.damaged.is_empty() {
            problems.push((effect(), format!("{}, torn or damaged", listed(&self.damaged))));
        }
        if let Some(first) = self.gap {
            problems.push((effect(), format!("events are missing from number {first} on")));
        }
        problems
    }
}

fn listed(lines: &[usize]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = lines.iter().take(SHOWN).map(usize::to_string).collect();
    let more = lines.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("line {}{more}", shown.join(", "))
}

/// What the lines of a file refer to, each reference as often as it stands there.
pub(crate) fn blobs_in(content: &[u8]) -> Vec<BlobRef> {
    let mut found = Vec::new();
    for value in content.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()) {
        collect_blobs(&value, &mut found);
    }
    found.into_iter().map(|(blob, _)| blob).collect()
}

/// References to content, wherever an event has one.
fn collect_blobs(value: &Value, found: &mut Vec<(BlobRef, bool)>) {
    match value {
        Value::Object(fields) => {
            let is_reference = ["digest", "media", "bytes"].iter().all(|name| fields.contains_key(*name));
            match serde_json::from_value::<BlobRef>(value.clone()) {
                Ok(blob) if is_reference => found.push((blob, true)),
                _ => fields.values().for_each(|inner| collect_blobs(inner, found)),
            }
        }
        Value::Array(items) => items.iter().for_each(|inner| collect_blobs(inner, found)),
        _ => {}
    }
}

fn short(blob: &BlobRef) -> &str {
    let digest = blob.digest.as_str();
    digest.get(..12).unwrap_or(digest)
}
