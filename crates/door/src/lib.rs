//! Ways in for agents that decide elsewhere.
//!
//! A [`Session`] is one attempt with a client at the wheel. It is reached over HTTP, step by step ([`Steps`]), or with the
//! tools of an MCP server ([`Mcp`]), whose names and arguments are those of Playwright's. Both speak of the same marks,
//! and both end in the same [`umpire_model::Action`]s, which the ordinary loop carries out, counts and records. Who gets
//! which attempt is decided by a [`Reception`]. An agent that drives its browser by itself needs neither, and has its user's
//! [`History`] alone.
//!
//! Whatever comes in is a stranger's: sizes are bounded, waits have deadlines, and a page in the browser, which can reach
//! these ports too, is turned away.

mod answers;
mod calls;
mod dialect;
mod history;
mod http;
mod mcp;
mod moves;
mod outline;
mod reception;
#[cfg(test)]
mod sample;
mod session;
mod snapshot;
mod steps;
mod view_json;

pub use history::History;
pub use http::{Server, Visit};
pub use mcp::{About, Mcp, serve_lines};
pub use reception::{OneSession, Reception, Refusal, Wish};
pub use session::{Ending, Session};
pub use steps::Steps;
