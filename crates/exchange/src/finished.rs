//! An attempt that somebody else recorded, as far as they did: what every reader makes of its format.

use std::path::PathBuf;

use umpire_model::{Action, Difficulty, End, Rect, Tab, TaskKind, Viewport};

#[derive(Debug, Default)]
pub(crate) struct Finished {
    /// As the source spells it.
    pub task: String,
    pub intent: Option<String>,
    pub start_url: Option<String>,
    pub kind: Option<TaskKind>,
    pub difficulty: Option<Difficulty>,
    pub reference_length: Option<u32>,
    /// Where the source names it.
    pub agent: Option<String>,
    pub browser: Option<String>,
    pub viewport: Option<Viewport>,
    /// Milliseconds since the Unix epoch.
    pub started: Option<f64>,
    pub steps: Vec<Step>,
    pub network: Option<Network>,
    pub answer: Option<String>,
    pub ending: Option<Ending>,
    /// What whoever looks at this attempt should know.
    pub remarks: Vec<String>,
}

/// How it ended where it did not end with an answer.
#[derive(Debug)]
pub(crate) struct Ending {
    pub end: End,
    pub detail: String,
}

/// Steps count from 1.
#[derive(Debug, Default)]
pub(crate) struct Step {
    /// Milliseconds since the attempt started.
    pub ms: Option<u64>,
    pub url: Option<String>,
    pub title: Option<String>,
    pub tabs: Vec<Tab>,
    pub shot: Option<Shot>,
    pub outline: Option<String>,
    pub thoughts: Vec<String>,
    pub acts: Vec<Act>,
    /// What the agent's own harness told it afterwards.
    pub outputs: Vec<String>,
}

/// A picture where it is, so that reading an attempt does not load its film.
#[derive(Debug)]
pub(crate) enum Shot {
    File(PathBuf),
    Inline(Vec<u8>),
    /// A member of the archive at this path.
    Member(PathBuf, String),
}

#[derive(Debug, PartialEq)]
pub(crate) struct Act {
    pub what: What,
    pub at: Option<Rect>,
    pub error: Option<String>,
    pub took_ms: u64,
}

#[derive(Debug, PartialEq)]
pub(crate) enum What {
    Ours(Action),
    /// In the source's words; whether it uses up a budget of actions is told by the reader.
    Foreign {
        text: String,
        counted: bool,
    },
}

impl Act {
    pub(crate) fn ours(action: Action) -> Self {
        Self { what: What::Ours(action), at: None, error: None, took_ms: 0 }
    }

    pub(crate) fn foreign(text: impl Into<String>, counted: bool) -> Self {
        Self { what: What::Foreign { text: text.into(), counted }, at: None, error: None, took_ms: 0 }
    }

    pub(crate) fn is_counted(&self) -> bool {
        match &self.what {
            What::Ours(action) => action.is_counted(),
            What::Foreign { counted, .. } => *counted,
        }
    }
}

/// The recorded requests, in a file that is read when they are written down.
#[derive(Debug)]
pub(crate) struct Network {
    /// HAR, or a Playwright trace.
    pub trace: PathBuf,
    /// The file inside the archive, where the format does not fix its name.
    pub member: Option<String>,
    /// What the trace's own clock shows when the attempt starts, if it has one.
    pub monotonic_start: Option<f64>,
}
