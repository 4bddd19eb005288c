//! An MCP server whose tools are Playwright's, as far as an agent may have them, and `submit_answer`.
//!
//! One conversation is one attempt, which begins with the first tool that is called, not with the handshake: a client that
//! only asks what tools there are uses up nobody's time. The protocol's core is JSON-RPC 2.0 ([`rpc`]); it runs over the
//! lines of a pipe ([`lines`]) and over HTTP ([`streamable`]).

mod arguments;
mod conversation;
mod lines;
mod rpc;
mod streamable;
mod tools;

pub use conversation::About;
pub(crate) use conversation::Conversation;
pub use lines::serve_lines;
pub use streamable::Mcp;
