//! What a user types after `umpire rank`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

#[derive(Debug, Args)]
pub struct RankArgs {
    /// Battles, one row a vote: CSV by header, JSONL by key; `-` reads standard input
    #[arg(value_name = "BATTLES")]
    pub battles: PathBuf,
    #[command(flatten)]
    pub columns: RankColumnArgs,
    /// How ratings are found
    #[arg(long, value_enum, default_value_t = RatingMethod::Mle)]
    pub method: RatingMethod,
    /// What a tie (or a vote that both are bad) is
    #[arg(long, value_enum, default_value_t = TiesAs::Half)]
    pub ties: TiesAs,
    /// How intervals are found [default: sandwich, and none for --method elo]
    #[arg(long, value_enum)]
    pub intervals: Option<IntervalsBy>,
    /// Rounds of the bootstrap
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub rounds: usize,
    /// Seed of the bootstrap
    #[arg(long, env = "UMPIRE_SEED", default_value_t = 7)]
    pub seed: u64,
    /// A model whose rating is given; all others are shifted with it
    #[arg(long, value_name = "MODEL=RATING")]
    pub anchor: Option<String>,
    /// Every pair of models counts alike if it met at least 50 times, however much oftener
    #[arg(long)]
    pub reweight: bool,
    /// Take out what the looks of an answer do to votes: each NAME stands for the columns `NAME_a` and `NAME_b`
    #[arg(long, value_delimiter = ',', value_name = "NAME", conflicts_with = "reweight")]
    pub style: Vec<String>,
    /// A ranking for every value of this column
    #[arg(long, value_name = "COLUMN")]
    pub by: Option<String>,
    /// Only the first N votes of a judge on a day (UTC)
    #[arg(long, value_name = "N")]
    pub daily_limit: Option<usize>,
    /// Leave out judges whose votes are too unlike everybody's
    #[arg(long)]
    pub drop_flagged: bool,
    /// Show who beats whom how often
    #[arg(long)]
    pub matrix: bool,
}

/// Which columns are what. Without these they are found by their usual names.
#[derive(Debug, Args)]
pub struct RankColumnArgs {
    /// Column of the model on side A
    #[arg(long, value_name = "COLUMN")]
    pub model_a: Option<String>,
    /// Column of the model on side B
    #[arg(long, value_name = "COLUMN")]
    pub model_b: Option<String>,
    /// Column of the vote: a, b, t (tie), x (both bad), the words of Chatbot Arena, or the name of the model that won
    #[arg(long, value_name = "COLUMN")]
    pub winner: Option<String>,
    /// Column that says who voted
    #[arg(long, value_name = "COLUMN")]
    pub judge: Option<String>,
    /// Column that says when: seconds since 1970, or a time with its zone
    #[arg(long, value_name = "COLUMN")]
    pub time: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RatingMethod {
    /// Bradley–Terry by maximum likelihood; the order of the rows says nothing
    Mle,
    /// One battle after the other, K = 4: what a live display shows
    Elo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TiesAs {
    /// Half a win for each side
    Half,
    /// Left out
    Drop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalsBy {
    /// By formula, at the maximum of the likelihood
    Sandwich,
    /// By drawing the battles again and again
    Bootstrap,
}
