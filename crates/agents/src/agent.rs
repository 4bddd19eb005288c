use std::future::{Future, ready};
use std::pin::Pin;

use umpire_browser::Observation;
use umpire_model::{Action, Deadline, TaskBrief, Viewport};

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

impl Decision {
    pub fn because(thought: impl Into<String>, action: Action) -> Self {
        Self { thought: Some(thought.into()), action }
    }
}

impl From<Action> for Decision {
    fn from(action: Action) -> Self {
        Self { thought: None, action }
    }
}

/// What an agent comes back with; `Err` says why it cannot go on.
pub type Deciding<'a> = Pin<Box<dyn Future<Output = Result<Decision, String>> + Send + 'a>>;

/// The future of an agent that thinks without waiting for anything.
pub(crate) fn decided<'a>(decision: Result<Decision, String>) -> Deciding<'a> {
    Box::pin(ready(decision))
}

/// A stepwise agent. It must end with [`Action::Answer`]; `Err` says why it cannot go on, which is its own failure.
pub trait Agent: Send {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a>;

    /// False for an agent that answers without looking: it may be shown [`unseen`] instead of a page.
    fn needs_page(&self) -> bool {
        true
    }
}

/// What an agent is shown when no page was opened for it.
pub fn unseen() -> Observation {
    Observation {
        url: String::new(),
        title: String::new(),
        tabs: Vec::new(),
        viewport: Viewport::default(),
        elements: Vec::new(),
        outline: String::new(),
        screenshot: Vec::new(),
        dialogs: Vec::new(),
    }
}
