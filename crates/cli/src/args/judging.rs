//! Arguments of commands that let models judge.

use clap::{Args, ValueEnum};

use super::SpendingArgs;

#[derive(Debug, Args)]
pub struct JudgeArgs {
    /// Run id, or a prefix of it [default: the latest]
    pub run: Option<String>,
    /// Judge: a built-in one or one of `[judges]` in umpire.toml; may be given several times [default: webjudge; of a study
    /// pairwise]
    #[arg(long = "judge", env = "UMPIRE_JUDGE", value_name = "NAME", value_delimiter = ',')]
    pub judges: Vec<String>,
    /// Vote on the battles of this study of `umpire serve` instead, blind and in both orders
    #[arg(long, value_name = "STUDY", conflicts_with = "run")]
    pub study: Option<String>,
    /// Where the studies are, as for `umpire serve` [default: server.db in the folder of the runs]
    #[arg(long, env = "UMPIRE_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// Model to ask, of `[models]` in umpire.toml; several vote
    #[arg(long = "model", env = "UMPIRE_JUDGE_MODEL", value_name = "MODEL", value_delimiter = ',')]
    pub models: Vec<String>,
    /// Votes of each model
    #[arg(long, env = "UMPIRE_SAMPLES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=99))]
    pub samples: u32,
    /// What the votes come to
    #[arg(long, env = "UMPIRE_COUNT", value_enum, default_value_t = CountBy::Majority)]
    pub count: CountBy,
    /// Weight of a model's votes, as MODEL=2; counts by weight
    #[arg(long = "weight", env = "UMPIRE_WEIGHTS", value_name = "MODEL=WEIGHT", value_delimiter = ',')]
    pub weights: Vec<String>,
    /// How answers are read: strictly, or as the released evaluators read them
    #[arg(long, env = "UMPIRE_PARSER", value_enum, default_value_t = ReadBy::Strict)]
    pub parser: ReadBy,
    /// Judge only so many attempts, spread over agents, sites and difficulties
    #[arg(long, env = "UMPIRE_SAMPLE", value_name = "COUNT")]
    pub sample: Option<usize>,
    /// Say what it would take and cost, and stop
    #[arg(long, env = "UMPIRE_ESTIMATE")]
    pub estimate: bool,
    /// Votes at a time
    #[arg(short, long, env = "UMPIRE_JOBS", default_value_t = 8)]
    pub jobs: usize,
    /// Ask again even what was asked before
    #[arg(long, env = "UMPIRE_NO_CACHE", conflicts_with = "model_cache")]
    pub no_cache: bool,
    /// List the judges there are, and stop
    #[arg(long)]
    pub list: bool,
    #[command(flatten)]
    pub spending: SpendingArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CountBy {
    /// More than half of the opinions
    Majority,
    /// All opinions, or none
    Unanimous,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReadBy {
    Strict,
    Reference,
}
