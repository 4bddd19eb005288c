use std::collections::BTreeMap;
use std::env;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use umpire_model::{Digest, UsdMicros};

/// Time between SIGTERM and SIGKILL, unless the user wants another.
const GRACE_SECONDS: u64 = 5;

/// How a foreign agent reaches its page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interface {
    /// It drives the browser itself, over the protocol behind the gate.
    #[default]
    Cdp,
    /// It is shown the page and says what to do, over HTTP.
    Steps,
    /// The same with the tools of an MCP server.
    Mcp,
}

impl Interface {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cdp => "cdp",
            Self::Steps => "steps",
            Self::Mcp => "mcp",
        }
    }
}

/// An agent of the user's: any program that speaks one of the interfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSpec {
    /// Program and arguments; no shell is involved.
    pub command: Vec<String>,
    /// Variables added to the otherwise clean environment.
    pub env: BTreeMap<String, String>,
    /// Seconds between SIGTERM and SIGKILL at the deadline.
    pub grace_seconds: u64,
    /// Models of the configuration that it may ask through the gateway, the default one first.
    pub models: Vec<String>,
    /// What one attempt may spend on them.
    pub budget: Option<UsdMicros>,
    pub interface: Interface,
}

/// A command that could not even be started. Found before the run, so that no attempt is spent on it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadCommand {
    #[error("the agent's `command` is empty")]
    Empty,
    #[error("there is no program `{0}` on the PATH; install it, or write its whole path into `command`")]
    NotOnPath(String),
    #[error("there is no file `{}`", .0.display())]
    NoFile(PathBuf),
    #[error("`{path}` is not executable; try `chmod +x {path}`, or name its interpreter first", path = .0.display())]
    NotExecutable(PathBuf),
    #[error("`{0}` is set by Umpire for every agent and cannot be changed in `env`")]
    ReservedVariable(String),
    #[error("`{0}` is not a name for an environment variable")]
    BadVariable(String),
}

impl CommandSpec {
    pub fn new(command: Vec<String>) -> Self {
        Self {
            command,
            env: BTreeMap::new(),
            grace_seconds: GRACE_SECONDS,
            models: Vec::new(),
            budget: None,
            interface: Interface::Cdp,
        }
    }

    /// Values of variables whose names say that they are secret. Others are ordinary words, such as `true`, that must
    /// not be blanked out of the evidence.
    pub fn secret_values(&self) -> Vec<String> {
        const SECRET: [&str; 5] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"];
        let is_secret = |name: &str| SECRET.iter().any(|word| name.to_ascii_uppercase().contains(word));
        self.env.iter().filter(|(name, _)| is_secret(name)).map(|(_, value)| value.clone()).collect()
    }

    /// Digest of what the agent is, as far as it can be seen: its command, its variables, and the files among its
    /// words. An edited script is another agent.
    pub fn digest(&self) -> Digest {
        let files: Vec<Digest> = self
            .command
            .iter()
            .filter_map(|word| std::fs::read(word).ok())
            .map(|content| Digest::of(&content))
            .collect();
        Digest::of_json(&(&self.command, &self.env, files))
    }

    /// Makes paths of existing files absolute, taking them as relative to `base`: the agent runs in a folder of its
    /// own, where `agent.mjs` would not be found.
    #[must_use]
    pub fn anchored(mut self, base: &Path) -> Self {
        for word in &mut self.command {
            let looks_like_file = word.contains('/') || word.contains('.');
            let path = base.join(&*word);
            if looks_like_file && path.is_file() {
                let absolute = std::path::absolute(&path).unwrap_or(path);
                *word = absolute.to_string_lossy().into_owned();
            }
        }
        self
    }
}

/// Checks what can be known of a command without running it.
pub fn check_command(spec: &CommandSpec) -> Result<(), BadCommand> {
    program_path(spec)?;
    for name in spec.env.keys() {
        if name.is_empty() || name.contains(['=', '\0']) || spec.env[name].contains('\0') {
            return Err(BadCommand::BadVariable(name.clone()));
        }
        if super::environment::is_reserved(name) {
            return Err(BadCommand::ReservedVariable(name.clone()));
        }
    }
    Ok(())
}

/// The file that will be run.
pub(super) fn program_path(spec: &CommandSpec) -> Result<PathBuf, BadCommand> {
    let program = spec.command.first().filter(|program| !program.is_empty()).ok_or(BadCommand::Empty)?;
    if program.contains('/') {
        let path = PathBuf::from(program);
        return match () {
            () if !path.is_file() => Err(BadCommand::NoFile(path)),
            () if !is_executable(&path) => Err(BadCommand::NotExecutable(path)),
            () => Ok(path),
        };
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| is_executable(path))
        .ok_or_else(|| BadCommand::NotOnPath(program.clone()))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
