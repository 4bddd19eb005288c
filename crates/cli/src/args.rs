//! What a user types. Every flag can also be given as an `UMPIRE_…` variable.

mod agree;
mod history;
mod judging;
mod labels;
mod persona;
mod rank;
mod reports;
mod staging;
mod stats;
mod suites;

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use umpire_exchange::{ExportFormat, ImportFormat};
use umpire_model::{Day, StatesBy};

pub use agree::{AgreeArgs, ColumnArgs, Missing, Unexecutable, Unlabelled};
pub use history::{HistoryArgs, MethodArg};
pub use judging::{CountBy, JudgeArgs, ReadBy};
pub use labels::{LabelsCommand, LabelsExportArgs, LabelsImportArgs};
pub use persona::{GenerateArgs, IndexArgs, PersonaCommand, RetrieveArgs, ScoreArgs};
pub use rank::{IntervalsBy, RankArgs, RatingMethod, TiesAs};
pub use reports::{QueryArgs, QueryFormat, ReportArgs, ReportFormat};
pub use staging::{
    AccountArgs, AccountCommand, RecordArgs, ReplayArgs, SessionsCommand, SessionsImportArgs,
    SessionsMakeArgs, VaultArgs, VaultCommand,
};
pub use stats::{CompareArgs, StatsArgs};
pub use suites::{AuditArgs, ExportArgs, ImportArgs, SubsetArgs, SuiteCheckArgs, SuiteCommand};

/// Runs web agents in a real browser, gathers the evidence itself, judges what happened, and says how far the score
/// can be trusted.
#[derive(Debug, Parser)]
#[command(name = "umpire", version, propagate_version = true, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 gate met or no gate · 1 bad input or configuration · 4 nothing ran · \
5 incomplete, the same command resumes · 100 gate failed · 101 too much infra · 102 budget reached";

