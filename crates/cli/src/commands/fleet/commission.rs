//! What a worker needs to take part in a run: the manifest, the suite, and what else the plan was made of. Agents, models,
//! accounts and secrets are not here: every machine has its own configuration, and a plan that comes out differently with it
//! is another run, by its name.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use umpire_fleet::{Assignment, Depot, Key};
use umpire_model::{Day, HistorySettings, Instance, Manifest};
use umpire_runner::{BUILT_IN_SUITES, Plan, PlanRequest, load_suite};

use super::{soon, told};
use crate::commands::run::resolve_agent;
use crate::config::Config;
use crate::failure::Failure;

const VERSION: u32 = 1;
/// A suite is texts and a few files to upload; more is a mistake, such as the folder of all one's projects.
const MOST_FILES: usize = 10_000;
const MOST_BYTES: u64 = 1 << 30;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Commission {
    version: u32,
    pub manifest: Manifest,
    /// Its files, if it is not built in.
    suite_files: Option<Vec<String>>,
    filter: Option<String>,
    repeat: u32,
    today: Day,
    model: Option<String>,
    pub history: HistorySettings,
    per_site: Option<u32>,
}

impl Commission {
    pub fn new(
        plan: &Plan,
        manifest: Manifest,
        suite_name: &str,
        model: Option<String>,
        per_site: Option<u32>,
    ) -> Result<Self, Failure> {
        let is_built_in = BUILT_IN_SUITES.contains(&suite_name);
        let suite_files = (!is_built_in).then(|| files_of(Path::new(suite_name))).transpose()?;
        Ok(Self {
            version: VERSION,
            manifest,
            suite_files,
            filter: plan.request.filter.clone(),
            repeat: plan.request.repeat,
            today: plan.request.today,
            model,
            history: plan.request.history.clone(),
            per_site,
        })
    }

    /// Puts the suite's files into the depot, then this. Where another planner was quicker, theirs stands and is given back.
    pub async fn put(self, depot: &Depot, suite_folder: &Path) -> Result<Self, Failure> {
        let run = &self.manifest.run;
        for file in self.suite_files.iter().flatten() {
            let path = suite_folder.join(file);
            let content = std::fs::read(&path).map_err(|error| unreadable(&path, &error))?;
            depot.put(&format!("{run}/suite/{file}"), Bytes::from(content), soon()).await.map_err(told)?;
        }
        let text = serde_json::to_vec(&self).map_err(|error| Failure::new(error.to_string()))?;
        let place = place(run.as_str());
        if depot.put_new(&place, text.into(), soon()).await.map_err(told)? {
            return Ok(self);
        }
        let theirs = Self::find(depot, run.as_str()).await?;
        theirs.ok_or_else(|| Failure::new(format!("{place} was in the store and is not there any more")))
    }

    /// What was put there; none, if nobody has planned this run yet.
    pub async fn find(depot: &Depot, run: &str) -> Result<Option<Self>, Failure> {
        let Some(text) = depot.find(&place(run), soon()).await.map_err(told)? else { return Ok(None) };
        let malformed = |problem: String| Failure::new(format!("{} in the store: {problem}", place(run)));
        let head: Head = serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
        if head.version > VERSION {
            return Err(malformed(format!("it has version {}: use a newer Umpire", head.version)));
        }
        serde_json::from_slice(&text).map(Some).map_err(|error| malformed(error.to_string()))
    }

    /// The same plan again, with the agents as they are configured here. `folder` is for the suite's files.
    pub async fn plan(
        &self,
        depot: &Depot,
        folder: &Path,
        config: &Config,
    ) -> Result<(Plan, String), Failure> {
        let manifest = &self.manifest;
        let suite_name = match &self.suite_files {
            None => manifest.suite.clone(),
            Some(files) => {
                fetch_suite(depot, manifest.run.as_str(), files, folder).await?;
                folder.display().to_string()
            }
        };
        let model = self.model.as_deref();
        let agents = manifest.agents.iter().map(|agent| {
            let spec = resolve_agent(&agent.name, model, config)?;
            Ok((agent.name.clone(), spec))
        });
        let request = PlanRequest {
            agents: agents.collect::<Result<_, Failure>>()?,
            filter: self.filter.clone(),
            trials: manifest.trials,
            perturbations: manifest.perturbations.clone(),
            seed: manifest.seed,
            limits: manifest.limits,
            viewport: manifest.viewport,
            retries: manifest.retries,
            repeat: self.repeat,
            today: self.today,
            guard: manifest.guard,
            states: manifest.states,
            history: self.history.clone(),
        };
        let plan = Plan::build(load_suite(&suite_name)?, request)?;
        if plan.run != manifest.run {
            let problem = format!("what is configured here makes another run of it ({})", plan.run);
            return Err(Failure::new(problem).help(
                "agents and models must be configured as where the run was planned, and umpire be the same",
            ));
        }
        Ok((plan, suite_name))
    }

