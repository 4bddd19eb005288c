//! Making a damaged run fit to go on with. Nothing is thrown away: what cannot be relied on is set aside.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use umpire_model::{AttemptId, BlobSource as _};

use super::{Condition, Damage, Effect, attempt_folder, inspect};
use crate::{Blobs, Run, StoreError, seals};

/// Where a run keeps what it no longer counts.
const ASIDE: &str = "set-aside";

/// What was done.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Mended {
    /// Blobs that another run on this disk had as well.
    pub blobs: usize,
    /// Attempts that the command that began the run makes again.
    pub attempts: Vec<AttemptId>,
    /// Other files that were set aside; the beginning that is known to be whole was kept.
    pub files: Vec<PathBuf>,
}

impl Condition {
    /// Restores what other runs beside this one have a copy of, and sets aside what is beyond that. Only for a run that
    /// nobody else writes.
    pub fn mend(self, folder: &Path) -> Result<(Mended, Self), StoreError> {
        let _lock = Run::at(folder).ok().map(|run| run.lock()).transpose()?;
        let mut mended = Mended { blobs: restore_blobs(folder, &self.damages)?, ..Mended::default() };
        let condition = if mended.blobs > 0 { inspect(folder)? } else { self };
        let mut lost = BTreeSet::new();
        let is_newer = |damage: &&Damage| damage.effect == Effect::Newer;
        let newer: BTreeSet<&AttemptId> =
            condition.damages.iter().filter(is_newer).filter_map(|damage| damage.attempt.as_ref()).collect();
        for damage in &condition.damages {
            // What a newer Umpire may find to be whole is not set aside by this one.
            if damage.attempt.as_ref().is_some_and(|attempt| newer.contains(attempt)) {
                continue;
            }
            match (&damage.effect, &damage.attempt) {
                (Effect::Evidence, Some(attempt)) => {
                    lost.insert(attempt.clone());
                }
                (Effect::Blob(blob), Some(attempt)) if blob.counts => {
                    lost.insert(attempt.clone());
                }
                (Effect::Verdicts | Effect::Votes | Effect::Labels | Effect::Plan, _)
                    if folder.join(&damage.file).exists() =>
                {
                    mended.files.push(damage.file.clone());
                }
                _ => {}
            }
        }
        // What belongs to an attempt that is set aside goes with it.
        mended.files.retain(|file| !lost.iter().any(|id| file.starts_with(attempt_folder(id))));
        for id in &lost {
            set_aside(folder, &attempt_folder(id))?;
        }
        for file in &mended.files {
            let path = folder.join(file);
            let sound = seals::sound_beginning(&path)?;
            set_aside(folder, file)?;
            seals::unseal(&path)?;
            if !sound.is_empty() {
                let written = fs::write(&path, sound).and_then(|()| seals::seal(&path));
                written.map_err(StoreError::io("write", &path))?;
            }
        }
        mended.attempts = lost.into_iter().collect();
        let after = inspect(folder)?;
        Ok((mended, after))
    }
}

pub(crate) fn set_aside(folder: &Path, what: &Path) -> Result<(), StoreError> {
    let mut to = folder.join(ASIDE).join(what);
    let mut copies = 1;
    while to.exists() {
        copies += 1;
        to = folder.join(ASIDE).join(what).with_added_extension(copies.to_string());
    }
    let moved = match to.parent() {
        Some(parent) => fs::create_dir_all(parent).and_then(|()| fs::rename(folder.join(what), &to)),
        None => Ok(()),
    };
    moved.map_err(StoreError::io("set aside", &folder.join(what)))
}

/// Content is named by its digest, so that a copy of the same content in any other run is as good.
fn restore_blobs(folder: &Path, damages: &[Damage]) -> Result<usize, StoreError> {
    let (mine, others) = (Blobs::new(folder.join("blobs")), others_beside(folder));
    let mut restored = 0;
    let mut done = BTreeSet::new();
    for damage in damages {
        let Effect::Blob(broken) = &damage.effect else { continue };
        if !done.insert(broken.blob.digest.clone()) {
            continue;
        }
        let found = others.iter().find_map(|other| other.read(&broken.blob).ok());
        let Some(content) = found else { continue };
        mine.replace(&content, &broken.blob).map_err(StoreError::io("restore a blob of", folder))?;
        restored += 1;
    }
    Ok(restored)
}

fn others_beside(folder: &Path) -> Vec<Blobs> {
    let Some(listed) = folder.parent().and_then(|root| fs::read_dir(root).ok()) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().filter(|path| path != folder).map(|path| Blobs::new(path.join("blobs"))).collect()
}
