//! A small process that outlives the runner by a moment, to clean up after it.
//!
//! The runner tells it over a pipe what it started; when the pipe ends, however the runner ended, the guard kills the
//! groups that are still registered and removes the folders. It runs in a session of its own, so that Ctrl-C or a kill
//! of the runner's group does not reach it.
//!
//! ```text
//! +g 4711        a process group to kill       -g 4711        it is over
//! +d /tmp/x      a folder to remove            -d /tmp/x      it is gone
//! ```

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::unistd::{Pid, setsid};

use crate::group;

const READY: &str = "guarding";
/// How long the guard may take to start, and killed processes to let go of their folders.
const PATIENCE: Duration = Duration::from_secs(5);
/// Folders are removed only if they carry our name: a damaged line must never cost a user's data.
const FOLDER_PREFIX: &str = "umpire-";

/// With the process id of the guard at its other end.
static PIPE: Mutex<Option<(u32, ChildStdin)>> = Mutex::new(None);
/// The guard of this process, for as long as anybody holds it.
static SHARED: Mutex<Weak<Guard>> = Mutex::new(Weak::new());

#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    #[error("cannot start the guard process `{program}`: {source}")]
    Start { program: String, source: io::Error },
    #[error("the guard process `{program}` did not report that it is ready")]
    NotReady { program: String },
}

/// The runner's end. Dropping it lets the guard clean up and waits for it.
#[derive(Debug)]
pub struct Guard {
    child: Child,
}

impl Guard {
    /// The one guard of this process: started if there is none, and kept for as long as anybody holds it. Two of them would
    /// take each other for orphans.
    pub fn shared(exe: &Path, args: &[&str]) -> Result<Arc<Self>, GuardError> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(guard) = shared.upgrade() {
            return Ok(guard);
        }
        let guard = Arc::new(Self::start(exe, args)?);
        *shared = Arc::downgrade(&guard);
        Ok(guard)
    }

    /// Starts `exe args…`, which must call [`run`]. Groups and folders are registered with it from now on.
    pub fn start(exe: &Path, args: &[&str]) -> Result<Self, GuardError> {
        let program = exe.display().to_string();
        let mut child = Command::new(exe)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| GuardError::Start { program: program.clone(), source })?;
        let (greeted, greeting) = mpsc::channel();
        if let Some(stdout) = child.stdout.take() {
            // In a thread, because a pipe cannot be read with a deadline; it ends with the process at the latest.
            std::thread::spawn(move || {
                let mut line = String::new();
                let _ = BufReader::new(stdout).read_line(&mut line);
                let _ = greeted.send(line);
            });
        }
        if greeting.recv_timeout(PATIENCE).is_ok_and(|line| line.trim_end() == READY) {
            *pipe() = child.stdin.take().map(|stdin| (child.id(), stdin));
            Ok(Self { child })
        } else {
            let _ = child.kill();
            let _ = child.wait();
            Err(GuardError::NotReady { program })
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Another may have been started since the last holder let go of this one.
        drop(pipe().take_if(|(id, _)| *id == self.child.id()));
        let _ = self.child.wait();
    }
}

fn pipe() -> std::sync::MutexGuard<'static, Option<(u32, ChildStdin)>> {
    PIPE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tell(line: &str) {
    if let Some((_, pipe)) = pipe().as_mut() {
        // Without a guard the other nets still hold.
        let _ = writeln!(pipe, "{line}");
    }
}

pub(crate) fn watch_group(id: i32) {
    tell(&format!("+g {id}"));
}

pub(crate) fn forget_group(id: i32) {
    tell(&format!("-g {id}"));
}

/// Has the guard remove `folder` after our death. Its name must begin with `umpire-`.
pub fn watch_folder(folder: &Path) {
    tell(&format!("+d {}", folder.display()));
}

pub fn forget_folder(folder: &Path) {
    tell(&format!("-d {}", folder.display()));
}

/// What is left to clean up, as told line by line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ward {
    groups: BTreeSet<i32>,
    folders: BTreeSet<PathBuf>,
}

impl Ward {
    fn hear(&mut self, line: &str) {
        let Some((verb, what)) = line.split_once(' ') else { return };
        match verb {
            "+g" | "-g" => {
                let Some(id) = what.parse().ok().filter(|&id: &i32| id > 1) else { return };
                if verb == "+g" {
                    self.groups.insert(id)
                } else {
                    self.groups.remove(&id)
                };
            }
            "+d" | "-d" => {
                let folder = PathBuf::from(what);
                let ours =
                    folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(FOLDER_PREFIX));
                if !folder.is_absolute() || !ours {
                    return;
                }
                if verb == "+d" {
                    self.folders.insert(folder)
                } else {
                    self.folders.remove(&folder)
                };
            }
            _ => {}
        }
    }

    fn clean_up(&self) {
        let give_up = Instant::now() + PATIENCE;
        let mut alive: Vec<Pid> = self.groups.iter().map(|&id| Pid::from_raw(id)).collect();
        while !alive.is_empty() && Instant::now() < give_up {
            alive.retain(|&group| group::signal(group, Signal::SIGKILL));
            std::thread::sleep(Duration::from_millis(10));
        }
        for folder in &self.folders {
            while std::fs::remove_dir_all(folder).is_err() && folder.exists() && Instant::now() < give_up {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

/// The guard's whole life; the body of the command's hidden subcommand.
pub fn run() -> io::Result<()> {
    // Fails only if we already lead a group, and then the runner's signals do not reach us either.
    let _ = setsid();
    println!("{READY}");
    io::stdout().flush()?;
    let mut ward = Ward::default();
    for line in io::stdin().lock().lines() {
        match line {
            Ok(line) => ward.hear(&line),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {}
            Err(_) => break,
        }
    }
    ward.clean_up();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_groups_and_our_own_folders_are_taken_in() {
        let mut ward = Ward::default();
        for line in [
            "+g 700",
            "+g 701",
            "-g 700",
            "+g 0",
            "+g 1",
            "+g -5",
            "+g x",
            "+d /tmp/umpire-a",
            "+d /tmp/umpire-b",
            "-d /tmp/umpire-b",
            "+d /home/user",
            "+d umpire-relative",
            "+d /tmp/umpire-a/..",
            "nonsense",
            "",
        ] {
            ward.hear(line);
        }
        assert_eq!(ward.groups, BTreeSet::from([701]));
        assert_eq!(ward.folders, BTreeSet::from([PathBuf::from("/tmp/umpire-a")]));
    }
}