    /// The plan as it is handed out.
    pub fn roster(&self, plan: &Plan) -> Vec<Assignment> {
        // Elsewhere attempts meet: on one account, on a site that bears so many at a time, in a database that orders change.
        let is_private = plan.suite.file.world == "built-in" && plan.backends().next().is_none();
        let assignment = |unit: &umpire_runner::Unit| Assignment {
            run: plan.run.to_string(),
            attempt: unit.id.to_string(),
            keys: keys(&unit.instance, is_private, self.per_site),
            repeatable: is_private,
            copy: 0,
        };
        plan.units.iter().map(assignment).collect()
    }
}

#[derive(Deserialize)]
struct Head {
    version: u32,
}

fn keys(instance: &Instance, is_private: bool, per_site: Option<u32>) -> Vec<Key> {
    let account = instance.account.as_ref().filter(|_| !is_private);
    let account = account.map(|name| Key { name: format!("account {name}"), at_a_time: 1 });
    let sites = per_site.into_iter().flat_map(|at_a_time| {
        instance.sites.iter().map(move |site| Key { name: format!("site {site}"), at_a_time })
    });
    account.into_iter().chain(sites).collect()
}

fn place(run: &str) -> String {
    format!("{run}/commission.json")
}

/// Relative paths of all files of a suite's folder.
fn files_of(folder: &Path) -> Result<Vec<String>, Failure> {
    let (mut files, mut bytes) = (Vec::new(), 0);
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        let path = folder.join(&below);
        let failed = |error: std::io::Error| unreadable(&path, &error);
        for entry in std::fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let relative = below.join(entry.file_name());
            let about = std::fs::metadata(entry.path()).map_err(failed)?;
            if about.is_dir() {
                folders.push(relative);
                continue;
            }
            bytes += about.len();
            let name = relative.to_str().ok_or_else(|| {
                Failure::new(format!("{}: a file's name must be readable text", entry.path().display()))
            })?;
            files.push(name.to_owned());
            if files.len() > MOST_FILES || bytes > MOST_BYTES {
                let problem = format!("{} has too much in it for the suite of a fleet", folder.display());
                return Err(Failure::new(problem).help(format!(
                    "at most {MOST_FILES} files and {} MiB go to the workers",
                    MOST_BYTES >> 20
                )));
            }
        }
    }
    files.sort();
    Ok(files)
}

async fn fetch_suite(depot: &Depot, run: &str, files: &[String], folder: &Path) -> Result<(), Failure> {
    for file in files {
        // The list is outside data: it may name nothing outside the folder.
        let is_inside =
            Path::new(file).components().all(|part| matches!(part, std::path::Component::Normal(_)));
        if !is_inside {
            return Err(Failure::new(format!("the run's suite names `{file}`, which is no file of a suite")));
        }
        let content = depot.get(&format!("{run}/suite/{file}"), soon()).await.map_err(told)?;
        let path = folder.join(file);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).map_err(|error| unreadable(parent, &error))?;
        std::fs::write(&path, content).map_err(|error| unreadable(&path, &error))?;
    }
    Ok(())
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_suite_goes_along() {
        let folder = tempfile::tempdir().expect("temp");
        std::fs::create_dir_all(folder.path().join("files/deep")).expect("made");
        for file in ["suite.toml", "tasks.jsonl", "files/deep/cv.pdf"] {
            std::fs::write(folder.path().join(file), "x").expect("written");
        }
        assert_eq!(
            files_of(folder.path()).expect("listed"),
            ["files/deep/cv.pdf", "suite.toml", "tasks.jsonl"]
        );
    }
}
