//! Child processes that cannot outlive the runner.
//!
//! Three nets under each other: a [`Group`] is killed whole when its handle is dropped; the kernel kills a group's
//! leader when the runner dies; and a [`guard`] process, which notices the runner's death by the end of its standard
//! input, kills what is left of every group and removes the folders they used. With all three, `kill -9` of the
//! runner leaves nothing behind.

pub mod confine;
mod group;
pub mod guard;
pub mod heap;
mod parent_death;
mod token;

pub use group::{Group, SpawnError};
pub use token::random_token;
