//! Arguments of `umpire suite`.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum SuiteCommand {
    /// Built-in suites
    List,
    /// Try a suite's checks: with the oracle, the naive agents, and near misses of right attempts
    Check(SuiteCheckArgs),
    /// Find checks of WebArena task files that cannot tell right from wrong
    Audit(AuditArgs),
    /// Select the hard tasks from attempts of several agents, by a model of agents, steps and tasks
    Subset(SubsetArgs),
    /// Make a suite of a WebArena or WebArena Verified task file, of `MiniWoB++` (`import miniwob --from DIR`) or of
    /// WebSP-Eval (`import websp --from DIR`)
    Import(ImportArgs),
    /// Write an imported suite back in the format it came from
    Export(ExportArgs),
}

#[derive(Debug, Args)]
pub struct SuiteCheckArgs {
    /// Built-in suite or folder of a suite
    #[arg(value_name = "NAME|DIR", required_unless_present = "all", conflicts_with = "all")]
    pub suite: Option<String>,
    /// Every built-in suite
    #[arg(long)]
    pub all: bool,
    /// Only so many instances of each suite, spread evenly over it
    #[arg(long, value_name = "N")]
    pub sample: Option<NonZeroUsize>,
    /// Only read it and say what is in it, or what is wrong and where; needs no browser
    #[arg(long)]
    pub read_only: bool,
    /// Which instances, e.g. 'site=shop and kind=retrieve'
    #[arg(long, env = "UMPIRE_FILTER", value_name = "EXPR")]
    pub filter: Option<String>,
    /// Also with these perturbations, separated by commas, or `all`: a line each
    #[arg(long = "perturb", value_delimiter = ',', value_name = "KIND")]
    pub perturbations: Vec<String>,
    /// Attempts at a time
    #[arg(short, long, env = "UMPIRE_JOBS")]
    pub jobs: Option<usize>,
}

#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Task file of WebArena or WebArena Verified
    pub file: PathBuf,
    /// Also what naive answers would score, and what knowledge alone would
    #[arg(long)]
    pub baselines: bool,
    /// A model's answers to the intents alone, one {"intent": …, "answer": …} a line, for the knowledge-only probe
    #[arg(long, value_name = "FILE", requires = "baselines")]
    pub knowledge: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct SubsetArgs {
    /// CSV or JSONL with the columns agent, task, sites, template, category, steps, success, and perhaps exhausted
    #[arg(long, value_name = "FILE")]
    pub attempts: PathBuf,
    /// Exactly so many tasks of one site, instead of what the caps give
    #[arg(long, value_name = "N")]
    pub size: Option<usize>,
    /// Write the tasks' ids: a subset file of WebArena Verified where they are numbers, otherwise a list
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// A task is hard if an average agent succeeds at most this often
    #[arg(long, value_name = "P", default_value_t = 0.20, value_parser = proportion)]
    pub hard: f64,
    /// A category is very easy if its median reference success is at least this
    #[arg(long, value_name = "P", default_value_t = 0.85, value_parser = proportion)]
    pub easy: f64,
    /// Tasks of one category
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub cap: usize,
    /// Tasks of a very easy category
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub easy_cap: usize,
    /// Agents that must have attempted a task
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub min_agents: usize,
    /// Steps an attempt may take; more are counted as this many
    #[arg(long, value_name = "STEPS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub budget: u32,
    /// Leave out the tasks of a site (repeatable)
    #[arg(long, value_name = "SITE")]
    pub exclude_site: Vec<String>,
    /// The same attempts and seed give the same subset on every machine
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub chains: u16,
    /// Draws of each chain that count
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..=100_000))]
    pub draws: u32,
    /// Draws of each chain before these, for finding its step
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..=100_000))]
    pub warmup: u32,
    /// Replicates of the validation and of the selection
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub replicates: usize,
    /// Also what the paper's three policies would select
    #[arg(long)]
    pub ablation: bool,
    /// Also fit and select again without each agent in turn; takes as long as that many fits
    #[arg(long)]
    pub leave_one_out: bool,
}

#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Task file of WebArena or WebArena Verified, or the word `miniwob` or `websp`
    #[arg(value_name = "FILE|miniwob|websp")]
    pub file: PathBuf,
    /// Folder for the suite [default for miniwob: miniwob, for websp: websp-eval]
    #[arg(long, value_name = "DIR", required_unless_present = "from")]
    pub out: Option<PathBuf>,
    /// The folder `html` of the Python package `miniwob`, or the folder `dataset` of WebSP-Eval
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Seeds of episodes, the last one excluded; one instance each
    #[arg(long, value_name = "A..B", requires = "from", default_value = "0..5", value_parser = seeds)]
    pub seeds: Range<u64>,
    /// Distribution of the pages' problems
    #[arg(long, requires = "from", default_value = "train")]
    pub mode: String,
    /// Time for one episode, instead of each page's own limit
    #[arg(long, value_name = "SECONDS", requires = "from")]
    pub episode_seconds: Option<u64>,
    /// Only the tasks of a subset file
    #[arg(long, value_name = "FILE")]
    pub subset: Option<PathBuf>,
    /// Configuration of WebArena Verified with the sites' URLs [default: [sites] in umpire.toml]
    #[arg(long, env = "UMPIRE_SITES", value_name = "FILE")]
    pub sites: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Folder of an imported suite
    pub suite: String,
    /// Task file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

fn proportion(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    value.filter(|value| *value > 0.0 && *value < 1.0).ok_or_else(|| "it lies between 0 and 1".to_owned())
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let read = || {
        let (from, to) = text.split_once("..")?;
        Some(from.trim().parse().ok()?..to.trim().parse().ok()?)
    };
    read().filter(|range: &Range<u64>| !range.is_empty()).ok_or_else(|| "write it as 0..20".to_owned())
}
