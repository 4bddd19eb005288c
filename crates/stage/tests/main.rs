//! One program for all of these: linking each by itself would take longer than running them.

mod account;
mod collector;
mod docs;
mod extension_dist;
mod import;
mod popup;
mod record;
mod record_and_replay;
mod record_extension;
mod record_kill;
mod record_secrets;
mod recorders_agree;
mod replay;
mod replay_deeds;
mod robustness;
mod studio;
mod support;
mod vault;
mod websp;
