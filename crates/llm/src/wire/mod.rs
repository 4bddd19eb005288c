//! The wire formats of the model providers, each read and written in both directions: as a client of a provider, and
//! as a server for foreign agents.
//!
//! Between formats stands [`Conversation`] (what is asked) and [`Answer`] (what came back). A request that says
//! something it cannot hold is [`Untranslatable`]: nothing is left out silently. Answers are read leniently, since
//! servers differ, and what is missing in them is missing here too.

mod chat;
mod chat_answer;
mod conversation;
mod delta;
mod format;
mod gemini;
mod gemini_answer;
mod images;
mod messages;
mod messages_answer;
mod reading;
mod responses;
mod responses_answer;
#[cfg(test)]
mod round_trips;
mod schema;
mod sse;
mod stream;
mod usage;

pub(crate) use chat_answer::read_embeddings;
pub use conversation::{Answer, Conversation, Image, Shape, ToolCall};
#[cfg(feature = "scripted")]
pub use conversation::{Piece, Tool, ToolChoice, ToolResult, Turn};
pub(crate) use delta::StreamWriter;
pub use format::WireFormat;
pub(crate) use format::{BadAnswer, Untranslatable};
pub(crate) use images::without_images;
#[cfg(feature = "scripted")]
pub(crate) use schema::Dialect;
pub(crate) use sse::{SseEvent, SseParser};
pub(crate) use stream::StreamReader;
