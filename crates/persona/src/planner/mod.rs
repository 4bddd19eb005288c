//! What a planner's answer asks the history for.
//!
//! [`read_plan`] and [`read_request`] are ours. [`reference`] reads as the two released runners do, with all they get
//! wrong; it is for comparison only.

pub mod reference;
mod strict;

pub use strict::{BadPlan, Plan, Request, read_plan, read_request};

/// The most that is asked before an attempt.
pub const MOST_QUERIES: usize = 5;
