//! One program for all of these: linking each by itself would take longer than running them.

mod agents_elsewhere;
mod online_mind2web;
mod playwright_trace;
mod readers;
mod support;
#[path = "../../report/tests/synthetic/mod.rs"]
mod synthetic;
mod webarena_verified;
