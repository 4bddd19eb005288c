//! Planning and making a run's attempts.

use clap::{Args, ValueEnum};
use umpire_model::{Day, StatesBy};
use umpire_runner::Shard;

use super::{FleetRunArgs, HistoryArgs, ModelArgs};

#[derive(Debug, Args)]
pub struct RunArgs {
    /// Built-in suite or folder of a suite
    #[arg(long, env = "UMPIRE_SUITE", value_name = "NAME|DIR")]
    pub suite: Option<String>,
    /// Agent to run: a built-in kind or one named in umpire.toml; may be repeated
    #[arg(long = "agent", env = "UMPIRE_AGENTS", value_delimiter = ',', value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Attempts of each agent at each instance
    #[arg(long, env = "UMPIRE_TRIALS")]
    pub trials: Option<u32>,
    /// Attempts at a time
    #[arg(short, long, env = "UMPIRE_JOBS")]
    pub jobs: Option<usize>,
    /// Make only one share of the attempts, e.g. 3/8; `umpire merge` puts the shares together
    #[arg(long, env = "UMPIRE_SHARD", value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Which instances, e.g. 'site=shop and kind=retrieve'
    #[arg(long, env = "UMPIRE_FILTER", value_name = "EXPR")]
    pub filter: Option<String>,
    /// Run the instances a second time under these: latency, faults, popups, relabel, move, dark, mobile, locale,
    /// deceptive, inject; `popups+deceptive` is both at once, `all` is each
    #[arg(long = "perturb", env = "UMPIRE_PERTURB", value_delimiter = ',', value_name = "KIND")]
    pub perturbations: Vec<String>,
    /// Seed of everything random in agents and perturbations
    #[arg(long, env = "UMPIRE_SEED")]
    pub seed: Option<u64>,
    /// Counted actions an attempt may use; scrolling and waiting are free [default: 20]
    #[arg(long, env = "UMPIRE_ACTIONS")]
    pub actions: Option<u32>,
    /// Seconds an attempt may take [default: 600]
    #[arg(long, env = "UMPIRE_SECONDS")]
    pub seconds: Option<u64>,
    /// Further tries after an infra one [default: 2]
    #[arg(long, env = "UMPIRE_RETRIES")]
    pub retries: Option<u32>,
    /// Seconds the whole run may take; what is left then can be resumed
    #[arg(long, env = "UMPIRE_RUN_SECONDS", value_name = "SECONDS")]
    pub run_seconds: Option<u64>,
    /// Start another run of the same plan instead of resuming
    #[arg(long, env = "UMPIRE_REPEAT", default_value_t = 0, value_name = "N")]
    pub repeat: u32,
    /// The day it is for tasks on live sites (UTC; now, if not said); resuming on another day needs it
    #[arg(long, env = "UMPIRE_TODAY", value_name = "YYYY-MM-DD")]
    pub today: Option<Day>,
    /// Print what would be run, and stop
    #[arg(long, env = "UMPIRE_PLAN")]
    pub plan: bool,
    /// Condition for exit code 0, met by each agent: 'success>=0.6', 'success>=0.6@95% and infra<=0.02' (the interval's
    /// worse end), 'success[site=shop]>=0.5', 'cost<=5usd'
    #[arg(long, env = "UMPIRE_GATE", value_name = "EXPR")]
    pub gate: Option<String>,
    /// Largest share of infra attempts before the exit code is 101
    #[arg(long, env = "UMPIRE_MAX_INFRA", value_name = "SHARE")]
    pub max_infra: Option<f64>,
    /// What happens when an agent is about to delete an account, buy or post: record, deny or ask
    #[arg(long, env = "UMPIRE_GUARD", value_name = "MODE")]
    pub guard: Option<String>,
    /// How initial states are brought about where a task has a recorded session too
    #[arg(long, env = "UMPIRE_STATES", value_enum, default_value_t = StatesArg::World, value_name = "WAY")]
    pub states: StatesArg,
    #[command(flatten)]
    pub models: ModelArgs,
    #[command(flatten)]
    pub history: HistoryArgs,
    #[command(flatten)]
    pub fleet: FleetRunArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum StatesArg {
    /// The world is made that way
    World,
    /// The task's recorded session is replayed
    Replay,
}

impl From<StatesArg> for StatesBy {
    fn from(way: StatesArg) -> Self {
        match way {
            StatesArg::World => Self::World,
            StatesArg::Replay => Self::Replay,
        }
    }
}
