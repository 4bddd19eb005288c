//! Bring your own: an agent is a command that is told where its browser is.
//!
//! The command runs in a process group of its own, in a private folder, with an environment that holds nothing of
//! ours but what it needs. It finds its task in `UMPIRE_TASK_FILE`, drives the browser at `UMPIRE_CDP_URL` (or
//! `UMPIRE_CDP_WS`), and leaves its response in `UMPIRE_OUT_DIR/answer.json` or as the last JSON object among the
//! lines of its standard output. Where its user has a history, `UMPIRE_HISTORY_URL` answers questions about it. With another [`Interface`] it gets no browser, but the address of somebody who shows it
//! one step by step.

mod answer;
mod environment;
mod output;
mod run;
mod spec;
mod workspace;

pub use environment::{Endpoint, HISTORY_URL};
pub use run::{CommandEnd, CommandError, CommandTask, run_command};
pub use spec::{BadCommand, CommandSpec, Interface, check_command};
pub use workspace::Workspace;
