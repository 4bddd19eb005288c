//! Cleans up what runners that are no more left behind: profiles, and Chromium processes that still use them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, getpgid};

use super::launch::PROFILE_PREFIX;

/// What a sweep removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    pub profiles: usize,
    pub processes: usize,
}

/// Removes leftovers in the temp dir whose runner is gone. Those of living runners, ours too, stay.
pub fn sweep() -> io::Result<Swept> {
    sweep_folder(&std::env::temp_dir())
}

fn sweep_folder(folder: &Path) -> io::Result<Swept> {
    let mut swept = Swept::default();
    for entry in fs::read_dir(folder)?.flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let owner = entry.file_name().to_str().and_then(owner_of);
        if let (true, Some(owner)) = (is_folder, owner)
            && !is_alive(owner)
        {
            let profile = entry.path();
            swept.processes += kill_users_of(&profile);
            swept.profiles += usize::from(fs::remove_dir_all(&profile).is_ok());
        }
    }
    Ok(swept)
}

/// The runner a profile's name speaks of.
fn owner_of(name: &str) -> Option<i32> {
    let (pid, random) = name.strip_prefix(PROFILE_PREFIX)?.split_once('-')?;
    pid.parse().ok().filter(|&pid| pid > 1 && !random.is_empty())
}

fn is_alive(pid: i32) -> bool {
    Path::new("/proc").join(pid.to_string()).exists()
}

fn kill_users_of(profile: &Path) -> usize {
    let users = processes_with(&format!("--user-data-dir={}", profile.display()));
    for &pid in &users {
        // Chromium was started as the leader of a group; its renderers do not carry the profile's name.
        let _ = if getpgid(Some(pid)) == Ok(pid) {
            killpg(pid, Signal::SIGKILL)
        } else {
            kill(pid, Signal::SIGKILL)
        };
    }
    let give_up = Instant::now() + Duration::from_secs(2);
    while users.iter().any(|pid| is_alive(pid.as_raw())) && Instant::now() < give_up {
        std::thread::sleep(Duration::from_millis(5));
    }
    users.len()
}

fn processes_with(argument: &str) -> Vec<Pid> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let numbered = processes.flatten().filter_map(|entry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        Some((pid, entry.path().join("cmdline")))
    });
    numbered
        .filter(|(_, cmdline)| has_argument(cmdline, argument))
        .map(|(pid, _)| Pid::from_raw(pid))
        .collect()
}

fn has_argument(cmdline: &PathBuf, argument: &str) -> bool {
    fs::read(cmdline)
        .is_ok_and(|bytes| bytes.split(|&byte| byte == 0).any(|part| part == argument.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::Command;

    use super::*;

    #[test]
    fn names_tell_their_owner() {
        for (name, owner) in [
            ("umpire-chromium-4711-a8Zk2", Some(4711)),
            ("umpire-chromium-4711-", None),
            ("umpire-chromium-x-a8Zk2", None),
            ("umpire-chromium-1-a8Zk2", None),
            ("umpire-other-4711-a", None),
            ("chromium-4711-a", None),
        ] {
            assert_eq!(owner_of(name), owner, "{name}");
        }
    }

    #[test]
    fn leftovers_of_dead_runners_go_and_those_of_living_ones_stay() {
        let temp = tempfile::tempdir().expect("temp dir");
        let mut runner = Command::new("true").spawn().expect("started");
        runner.wait().expect("reaped");
        let dead = temp.path().join(format!("{PROFILE_PREFIX}{}-abc", runner.id()));
        let living = temp.path().join(format!("{PROFILE_PREFIX}{}-abc", std::process::id()));
        fs::create_dir_all(dead.join("Default")).expect("created");
        fs::create_dir_all(&living).expect("created");
        let mut leftover = Command::new("sh")
            .args(["-c", "echo ready; read line", "chromium", &format!("--user-data-dir={}", dead.display())])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("started");
        // Its arguments can be read for certain once it runs.
        let mut ready = [0; 6];
        leftover.stdout.take().expect("piped").read_exact(&mut ready).expect("it runs");
        // Waiting would close it, and with it end the shell.
        let _stdin = leftover.stdin.take();
        let reaper = std::thread::spawn(move || leftover.wait().expect("reaped"));
        assert_eq!(sweep_folder(temp.path()).expect("readable"), Swept { profiles: 1, processes: 1 });
        assert!(!reaper.join().expect("joined").success());
        assert!(!dead.exists() && living.exists());
    }
}
