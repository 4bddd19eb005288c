//! Setting the stage: accounts, and initial states that were reached and read back.
//!
//! A [`Session`] is what somebody once did in a browser, step by step, with all that is needed to find each element
//! again on a page that has changed since. Sessions are recorded or imported, and replayed for a wanted state; a state
//! that is not reached is an error, never a guess. From here one may touch the browser, through its own crate, and the
//! files a user named; verdicts and runs are other rooms' business.

pub mod account;
pub mod identify;
pub mod import;
pub mod record;
pub mod replay;
pub mod session;
pub mod states;
pub mod vault;
pub mod websp;

pub use session::{SESSION_VERSION, Session, SessionError};
