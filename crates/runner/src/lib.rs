//! Plan, schedule, resume.
//!
//! A [`Plan`] says which attempts a run consists of; [`execute`] carries it out and tells what happens as
//! [`RunEvent`]s, which is all that consoles and pages ever see of it. What is already finished on disk is never run
//! again, so the same command resumes.

mod attempt;
mod backend;
mod command;
mod curtain;
mod desk;
mod door;
mod entrance;
mod episode;
mod events;
mod execute;
mod ground;
mod guard;
mod initial;
mod judge;
mod memories;
mod models;
mod plan;
mod remote;
mod scene;
mod shard;
mod shift;
mod stage;
mod stepwise;
mod suites;
mod watched;

pub use desk::{Desk, DeskError, Taken};
pub use entrance::Accounts;
pub use events::{Progress, RunEvent};
pub use execute::{ExecuteError, Execution, execute};
pub use guard::{Asker, GuardOptions};
pub use judge::{JudgeError, evaluate};
pub use memories::{Histories, Memories, Searching};
pub use models::Models;
pub use plan::{Plan, PlanError, PlanRequest, Unit};
pub use shard::{BadShard, Shard};
pub use shift::{Shift, ShiftError};
pub use stage::{Stage, StageOptions, browser_version, now};
pub use suites::{BUILT_IN_SUITES, LoadError, load_suite};
