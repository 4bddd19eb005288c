//! One run on many machines: `umpire run --fleet`, `umpire worker`, `umpire top`.

mod commission;
mod crew;
mod follow;
mod top;
mod worker;

use std::time::Duration;

use umpire_fleet::{Addresses, Fleet, FleetError, Timing, Voice};
use umpire_model::Deadline;

use crate::aside::remark;
use crate::failure::Failure;

pub use follow::{OnFleet, run};
pub use top::top;
pub use worker::worker;

/// For what a person waits for.
const SOON: Duration = Duration::from_mins(1);

fn soon() -> Deadline {
    Deadline::after(SOON)
}

/// Connects, and says beside the output what becomes of the servers.
async fn connect(addresses: &Addresses, name: &str) -> Result<Fleet, Failure> {
    let voice = Voice::new(|text| remark(&format!("   fleet: {text}")));
    Fleet::connect(addresses, name, Timing::default(), voice).await.map_err(told)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape `map_err` wants")]
fn told(error: FleetError) -> Failure {
    Failure::new(error.to_string())
}
