//! Skerry's pages, one file per family.

pub(super) mod cities;
pub(super) mod flights;
pub(super) mod help;
pub(super) mod home;
pub(super) mod layout;
pub(super) mod stays;
pub(super) mod trips;
