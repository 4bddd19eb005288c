//! A suite of WebSP-Eval's task files.

use std::path::Path;

use serde_json::json;
use umpire_model::Instance;
use umpire_stage::websp::{DatasetFiles, session_file, suite};

use super::suite_exchange::write_suite;
use crate::exit::Exit;
use crate::failure::Failure;

pub fn import(from: &Path, out: &Path, as_json: bool) -> Result<Exit, Failure> {
    let needed = |name: &str| {
        let path = from.join(name);
        std::fs::read_to_string(&path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
    };
    let optional = |name: &str| std::fs::read_to_string(from.join(name)).ok();
    let files = DatasetFiles {
        with_navigation: needed("tasks_with_navigation.jsonl")?,
        without_navigation: needed("tasks_without_navigation.jsonl")?,
        categories: optional("task_categorization.csv"),
        ui_elements: optional("ground_truth_ui_elements.csv"),
        actions: optional("ground_truth_actions.json"),
        logins: optional("login_files.csv"),
    };
    // Traces are named from the folder that holds the dataset.
    let mut trace =
        |path: &str| std::fs::read_to_string(from.join(path.strip_prefix("dataset/").unwrap_or(path))).ok();
    let made =
        suite(&files, &mut trace).map_err(|error| Failure::new(format!("{}: {error}", from.display())))?;
    let toml = toml::to_string(&made.file).map_err(|error| Failure::new(error.to_string()))?;
    let tasks: Result<Vec<String>, _> = made.tasks.iter().map(serde_json::to_string).collect();
    let tasks = tasks.map_err(|error| Failure::new(error.to_string()))?.join("\n");
    write_suite(out, &toml, &format!("{tasks}\n"))?;
    for (name, session) in &made.sessions {
        let path = out.join(session_file(name));
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = written.and_then(|()| std::fs::write(&path, session.write()));
        written.map_err(|error| Failure::new(format!("{} cannot be written: {error}", path.display())))?;
    }
    let instances: usize = made.tasks.iter().map(|task| Instance::of(task).len()).sum();
    if as_json {
        let sessions = made.sessions.len();
        say!(
            "{}",
            json!({"suite": out, "tasks": made.tasks.len(), "instances": instances, "sessions": sessions, "notes": made.notes})
        );
    } else {
        say!(
            "{} tasks, {instances} instances, {} sessions in {}",
            made.tasks.len(),
            made.sessions.len(),
            out.display()
        );
        for note in &made.notes {
            say!("    {note}");
        }
        say!("    next: umpire suite check --read-only {}", out.display());
    }
    Ok(Exit::Ok)
}
