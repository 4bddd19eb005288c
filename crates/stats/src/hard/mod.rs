//! A hard subset of a suite: which tasks are hard, from attempts of several agents, and which of them to keep.
//!
//! After WebArena Verified (section 4.5 and appendix B): success is a matter of steps, agent and task; a hierarchical model
//! with a complementary log-log link tells them apart; a task is as hard as it is probable that an average agent rarely
//! does it in the usual number of steps. What the paper leaves open is decided in `docs/hard-subset.md`.
//!
//! Everything is a function of attempts and a seed, bit for bit the same on every machine.

mod attempts;
mod diagnostics;
mod elementary;
mod fit;
mod hardness;
mod layout;
mod normal;
mod nuts;
mod posterior;
mod simulate;
mod steps;

pub use attempts::{Attempt, Pool, PoolError, PoolSettings};
pub use diagnostics::Diagnosis;
pub use fit::{Estimate, Fit, Health};
pub use nuts::NutsSettings;
pub use posterior::Effects;
pub use simulate::{Shape, Simulated, SiteShape, Truth, simulate};
