//! What was recorded: judged again, looked at, brought in and given out.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use umpire_exchange::{ExportFormat, ImportFormat};

#[derive(Debug, Args)]
pub struct EvaluateArgs {
    /// Run id, or a prefix of it [default: the latest]
    #[arg(conflicts_with_all = ["suite", "attempts"])]
    pub run: Option<String>,
    #[command(flatten)]
    pub recorded: RecordedArgs,
}

/// Attempts of WebArena or WebArena Verified tasks, recorded elsewhere.
#[derive(Debug, Args)]
pub struct RecordedArgs {
    /// Task file of WebArena Verified, or of WebArena with `--mode original`
    #[arg(long, env = "UMPIRE_SUITE_FILE", value_name = "FILE", requires = "attempts")]
    pub suite: Option<PathBuf>,
    /// Folder with a folder per task, named by its number: response and network trace
    #[arg(long, env = "UMPIRE_ATTEMPTS", value_name = "DIR", requires = "suite")]
    pub attempts: Option<PathBuf>,
    /// Whose decisions: our rules, the released evaluator's, or the original benchmark's
    #[arg(long, env = "UMPIRE_MODE", value_enum, default_value_t = Mode::Strict, requires = "attempts")]
    pub mode: Mode,
    /// List every attempt on which reference and strict evaluation disagree, and why
    #[arg(long, env = "UMPIRE_DIFF_MODES", requires = "attempts")]
    pub diff_modes: bool,
    /// Configuration of WebArena Verified with the sites' URLs [default: [sites] in umpire.toml]
    #[arg(long, env = "UMPIRE_SITES", value_name = "FILE", requires = "attempts")]
    pub sites: Option<PathBuf>,
    /// Questions to the deployment's own backends, one JSON object a line; strict mode only
    #[arg(long, env = "UMPIRE_BACKEND_CHECKS", value_name = "FILE", requires = "attempts")]
    pub backend_checks: Option<PathBuf>,
    /// Attempts at a time
    #[arg(short, long, env = "UMPIRE_JOBS", requires = "attempts")]
    pub jobs: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    Strict,
    Reference,
    Original,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// agent/instance/trial, as the run prints it
    pub attempt: String,
    /// Run id, or a prefix of it [default: the latest]
    #[arg(long, env = "UMPIRE_RUN")]
    pub run: Option<String>,
    /// Only this step
    #[arg(long)]
    pub step: Option<u32>,
    /// Write the network log as HAR 1.2
    #[arg(long, value_name = "FILE")]
    pub har: Option<PathBuf>,
    /// Write the screenshot of the step
    #[arg(long, value_name = "FILE", requires = "step")]
    pub screenshot: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ViewArgs {
    /// Run id, or a prefix of it [default: the latest]
    pub run: Option<String>,
    /// Where to write the HTML report
    #[arg(long, env = "UMPIRE_OUT", default_value = "report", value_name = "DIR")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct ImportRunArgs {
    /// What the trajectories are written in: webvoyager, online-mind2web, webarena-verified,
    /// browser-use, agent-reward-bench, playwright-trace
    pub format: ImportFormat,
    /// Folder or file with the trajectories
    pub path: PathBuf,
    /// Built-in suite or folder of a suite whose tasks these are; gives attempts the checks they are judged by
    #[arg(long, env = "UMPIRE_SUITE", value_name = "NAME|DIR")]
    pub suite: Option<String>,
    /// What to call the agent; where the trajectories name theirs, the one to import
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
    /// Stop at the first attempt that cannot be read, instead of leaving it out
    #[arg(long)]
    pub strict: bool,
}

#[derive(Debug, Args)]
pub struct ExportRunArgs {
    /// What to write: online-mind2web, webarena-verified, har, playwright-trace, inspect, gif, webm
    pub format: ExportFormat,
    /// Run id, or a prefix of it, or agent/instance/trial
    #[arg(value_name = "RUN|ATTEMPT")]
    pub what: String,
    /// Folder to write, or the file if one attempt becomes one
    #[arg(long, value_name = "PATH")]
    pub out: PathBuf,
    /// The run an attempt is in [default: the latest]
    #[arg(long, env = "UMPIRE_RUN")]
    pub run: Option<String>,
}

#[derive(Debug, Args)]
pub struct MatchArgs {
    /// Type of the value; without arguments the types are listed
    #[arg(long = "type", value_name = "TYPE", requires_all = ["expected", "actual"])]
    pub value_type: Option<String>,
    /// What a task expects: JSON, or plain text
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, requires = "value_type")]
    pub expected: Option<String>,
    /// What an agent answers: JSON, or plain text
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, requires = "value_type")]
    pub actual: Option<String>,
    /// Cases, one JSON object a line: type, expected, actual, and equal if that is to be tested
    #[arg(long, value_name = "FILE", conflicts_with = "value_type")]
    pub jsonl: Option<PathBuf>,
    /// As Umpire compares values, or as the released evaluator of WebArena Verified does
    #[arg(long, value_enum, default_value_t = ValueMode::Strict)]
    pub mode: ValueMode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ValueMode {
    Strict,
    Reference,
}
