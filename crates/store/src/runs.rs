use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use umpire_model::{Instance, Manifest, RunId};

use crate::facts::{INSTANCES_VERSION, InstancesFile};
use crate::files::write_new_json;
use crate::run::{instances_path, manifest_path};
use crate::{Run, StoreError};

/// The folder that holds all runs. It need not exist yet.
#[derive(Clone, Debug)]
pub struct Runs {
    root: PathBuf,
}

/// All runs of a folder. One that cannot be read does not hide the others.
#[derive(Debug, Default)]
pub struct Listing {
    /// Oldest first.
    pub runs: Vec<Run>,
    pub unreadable: Vec<StoreError>,
}

impl Runs {
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Begins a run. The instances are kept with their checks, so that a run can be judged again without its suite.
    pub fn create<'a>(
        &self,
        manifest: &Manifest,
        instances: impl IntoIterator<Item = &'a Instance>,
    ) -> Result<Run, StoreError> {
        let folder = self.root.join(manifest.run.as_str());
        fs::create_dir_all(&folder).map_err(StoreError::io("create", &folder))?;
        let exists = || StoreError::RunExists { run: manifest.run.to_string(), root: self.root.clone() };
        if manifest_path(&folder).exists() {
            return Err(exists());
        }
        let instances: Vec<&Instance> = instances.into_iter().collect();
        // The manifest comes last: a folder without one is a run that never began, and may begin again.
        let path = instances_path(&folder);
        let _ = fs::remove_file(&path);
        write_new_json(&path, &InstancesFile { version: INSTANCES_VERSION, instances })
            .map_err(StoreError::io("write", &path))?;
        let path = manifest_path(&folder);
        write_new_json(&path, manifest).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(),
            _ => StoreError::io("write", &path)(error),
        })?;
        Run::at(&folder)
    }

    /// The run of exactly this name, if there is one.
    pub fn find(&self, id: &RunId) -> Result<Option<Run>, StoreError> {
        let folder = self.root.join(id.as_str());
        if manifest_path(&folder).exists() { Run::at(&folder).map(Some) } else { Ok(None) }
    }

    /// The run of this name, or the only one whose name begins so.
    pub fn open(&self, wanted: &str) -> Result<Run, StoreError> {
        let mut names = self.names()?;
        if names.iter().any(|name| name == wanted) {
            return Run::at(&self.root.join(wanted));
        }
        let candidates: Vec<String> =
            names.iter().filter(|name| !wanted.is_empty() && name.starts_with(wanted)).cloned().collect();
        match candidates.as_slice() {
            [only] => Run::at(&self.root.join(only)),
            [] => {
                names.reverse();
                Err(StoreError::NoSuchRun {
                    wanted: wanted.to_owned(),
                    root: self.root.clone(),
                    there: names,
                })
            }
            _ => Err(StoreError::AmbiguousRun { wanted: wanted.to_owned(), candidates }),
        }
    }

    pub fn list(&self) -> Result<Listing, StoreError> {
        let mut listing = Listing::default();
        for name in self.names()? {
            match Run::at(&self.root.join(name)) {
                Ok(run) => listing.runs.push(run),
                Err(error) => listing.unreadable.push(error),
            }
        }
        listing.runs.sort_by(|a, b| age_key(a.manifest()).cmp(&age_key(b.manifest())));
        Ok(listing)
    }

    pub fn latest(&self) -> Result<Option<Run>, StoreError> {
        Ok(self.list()?.runs.pop())
    }

    /// Names of the folders that hold a manifest, in alphabetical order.
    fn names(&self) -> Result<Vec<String>, StoreError> {
        let failed = || StoreError::io("list", &self.root);
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed()(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed())?;
            if let Ok(name) = entry.file_name().into_string()
                && manifest_path(&entry.path()).exists()
            {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }
}

/// Times are RFC 3339 in UTC; without the `Z` they sort as text even where one has a fraction and another has none.
fn age_key(manifest: &Manifest) -> (&str, &str) {
    (manifest.created.trim_end_matches('Z'), manifest.run.as_str())
}
