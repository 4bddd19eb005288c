//! Agents: the built-in ones, the baselines, and the user's own command.
//!
//! A stepwise agent sees an [`Observation`](umpire_browser::Observation) and decides one action; the runner carries
//! it out. It is given a [`TaskBrief`](umpire_model::TaskBrief), which cannot hold an expected answer. Only the oracle
//! also gets the reference actions.

mod agent;

pub use agent::{Agent, Decision, Turn};
