//! Which tasks may be asked.
//!
//! Built-in rules look at the words and the addresses in them. An operator's own hook, a command or an endpoint, is called
//! by the server; what it says is read here ([`HookAnswer`]).

mod address;
mod hook;
mod rules;

use serde::{Deserialize, Serialize};

pub use address::{AddressProblem, HostRule, HostRuleError};
pub use hook::{HookAnswer, HookProblem};
pub use rules::TaskRules;

/// What a visitor wants both agents to do.
#[derive(Clone, Copy, Debug)]
pub struct TaskRequest<'a> {
    pub text: &'a str,
    /// Where the agents are to begin, if the visitor said so.
    pub start_url: Option<&'a str>,
}

/// Why a task is refused, for the visitor to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Refusal {
    Empty,
    TooLong {
        characters: usize,
        most: usize,
    },
    /// A character that hides, reorders or breaks text.
    Character {
        code: u32,
        at: usize,
    },
    Address {
        address: String,
        problem: AddressProblem,
    },
    /// The operator's hook said no.
    Hook {
        why: String,
    },
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => write!(f, "the task says nothing"),
            Self::TooLong { characters, most } => {
                write!(f, "the task has {characters} characters; {most} are allowed")
            }
            Self::Character { code, at } => {
                write!(f, "character {at} (U+{code:04X}) cannot be part of a task")
            }
            Self::Address { address, problem } => write!(f, "`{address}`: {problem}"),
            Self::Hook { why } => write!(f, "the task was declined: {why}"),
        }
    }
}

/// What came of looking at a task: all that speaks against it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    pub refusals: Vec<Refusal>,
}

impl Review {
    pub fn allowed() -> Self {
        Self::default()
    }

    pub fn refused(refusal: Refusal) -> Self {
        Self { refusals: vec![refusal] }
    }

    pub fn is_allowed(&self) -> bool {
        self.refusals.is_empty()
    }
}

/// Something that looks at a task before it is queued.
pub trait Moderate {
    fn review(&self, request: &TaskRequest<'_>) -> Review;
}
