//! What a user types after `umpire stats` and `umpire compare`.

use clap::Args;

#[derive(Debug, Args)]
pub struct StatsArgs {
    /// A run, or a file with one row an attempt: CSV by header, JSONL by key [default: the latest run]
    #[arg(value_name = "RUN|FILE")]
    pub results: Option<String>,
    /// Agent that the others are compared with [default: the best by templates]
    #[arg(long, value_name = "AGENT")]
    pub anchor: Option<String>,
    /// Saying that a task cannot be done counts as looked into from this share of a site's usual steps
    #[arg(long, default_value_t = umpire_stats::ADEQUATE_FROM, value_name = "SHARE")]
    pub adequate: f64,
    #[command(flatten)]
    pub bootstrap: BootstrapArgs,
}

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// What was before: a run, or a file with one row an attempt
    #[arg(value_name = "BEFORE")]
    pub before: String,
    /// What came after
    #[arg(value_name = "AFTER")]
    pub after: String,
    /// Agents to compare, as NAME, or BEFORE=AFTER where it has another name [default: those that both have, or the only two]
    #[arg(long = "agent", value_delimiter = ',', value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Flips to show of each agent
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub flips: usize,
    #[command(flatten)]
    pub bootstrap: BootstrapArgs,
}

#[derive(Clone, Copy, Debug, Args)]
pub struct BootstrapArgs {
    /// Draws of the bootstrap by template
    #[arg(long, default_value_t = 2000, value_name = "N")]
    pub draws: usize,
    /// Seed of the bootstrap
    #[arg(long, env = "UMPIRE_SEED", default_value_t = 7)]
    pub seed: u64,
}

impl From<BootstrapArgs> for umpire_stats::Bootstrap {
    fn from(BootstrapArgs { draws, seed }: BootstrapArgs) -> Self {
        Self { draws, seed }
    }
}
