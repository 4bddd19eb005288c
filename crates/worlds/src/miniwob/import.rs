//! A folder of the package as a suite.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::json;
use umpire_model::{Check, Difficulty, InitialState, RewardCheck, Task, TaskKind, Validity};

use super::environments::{Environment, environments};
use super::{Folder, HOST, SITE};

/// What a person may choose about the suite.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    pub seeds: Range<u64>,
    /// The distribution of problems, as the package's Python environment names it.
    pub mode: String,
    /// Time for one episode, instead of each page's own.
    pub seconds: Option<u64>,
}

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error(
        "{folder} has no pages `miniwob/*.html` with a problem in them; give the folder `html` of the Python package \
         `miniwob`"
    )]
    NoEnvironments { folder: String },
    #[error("there are no seeds in {}..{}", .0.start, .0.end)]
    NoSeeds(Range<u64>),
}

/// A suite in parts, ready to be written.
#[derive(Debug)]
pub struct Imported {
    pub suite_toml: String,
    pub tasks: Vec<Task>,
}

impl Imported {
    /// The text of `tasks.jsonl`, one task a line.
    pub fn tasks_jsonl(&self) -> String {
        let line = |task: &Task| serde_json::to_string(task).unwrap_or_default() + "\n";
        self.tasks.iter().map(line).collect()
    }
}

/// One task for each environment, with an initial state for each seed.
pub fn import(folder: &Folder, options: &ImportOptions) -> Result<Imported, ImportError> {
    if options.seeds.is_empty() {
        return Err(ImportError::NoSeeds(options.seeds.clone()));
    }
    let found = environments(folder);
    if found.is_empty() {
        return Err(ImportError::NoEnvironments { folder: folder.path.display().to_string() });
    }
    let tasks = found.iter().map(|environment| task(environment, options)).collect();
    let path = json!(folder.path.display().to_string());
    let suite_toml = format!(
        "version = 1\nname = \"miniwob\"\ndescription = \"MiniWoB++, imported\"\nworld = \"miniwob\"\n\
         tasks = [\"tasks.jsonl\"]\n\n[folder]\npath = {path}\ndigest = \"{}\"\n",
        folder.digest
    );
    Ok(Imported { suite_toml, tasks })
}

fn task(environment: &Environment, options: &ImportOptions) -> Task {
    let seconds = options.seconds.unwrap_or(environment.seconds);
    // Names sort as numbers do, so that instances come in the order of their seeds.
    let width = options.seeds.end.saturating_sub(1).to_string().len();
    let state = |seed: u64| {
        let world = json!({ SITE: { "seed": seed, "mode": options.mode, "seconds": seconds } });
        (format!("seed-{seed:0width$}"), InitialState { world, ..InitialState::default() })
    };
    Task {
        id: environment.name.clone(),
        template: environment.name.clone(),
        kind: TaskKind::Mutate,
        intent: format!("{}: the page says what to do when the episode begins.", environment.title),
        hint: None,
        intent_with_hint: None,
        sites: vec![SITE.to_owned()],
        start_urls: vec![format!("http://{HOST}/miniwob/{}.html", environment.name)],
        category: environment.name.split('-').next().unwrap_or_default().to_owned(),
        ui_elements: Vec::new(),
        difficulty: match seconds {
            0..=10 => Difficulty::Easy,
            11..=20 => Difficulty::Medium,
            _ => Difficulty::Hard,
        },
        reference: Vec::new(),
        checks: vec![Check::Reward(RewardCheck { at_least: 1.0 })],
        states: options.seeds.clone().map(state).collect::<BTreeMap<_, _>>(),
        session: None,
        account: None,
        levels: Vec::new(),
        persona: None,
        origin: None,
        extra_sessions: 0,
        validity: Validity::default(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use umpire_model::Suite;

    use super::super::Episode;
    use super::*;

    fn options() -> ImportOptions {
        ImportOptions { seeds: 8..12, mode: "train".to_owned(), seconds: None }
    }

    fn folder() -> (tempfile::TempDir, Folder) {
        let dir = tempfile::tempdir().expect("temp dir");
        let pages = dir.path().join("miniwob");
        std::fs::create_dir(&pages).expect("folder");
        let page = "<title>T</title>core/core.js genProblem core.EPISODE_MAX_TIME = 20000;";
        std::fs::write(pages.join("click-it.html"), page).expect("page");
        let read = Folder::read(dir.path()).expect("readable");
        (dir, read)
    }

    #[test]
    fn a_folder_becomes_a_suite_with_an_instance_for_each_seed() {
        let (_dir, folder) = folder();
        let imported = import(&folder, &options()).expect("a suite");
        let files = [("tasks.jsonl".into(), imported.tasks_jsonl())];
        let suite =
            Suite::parse(Path::new("suite.toml"), &imported.suite_toml, &files, &[]).expect("well-formed");
        let served = suite.file.folder.as_ref().expect("a folder");
        assert_eq!((&served.path, &served.digest), (&folder.path, &folder.digest));
        let instances = suite.instances();
        let ids: Vec<&str> = instances.iter().map(|instance| instance.id.as_str()).collect();
        assert_eq!(ids, ["click-it@seed-08", "click-it@seed-09", "click-it@seed-10", "click-it@seed-11"]);
        let episode = Episode::of(&instances[2]).expect("an episode");
        assert_eq!((episode.seed, episode.seconds), (10, 20));
    }

    #[test]
    fn what_cannot_be_a_suite_is_refused() {
        let (_dir, pages) = folder();
        let none = ImportOptions { seeds: 3..3, ..options() };
        assert!(matches!(import(&pages, &none), Err(ImportError::NoSeeds(_))));
        let empty = tempfile::tempdir().expect("temp dir");
        let empty = Folder::read(empty.path()).expect("readable");
        let error = import(&empty, &options()).expect_err("no pages").to_string();
        assert!(error.contains("Python package `miniwob`"), "{error}");
    }
}
