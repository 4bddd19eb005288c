//! Agents that ask a model what to do. Each is a small file over shared parts: prompts from template files, a
//! conversation that forgets old pictures, replies that are parsed as if nothing had been promised.
//!
//! A reply without a readable action costs the agent a turn, as a click on nothing would, and it is told why.

mod answer;
mod asking;
mod brackets;
mod conversation;
mod indexed;
mod knowledge;
mod occam;
mod page_room;
mod personal;
mod prompts;
mod search;
mod spec;
#[cfg(test)]
mod tests;
mod voyager;

pub use personal::{Memory, NoMemory, Recalled, Recalling, look_up};
pub use prompts::{BadPrompts, Prompts};
pub use spec::{ModelAgentSpec, ModelKind, ModelOptions};
