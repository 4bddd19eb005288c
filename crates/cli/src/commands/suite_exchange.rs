//! Suites from elsewhere, in and out.

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
    let is_miniwob = args.file == Path::new("miniwob");
    let is_websp = args.file == Path::new("websp");
    match (&args.from, &args.out) {
        (Some(from), out) if is_miniwob => {
            let out = out.as_deref().unwrap_or(Path::new("miniwob"));
            super::suite_miniwob::import(from, out, args, as_json)
        }
        (Some(from), out) if is_websp => {
            super::suite_websp::import(from, out.as_deref().unwrap_or(Path::new("websp-eval")), as_json)
        }
        (Some(_), _) => Err(Failure::new("`--from` goes with `umpire suite import miniwob` or `websp`")),
        (None, Some(out)) => import_webarena(args, out, config, as_json),
        (None, None) => Err(Failure::new("`--out` says where the suite goes")),
    }
}

fn import_webarena(args: &ImportArgs, out: &Path, config: &Config, as_json: bool) -> Result<Exit, Failure> {
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
    write_suite(out, &suite.suite_toml(), &suite.tasks_jsonl())?;
    if as_json {
        say!("{}", json!({"suite": out, "tasks": suite.tasks.len()}));
    } else {
        say!("{} tasks in {}", suite.tasks.len(), out.display());
        say!("    next: umpire suite check --read-only {}", out.display());
    }
    Ok(Exit::Ok)
}

pub(super) fn write_suite(folder: &Path, toml: &str, tasks: &str) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    write(&folder.join("suite.toml"), toml.as_bytes())?;
    write(&folder.join("tasks.jsonl"), tasks.as_bytes())
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
