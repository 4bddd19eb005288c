//! What a user types after `umpire failures`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::SpendingArgs;

#[derive(Debug, Subcommand)]
pub enum FailuresCommand {
    /// Find groups among what annotators, visitors of the arena, judges and rules said went wrong
    Cluster(Box<FailuresClusterArgs>),
    /// Write a suite of tasks that provoke one failure mode
    Tasks(Box<FailuresTasksArgs>),
    /// Count what became of each agent's attempts: one row an agent, one column a question
    Table(FailuresTableArgs),
}

#[derive(Debug, Args)]
pub struct FailuresClusterArgs {
    /// Run id, or a prefix of it; several are taken together [default: the latest]
    // `runs` is the folder of them all.
    #[arg(value_name = "RUN")]
    pub of_runs: Vec<String>,
    /// Whose words are taken from the runs
    #[arg(long, value_enum, value_delimiter = ',', default_value = "labels,votes,rules", value_name = "WHO")]
    pub from: Vec<WordsOf>,
    /// Ballots of an arena, one JSON object a line: their step annotations are taken too
    #[arg(long, value_name = "FILE")]
    pub ballots: Option<PathBuf>,
    /// An embedding model, to group by meaning instead of by words: as for `umpire run`
    #[arg(long, env = "UMPIRE_EMBEDDER", value_name = "DIR|MODEL")]
    pub embedder: Option<String>,
    /// Fewest groups that are tried
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub least: usize,
    /// Most groups that are tried
    #[arg(long, default_value_t = 12, value_name = "N")]
    pub most: usize,
    /// Seed of the grouping
    #[arg(long, env = "UMPIRE_SEED", default_value_t = 7)]
    pub seed: u64,
    /// Where the groups are written, for `umpire failures tasks`
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub asking: FailuresModelArgs,
}

/// A model that names groups or rewords tasks; without one both are done by rule.
#[derive(Debug, Args)]
pub struct FailuresModelArgs {
    /// Model to ask, of `[models]` in umpire.toml
    #[arg(long, env = "UMPIRE_MODEL_NAME", value_name = "MODEL")]
    pub model: Option<String>,
    #[command(flatten)]
    pub spending: SpendingArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WordsOf {
    /// Annotators, in the run's labels
    Labels,
    /// Models that judged
    Votes,
    /// The verdicts by rule
    Rules,
}

#[derive(Debug, Args)]
pub struct FailuresTasksArgs {
    /// A mode that is known: captcha, popups, direct-navigation
    #[arg(long, value_name = "MODE", required_unless_present = "clusters")]
    pub mode: Option<String>,
    /// Groups that `umpire failures cluster --out` wrote
    #[arg(long, value_name = "FILE", conflicts_with = "mode", requires = "cluster")]
    pub clusters: Option<PathBuf>,
    /// Which group of that file
    #[arg(long, value_name = "NUMBER", requires = "clusters")]
    pub cluster: Option<usize>,
    /// Suite whose tasks are chosen from
    #[arg(long, env = "UMPIRE_SUITE", default_value = "obstacles", value_name = "NAME|DIR")]
    pub suite: String,
    /// Instances that provoke the mode, at most; spread over templates
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub most: usize,
    /// Folder of the suite to write; it must not be there
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub asking: FailuresModelArgs,
}

#[derive(Debug, Args)]
pub struct FailuresTableArgs {
    /// Run id, or a prefix of it [default: the latest]
    pub run: Option<String>,
    /// What is counted; several make several tables [default: those the run's tasks provoke, and failure-mode]
    #[arg(long = "set", value_enum, value_delimiter = ',', value_name = "SET")]
    pub sets: Vec<SetArg>,
    /// Who says what became of an attempt
    #[arg(long, value_enum, default_value_t = ToldBy::Rules)]
    pub by: ToldBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SetArg {
    Captcha,
    Popups,
    Navigation,
    FailureMode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ToldBy {
    /// The record of the attempt
    Rules,
    /// Models, by `umpire judge --judge SET`
    Votes,
}
