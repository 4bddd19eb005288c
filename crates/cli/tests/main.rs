//! One program for all of these: linking each by itself would take longer than running them.

mod accounts;
mod agree;
mod agree_files;
mod alone;
mod arena;
mod attempts;
mod backends;
mod docs;
mod doors;
mod examples;
mod exchange;
mod film;
mod fleet;
mod foreign_clients;
mod guard;
mod hostile_pages;
mod initial_states;
mod input;
mod judge;
mod labels;
mod miniwob;
mod models;
mod persona;
mod perturbations;
mod rank;
mod replay;
mod reports;
#[path = "../../backend/tests/backends/servers.rs"]
#[allow(dead_code, reason = "of the servers there not all are wanted here")]
mod servers;
mod shared_account;
mod shares;
mod stats;
mod subset;
mod suites;
mod support;
mod telemetry;
mod validity;
mod vault;
mod webarena;
mod worlds;
