//! What a user types after `umpire agree`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

#[derive(Debug, Args)]
pub struct AgreeArgs {
    /// One file with both verdicts and labels: CSV by header, JSONL by key
    #[arg(
        value_name = "FILE",
        required_unless_present_any = ["run", "judgments", "labels", "scores"],
        conflicts_with_all = ["run", "judgments", "labels", "scores"]
    )]
    pub file: Option<PathBuf>,
    /// A run: its verdicts, and the labels that were imported into it, as far as no file is named for them
    #[arg(long, value_name = "RUN")]
    pub run: Option<String>,
    /// What judges said, one row a verdict
    #[arg(long, value_name = "FILE")]
    pub judgments: Option<PathBuf>,
    /// What people said, one row a label; alone it gives the success rates people see
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,
    /// Labels of further annotators, for the human ceiling; may be repeated
    #[arg(long, value_name = "FILE")]
    pub second: Vec<PathBuf>,
    /// Pairs of scores and which of the two people prefer: correlation and accuracy of score differences
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "judgments", "labels", "second"])]
    pub scores: Option<PathBuf>,
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// Only rows with this value, e.g. split=test or agent!=operator; may be repeated
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    pub conditions: Vec<String>,
    /// Judge attempts apart by these columns [default: agent, level and benchmark, as far as they are there]
    #[arg(long, value_delimiter = ',', value_name = "COLUMN")]
    pub by: Vec<String>,
    /// A labelled attempt that a judge has no verdict on
    #[arg(long, value_enum, default_value_t = Missing::CountAsFailure)]
    pub missing: Missing,
    /// A judged attempt that has no label
    #[arg(long, value_enum, default_value_t = Unlabelled::Drop)]
    pub unlabelled: Unlabelled,
    /// An attempt that people call impossible to carry out (label 2)
    #[arg(long, value_enum, default_value_t = Unexecutable::Failure)]
    pub unexecutable: Unexecutable,
    /// Draws of the bootstrap by task
    #[arg(long, default_value_t = 2000, value_name = "N")]
    pub draws: usize,
    /// Seed of the bootstrap
    #[arg(long, env = "UMPIRE_SEED", default_value_t = 7)]
    pub seed: u64,
}

/// Which columns are what. Without these they are found by their usual names.
#[derive(Debug, Args)]
pub struct ColumnArgs {
    /// Columns that together name an attempt [default: attempt, or task and agent and trial]
    #[arg(long, value_delimiter = ',', value_name = "COLUMN")]
    pub key: Vec<String>,
    /// Column of the verdicts; several columns are several judges
    #[arg(long, value_delimiter = ',', value_name = "COLUMN")]
    pub judge: Vec<String>,
    /// Column that says which judge a row is by
    #[arg(long, value_name = "COLUMN")]
    pub judge_name: Option<String>,
    /// A verdict is a number, and a success if it is larger than this
    #[arg(long, value_name = "NUMBER", requires = "judge")]
    pub threshold: Option<f64>,
    /// Column of the labels; for --scores, of what people prefer: 1 the first, 0 neither, -1 the second
    #[arg(long, value_name = "COLUMN")]
    pub label: Option<String>,
    /// Column that says who labelled
    #[arg(long, value_name = "COLUMN")]
    pub annotator: Option<String>,
    /// Columns of the two scores, for --scores [default: `pre_execution,on_demand` or `first,second`]
    #[arg(long, value_delimiter = ',', value_name = "FIRST,SECOND", requires = "scores", num_args = 2)]
    pub pair: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// Left out
    Drop,
    /// The command fails
    Fail,
    /// The judge is taken to say failure
    CountAsFailure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unlabelled {
    /// Left out of agreement; the corrected rates use what the judge says about it
    Drop,
    /// The command fails
    Fail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unexecutable {
    /// Left out, whatever the judge says
    Drop,
    /// A failure like any other
    Failure,
}
