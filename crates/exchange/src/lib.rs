//! Trajectories in other people's formats: finished ones come in as runs, runs go out as files others can open.
//!
//! Two rules hold on both sides. Nothing is invented: what a format does not carry is named in the run's manifest, and
//! an attempt without checks has no verdict. And nothing is trusted: files are bounded in size and stay inside the
//! folder they were found in, and an attempt that cannot be read is left out by name while the others come in.
//!
//! Each format is a module with its types in one file, read and written from there. Readers produce a
//! [`finished::Finished`] attempt; [`import`] alone writes runs. Nothing here judges, drives a browser or opens a
//! connection.

mod agent_reward_bench;
mod browser_use;
mod error;
mod export;
mod film;
mod finished;
mod import;
mod inspect;
mod online_mind2web;
mod picture;
mod playwright;
mod source;
mod webarena_verified;
mod webvoyager;

pub use error::{ExportError, ImportError, Problem, UnknownFormat};
pub use export::{Export, ExportFormat, Exported, StillEncoder, export};
pub use import::{Import, ImportFormat, ImportReport, import};
