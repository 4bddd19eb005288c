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

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let read = || {
        let (from, to) = text.split_once("..")?;
        Some(from.trim().parse().ok()?..to.trim().parse().ok()?)
    };
    read().filter(|range: &Range<u64>| !range.is_empty()).ok_or_else(|| "write it as 0..20".to_owned())
}