#[derive(Debug, Args)]
pub struct Global {
    /// Folder that holds the runs
    #[arg(long, global = true, env = "UMPIRE_RUNS", value_name = "DIR")]
    pub runs: Option<PathBuf>,
    /// Configuration file [default: umpire.toml, if there is one]
    #[arg(long, global = true, env = "UMPIRE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Profile of the configuration file to use
    #[arg(long, global = true, env = "UMPIRE_PROFILE", value_name = "NAME")]
    pub profile: Option<String>,
    /// Machine-readable output
    #[arg(long, global = true, env = "UMPIRE_JSON")]
    pub json: bool,
    /// Colour and progress bars
    #[arg(long, global = true, env = "UMPIRE_COLOUR", value_enum, default_value_t = Colour::Auto, alias = "color")]
    pub colour: Colour,
    /// Chromium to use instead of the one found on the PATH
    #[arg(long, global = true, env = "UMPIRE_CHROMIUM", value_name = "FILE")]
    pub chromium: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the built-in suite with the oracle, the heuristic and the naive agents, offline
    Demo(DemoArgs),
    /// Run agents on a suite; the same command resumes
    Run(Box<RunArgs>),
    /// Let agents drive attempts step by step, over HTTP
    Steps(StepsArgs),
    /// Let an agent drive an attempt with the tools of an MCP server
    Mcp(McpArgs),
    /// Judge a run again, or attempts recorded elsewhere, from their evidence
    Evaluate(EvaluateArgs),
    /// Report card of judges: how far their verdicts agree with people's labels
    Agree(Box<AgreeArgs>),
    /// Ratings of models from battles: who wins against whom, with intervals and ranks
    Rank(Box<RankArgs>),
    /// Let models judge the attempts of a run, from their evidence
    Judge(Box<JudgeArgs>),
    /// What people say about attempts: files for annotators to fill in, and back
    #[command(subcommand)]
    Labels(LabelsCommand),
    /// Success with every usual interval, comparisons, reliability, efficiency, of a run or a file of attempts
    Stats(StatsArgs),
    /// What changed from one run to another: flips first, then how sure the difference is
    Compare(CompareArgs),
    /// Table of a run, and its report: pages, Markdown, tables, XML for test viewers, annotations
    Report(ReportArgs),
    /// Ask a run's tables in SQL
    Query(QueryArgs),
    /// One attempt: its steps, network and verdict
    Show(ShowArgs),
    /// Open the report of a run in a browser
    View(ViewArgs),
    /// Make a run of trajectories that were recorded elsewhere
    Import(ImportRunArgs),
    /// Write a run, or one attempt, in a format that others open
    Export(ExportRunArgs),
    /// Record what you do in a browser, as a session that can be replayed
    Record(RecordArgs),
    /// Replay a recorded session for a wanted state, and prove that it was reached
    Replay(ReplayArgs),
    /// Try how a value would be compared, by its type
    Match(MatchArgs),
    /// List and check suites
    #[command(subcommand)]
    Suite(SuiteCommand),
    /// Recorded sessions: import other recorders' files, list what is in one
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// Accounts on websites: log in once, let attempts begin logged in
    #[command(subcommand)]
    Account(AccountCommand),
    /// Passwords and other secrets, encrypted, by name
    #[command(subcommand)]
    Vault(VaultCommand),
    /// People whose preferences are not said: their histories, what is found there, and what agents made of it
    #[command(subcommand)]
    Persona(PersonaCommand),
    /// The built-in websites, served for people and other harnesses
    #[command(subcommand)]
    Worlds(WorldsCommand),
    /// Check this machine and say how to mend what is missing
    Doctor,
    /// Write a small suite and an agent to start from
    Init(InitArgs),
    /// Print a completion script for a shell
    Completions { shell: Shell },
    /// Kills what a killed runner leaves behind
    #[command(hide = true)]
    Guard,
    /// Runs a command that cannot open the hidden paths
    #[command(hide = true)]
    Confine(ConfineArgs),
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Where to write the HTML report
    #[arg(long, env = "UMPIRE_OUT", default_value = "report", value_name = "DIR")]
    pub out: PathBuf,
    /// Attempts at a time
    #[arg(short, long, env = "UMPIRE_JOBS")]
    pub jobs: Option<usize>,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// Built-in suite or folder of a suite
    #[arg(long, env = "UMPIRE_SUITE", value_name = "NAME|DIR")]
    pub suite: Option<String>,
    /// Agent to run: a built-in kind or one named in umpire.toml; may be repeated
    #[arg(long = "agent", env = "UMPIRE_AGENTS", value_delimiter = ',', value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Attempts of each agent at each instance
    #[arg(long, env = "UMPIRE_TRIALS")]
    pub trials: Option<u32>,
    /// Attempts at a time
    #[arg(short, long, env = "UMPIRE_JOBS")]
    pub jobs: Option<usize>,
    /// Which instances, e.g. 'site=shop and kind=retrieve'
    #[arg(long, env = "UMPIRE_FILTER", value_name = "EXPR")]
    pub filter: Option<String>,
    /// Run the instances a second time under these: latency, faults, popups, relabel, move, dark, mobile, locale,
    /// deceptive, inject; `popups+deceptive` is both at once, `all` is each
    #[arg(long = "perturb", env = "UMPIRE_PERTURB", value_delimiter = ',', value_name = "KIND")]
    pub perturbations: Vec<String>,
    /// Seed of everything random in agents and perturbations
    #[arg(long, env = "UMPIRE_SEED")]
    pub seed: Option<u64>,
    /// Counted actions an attempt may use; scrolling and waiting are free [default: 20]
    #[arg(long, env = "UMPIRE_ACTIONS")]
    pub actions: Option<u32>,
    /// Seconds an attempt may take [default: 600]
    #[arg(long, env = "UMPIRE_SECONDS")]
    pub seconds: Option<u64>,
    /// Further tries after an infra one [default: 2]
    #[arg(long, env = "UMPIRE_RETRIES")]
    pub retries: Option<u32>,
    /// Seconds the whole run may take; what is left then can be resumed
    #[arg(long, env = "UMPIRE_RUN_SECONDS", value_name = "SECONDS")]
    pub run_seconds: Option<u64>,
    /// Start another run of the same plan instead of resuming
    #[arg(long, env = "UMPIRE_REPEAT", default_value_t = 0, value_name = "N")]
    pub repeat: u32,
    /// The day it is for tasks on live sites (UTC; now, if not said); resuming on another day needs it
    #[arg(long, env = "UMPIRE_TODAY", value_name = "YYYY-MM-DD")]
    pub today: Option<Day>,
    /// Print what would be run, and stop
    #[arg(long, env = "UMPIRE_PLAN")]
    pub plan: bool,
    /// Condition for exit code 0, met by each agent: 'success>=0.6', 'success>=0.6@95% and infra<=0.02' (the interval's
    /// worse end), 'success[site=shop]>=0.5', 'cost<=5usd'
    #[arg(long, env = "UMPIRE_GATE", value_name = "EXPR")]
    pub gate: Option<String>,
    /// Largest share of infra attempts before the exit code is 101
    #[arg(long, env = "UMPIRE_MAX_INFRA", value_name = "SHARE")]
    pub max_infra: Option<f64>,
    /// What happens when an agent is about to delete an account, buy or post: record, deny or ask
    #[arg(long, env = "UMPIRE_GUARD", value_name = "MODE")]
    pub guard: Option<String>,
    /// How initial states are brought about where a task has a recorded session too
    #[arg(long, env = "UMPIRE_STATES", value_enum, default_value_t = StatesArg::World, value_name = "WAY")]
    pub states: StatesArg,
    #[command(flatten)]
    pub models: ModelArgs,
    #[command(flatten)]
    pub history: HistoryArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum StatesArg {
    /// The world is made that way
    World,
    /// The task's recorded session is replayed
    Replay,
}

impl From<StatesArg> for StatesBy {
    fn from(way: StatesArg) -> Self {
        match way {
            StatesArg::World => Self::World,
            StatesArg::Replay => Self::Replay,
        }
    }
}

#[derive(Debug, Args)]
pub struct ModelArgs {
    /// Model for agents that name none: one of `[models]` in umpire.toml
    #[arg(long, env = "UMPIRE_MODEL_NAME", value_name = "MODEL")]
    pub model: Option<String>,
    /// What models may cost in the whole run, e.g. 25usd; what is left then can be resumed with more
    #[arg(long, env = "UMPIRE_BUDGET", value_name = "MONEY")]
    pub budget: Option<String>,
    /// Prices that go before the built-in ones
    #[arg(long, env = "UMPIRE_PRICES", value_name = "FILE")]
    pub prices: Option<PathBuf>,
    #[command(flatten)]
    pub tapes: TapeArgs,
}

/// Replies of models that are kept and given back.
#[derive(Debug, Args)]
pub struct TapeArgs {
    /// Record the calls of models to this file, or replay them from it
    #[arg(long, env = "UMPIRE_CASSETTE", value_name = "FILE")]
    pub cassette: Option<PathBuf>,
    /// record, replay (what is not there is asked and recorded) or replay-or-fail
    #[arg(long, env = "UMPIRE_CASSETTE_MODE", value_name = "MODE", default_value = "replay")]
    pub cassette_mode: String,
    /// Keep replies in this folder and give them back when the very same is asked again
    #[arg(long, env = "UMPIRE_MODEL_CACHE", value_name = "DIR")]
    pub model_cache: Option<PathBuf>,
}

/// A run whose attempts begin when agents come for them.
#[derive(Debug, Args)]
pub struct RemoteArgs {
    /// Built-in suite or folder of a suite
    #[arg(long, env = "UMPIRE_SUITE", value_name = "NAME|DIR")]
    pub suite: Option<String>,
    /// What the run calls whoever comes
    #[arg(long, env = "UMPIRE_AGENT_NAME", default_value = "remote", value_name = "NAME")]
    pub agent_name: String,
    /// Attempts at each instance
    #[arg(long, env = "UMPIRE_TRIALS")]
    pub trials: Option<u32>,
    /// Offer the instances a second time under these perturbations: as `umpire run --perturb`
    #[arg(long = "perturb", env = "UMPIRE_PERTURB", value_delimiter = ',', value_name = "KIND")]
    pub perturbations: Vec<String>,
    /// Models that agents may ask through the gateway: names of `[models]` in umpire.toml
    #[arg(long, env = "UMPIRE_MODELS", value_delimiter = ',', value_name = "MODEL")]
    pub models: Vec<String>,
    /// What an attempt may spend on models, e.g. 0.10usd
    #[arg(long, env = "UMPIRE_ATTEMPT_BUDGET", value_name = "MONEY", requires = "models")]
    pub attempt_budget: Option<String>,
    /// What models may cost in the whole run, e.g. 25usd; what is left then can be resumed with more
    #[arg(long, env = "UMPIRE_BUDGET", value_name = "MONEY")]
    pub budget: Option<String>,
    /// Prices that go before the built-in ones
    #[arg(long, env = "UMPIRE_PRICES", value_name = "FILE")]
    pub prices: Option<PathBuf>,
    #[command(flatten)]
    pub tapes: TapeArgs,
    /// Attempts under way at a time
    #[arg(long, env = "UMPIRE_SESSIONS", default_value_t = 4)]
    pub sessions: usize,
    /// Seed of everything random in the run
    #[arg(long, env = "UMPIRE_SEED")]
    pub seed: Option<u64>,
    /// Counted actions an attempt may use; scrolling and waiting are free [default: 20]
    #[arg(long, env = "UMPIRE_ACTIONS")]
    pub actions: Option<u32>,
    /// Seconds an attempt may take, the agent's own thinking included [default: 600]
    #[arg(long, env = "UMPIRE_SECONDS")]
    pub seconds: Option<u64>,
    /// What happens when an agent is about to delete an account, buy or post: record, deny or ask
    #[arg(long, env = "UMPIRE_GUARD", value_name = "MODE")]
    pub guard: Option<String>,
    /// Go on with this run of the plan [default: the first that is neither finished nor in use]
    #[arg(long, env = "UMPIRE_REPEAT", value_name = "N")]
    pub repeat: Option<u32>,
    /// Port on this machine; 0 takes a free one
    #[arg(long, env = "UMPIRE_PORT", default_value_t = 0)]
    pub port: u16,
    #[command(flatten)]
    pub history: HistoryArgs,
}

#[derive(Debug, Args)]
pub struct StepsArgs {
    #[command(flatten)]
    pub remote: RemoteArgs,
    /// Which instances, e.g. 'site=shop and kind=retrieve'
    #[arg(long, env = "UMPIRE_FILTER", value_name = "EXPR")]
    pub filter: Option<String>,
}

#[derive(Debug, Args)]
pub struct McpArgs {
    #[command(flatten)]
    pub remote: RemoteArgs,
    /// The instance to attempt [default: the first of the suite that is left]
    #[arg(long, env = "UMPIRE_INSTANCE", value_name = "ID")]
    pub instance: Option<String>,
    /// Listen on a port instead of speaking over standard input and output; each MCP session is an attempt
    #[arg(long, env = "UMPIRE_HTTP")]
    pub http: bool,
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ValueMode {
    Strict,
    Reference,
}

#[derive(Debug, Subcommand)]
pub enum WorldsCommand {
    /// Serve a world until Ctrl-C; prints where its sites are
    Serve(WorldsServeArgs),
}

#[derive(Debug, Args)]
pub struct WorldsServeArgs {
    #[arg(long, env = "UMPIRE_SEED", default_value_t = 7)]
    pub seed: u64,
    /// 0 takes a free one
    #[arg(long, env = "UMPIRE_PORT", default_value_t = 7770)]
    pub port: u16,
    /// Address to listen on; anybody who reaches it can use and reset the world
    #[arg(long, env = "UMPIRE_LISTEN", default_value = "127.0.0.1", value_name = "IP")]
    pub listen: IpAddr,
    /// Sites to serve; all of them if none is named
    #[arg(long, env = "UMPIRE_SITES", value_delimiter = ',', value_name = "SITE")]
    pub sites: Vec<String>,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// Folder to write to
    #[arg(default_value = ".")]
    pub dir: PathBuf,
}

#[derive(Debug, Args)]
pub struct ConfineArgs {
    /// Path the command must not be able to open; may be repeated
    #[arg(long = "hide")]
    pub hidden: Vec<PathBuf>,
    /// Port that stays reachable although it was handed out by chance; may be repeated
    #[arg(long = "port")]
    pub ports: Vec<u16>,
    #[arg(trailing_var_arg = true, required = true)]
    pub command: Vec<String>,
}
