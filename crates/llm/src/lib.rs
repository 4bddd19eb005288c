//! Models behind one gateway. Agents and judges, built in or foreign, reach a model only through here, so that every
//! call is metered, bound by a budget before it is made, and evidence afterwards.
//!
//! Nothing here knows what is asked or what the reply means; that is the business of agents and judges.

mod ask;
mod prompt;
mod reply;

pub use ask::{Ask, AskError, Asking};
pub use prompt::{Message, Part, Prompt, ReplyShape, Role};
pub use reply::{Finish, Reply};
