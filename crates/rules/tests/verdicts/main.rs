//! Verdicts on whole attempts, through the public door alone.

mod activity;
mod backends;
mod dataset;
mod ends;
mod mutants;
mod network;
mod properties;
mod responses;
mod rewards;
mod states;
mod submissions;
mod support;
