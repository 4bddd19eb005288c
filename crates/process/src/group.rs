use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitStatus};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};

use crate::guard;
use crate::parent_death::kill_child_with_spawner;

#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    #[error("cannot start `{program}`: {source}")]
    Start { program: String, source: io::Error },
    #[error("cannot start `{program}`: the spawning thread is gone")]
    NoSpawner { program: String },
    #[error("cannot start `{program}` outside of an async runtime")]
    NoRuntime { program: String },
}

/// A child and everything it starts, as one process group. Dropping it kills the whole group at once.
#[derive(Debug)]
pub struct Group {
    child: Child,
    id: Pid,
    killed: bool,
}

impl Group {
    /// Starts `command` as the leader of a group of its own. Must be called inside a tokio runtime.
    pub fn spawn(command: Command) -> Result<Self, SpawnError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let runtime = tokio::runtime::Handle::try_current()
            .map_err(|_| SpawnError::NoRuntime { program: program.clone() })?;
        let (reply, answer) = mpsc::channel();
        let gone = || SpawnError::NoSpawner { program: program.clone() };
        spawner().send(Order { command, runtime, reply }).map_err(|_| gone())?;
        let child = answer
            .recv()
            .map_err(|_| gone())?
            .map_err(|source| SpawnError::Start { program: program.clone(), source })?;
        // A child that was not waited for always has an id.
        let id = child.id().map_or(Pid::from_raw(0), |id| Pid::from_raw(id.cast_signed()));
        guard::watch_group(id.as_raw());
        Ok(Self { child, id, killed: false })
    }

    /// Process id of the leader, which is also the id of the group.
    pub fn id(&self) -> i32 {
        self.id.as_raw()
    }

    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Waits for the leader; whatever it left running in the group is killed then.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        self.kill_now();
        Ok(status)
    }

    /// The leader's exit status if it is over already.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Asks the group to end, and after `grace` ends it. Returns the leader's status, once nobody of the group is left.
    pub async fn kill_group(&mut self, grace: Duration) -> io::Result<ExitStatus> {
        signal(self.id, Signal::SIGTERM);
        let ended = tokio::time::timeout(grace, self.child.wait()).await;
        // Grandchildren may have ignored the request even if the leader did not.
        self.kill_now();
        let status = match ended {
            Ok(status) => status,
            Err(_) => self.child.wait().await,
        };
        self.gone().await;
        status
    }

    /// Grandchildren are not ours to wait for, and a killed process takes a moment to be gone.
    async fn gone(&self) {
        const LONGEST: Duration = Duration::from_secs(1);
        let gone = async {
            while killpg(self.id, None) != Err(Errno::ESRCH) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        // Whoever inherits them may be slow to bury them; they run no more.
        let _ = tokio::time::timeout(LONGEST, gone).await;
    }

    /// Sends SIGKILL to the whole group, once: its id may belong to somebody else later.
    pub fn kill_now(&mut self) {
        if !std::mem::replace(&mut self.killed, true) {
            signal(self.id, Signal::SIGKILL);
            guard::forget_group(self.id.as_raw());
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill_now();
    }
}

/// Group 0 would be our own.
pub(crate) fn signal(group: Pid, signal: Signal) -> bool {
    group.as_raw() > 1 && killpg(group, signal) != Err(Errno::ESRCH)
}

struct Order {
    command: Command,
    runtime: tokio::runtime::Handle,
    reply: mpsc::Sender<io::Result<Child>>,
}

/// The parent-death signal fires when the spawning thread ends, so all children are spawned from one thread that
/// lives as long as the process; a worker of some runtime would take its children with it when the runtime stops.
fn spawner() -> &'static mpsc::Sender<Order> {
    static SPAWNER: OnceLock<mpsc::Sender<Order>> = OnceLock::new();
    SPAWNER.get_or_init(|| {
        let (orders, queue) = mpsc::channel::<Order>();
        let run = move || {
            for Order { mut command, runtime, reply } in queue {
                command.process_group(0);
                kill_child_with_spawner(&mut command);
                let _inside = runtime.enter();
                let _ = reply.send(tokio::process::Command::from(command).spawn());
            }
        };
        // If the thread cannot start, its queue is dropped and every order fails with `NoSpawner`.
        let _ = std::thread::Builder::new().name("spawner".to_owned()).spawn(run);
        orders
    })
}
