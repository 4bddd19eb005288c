//! One run on many machines.
//!
//! Three servers are shared, and each has one thing to say. The **queue** (NATS with `JetStream`) hands out attempts, one message
//! each, and hands out again what was not acknowledged in time. The **index** (PostgreSQL) is the truth: it says which
//! attempts have ended, who has begun what, and who is alive. The **depot** (any object store) keeps what was recorded.
//!
//! An attempt ends when its row stands in the index, and a row stands there once: `insert … on conflict do nothing`. So
//! every other step may be repeated. A worker ships what it recorded, then commits the row, then acknowledges the message;
//! killed between any two of these, the message comes again, and whoever gets it finds the row or does the work anew. What
//! has ended lies on the worker's disk until its row stands, and whoever works there next hands it in.
//!
//! Nobody is needed from the beginning to the end of a run: workers come and go, and the duties of a planner (publish what
//! is planned, repeat what is slow, replace what was lost) are a role that whoever is there takes over. See [`Steward`].
//!
//! What an attempt is this room does not know: it is given a [`Crew`], which the runner implements with browsers and the
//! simulator with dice.

mod adoption;
mod assignment;
mod delivery;
mod depot;
mod error;
mod fleet;
mod follow;
mod index;
mod kept;
mod patience;
mod pulse;
mod queue;
mod scratch;
mod shipment;
mod steward;
mod timing;
mod work;
mod worker;

pub use assignment::{Assignment, Key, Roster};
pub use depot::{Depot, StoreSettings};
pub use error::FleetError;
pub use fleet::{Addresses, Fleet};
pub use follow::{Followed, Following, follow};
pub use index::{
    Begun, DeadRow, HoldRow, Index, NewRun, Overview, ResultRow, RunGlance, RunRow, RunState, StartRow,
    Verdicted, WorkerRow,
};
pub use kept::Kept;
pub use patience::Voice;
pub use queue::{Delivered, Depth, Queue};
pub use scratch::Scratch;
pub use shipment::{Shipped, fetch, ship};
pub use steward::Steward;
pub use timing::Timing;
pub use work::{Crew, Ended, Job, JobError, Refusal};
pub use worker::{Capacity, Leave, Worker, WorkerOptions};
