//! Finished trajectories become a run.
//!
//! The source is read twice. The first reading finds out what is there and whether it is sound, which the manifest has
//! to say before the first attempt is written; the second one writes, attempt by attempt, so that memory holds one at a
//! time. The run is named by the digest of what was read: the same command goes on where a killed one stopped.

mod format;
mod record;
mod tasks;

use std::collections::BTreeSet;
use std::path::Path;

use umpire_model::{
    AgentEntry, AttemptId, Digest, GuardMode, Imported, Instance, Limits, MANIFEST_VERSION, Manifest,
    NotRecorded, RunId, StatesBy, Suite, Viewport,
};
use umpire_store::{Run, Runs, Status};

pub(crate) use self::format::Found;
pub use self::format::ImportFormat;
use crate::finished::Finished;
use crate::source::Source;
use crate::{ImportError, Problem};

/// What stands in the manifest's fields for which the source has nothing.
const NOT_RECORDED: &str = "not recorded";

/// What to import.
#[derive(Debug)]
pub struct Import<'a> {
    pub format: ImportFormat,
    pub path: &'a Path,
    /// The agent's name; where the source names agents, the one to take.
    pub agent: Option<&'a str>,
    /// Tasks whose intents and checks the attempts are matched with, by id.
    pub suite: Option<&'a Suite>,
    /// Give up at the first problem instead of leaving that attempt out.
    pub strict: bool,
    /// RFC 3339, UTC.
    pub now: String,
    pub rules_digest: Digest,
}

/// What came of it.
#[derive(Debug)]
pub struct ImportReport {
    pub run: Run,
    pub attempts: Vec<AttemptId>,
    pub left_out: Vec<Problem>,
}

/// An attempt that passed the first reading, without its steps.
struct Accepted {
    found: Found,
    instance: Instance,
    viewport: Option<Viewport>,
    browser: Option<String>,
}

pub fn import(request: &Import<'_>, runs: &Runs) -> Result<ImportReport, ImportError> {
    let source = Source::open(request.path)?;
    let all = request.format.find(&source)?;
    let mut survey = Survey::default();
    for found in all {
        match survey.consider(request, &source, found) {
            Err(problem) if request.strict => return Err(ImportError::Strict(problem)),
            Err(problem) => survey.left_out.push(problem),
            Ok(()) => {}
        }
    }
    let agent = survey.choose_agent(request.agent)?;
    let Survey { accepted, left_out, lacking, remarks, .. } = survey;
    if accepted.is_empty() {
        return Err(match left_out.first().cloned() {
            Some(first) => ImportError::AllLeftOut { first, left_out },
            None => request.format.nothing(request.path),
        });
    }
    let imported = Imported {
        format: request.format.name().to_owned(),
        source: source.digest(),
        not_recorded: lacking.into_iter().collect(),
        remarks,
    };
    let manifest = manifest(request, &agent, &accepted, imported)?;
    let run = match runs.find(&manifest.run)? {
        Some(run) => run,
        None => runs.create(&manifest, accepted.iter().map(|accepted| &accepted.instance))?,
    };
    let _lock = run.lock()?;
    let mut attempts = Vec::with_capacity(accepted.len());
    for Accepted { found, instance, viewport, .. } in &accepted {
        let id = AttemptId::new(&agent, &instance.id, 1)?;
        let attempt = run.attempt(&id);
        if !matches!(attempt.status()?, Status::Ended { .. }) {
            let finished = request.format.read(&source, found).map_err(ImportError::Strict)?;
            record::write(&source, &finished, instance, *viewport, &attempt)?;
        }
        attempts.push(id);
    }
    Ok(ImportReport { run, attempts, left_out })
}

/// What the first reading found.
#[derive(Default)]
struct Survey {
    accepted: Vec<Accepted>,
    left_out: Vec<Problem>,
    lacking: BTreeSet<NotRecorded>,
    remarks: Vec<String>,
    agents: BTreeSet<String>,
    instances: BTreeSet<String>,
}

impl Survey {
    fn consider(&mut self, request: &Import<'_>, source: &Source, found: Found) -> Result<(), Problem> {
        let finished = request.format.read(source, &found)?;
        if let Some(named) = &finished.agent {
            let name = tasks::as_name(named);
            self.agents.insert(name.clone());
            if request.agent.is_some_and(|wanted| wanted != name) {
                return Ok(());
            }
        }
        let viewport = record::check(source, &finished, &found.file)?;
        let instance = tasks::instance_for(&finished, request.suite).map_err(|what| {
            Problem::new(&found.file, what, "name the task as its suite does, or import without --suite")
        })?;
        if !self.instances.insert(instance.id.clone()) {
            return Err(Problem::new(
                &found.file,
                format!("task `{}` is there twice", finished.task),
                "import further attempts at the same task as a run of their own",
            ));
        }
        self.lacking.extend(lacking(&finished, &instance, request.suite.is_some()));
        let at = &finished.task;
        self.remarks.extend(finished.remarks.iter().map(|remark| format!("{at}: {remark}")));
        self.accepted.push(Accepted { found, instance, viewport, browser: finished.browser });
        Ok(())
    }

