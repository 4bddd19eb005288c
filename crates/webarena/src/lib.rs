//! The WebArena family: its task files, its recorded attempts, and its evaluators.
//!
//! Three evaluators live here, because old scores, published scores and true scores have to be put side by side.
//! [`reference`] decides as the released WebArena Verified does, quirks included; [`original`] as WebArena did before
//! it; [`strict`] hands the same evidence to [`umpire_rules`], which decides as the task means it. [`audit`] reads task
//! files for checks that cannot tell right from wrong. Nothing here reads a clock, waits, or opens a connection.

pub mod attempts;
pub mod audit;
pub mod config;
pub mod differences;
pub mod import;
pub mod original;
pub mod python;
pub mod reference;
pub mod site;
pub mod strict;
pub mod subset;
pub mod task;
pub mod trace;
