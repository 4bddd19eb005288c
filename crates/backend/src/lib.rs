//! Asks a deployment's own backend what an attempt left behind: REST endpoints and SQL databases.
//!
//! This room asks and writes down; it never judges. Before an attempt it may also [`carry_out`] what brings its initial
//! state about, on connections that the user made `writable`. [`ask`] puts the questions of backend checks to the connections
//! they name and returns what was said as [`umpire_model::BackendAnswer`]s, which are evidence like any other:
//! `umpire_rules` judges them, at once or any time later.
//!
//! ```no_run
//! # use std::{collections::BTreeMap, time::Duration};
//! # use umpire_backend::{ConnectionSpec, Connections, ask};
//! # use umpire_model::{BackendCheck, Deadline, Moment};
//! # async fn example(specs: BTreeMap<String, ConnectionSpec>, checks: Vec<BackendCheck>)
//! #     -> Result<(), Box<dyn std::error::Error>> {
//! // `specs` is the table `[backends]` of umpire.toml.
//! let connections = Connections::for_names(["shop"], &specs, |name| std::env::var(name).ok())?;
//! let answers = ask(&checks, &connections, Moment::After, Deadline::after(Duration::from_secs(60))).await;
//! let judgement = umpire_rules::evaluate_backend(&checks, &answers);
//! println!("{}: {}", judgement.outcome, judgement.reason);
//! # Ok(())
//! # }
//! ```
//!
//! Three promises hold whatever a check asks for (an order keeps the last two):
//! - **Nothing is changed.** REST questions are GETs (or POSTs whose author vouches for them); SQL is one query in a
//!   read-only transaction of a read-only session, rolled back at its end.
//! - **Nothing waits for ever or grows without limit.** Every question has a deadline, every answer a size.
//! - **No credential leaves.** Tasks name connections; addresses and secrets live in [`Connections`] and are taken
//!   out of every answer and every error text.

mod ask;
mod connections;
mod order;
mod problem;
mod rest;
mod sql;
mod task_checks;

pub use ask::ask;
pub use connections::{BadConnection, ConnectionSpec, Connections, LARGEST_ANSWER};
pub use order::{OrderFailed, carry_out};
pub use rest::post_json;
pub use sql::why_no_query;
pub use task_checks::{BadTaskChecks, TaskChecks};
