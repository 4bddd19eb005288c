use std::fs::{File, OpenOptions, TryLockError};
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
