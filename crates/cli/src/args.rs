//! What a user types. Every flag can also be given as an `UMPIRE_…` variable.

mod agree;
mod doors;
mod evidence;
mod failures;
mod fleet;
mod history;
mod judging;
mod labels;
mod models;
mod persona;
mod rank;
mod remote_browser;
mod reports;
mod run;
mod serve;
mod staging;
mod stats;
mod suites;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use agree::{AgreeArgs, ColumnArgs, Missing, Unexecutable, Unlabelled};
pub use doors::{McpArgs, RemoteArgs, StepsArgs};
pub use evidence::{
    EvaluateArgs, ExportRunArgs, ImportRunArgs, MatchArgs, Mode, RecordedArgs, ShowArgs, ValueMode, ViewArgs,
};
pub use failures::{
    FailuresClusterArgs, FailuresCommand, FailuresModelArgs, FailuresTableArgs, FailuresTasksArgs, SetArg,
    ToldBy, WordsOf,
};
pub use fleet::{FleetRunArgs, TopArgs, WorkerArgs};
pub use history::{HistoryArgs, MethodArg};
pub use judging::{CountBy, JudgeArgs, ReadBy};
pub use labels::{LabelsCommand, LabelsExportArgs, LabelsImportArgs};
pub use models::{ModelArgs, SpendingArgs, TapeArgs};
pub use persona::{CheckArgs, GenerateArgs, IndexArgs, PersonaCommand, RetrieveArgs, ScoreArgs};
pub use rank::{IntervalsBy, RankArgs, RatingMethod, TiesAs};
pub use remote_browser::RemoteBrowserArgs;
pub use reports::{QueryArgs, QueryFormat, ReportArgs, ReportFormat};
pub use run::RunArgs;
pub use serve::ServeArgs;
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

#[derive(Clone, Debug, Args)]
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
    #[command(flatten)]
    pub remote: RemoteBrowserArgs,
    #[command(flatten)]
    pub telemetry: TelemetryArgs,
}

/// What those who watch are told.
#[derive(Clone, Debug, Args)]
pub struct TelemetryArgs {
    /// Log to standard error: a level, or directives such as `umpire_runner=debug,warn`
    #[arg(long, global = true, env = "UMPIRE_LOG", value_name = "FILTER", help_heading = "Watching")]
    pub log: Option<String>,
    /// Log one JSON object a line
    #[arg(long, global = true, env = "UMPIRE_LOG_JSON", help_heading = "Watching")]
    pub log_json: bool,
    /// Send traces and metrics to a collector that speaks OTLP over HTTP
    #[arg(
        long,
        global = true,
        env = "OTEL_EXPORTER_OTLP_ENDPOINT",
        value_name = "URL",
        help_heading = "Watching"
    )]
    pub otlp: Option<String>,
    /// Show metrics to Prometheus, at /metrics of this address
    #[arg(
        long,
        global = true,
        env = "UMPIRE_METRICS",
        value_name = "ADDRESS:PORT",
        help_heading = "Watching"
    )]
    pub metrics: Option<SocketAddr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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
    /// Take part in the runs of a fleet, from this machine
    Worker(Box<WorkerArgs>),
    /// The fleet at a glance: who works, on what, how fast
    Top(TopArgs),
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
    /// What goes wrong: groups of reasons, tasks that provoke one, a table of who it happens to
    #[command(subcommand)]
    Failures(FailuresCommand),
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
    /// Serve the pages: runs live, attempts, comparisons, labels
    Serve(ServeArgs),
    /// Put copies of one run together, such as the shares that other machines made with `--shard`
    Merge(MergeArgs),
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
    /// Check this machine, or a run's files, and say how to mend what is missing
    Doctor(DoctorArgs),
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
pub struct DoctorArgs {
    /// A run, or a folder that holds one; without it, this machine is looked at
    pub run: Option<String>,
    /// Restore what can be restored, set aside what cannot, judge again what has no verdict
    #[arg(long, requires = "run")]
    pub mend: bool,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Folders of copies of one run, such as the shares that other machines made
    #[arg(required = true)]
    pub folders: Vec<PathBuf>,
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
    /// Port that is out of reach although it was not; may be repeated
    #[arg(long = "close")]
    pub closed: Vec<u16>,
    #[arg(trailing_var_arg = true, required = true)]
    pub command: Vec<String>,
}
