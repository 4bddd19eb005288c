//! Where the sites of a WebArena deployment are: `[sites]` in `umpire.toml`, or the benchmark's own configuration file.

use std::path::Path;

use umpire_webarena::config::{Config as WebArenaConfig, Environments};

use crate::config::Config;
use crate::failure::Failure;

/// The benchmark's configuration file.
pub fn from_file(path: &Path) -> Result<WebArenaConfig, Failure> {
    let explain = |problem: String| Failure::new(format!("{}: {problem}", path.display()));
    let text = std::fs::read(path).map_err(|error| explain(error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| explain(error.to_string()))
}

/// The addresses in the file, or else those in `umpire.toml`.
pub fn known(file: Option<&Path>, config: &Config) -> Result<Environments, Failure> {
    match file {
        Some(path) => Ok(from_file(path)?.environments.unwrap_or_default()),
        None => Ok(config.sites().clone()),
    }
}
