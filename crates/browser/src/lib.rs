//! Chromium over CDP: launch, gate, observe, act, record.
//!
//! One Chromium process is reached over a pipe that only Umpire holds; there is no debugging port to find. A
//! [`cdp::Connection`] multiplexes the harness's own sessions and those of clients behind the gate over that pipe.

pub mod cdp;
pub mod chromium;
mod observation;
mod tab;

pub use observation::{Element, ElementState, NodeRef, Observation};
pub use tab::{Activity, Counts, RemoteFrame, TabHandle};
