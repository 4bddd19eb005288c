use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt as _, FdMapping};
use nix::fcntl::{FcntlArg, fcntl};
use serde::Deserialize;
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::unix::pipe;
use tokio::process::ChildStderr;
use umpire_model::{Deadline, Viewport};
use umpire_process::{Group, SpawnError, guard};

use super::find::{NoChromium, find, find_with_window};
use super::flags::switches;
use crate::cdp::{CdpError, Connection};

/// Profiles are called `umpire-chromium-<pid of the runner>-<random>`, so that a later run knows whose they are.
pub(super) const PROFILE_PREFIX: &str = "umpire-chromium-";
const STDERR_LINES: usize = 20;
const PIPE_BYTES: i32 = 1 << 20;
const START_LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error(transparent)]
    NotFound(#[from] NoChromium),
    #[error("cannot prepare a profile for Chromium in {}: {source}", folder.display())]
    Profile { folder: PathBuf, source: io::Error },
    #[error("cannot make the pipes to Chromium: {0}")]
    Pipe(io::Error),
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    #[error("Chromium ({}) started but did not answer: {problem}{}", path.display(), said(stderr))]
    NoAnswer { path: PathBuf, problem: CdpError, stderr: String },
}

fn said(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!("; it said:\n{stderr}") }
}

#[derive(Clone, Debug, Default)]
pub struct LaunchOptions {
    /// Path of the executable, if it is not to be searched for.
    pub chromium: Option<PathBuf>,
    pub viewport: Viewport,
    /// HTTP proxy for the default browser context.
    pub proxy: Option<SocketAddr>,
    /// Shown on the screen, for a person to use.
    pub window: bool,
    /// Unpacked extensions may be loaded over the pipe.
    pub extensions: bool,
}

/// A running Chromium with a profile of its own. Dropping it kills the process group and removes the profile.
pub struct Chromium {
    connection: Connection,
    group: Group,
    profile: PathBuf,
    version: String,
    stderr: Tail,
}

#[derive(Deserialize)]
struct Version {
    product: String,
}

impl Chromium {
    pub async fn launch(options: &LaunchOptions, deadline: Deadline) -> Result<Self, LaunchError> {
        let find = if options.window || options.extensions { find_with_window } else { find };
        let path = find(options.chromium.as_deref())?;
        let profile = new_profile()?;
        let (to_chromium, reads) = pipe::pipe().map_err(LaunchError::Pipe)?;
        let (writes, from_chromium) = pipe::pipe().map_err(LaunchError::Pipe)?;
        // With the usual 64 KiB, both sides would wake each other a dozen times over one snapshot. Where the system
        // allows no more, that is what happens.
        let _ = fcntl(&from_chromium, FcntlArg::F_SETPIPE_SZ(PIPE_BYTES));
        let mut command = Command::new(&path);
        command
            .args(switches(profile.path(), options))
            // Times and texts of a page must not depend on the machine.
            .env("TZ", "UTC")
            .env("LANG", "en_US.UTF-8")
            .env("LANGUAGE", "en_US")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
            .fd_mappings(vec![
                FdMapping { parent_fd: reads.into_blocking_fd().map_err(LaunchError::Pipe)?, child_fd: 3 },
                FdMapping { parent_fd: writes.into_blocking_fd().map_err(LaunchError::Pipe)?, child_fd: 4 },
            ])
            .map_err(|collision| LaunchError::Pipe(io::Error::other(collision)))?;
        let mut group = Group::spawn(command)?;
        let stderr = Tail::default();
        if let Some(stream) = group.take_stderr() {
            tokio::spawn(stderr.clone().follow(stream));
        }
        let connection = Connection::over_pipe(from_chromium, to_chromium);
        let answer =
            connection.root().call("Browser.getVersion", json!({}), deadline.within(START_LIMIT)).await;
        match answer {
            Ok(Version { product }) => {
                Ok(Self { connection, group, profile: profile.keep(), version: product, stderr })
            }
            Err(problem) => {
                // Reaping lets the last words arrive before they are quoted.
                let _ = group.kill_group(Duration::from_millis(100)).await;
                Err(LaunchError::NoAnswer { path, problem, stderr: stderr.text() })
            }
        }
    }

    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Product and build, such as `Chrome/156.0.8078.79`.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub fn pid(&self) -> i32 {
        self.group.id()
    }

    /// Its user-data-dir, which goes when it does.
    pub fn profile(&self) -> &Path {
        &self.profile
    }

    /// False once the process ended or closed its pipe.
    pub fn is_alive(&mut self) -> bool {
        !self.connection.is_closed() && matches!(self.group.try_wait(), Ok(None))
    }

    /// The last lines it wrote, for messages about its death.
    pub fn last_words(&self) -> String {
        self.stderr.text()
    }

    /// Ends the process and removes the profile before returning.
    pub async fn close(mut self) {
        self.connection.root().post("Browser.close", json!({}));
        let _ = self.group.kill_group(Duration::from_millis(500)).await;
        let profile = std::mem::take(&mut self.profile);
        let _ = tokio::task::spawn_blocking(move || remove_profile(&profile)).await;
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        self.group.kill_now();
        let profile = std::mem::take(&mut self.profile);
        // Empty if it was closed before.
        if !profile.as_os_str().is_empty() {
            std::thread::spawn(move || remove_profile(&profile));
        }
    }
}

fn new_profile() -> Result<TempDir, LaunchError> {
    let folder = std::env::temp_dir();
    let profile = tempfile::Builder::new()
        .prefix(&format!("{PROFILE_PREFIX}{}-", std::process::id()))
        .tempdir_in(&folder)
        .map_err(|source| LaunchError::Profile { folder, source })?;
    guard::watch_folder(profile.path());
    Ok(profile)
}

/// Dying processes still write to their profile for a moment, so one try may not be enough.
fn remove_profile(path: &Path) {
    let give_up = Instant::now() + Duration::from_secs(5);
    while std::fs::remove_dir_all(path).is_err() && path.exists() && Instant::now() < give_up {
        std::thread::sleep(Duration::from_millis(20));
    }
    if !path.exists() {
        guard::forget_folder(path);
    }
}

/// The last lines of a stream.
#[derive(Clone, Default)]
struct Tail(Arc<Mutex<VecDeque<String>>>);

impl Tail {
    async fn follow(self, stream: ChildStderr) {
        let mut lines = BufReader::new(stream).split(b'\n');
        while let Ok(Some(line)) = lines.next_segment().await {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == STDERR_LINES {
                kept.pop_front();
            }
            kept.push_back(String::from_utf8_lossy(&line).chars().take(500).collect());
        }
    }

    fn text(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}