    fn choose_agent(&self, wanted: Option<&str>) -> Result<String, ImportError> {
        let there = || self.agents.iter().cloned().collect::<Vec<_>>();
        match (wanted, self.agents.len()) {
            (Some(wanted), 0) => Ok(wanted.to_owned()),
            (Some(wanted), _) if self.agents.contains(wanted) => Ok(wanted.to_owned()),
            (Some(wanted), _) => Err(ImportError::NoSuchAgent { wanted: wanted.to_owned(), there: there() }),
            (None, 0) => Ok("imported".to_owned()),
            (None, 1) => Ok(there().remove(0)),
            (None, _) => Err(ImportError::SeveralAgents(there())),
        }
    }
}

/// What one attempt does not tell. A run lacks what any of its attempts lacks: a number over them all would be wrong.
fn lacking(finished: &Finished, instance: &Instance, from_suite: bool) -> Vec<NotRecorded> {
    let steps = &finished.steps;
    let every = |holds: fn(&crate::finished::Step) -> bool| !steps.is_empty() && steps.iter().all(holds);
    let known = [
        (NotRecorded::Intents, !instance.intent.is_empty()),
        (NotRecorded::Kinds, from_suite || finished.kind.is_some()),
        (NotRecorded::Difficulties, from_suite || finished.difficulty.is_some()),
        (NotRecorded::Limits, false),
        (NotRecorded::Browser, finished.browser.is_some()),
        (NotRecorded::Viewport, finished.viewport.is_some()),
        (NotRecorded::Locale, false),
        (NotRecorded::Times, finished.started.is_some() && every(|step| step.ms.is_some())),
        (NotRecorded::Addresses, every(|step| step.url.is_some())),
        (NotRecorded::Screenshots, every(|step| step.shot.is_some())),
        (NotRecorded::Outlines, every(|step| step.outline.is_some())),
        (NotRecorded::Thoughts, steps.iter().any(|step| !step.thoughts.is_empty())),
        (NotRecorded::Actions, steps.iter().any(|step| !step.acts.is_empty())),
        (NotRecorded::Network, finished.network.is_some()),
        (NotRecorded::State, false),
    ];
    known.into_iter().filter(|(_, is_known)| !is_known).map(|(what, _)| what).collect()
}

fn manifest(
    request: &Import<'_>,
    agent: &str,
    accepted: &[Accepted],
    imported: Imported,
) -> Result<Manifest, ImportError> {
    let instances: Vec<&Instance> = accepted.iter().map(|accepted| &accepted.instance).collect();
    let (suite, suite_digest) = match request.suite {
        Some(suite) => (suite.file.name.clone(), suite.digest.clone()),
        None => (request.format.name().to_owned(), Digest::of_json(&instances)),
    };
    // The same source under another name, or matched with another suite, is another run.
    let identity = Digest::of_json(&(&imported.source, agent, &suite_digest, &instances));
    let run: RunId = format!("{}-{}", request.format.name(), &identity.as_str()[..8]).parse()?;
    Ok(Manifest {
        version: MANIFEST_VERSION,
        run,
        created: request.now.clone(),
        umpire: env!("CARGO_PKG_VERSION").to_owned(),
        suite,
        suite_digest,
        rules_digest: request.rules_digest.clone(),
        agents: vec![AgentEntry {
            name: agent.to_owned(),
            kind: "imported".to_owned(),
            settings: [("format".to_owned(), request.format.name().to_owned())].into(),
        }],
        instances: instances.iter().map(|instance| instance.id.clone()).collect(),
        trials: 1,
        seed: 0,
        perturbations: Vec::new(),
        browser: accepted.iter().find_map(|a| a.browser.clone()).unwrap_or_else(|| NOT_RECORDED.to_owned()),
        remote: None,
        viewport: accepted.iter().find_map(|a| a.viewport).unwrap_or(Viewport { width: 0, height: 0 }),
        locale: NOT_RECORDED.to_owned(),
        timezone: NOT_RECORDED.to_owned(),
        today: None,
        limits: Limits { actions: 0, seconds: 0 },
        retries: 0,
        guard: GuardMode::default(),
        states: StatesBy::default(),
        history: None,
        denominator: "every imported attempt; one without a verdict counts as open, not as failed".to_owned(),
        imported: Some(imported),
    })
}
