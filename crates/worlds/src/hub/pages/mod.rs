//! The hub's pages, one file per family: how it is drawn, and what its forms do.

pub(super) mod activity;
pub(super) mod ads;
pub(super) mod appearance;
pub(super) mod apps;
pub(super) mod communication;
pub(super) mod consent;
pub(super) mod delete;
pub(super) mod devices;
pub(super) mod entrance;
pub(super) mod export;
pub(super) mod help;
pub(super) mod layout;
pub(super) mod overview;
pub(super) mod privacy;
pub(super) mod profile;
pub(super) mod recovery;
pub(super) mod search;
pub(super) mod security;
pub(super) mod tokens;
pub(super) mod two_factor;
