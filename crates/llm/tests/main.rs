//! One program for all of these: linking each by itself would take longer than running them.

mod calls;
mod clients;
mod docs;
mod real_server;
mod server;
mod support;
mod tapes;
