//! Runs on disk
