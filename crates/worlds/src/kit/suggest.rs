//! Completions under a field while somebody types: one script for all sites, which each serves from its own origin.

pub const SCRIPT: &str = include_str!("assets/suggest.js");
