//! Task files of WebArena and WebArena Verified, in and out.

use std::path::Path;

use serde_json::json;
use umpire_runner::load_suite;
use umpire_webarena::import::{self, Format};
use umpire_webarena::subset::Subset;

use super::sites;
use crate::args::{ExportArgs, ImportArgs};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

pub fn import(args: &ImportArgs, config: &Config, as_json: bool) -> Result<Exit, Failure> {
    let text = String::from_utf8(read(&args.file)?)
        .map_err(|error| Failure::new(format!("{}: {error}", args.file.display())))?;
    let sites = sites::known(args.sites.as_deref(), config)?;
    let in_file = |problem: String| Failure::new(format!("{}: {problem}", args.file.display()));
    let mut suite =
        import::import(&text, Format::Auto, &sites).map_err(|error| in_file(error.to_string()))?;
    if let Some(path) = &args.subset {
        let explain = |problem: String| Failure::new(format!("{}: {problem}", path.display()));
        let subset = Subset::from_json(&read(path)?).map_err(|error| explain(error.to_string()))?;
        suite = suite.select(&subset).map_err(|error| explain(error.to_string()))?;
    }
    std::fs::create_dir_all(&args.out).map_err(|error| unwritable(&args.out, &error))?;
    write(&args.out.join("suite.toml"), suite.suite_toml().as_bytes())?;
    write(&args.out.join("tasks.jsonl"), suite.tasks_jsonl().as_bytes())?;
    if as_json {
        say!("{}", json!({"suite": args.out, "tasks": suite.tasks.len()}));
    } else {
        say!("{} tasks in {}", suite.tasks.len(), args.out.display());
        say!("    next: umpire suite check --read-only {}", args.out.display());
    }
    Ok(Exit::Ok)
}

pub fn export(args: &ExportArgs, as_json: bool) -> Result<Exit, Failure> {
    let suite = load_suite(&args.suite)?;
    let tasks = import::export(&suite.tasks).map_err(|error| Failure::new(error.to_string()))?;
    let text = serde_json::to_vec_pretty(&tasks).map_err(|error| Failure::new(error.to_string()))?;
    write(&args.out, &text)?;
    if as_json {
        say!("{}", json!({"file": args.out, "tasks": tasks.len()}));
    } else {
        say!("{} tasks in {}", tasks.len(), args.out.display());
    }
    Ok(Exit::Ok)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, content).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{} cannot be written: {error}", path.display()))
}
