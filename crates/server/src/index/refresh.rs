//! One look at the files of a run.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use umpire_model::{AttemptId, standing_labels};
use umpire_report::{AttemptSummary, Summary, attempt_summary, counted, on_all_cores};
use umpire_store::{InstanceFacts, Run};

use super::IndexError;
use crate::database::IndexRow;

/// A run with all that its pages need to know.
pub struct IndexedRun {
    pub run: Run,
    pub facts: Arc<HashMap<String, InstanceFacts>>,
    pub summary: Summary,
    /// What went wrong, by attempt, in the summary's order: checks that did not hold, what the agent was talked into,
    /// and the categories people chose.
    pub tags: Vec<Vec<String>>,
    entries: Vec<Entry>,
    stamps: Vec<String>,
    labels_stamp: String,
}

/// What is kept of an attempt.
#[derive(Clone, Serialize, Deserialize)]
struct Entry {
    summary: AttemptSummary,
    /// Kinds of checks that did not hold.
    missed: Vec<String>,
}

pub(super) struct Refreshed {
    pub run: Arc<IndexedRun>,
    /// What has to be kept.
    pub rows: Vec<IndexRow>,
}

/// Looks at every attempt's files and reads those that changed since `previous`, or since they were `stored`.
pub(super) fn refresh(
    run: &Run,
    previous: Option<&Arc<IndexedRun>>,
    stored: Vec<IndexRow>,
) -> Result<Refreshed, IndexError> {
    let planned = run.planned()?;
    let stored: HashMap<String, IndexRow> =
        stored.into_iter().map(|row| (row.attempt.clone(), row)).collect();
    let facts = match previous {
        Some(previous) => Arc::clone(&previous.facts),
        None => Arc::new(run.instances()?.into_iter().map(|facts| (facts.id.clone(), facts)).collect()),
    };
    let places: Vec<(usize, &AttemptId)> = planned.iter().enumerate().collect();
    let looked = on_all_cores(&places, |(place, id)| {
        Ok::<_, IndexError>(look(run, id, *place, previous.map(|previous| &**previous), &stored, &facts))
    })?;
    let labels_stamp = stamp_of(&run.labels_path());
    let is_unchanged = |previous: &IndexedRun| {
        looked.iter().all(|(_, entry, _)| entry.is_none()) && previous.labels_stamp == labels_stamp
    };
    if let Some(previous) = previous.filter(|previous| is_unchanged(previous)) {
        return Ok(Refreshed { run: Arc::clone(previous), rows: Vec::new() });
    }
    let (mut entries, mut stamps, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for ((stamp, entry, is_news), id) in looked.into_iter().zip(&planned) {
        let place = entries.len();
        let entry = match (entry, previous) {
            (Some(entry), _) => entry,
            (None, Some(previous)) => previous.entries[place].clone(),
            (None, None) => continue,
        };
        if is_news {
            rows.push(row_of(id, &stamp, &entry));
        }
        entries.push(entry);
        stamps.push(stamp);
    }
    let tags = tags(run, &entries)?;
    let attempts: Vec<AttemptSummary> = entries.iter().map(|entry| entry.summary.clone()).collect();
    let all_facts: Vec<InstanceFacts> = facts.values().cloned().collect();
    let summary = counted(run.manifest().clone(), attempts, &all_facts);
    let run = IndexedRun { run: run.clone(), facts, summary, tags, entries, stamps, labels_stamp };
    Ok(Refreshed { run: Arc::new(run), rows })
}

/// The stamp of an attempt's files; its entry unless `previous` has it; whether the entry has to be kept.
type Looked = (String, Option<Entry>, bool);

fn look(
    run: &Run,
    id: &AttemptId,
    place: usize,
    previous: Option<&IndexedRun>,
    stored: &HashMap<String, IndexRow>,
    facts: &HashMap<String, InstanceFacts>,
) -> Looked {
    let attempt = run.attempt(id);
    // The stamp is taken before the files are read: what is written in between shows at the next look.
    let stamp = attempt.telling_files().map(|file| stamp_of(&file)).join(" ");
    if previous.is_some_and(|previous| previous.stamps.get(place) == Some(&stamp)) {
        return (stamp, None, false);
    }
    let kept = stored
        .get(&id.to_string())
        .filter(|row| row.stamp == stamp)
        .and_then(|row| serde_json::from_str::<Entry>(&row.entry).ok());
    if let Some(entry) = kept {
        return (stamp, Some(entry), false);
    }
    // One attempt that cannot be read is a row that says so; the others are worth showing.
    let summary = attempt_summary(run, id, facts.get(&id.instance))
        .unwrap_or_else(|error| unreadable(id, facts.get(&id.instance), &error.to_string()));
    let filed = if summary.outcome.is_some() { attempt.verdicts().unwrap_or_default() } else { Vec::new() };
    let by_rules = filed.iter().rfind(|filed| filed.r#try == summary.tries && filed.verdict.by == "rules");
    let mut missed: Vec<String> = by_rules
        .into_iter()
        .flat_map(|filed| &filed.verdict.checks)
        .filter(|check| !check.held)
        .map(|check| format!("missed-{}", check.kind))
        .collect();
    missed.sort();
    missed.dedup();
    (stamp, Some(Entry { summary, missed }), true)
}

fn unreadable(id: &AttemptId, facts: Option<&InstanceFacts>, problem: &str) -> AttemptSummary {
    AttemptSummary {
        id: id.clone(),
        outcome: None,
        reason: format!("cannot be read: {problem}"),
        tries: 0,
        steps: None,
        counted: None,
        seconds: None,
        spending: umpire_model::Spending::default(),
        perturbation: facts.and_then(|facts| facts.perturbation.clone()),
        lapses: Vec::new(),
    }
}

fn row_of(id: &AttemptId, stamp: &str, entry: &Entry) -> IndexRow {
    IndexRow {
        attempt: id.to_string(),
        stamp: stamp.to_owned(),
        entry: serde_json::to_string(entry).unwrap_or_default(),
    }
}

fn tags(run: &Run, entries: &[Entry]) -> Result<Vec<Vec<String>>, IndexError> {
    let labels = run.labels()?;
    let mut chosen: HashMap<&AttemptId, Vec<String>> = HashMap::new();
    for label in standing_labels(&labels) {
        chosen.entry(&label.attempt).or_default().extend(label.failures.iter().map(ToString::to_string));
    }
    Ok(entries
        .iter()
        .map(|entry| {
            let mut tags = entry.missed.clone();
            tags.extend(entry.summary.lapses.iter().map(|lapse| lapse.as_str().to_owned()));
            tags.extend(chosen.get(&entry.summary.id).into_iter().flatten().cloned());
            tags.sort();
            tags.dedup();
            tags
        })
        .collect())
}

/// Size and time of a file; `-` if there is none.
fn stamp_of(path: &Path) -> String {
    let Ok(found) = fs::metadata(path) else { return "-".to_owned() };
    let time = found.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    format!("{}@{}", found.len(), time.map_or(0, |since| since.as_nanos()))
}
