//! What a user types after `umpire persona`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use umpire_model::Day;

use super::{HistoryArgs, SpendingArgs};

#[derive(Debug, Subcommand)]
pub enum PersonaCommand {
    /// Make people, their histories and their wishes, by seed or by a model, and prove that what is true of them is implied
    /// and never said
    Generate(GenerateArgs),
    /// Check wishes for what a level gives away, or fails to say
    Check(CheckArgs),
    /// Make a history searchable and keep that in a file
    Index(IndexArgs),
    /// Look something up in a history
    Retrieve(RetrieveArgs),
    /// What the attempts of a run made of people's histories, from their evidence and without a model
    Score(ScoreArgs),
}

#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// Folder for the histories, one PERSON.json each, with `profiles` and `queries` beside them
    #[arg(long, env = "UMPIRE_OUT", value_name = "DIR")]
    pub out: PathBuf,
    /// The people of this suite, as its tasks say they are [default: people drawn by the seed]
    #[arg(long, env = "UMPIRE_SUITE", value_name = "NAME|DIR", conflicts_with_all = ["people", "seed", "entries", "until"])]
    pub suite: Option<String>,
    /// How many people
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub people: usize,
    /// Seed of everything about them
    #[arg(long, env = "UMPIRE_SEED", default_value_t = 7)]
    pub seed: u64,
    /// About so many entries each
    #[arg(long, default_value_t = 2000, value_name = "N")]
    pub entries: u32,
    /// The last day of the year they tell of
    #[arg(long, default_value = "2026-03-15", value_name = "YYYY-MM-DD")]
    pub until: Day,
    /// Let this model of umpire.toml tell of them, and not the seed
    #[arg(long, env = "UMPIRE_MODEL_NAME", value_name = "MODEL", conflicts_with = "suite")]
    pub model: Option<String>,
    /// Folder with prompts that go before ours: preferences.md, events.md, actions.md, entries.md
    #[arg(long, value_name = "DIR", requires = "model")]
    pub prompts: Option<PathBuf>,
    /// Questions to the model at a time
    #[arg(short, long, env = "UMPIRE_JOBS", default_value_t = 8)]
    pub jobs: usize,
    #[command(flatten)]
    pub spending: SpendingArgs,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Files of wishes: of `queries` beside generated histories, or the benchmark's `query_sets.jsonl`
    #[arg(required = true, value_name = "FILE")]
    pub wishes: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct IndexArgs {
    /// The history: a JSON list of entries, or `{"memory_bank": […]}`
    pub history: PathBuf,
    /// Where the index goes
    #[arg(long, env = "UMPIRE_OUT", value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub how: HistoryArgs,
}

#[derive(Debug, Args)]
pub struct RetrieveArgs {
    /// The history: a JSON list of entries, or `{"memory_bank": […]}`
    pub history: PathBuf,
    /// What to look for
    pub query: String,
    /// An index of this history that `umpire persona index` wrote [default: made anew]
    #[arg(long, value_name = "FILE")]
    pub index: Option<PathBuf>,
    #[command(flatten)]
    pub how: HistoryArgs,
}

#[derive(Debug, Args)]
pub struct ScoreArgs {
    /// The runs [default: the latest]; several are set side by side
    #[arg(value_name = "RUN")]
    pub scored: Vec<String>,
    /// Folder of the histories that the run used [default: those of its suite]
    #[arg(long, env = "UMPIRE_HISTORIES", value_name = "DIR")]
    pub histories: Option<PathBuf>,
    /// Draw success over levels to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// An embedding model that tells which queries mean the same: as for `umpire run`
    #[arg(long, env = "UMPIRE_EMBEDDER", value_name = "DIR|MODEL")]
    pub embedder: Option<String>,
}
