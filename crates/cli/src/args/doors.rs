//! Runs whose agents decide elsewhere and come by a door.

use clap::Args;

use super::{HistoryArgs, SpendingArgs};

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
    #[command(flatten)]
    pub spending: SpendingArgs,
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
