use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use tempfile::TempDir;
use umpire_model::TaskBrief;
use umpire_process::guard;

const TASK_FILE_VERSION: u32 = 1;

/// A private folder for one attempt of a command agent, under the system's temp folder and so away from the suite
/// and the runs. Removed when dropped, or by the guard if the runner is killed.
#[derive(Debug)]
pub struct Workspace {
    folder: TempDir,
}

/// What a command agent reads.
#[derive(Serialize)]
struct TaskFile<'a> {
    version: u32,
    #[serde(flatten)]
    brief: &'a TaskBrief,
    /// JSON Schema of the response that is expected.
    response_schema: &'a Value,
}

impl Workspace {
    pub fn create() -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("umpire-agent-")
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir()?;
        guard::watch_folder(folder.path());
        let workspace = Self { folder };
        for inner in [workspace.home(), workspace.work(), workspace.out_dir(), workspace.temporary()] {
            DirBuilder::new().mode(0o700).create(inner)?;
        }
        Ok(workspace)
    }

    /// Where the agent leaves its answer and what it wants to upload.
    pub fn out_dir(&self) -> PathBuf {
        self.path().join("out")
    }

    pub(super) fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// The command's current folder.
    pub(super) fn work(&self) -> PathBuf {
        self.path().join("work")
    }

    pub(super) fn temporary(&self) -> PathBuf {
        self.path().join("tmp")
    }

    pub(super) fn task_file(&self) -> PathBuf {
        self.path().join("task.json")
    }

    pub(super) fn write_task(&self, brief: &TaskBrief, response_schema: &Value) -> io::Result<()> {
        let content = TaskFile { version: TASK_FILE_VERSION, brief, response_schema };
        fs::write(self.task_file(), serde_json::to_vec_pretty(&content)?)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // The folder itself goes when its field is dropped, right after this.
        guard::forget_folder(self.folder.path());
    }
}
