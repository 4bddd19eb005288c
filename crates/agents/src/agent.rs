use std::borrow::Cow;
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
    /// What the history of the person the task is for has told so far, one finding a line.
    pub learned: Option<&'a str>,
    pub deadline: Deadline,
}

impl Turn<'_> {
    /// The task, and what is known of the person it is for.
    pub fn whole_task(&self) -> Cow<'_, str> {
        match self.learned {
            None => Cow::Borrowed(&self.task.intent),
            Some(learned) => {
                Cow::Owned(format!("{}\n\nFrom the user's history:\n{learned}", self.task.intent))
            }
        }
    }
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

/// Why a turn brings no action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoDecision {
    /// No action can be read from what it came up with. The turn is spent, the reason is shown to it, and it goes on.
    #[error("{0}")]
    Lost(String),
    /// It cannot go on, which is its own failure.
    #[error("{0}")]
    Stopped(String),
    /// What it needs from outside failed, which says nothing about it.
    #[error("{0}")]
    Infra(String),
    /// It has spent what it may.
    #[error("{0}")]
    Money(String),
}

pub type Deciding<'a> = Pin<Box<dyn Future<Output = Result<Decision, NoDecision>> + Send + 'a>>;

/// The future of an agent that thinks without waiting for anything; `Err` says why it cannot go on.
pub(crate) fn decided<'a>(decision: Result<Decision, String>) -> Deciding<'a> {
    Box::pin(ready(decision.map_err(NoDecision::Stopped)))
}

/// A stepwise agent. It must end with [`Action::Answer`].
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
        outline_marks: Vec::new(),
        screenshot: Vec::new(),
        dialogs: Vec::new(),
    }
}
