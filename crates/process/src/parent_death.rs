//! The kernel's own promise that a child dies with us.
//!
//! `pre_exec` is the only way to run something in the child between fork and exec, and it is `unsafe` because other
//! threads' locks may be held forever in the forked copy. The closure here allocates nothing, takes no lock and makes
//! two system calls (`prctl`, `getppid`), both async-signal-safe, so no lock can matter to it.
#![allow(unsafe_code)]

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::{Pid, getppid};

/// Makes the child die by SIGKILL when the *thread* that spawns it ends.
pub(crate) fn kill_child_with_spawner(command: &mut Command) {
    let spawner = Pid::this();
    let arm = move || {
        set_pdeathsig(Signal::SIGKILL)?;
        // The runner may have died before the signal was armed; then nobody would ever send it.
        if getppid() == spawner { Ok(()) } else { Err(io::Error::from_raw_os_error(nix::libc::ESRCH)) }
    };
    // SAFETY: see the module comment; the closure is async-signal-safe and owns everything it touches.
    unsafe {
        command.pre_exec(arm);
    }
}
