//! The protocol of the fleet against real servers, with simulated attempts.

#[path = "../../../backend/tests/backends/servers.rs"]
#[allow(dead_code, reason = "of the servers there not all are wanted here")]
mod servers;

mod blows;
mod chaos;
mod draining;
mod failing;
mod ground;
mod key_limits;
mod planning;
mod process;
mod simulate;
mod simulated;
mod slow;
mod stores;
mod wire;
