use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::{timeout, timeout_at};
use umpire_model::{Deadline, Evidence, TaskBrief};
use umpire_process::{Group, SpawnError};

use super::answer::read_answer;
use super::environment::environment;
use super::output::{Output, Stream};
use super::spec::program_path;
use super::{BadCommand, CommandSpec, Endpoint, Workspace};

/// A user who wants more than this wants a longer deadline instead.
const MAX_GRACE: Duration = Duration::from_mins(1);
/// Readers end with the group. A process that left the group may hold a pipe open; it is not waited for.
const DRAIN: Duration = Duration::from_secs(1);

/// What one attempt gives to the command.
#[derive(Clone, Copy, Debug)]
pub struct CommandTask<'a> {
    pub brief: &'a TaskBrief,
    /// JSON Schema of the structured response.
    pub response_schema: &'a Value,
    pub endpoint: &'a Endpoint,
    pub workspace: &'a Workspace,
    /// Program and arguments to put before the command, such as one that confines it; may be empty.
    pub launcher: &'a [OsString],
    /// Variables that tell it where to ask models and its user's history; they go before the user's own.
    pub services: &'a [(&'static str, String)],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandEnd {
    /// The raw response, as the agent wrote it.
    Answered(String),
    /// It ended by itself without an answer.
    Stopped { reason: String },
    /// It was still running at the deadline and was killed.
    Time,
}

/// The command could not be run, which says nothing about the agent.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    #[error(transparent)]
    Command(#[from] BadCommand),
    #[error("cannot prepare the agent's folder: {0}")]
    Workspace(io::Error),
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    #[error("lost sight of the agent's process: {0}")]
    Wait(io::Error),
}

/// Runs the command until it ends or the deadline comes; afterwards nothing of its process group is left.
pub async fn run_command(
    spec: &CommandSpec,
    task: CommandTask<'_>,
    evidence: Arc<dyn Evidence>,
    deadline: Deadline,
) -> Result<CommandEnd, CommandError> {
    task.workspace.write_task(task.brief, task.response_schema).map_err(CommandError::Workspace)?;
    let program = std::path::absolute(program_path(spec)?).map_err(CommandError::Workspace)?;
    let words: Vec<OsString> = task.launcher.iter().cloned().chain([program.into()]).collect();
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .args(&spec.command[1..])
        .current_dir(task.workspace.work())
        .env_clear()
        .envs(environment(spec, task.workspace, task.endpoint))
        .envs(task.services.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut group = Group::spawn(command)?;

    let output = Output::new(evidence);
    let mut readers = JoinSet::new();
    if let Some(stdout) = group.take_stdout() {
        readers.spawn(Arc::clone(&output).drain(Stream::Stdout, stdout));
    }
    if let Some(stderr) = group.take_stderr() {
        readers.spawn(Arc::clone(&output).drain(Stream::Stderr, stderr));
    }

    let ended = timeout_at(deadline.at().into(), group.wait()).await;
    if ended.is_err() {
        let grace = Duration::from_secs(spec.grace_seconds).min(MAX_GRACE);
        group.kill_group(grace).await.map_err(CommandError::Wait)?;
    }
    let _ = timeout(DRAIN, async { while readers.join_next().await.is_some() {} }).await;
    output.note_dropped();

    match ended {
        Err(_) => Ok(CommandEnd::Time),
        Ok(Err(error)) => Err(CommandError::Wait(error)),
        Ok(Ok(status)) => Ok(end_of(status, task.workspace, &output)),
    }
}

fn end_of(status: ExitStatus, workspace: &Workspace, output: &Output) -> CommandEnd {
    let (written, refused) = match read_answer(&workspace.out_dir()) {
        Ok(written) => (written, None),
        Err(refused) => (None, Some(refused)),
    };
    if let Some(answer) = written.or_else(|| output.answer()) {
        return CommandEnd::Answered(answer);
    }
    // Its `Display` is "exit status: 1" or "signal: 9 (SIGKILL)".
    let mut reason = format!("the command gave no answer ({status})");
    if let Some(refused) = refused {
        reason = format!("{reason}; {refused}");
    }
    let tail = output.error_tail();
    if !tail.is_empty() {
        reason = format!("{reason}; its last words:\n{tail}");
    }
    CommandEnd::Stopped { reason }
}
