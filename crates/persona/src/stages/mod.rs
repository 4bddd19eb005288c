//! The four stages of a history that a model may take instead of the seed: tastes, events, actions, entries. Each is a
//! prompt to ask with and a reading of the answer into the types that the generator by seed uses too. Nothing is asked
//! here.

mod prompts;
mod reading;

pub use prompts::{BadPrompt, Prompts, Stage};
pub use reading::{BadReply, read_actions, read_entries, read_events, read_tastes};
