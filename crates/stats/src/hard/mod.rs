//! A hard subset of a suite: which tasks are hard, from attempts of several agents, and which of them to keep.
//!
//! After WebArena Verified (section 4.5 and appendix B): success is a matter of steps, agent and task; a hierarchical model
//! with a complementary log-log link tells them apart; a task is as hard as it is probable that an average agent rarely
//! does it in the usual number of steps. What the paper leaves open is decided in `docs/hard-subset.md`.
//!
//! Everything is a function of attempts and a seed, bit for bit the same on every machine.

mod attempts;
mod cells;
mod diagnostics;
mod elementary;
mod fit;
mod hardness;
mod layout;
mod mode;
mod normal;
mod nuts;
mod posterior;
mod select;
mod simulate;
mod stability;
mod steps;
mod validate;

pub use attempts::{Attempt, Pool, PoolError, PoolSettings, Row, Task};
pub use diagnostics::Diagnosis;
pub use fit::{Draws, Estimate, Fit, Health};
pub use nuts::NutsSettings;
pub use posterior::Effects;
pub use select::{Category, Policy, Scores, Selection, overlap, paper_policies, select};
pub use simulate::{Shape, Simulated, SiteShape, Truth, simulate};
pub use stability::{LeftOut, Stability, leave_one_out, stability};
pub use validate::{AgentRates, Checked, LEAST_TAU, MOST_DRIFT, Validation, validate};
