//! Which model is asked, what it may cost, and what need not be asked again.

use std::path::PathBuf;

use clap::Args;
use umpire_model::{NotMoney, UsdMicros};

use crate::failure::Failure;

#[derive(Debug, Args)]
pub struct ModelArgs {
    /// Model for agents that name none: one of `[models]` in umpire.toml
    #[arg(long, env = "UMPIRE_MODEL_NAME", value_name = "MODEL")]
    pub model: Option<String>,
    #[command(flatten)]
    pub spending: SpendingArgs,
}

/// What models may cost, and what need not be asked of them.
#[derive(Debug, Args)]
pub struct SpendingArgs {
    /// What models may cost in all, e.g. 25usd; what is left then can be resumed with more
    #[arg(long, env = "UMPIRE_BUDGET", value_name = "MONEY")]
    pub budget: Option<String>,
    /// Prices that go before the built-in ones
    #[arg(long, env = "UMPIRE_PRICES", value_name = "FILE")]
    pub prices: Option<PathBuf>,
    #[command(flatten)]
    pub tapes: TapeArgs,
}

impl SpendingArgs {
    pub fn money(&self) -> Result<Option<UsdMicros>, Failure> {
        let parsed = self.budget.as_deref().map(str::parse).transpose();
        parsed.map_err(|error: NotMoney| Failure::new(error.to_string()))
    }
}

/// Replies of models that are kept and given back.
#[derive(Debug, Args)]
pub struct TapeArgs {
    /// Record the calls of models to this file, or replay them from it
    #[arg(long, env = "UMPIRE_CASSETTE", value_name = "FILE")]
    pub cassette: Option<PathBuf>,
    /// record, replay (what is not there is asked and recorded) or replay-or-fail
    #[arg(long, env = "UMPIRE_CASSETTE_MODE", value_name = "MODE", default_value = "replay")]
    pub cassette_mode: String,
    /// Keep replies in this folder and give them back when the very same is asked again
    #[arg(long, env = "UMPIRE_MODEL_CACHE", value_name = "DIR")]
    pub model_cache: Option<PathBuf>,
}
