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
mod filter;
mod ground;
mod guard;
mod initial;
mod judge;
mod models;
mod plan;
mod scene;
mod stage;
mod stepwise;
mod suites;

pub use desk::{Desk, DeskError, Taken};
pub use entrance::Accounts;
pub use events::{Progress, RunEvent};
pub use execute::{ExecuteError, Execution, execute};
pub use filter::{Filter, FilterError};
pub use guard::{Asker, GuardOptions};
pub use judge::{JudgeError, evaluate};
pub use models::Models;
pub use plan::{Plan, PlanError, PlanRequest, Unit};
pub use stage::{Stage, StageOptions};
pub use suites::{BUILT_IN_SUITES, LoadError, load_suite};
