//! The built-in websites: a small, honest web inside the binary; and adapters for foreign ones ([`miniwob`]).
//!
//! A [`World`] is one attempt's private copy of the sites and their server-side state. Sites are plain functions
//! from request to response: no sockets, no clock, no threads. The browser's network gate hands requests to
//! [`World::serve`] in-process, so a world has no address that anything but its own attempt could reach, and the
//! state read by [`World::state`] has no URL at all.

mod documents;
mod games;
mod gazette;
mod http_types;
mod irreversible;
mod kit;
mod learning;
mod models;
#[cfg(test)]
mod obstacle_tests;
mod settings;
mod social;
mod video;
mod world;

pub mod code;
pub mod encyclopedia;
pub mod forum;
pub mod geography;
pub mod hub;
pub mod map;
pub mod market;
pub mod miniwob;
pub mod news;
pub mod search_engine;
pub mod shop;
pub mod shop_admin;
pub mod travel;

pub use documents::digest_of_public_pages;
pub use http_types::{Request, Response};
pub use irreversible::irreversible_requests;
pub use world::{Clock, Site, World, WorldError, site_hosts, site_names};
