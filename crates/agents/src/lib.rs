//! Agents: the built-in ones, with and without a model, the baselines, and the user's own command.
//!
//! A stepwise agent sees an [`Observation`](umpire_browser::Observation) and decides one action; the runner carries
//! it out. It is given a [`TaskBrief`](umpire_model::TaskBrief), which cannot hold an expected answer. Only the oracle and those who go
//! its way also get the reference actions. A [`Remote`] one decides elsewhere. A command of the user's drives the browser
//! itself, behind the gate, or decides step by step.

mod agent;
mod blanks;
mod command;
mod detours;
mod heuristic;
mod miniwob;
mod naive;
mod names;
mod oracle;
mod recaller;
mod registry;
mod remote;
mod response;
#[cfg(test)]
mod sample;
mod spec;
#[cfg(test)]
mod survival;
mod with_model;

pub use agent::{Agent, Deciding, Decision, NoDecision, Turn, unseen};
pub use command::{
    BadCommand, CommandEnd, CommandError, CommandSpec, CommandTask, Endpoint, HISTORY_URL, Interface,
    Workspace, check_command, run_command,
};
pub use detours::{Detours, NamesOf, Reference};
pub use registry::{
    BuiltIn, UnknownAgent, agent_seed, browsing_kinds, built_in_kinds, could_ask_history, general_kinds,
    model_kinds, naive_kinds,
};
pub use remote::{AttemptOver, ModelAddresses, Remote, RemoteSpec, View, Wheel, remote};
pub use spec::{AgentSpec, BadAgent, HISTORY_SETTING};
pub use with_model::{
    BadPrompts, Memory, ModelAgentSpec, ModelKind, ModelOptions, NoMemory, Prompts, Recalled, Recalling,
    look_up,
};
