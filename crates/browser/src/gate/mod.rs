//! The gate: the only way a client reaches the browser.
//!
//! [`policy`] decides about every message and URL, for built-in agents and foreign clients alike.

pub(crate) mod policy;
