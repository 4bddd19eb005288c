//! Chromium over CDP: launch, gate, observe, act, record.
//!
//! One Chromium process is reached over a pipe that only Umpire holds; there is no debugging port to find. A browser that
//! somebody else started is reached over a WebSocket. A [`cdp::Connection`] multiplexes the harness's own sessions and those
//! of clients behind the gate over either.

pub mod act;
pub mod cdp;
pub mod chromium;
mod gate;
mod hosts;
mod isolated;
pub mod marks;
mod netgate;
mod observation;
pub mod observe;
mod pool;
mod pressing;
mod record;
mod remote;
mod running;
mod seat;
pub mod settle;
mod tab;
mod visit;

pub use gate::{ClientActivity, Endpoint};
pub use hosts::{HostPattern, Place};
pub use netgate::{ConnectionDropped, Handler, HeldBack, HoldingBack, NetGate, NetworkPolicy, Sentry};
pub use observation::{Element, ElementState, NodeRef, Observation};
pub use pool::{Pool, PoolError, PoolOptions};
pub use pressing::Stepping;
pub use record::{DialogAnswer, PageReport, SeatSummary};
pub use remote::{NotAPlace, NotAnAddress, Reach, Remote, RemoteAddress, RemoteError, farewell};
pub use seat::{
    Driver, OriginState, Seat, SeatError, SeatLimits, SeatOptions, StorageState, StoredCookie,
    StoredDatabase, StoredIndex, StoredItem, StoredTable,
};
pub use tab::{Activity, Counts, RemoteFrame, TabHandle};
pub use visit::{ONLOOKER_BINDING, Onlooker, OnlookerScripts, Visit, VisitError, VisitEvent, VisitOptions};
