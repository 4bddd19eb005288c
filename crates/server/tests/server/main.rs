//! The server from outside: over HTTP, in a real browser, over both databases, and killed.

mod arena;
mod chromium;
mod contests;
mod in_browser;
mod killed;
mod labels;
#[path = "../large/mod.rs"]
mod large;
mod live;
mod pages;
mod postgres;
mod safety;
mod scripted;
mod support;
