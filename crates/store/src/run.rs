use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use umpire_model::{AttemptId, Instance, MANIFEST_VERSION, Manifest};

use crate::facts::{INSTANCES_VERSION, InstancesFile};
use crate::files::read_json;
use crate::{AttemptDir, Blobs, InstanceFacts, StoreError};

/// One run on disk.
#[derive(Clone, Debug)]
pub struct Run {
    folder: PathBuf,
    manifest: Manifest,
}

/// The right to write a run; given back when dropped, or when the process dies.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

impl Run {
    /// Opens the run in this folder.
    pub fn at(folder: &Path) -> Result<Self, StoreError> {
        let path = manifest_path(folder);
        check_version(&path, MANIFEST_VERSION)?;
        Ok(Self { folder: folder.to_owned(), manifest: read_json(&path)? })
    }

    /// A run whose attempts are written in a folder of their own, away from the others: what a worker of a fleet has of one.
    pub fn away(manifest: Manifest, folder: &Path) -> Self {
        Self { folder: folder.to_owned(), manifest }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What is known of the instances, in the manifest's order.
    pub fn instances(&self) -> Result<Vec<InstanceFacts>, StoreError> {
        self.read_instances()
    }

    /// The same instances whole, with what was expected of each: for judging.
    pub fn expectations(&self) -> Result<Vec<Instance>, StoreError> {
        self.read_instances()
    }

    fn read_instances<T: DeserializeOwned>(&self) -> Result<Vec<T>, StoreError> {
        let path = instances_path(&self.folder);
        check_version(&path, INSTANCES_VERSION)?;
        Ok(read_json::<InstancesFile<T>>(&path)?.instances)
    }

    /// Every attempt the manifest plans, agent by agent; trials count from 1.
    pub fn planned(&self) -> Result<Vec<AttemptId>, StoreError> {
        let manifest = &self.manifest;
        let mut planned = Vec::with_capacity(manifest.planned());
        for agent in &manifest.agents {
            for instance in &manifest.instances {
                for trial in 1..=manifest.trials {
                    let id = AttemptId::new(&agent.name, instance, trial).map_err(|error| {
                        let path = manifest_path(&self.folder);
                        StoreError::Malformed { path, line: None, problem: error.to_string() }
                    })?;
                    planned.push(id);
                }
            }
        }
        Ok(planned)
    }

    pub fn attempt(&self, id: &AttemptId) -> AttemptDir {
        let folder =
            self.folder.join("attempts").join(&id.agent).join(&id.instance).join(id.trial.to_string());
        AttemptDir::new(id.clone(), folder, self.blobs())
    }

    pub fn blobs(&self) -> Blobs {
        Blobs::new(self.folder.join("blobs"))
    }

    /// Whether a runner on this machine writes the run just now. Asked of the kernel's list of locks: trying the lock
    /// itself could turn away a runner that comes at the same moment.
    pub fn is_being_written(&self) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        let (Ok(found), Ok(held)) =
            (fs::metadata(self.folder.join("lock")), fs::read_to_string("/proc/locks"))
        else {
            return false;
        };
        let inode = format!(":{}", found.ino());
        held.lines().any(|line| line.split_ascii_whitespace().any(|word| word.ends_with(&inode)))
    }

    /// Takes the run for writing, so that two runners never write one run, and clears away what a killed one left
    /// half-written.
    pub fn lock(&self) -> Result<RunLock, StoreError> {
        let path = self.folder.join("lock");
        let open = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path);
        let mut file = open.map_err(StoreError::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                let run = self.manifest.run.to_string();
                return Err(StoreError::Locked { run, holder: holder.trim().parse().ok() });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &path)(error)),
        }
        let name_holder = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        name_holder.map_err(StoreError::io("write", &path))?;
        self.blobs().sweep().map_err(StoreError::io("clean up blobs of", &self.folder))?;
        Ok(RunLock { _file: file })
    }
}

pub(crate) fn manifest_path(folder: &Path) -> PathBuf {
    folder.join("manifest.json")
}

pub(crate) fn instances_path(folder: &Path) -> PathBuf {
    folder.join("instances.json")
}

/// A newer file is refused by its version, before its unknown shape is mistaken for damage.
fn check_version(path: &Path, known: u32) -> Result<(), StoreError> {
    #[derive(Deserialize)]
    struct Head {
        version: u32,
    }
    match read_json::<Head>(path)?.version {
        found if found > known => Err(StoreError::NewerFormat { path: path.to_owned(), found, known }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_run_is_being_written() {
        let folder = tempfile::tempdir().expect("temp");
        let manifest = serde_json::json!({
            "version": 1, "run": "core-1", "created": "2026-01-01T00:00:00Z", "umpire": "0.1.0", "suite": "core",
            "suite_digest": "", "rules_digest": "", "agents": [], "instances": [], "trials": 1, "seed": 1,
            "browser": "", "viewport": {"width": 1, "height": 1}, "locale": "", "timezone": "",
            "limits": {"actions": 1, "seconds": 1}, "retries": 0, "denominator": "",
        });
        fs::write(manifest_path(folder.path()), manifest.to_string()).expect("written");
        let run = Run::at(folder.path()).expect("a run");
        assert!(!run.is_being_written());
        let lock = run.lock().expect("free");
        assert!(run.is_being_written());
        drop(lock);
        assert!(!run.is_being_written(), "the file stays, the lock does not");
    }
}
