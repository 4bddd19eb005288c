//! The crate as others use it.

mod by_rule;
mod files;
mod histories;
mod inference;
mod queries;
mod suite;
mod vectors;
