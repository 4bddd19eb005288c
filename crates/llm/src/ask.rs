use std::future::Future;
use std::pin::Pin;

use umpire_model::Deadline;

use crate::{Prompt, Reply};

/// The right to ask one model on behalf of one attempt (or judge): budgets bind before each call, calls are evidence.
pub trait Ask: Send + Sync {
    fn ask<'a>(&'a self, prompt: &'a Prompt, deadline: Deadline) -> Asking<'a>;

    /// False for a model that cannot see: images in a prompt are left out.
    fn sees_images(&self) -> bool;
}

pub type Asking<'a> = Pin<Box<dyn Future<Output = Result<Reply, AskError>> + Send + 'a>>;

/// Why there is no reply. An attempt that meets one ends by it: none of them says anything about what the agent can do,
/// but for the budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    #[error("the budget is used up: {0}")]
    Budget(String),
    /// The provider did not answer, or not in time, after all retries; or its circuit is open.
    #[error("the model cannot be reached: {0}")]
    Unavailable(String),
    /// The provider refuses what we send: key, model name, or a request it does not take. Asking again is no use.
    #[error("the provider refuses the call: {0}")]
    Rejected(String),
    /// The prompt is longer than the model can read; the agent may shorten it and ask again.
    #[error("the prompt is too long for the model: {0}")]
    TooLong(String),
    /// The attempt's own clock ran out during the call.
    #[error("the time ran out during a call")]
    Deadline,
    /// A cassette is replayed and does not hold this call.
    #[error("the cassette has no such call: {0}")]
    NotOnCassette(String),
}
