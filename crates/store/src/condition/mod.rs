//! What of a run is damaged, and what that means for it.
//!
//! Reading goes on whatever it meets: a run is looked at because something is wrong with it.

mod attempt;
mod mend;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use umpire_model::{AttemptId, BlobRef, BlobSource as _, Digest};

use crate::run::{instances_path, manifest_path};
use crate::seals::{self, Sealed};
use crate::{Blobs, Run, StoreError};

pub use mend::Mended;

pub(crate) use attempt::blobs_in;
pub(crate) use mend::set_aside;

/// What was found in a run's folder.
#[derive(Debug, Default, Serialize)]
pub struct Condition {
    pub planned: usize,
    pub ended: usize,
    pub interrupted: usize,
    /// Blobs that events refer to, each looked at once.
    pub blobs: usize,
    pub damages: Vec<Damage>,
}

/// One thing that is not as it was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Damage {
    /// Relative to the run's folder.
    pub file: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<AttemptId>,
    pub what: String,
    pub effect: Effect,
}

/// What a damage means, and so what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Nothing that counts rests on it.
    Harmless,
    /// The attempt ended, and what it did is all there; its verdict is not.
    NoVerdict,
    /// The attempt's verdicts are not what was written. What it did is, and can be judged again.
    Verdicts,
    /// What models said of the attempt is not all there.
    Votes,
    /// Labels of people are not all there.
    Labels,
    /// Evidence refers to content that is gone or changed. A copy elsewhere would do.
    Blob(Blob),
    /// What the attempt did is not all there: it has to be made again.
    Evidence,
    /// What was planned cannot be read: the command that began the run writes it again.
    Plan,
    /// It says that it is of a newer format. Whether that is true cannot be told here.
    Newer,
}

/// A blob that is missing, and whether its attempt counts on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Blob {
    #[serde(flatten)]
    pub blob: BlobRef,
    /// Of the last try; earlier ones do not count.
    pub counts: bool,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Harmless => "nothing counts on it",
            Self::NoVerdict | Self::Verdicts => "to be judged again",
            Self::Votes => "its judges have to be asked again",
            Self::Labels => "these labels have to be given again",
            Self::Blob(blob) if !blob.counts => "of an earlier try, which does not count",
            Self::Blob(_) | Self::Evidence => "the attempt has to be made again",
            Self::Plan => "the command that began the run writes it again",
            Self::Newer => "a newer Umpire has to look at it",
        })
    }
}

impl Condition {
    /// Whether anything is wrong that matters.
    pub fn is_sound(&self) -> bool {
        self.damages.iter().all(Damage::is_harmless)
    }
}

impl Damage {
    pub fn is_harmless(&self) -> bool {
        match &self.effect {
            Effect::Harmless => true,
            Effect::Blob(blob) => !blob.counts,
            _ => false,
        }
    }
}

/// Looks at everything in a run's folder. An error is the disk's, or a plan of a newer Umpire; all else is a finding.
pub fn inspect(folder: &Path) -> Result<Condition, StoreError> {
    let mut condition = Condition::default();
    let mut looked = Looked::at(folder);
    if let Err(error) = seals::check(&manifest_path(folder)) {
        condition.damages.push(newer(folder, None, error)?);
    }
    let run = look_at_plan(folder, &mut condition.damages)?;
    looked.is_judged = run.as_ref().is_some_and(|run| run.manifest().imported.is_none());
    let planned = match &run {
        Some(run) => run.planned()?,
        // Without a plan, what is there is all there is to look at.
        None => Vec::new(),
    };
    condition.planned = planned.len();
    let known: HashSet<&AttemptId> = planned.iter().collect();
    let mut found: BTreeSet<AttemptId> = BTreeSet::new();
    for id in attempts_in(&folder.join("attempts"))? {
        match id {
            Ok(id) if run.is_some() && !known.contains(&id) => {
                let what = "the plan has no such attempt".to_owned();
                let file = attempt_folder(&id);
                condition.damages.push(Damage { file, attempt: Some(id), what, effect: Effect::Harmless });
            }
            Ok(id) => {
                found.insert(id);
            }
            Err(stray) => condition.damages.push(Damage {
                file: stray.strip_prefix(folder).unwrap_or(&stray).to_owned(),
                attempt: None,
                what: "this is no attempt".to_owned(),
                effect: Effect::Harmless,
            }),
        }
    }
    for id in found {
        if let Err(error) = looked.attempt(&id, &mut condition) {
            condition.damages.push(newer(folder, Some(id), error)?);
        }
    }
    condition.blobs = looked.seen.len();
    look_at_labels(folder, run.as_ref(), &mut condition.damages)?;
    Ok(condition)
}

/// What one look at a run has seen so far.
struct Looked<'a> {
    folder: &'a Path,
    blobs: Blobs,
    /// Blobs that were read, and what was wrong with them: many attempts share one.
    seen: HashMap<Digest, Option<String>>,
    /// Whether every attempt that ended has a verdict by rule; one that was recorded elsewhere need not.
    is_judged: bool,
}

impl<'a> Looked<'a> {
    fn at(folder: &'a Path) -> Self {
        Self { folder, blobs: Blobs::new(folder.join("blobs")), seen: HashMap::new(), is_judged: false }
    }

