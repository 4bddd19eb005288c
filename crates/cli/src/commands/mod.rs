//! One file per command.

mod conduct;
pub mod confine;
pub mod demo;
pub mod doctor;
pub mod evaluate;
pub mod export;
mod film_encoder;
pub mod import;
pub mod init;
pub mod match_values;
pub mod record;
pub mod recorded;
mod recorded_backend;
pub mod remote;
pub mod report;
pub mod run;
pub mod sessions;
pub mod show;
pub mod sites;
pub mod suite;
mod suite_audit;
mod suite_check;
mod suite_exchange;
mod suite_miniwob;
pub mod view;
pub mod worlds;
