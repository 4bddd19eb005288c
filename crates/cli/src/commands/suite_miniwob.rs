//! A suite of the pages of `MiniWoB++`.

use std::path::Path;

use serde_json::json;
use umpire_worlds::miniwob::{Folder, ImportOptions, import as make_suite};

use super::suite_exchange::write_suite;
use crate::args::ImportArgs;
use crate::exit::Exit;
use crate::failure::Failure;

pub fn import(from: &Path, out: &Path, args: &ImportArgs, as_json: bool) -> Result<Exit, Failure> {
    // The suite is used from other folders than this one.
    let from = from.canonicalize().unwrap_or_else(|_| from.to_owned());
    let folder = Folder::read(&from).map_err(|error| Failure::new(error.to_string()))?;
    let options =
        ImportOptions { seeds: args.seeds.clone(), mode: args.mode.clone(), seconds: args.episode_seconds };
    let suite = make_suite(&folder, &options).map_err(|error| Failure::new(error.to_string()))?;
    write_suite(out, &suite.suite_toml, &suite.tasks_jsonl())?;
    let instances: usize = suite.tasks.iter().map(|task| task.states.len()).sum();
    if as_json {
        say!("{}", json!({"suite": out, "tasks": suite.tasks.len(), "instances": instances}));
    } else {
        say!("{} environments, {instances} instances in {}", suite.tasks.len(), out.display());
        say!("    next: umpire run --suite {} --agent miniwob", out.display());
    }
    Ok(Exit::Ok)
}
