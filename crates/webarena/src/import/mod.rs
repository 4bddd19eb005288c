//! Task files of the WebArena family as suites of Umpire, and back.
//!
//! ```text
//! let sites = sites_from_toml("[sites]\nshopping = \"http://localhost:7770\"")?;   // or Config::environments
//! let suite = import(text, Format::Auto, &sites)?;                                 // suite.toml and tasks.jsonl
//! let same  = export(&suite.tasks)?;                                               // the objects that came in
//! ```
//!
//! A task keeps the object it was made from in `origin`; nothing is lost, whatever the checks can say. Placeholders are
//! resolved here, so that a suite holds literal addresses of one deployment.

mod addresses;
mod defects;
mod network;
mod original;
mod response;
mod verified;

use std::collections::BTreeSet;

use serde_json::Value;
use umpire_model::{SUITE_VERSION, SuiteFile, Task};

pub use addresses::sites_from_toml;
pub use defects::{Defect, defects};
pub(crate) use verified::prepared;

use crate::config::Environments;
use crate::site::Site;
use crate::subset::Subset;

/// Which file it is. The two differ in the shape of `eval`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    #[default]
    Auto,
    /// The original benchmark.
    WebArena,
    /// WebArena Verified.
    Verified,
}

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the task file is not a JSON array of tasks: {0}")]
    NotTasks(#[from] serde_json::Error),
    #[error("the task file has no tasks")]
    Empty,
    #[error("task {place} of the file is not a {format} task: {problem}")]
    BadTask {
        /// From 1.
        place: usize,
        format: &'static str,
        problem: String,
    },
    #[error("task {0} is there twice")]
    Duplicate(String),
    #[error("{message}")]
    Unresolved { sites: Vec<Site>, message: String },
    #[error("the table of sites cannot be read: {0}")]
    Sites(String),
    #[error("the subset names tasks the file does not have: {0:?}")]
    UnknownTasks(Vec<i64>),
    #[error("task `{0}` was not imported: it has no origin to export")]
    NoOrigin(String),
}

impl ImportError {
    fn unresolved(missing: &BTreeSet<Site>) -> Self {
        let names: Vec<&str> = missing.iter().map(|site| site.name()).collect();
        let example = missing.first().copied().unwrap_or(Site::Shopping);
        let message = format!(
            "no URL is known for {names}; give it in umpire.toml ([sites] {name} = \"http://…\") or in a configuration \
             file ({{\"environments\": {{\"{placeholder}\": {{\"urls\": [\"http://…\"]}}}}}})",
            names = names.join(", "),
            name = example.name(),
            placeholder = example.placeholder(),
        );
        Self::Unresolved { sites: missing.iter().copied().collect(), message }
    }
}

/// A suite in parts, ready to be written.
#[derive(Debug, Clone)]
pub struct Imported {
    pub file: SuiteFile,
    pub tasks: Vec<Task>,
}

impl Imported {
    /// The text of `suite.toml`.
    pub fn suite_toml(&self) -> String {
        toml::to_string(&self.file).unwrap_or_default()
    }

    /// The text of `tasks.jsonl`, one task a line.
    pub fn tasks_jsonl(&self) -> String {
        let line = |task: &Task| serde_json::to_string(task).unwrap_or_default() + "\n";
        self.tasks.iter().map(line).collect()
    }

    /// Only the tasks of a subset, in its order.
    pub fn select(mut self, subset: &Subset) -> Result<Self, ImportError> {
        let wanted: Vec<String> = subset.task_ids.iter().map(i64::to_string).collect();
        let find = |id: &String| self.tasks.iter().find(|task| task.id == *id).cloned();
        let found: Vec<Option<Task>> = wanted.iter().map(find).collect();
        let missing = subset.task_ids.iter().zip(&found).filter(|(_, task)| task.is_none());
        let missing: Vec<i64> = missing.map(|(id, _)| *id).collect();
        if !missing.is_empty() {
            return Err(ImportError::UnknownTasks(missing));
        }
        self.tasks = found.into_iter().flatten().collect();
        Ok(self)
    }
}

/// Reads a task file. Every site that a task lives on needs an address.
pub fn import(text: &str, format: Format, sites: &Environments) -> Result<Imported, ImportError> {
    let origins: Vec<Value> = serde_json::from_str(text)?;
    let format = match format {
        Format::Auto if origins.first().is_some_and(|task| task["eval"].is_object()) => Format::WebArena,
        Format::Auto => Format::Verified,
        given => given,
    };
    let mut missing = BTreeSet::new();
    let mut tasks = Vec::with_capacity(origins.len());
    for (index, origin) in origins.into_iter().enumerate() {
        let place = index + 1;
        let task = match format {
            Format::WebArena => original::task(origin, place, sites),
            Format::Auto | Format::Verified => verified::task(origin, place, sites),
        };
        match task {
            Ok(task) => tasks.push(task),
            // All sites are named at once, not one a run.
            Err(ImportError::Unresolved { sites, .. }) => missing.extend(sites),
            Err(problem) => return Err(problem),
        }
    }
    if !missing.is_empty() {
        return Err(ImportError::unresolved(&missing));
    }
    let mut ids = BTreeSet::new();
    if let Some(twice) = tasks.iter().find(|task| !ids.insert(task.id.clone())) {
        return Err(ImportError::Duplicate(twice.id.clone()));
    }
    if tasks.is_empty() {
        return Err(ImportError::Empty);
    }
    Ok(Imported { file: suite_file(format, &tasks, sites), tasks })
}

/// The objects that the tasks were imported from, in their order.
pub fn export(tasks: &[Task]) -> Result<Vec<Value>, ImportError> {
    let origin = |task: &Task| task.origin.clone().ok_or_else(|| ImportError::NoOrigin(task.id.clone()));
    tasks.iter().map(origin).collect()
}

/// As a suite names hosts: with the port where it is not one of the usual.
fn host_to_reach(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

fn suite_file(format: Format, tasks: &[Task], sites: &Environments) -> SuiteFile {
    let (name, description) = match format {
        Format::WebArena => ("webarena", "WebArena, imported"),
        Format::Auto | Format::Verified => ("webarena-verified", "WebArena Verified, imported"),
    };
    let used: BTreeSet<Site> =
        tasks.iter().flat_map(|task| &task.sites).filter_map(|name| Site::parse(name)).collect();
    let urls = used.iter().filter_map(|site| sites.get(site)).flat_map(|environment| &environment.urls);
    let hosts: BTreeSet<String> = urls.filter_map(|url| host_to_reach(url)).collect();
    SuiteFile {
        version: SUITE_VERSION,
        name: name.to_owned(),
        description: description.to_owned(),
        world: "live".to_owned(),
        seed: 0,
        hosts: hosts.into_iter().collect(),
        tasks: vec!["tasks.jsonl".to_owned()],
        sessions: Vec::new(),
        histories: None,
        only: Vec::new(),
        accounts: std::collections::BTreeMap::new(),
        folder: None,
    }
}
