use std::future::Future;
use std::pin::Pin;

use umpire_browser::Observation;
use umpire_model::{Action, Deadline, TaskBrief};

/// What an agent decides from.
pub struct Turn<'a> {
    pub task: &'a TaskBrief,
    pub seen: &'a Observation,
    /// Number of this step, from 1.
    pub step: u32,
    /// Why the last action had no effect, if it had none.
    pub last_error: Option<&'a str>,
    pub deadline: Deadline,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The agent's own reason, for the trajectory.
    pub thought: Option<String>,
    pub action: Action,
}

impl From<Action> for Decision {
    fn from(action: Action) -> Self {
        Self { thought: None, action }
    }
}

/// A stepwise agent. It must end with [`Action::Answer`]; `Err` says why it cannot go on, which is its own failure.
pub trait Agent: Send {
    fn decide<'a>(
        &'a mut self,
        turn: Turn<'a>,
    ) -> Pin<Box<dyn Future<Output = Result<Decision, String>> + Send + 'a>>;
}