    fn problem_of(&mut self, blob: &BlobRef) -> Option<String> {
        if let Some(known) = self.seen.get(&blob.digest) {
            return known.clone();
        }
        let problem = self.blobs.read(blob).err().map(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "is gone".to_owned(),
            std::io::ErrorKind::InvalidInput => "has no name that could be a file".to_owned(),
            _ => "is not what was written".to_owned(),
        });
        self.seen.insert(blob.digest.clone(), problem.clone());
        problem
    }
}

/// The manifest and the instances; no run if they cannot be read.
fn look_at_plan(folder: &Path, damages: &mut Vec<Damage>) -> Result<Option<Run>, StoreError> {
    let mut bad = |path: &Path, what: String| {
        let file = path.strip_prefix(folder).unwrap_or(path).to_owned();
        damages.push(Damage { file, attempt: None, what, effect: Effect::Plan });
    };
    let (manifest, instances) = (manifest_path(folder), instances_path(folder));
    let mut is_readable = true;
    for path in [&manifest, &instances] {
        if let Some(what) = unlike_its_seal(path)? {
            is_readable = false;
            bad(path, what);
        }
    }
    if !is_readable {
        return Ok(None);
    }
    let run = match Run::at(folder) {
        Ok(run) => run,
        Err(newer @ StoreError::NewerFormat { .. }) => return Err(newer),
        Err(error) => {
            bad(&manifest, problem_alone(&error));
            return Ok(None);
        }
    };
    if let Err(error) = run.planned() {
        bad(&manifest, problem_alone(&error));
        return Ok(None);
    }
    let there: HashSet<String> = match run.expectations() {
        Ok(instances) => instances.into_iter().map(|instance| instance.id).collect(),
        Err(newer @ StoreError::NewerFormat { .. }) => return Err(newer),
        Err(error) => {
            bad(&instances, problem_alone(&error));
            return Ok(None);
        }
    };
    if let Some(lacking) = run.manifest().instances.iter().find(|id| !there.contains(*id)) {
        bad(&instances, format!("has no instance `{lacking}`, which the manifest names"));
        return Ok(None);
    }
    Ok(Some(run))
}

/// An error without the name of its file, which stands beside it.
fn problem_alone(error: &StoreError) -> String {
    match error {
        StoreError::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            "is gone".to_owned()
        }
        StoreError::Io { source, .. } => source.to_string(),
        StoreError::Malformed { problem, .. } => problem.clone(),
        other => other.to_string(),
    }
}

fn look_at_labels(folder: &Path, run: Option<&Run>, damages: &mut Vec<Damage>) -> Result<(), StoreError> {
    let file = Path::new("labels.jsonl");
    let mut bad = |what: String| {
        damages.push(Damage { file: file.to_owned(), attempt: None, what, effect: Effect::Labels });
    };
    if let Some(what) = unlike_its_seal(&folder.join(file))? {
        bad(what);
    } else if let Some(Err(error @ StoreError::Malformed { line, .. })) = run.map(Run::labels).as_ref() {
        bad(format!("line {}: {}", line.unwrap_or(0), problem_alone(error)));
    }
    Ok(())
}

/// The finding where something is of a newer format: it must not hide all the rest of the run.
fn newer(folder: &Path, attempt: Option<AttemptId>, error: StoreError) -> Result<Damage, StoreError> {
    match error {
        StoreError::NewerFormat { path, found, known } => {
            let file = path.strip_prefix(folder).unwrap_or(&path).to_owned();
            let what = format!("has format version {found}, this Umpire reads up to {known}");
            Ok(Damage { file, attempt, what, effect: Effect::Newer })
        }
        other => Err(other),
    }
}

/// The same as [`unlike_sealed`] for a file of the run itself, whose seals may be of a newer format: that is told apart.
fn unlike_its_seal(path: &Path) -> Result<Option<String>, StoreError> {
    match seals::check(path) {
        Err(StoreError::NewerFormat { .. }) => Ok(None),
        sealed => Ok(unlike_sealed(&sealed?)),
    }
}

/// What a broken seal says; nothing where it holds, or where there is none.
pub(crate) fn unlike_sealed(sealed: &Sealed) -> Option<String> {
    match sealed {
        Sealed::Never | Sealed::Whole => None,
        Sealed::Cut { bytes: 0, .. } => Some("is gone or empty".to_owned()),
        Sealed::Cut { bytes, sealed } => {
            Some(format!("was cut: {bytes} of at least {sealed} bytes are left"))
        }
        Sealed::Altered { after, before } => {
            Some(format!("was changed after it was written, between byte {after} and byte {before}"))
        }
    }
}

fn attempt_folder(id: &AttemptId) -> PathBuf {
    Path::new("attempts").join(&id.agent).join(&id.instance).join(id.trial.to_string())
}

/// Every attempt that has a folder, or the path of what is in the way of one.
fn attempts_in(folder: &Path) -> Result<Vec<Result<AttemptId, PathBuf>>, StoreError> {
    let mut found = Vec::new();
    for agent in entries(folder)? {
        for instance in entries(&agent)? {
            for trial in entries(&instance)? {
                let names: Option<Vec<&str>> =
                    [&agent, &instance, &trial].map(|path| path.file_name()?.to_str()).into_iter().collect();
                let id = names.and_then(|names| names.join("/").parse().ok());
                found.push(id.filter(|_| trial.is_dir()).ok_or(trial));
            }
        }
    }
    Ok(found)
}

/// What is in a folder, in order; nothing if there is none, or if it is no folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let listed = match fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error)
            if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) =>
        {
            return Ok(Vec::new());
        }
        Err(error) => return Err(StoreError::io("list", folder)(error)),
    };
    let mut paths: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}
