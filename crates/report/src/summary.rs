use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::thread;

use serde::{Deserialize, Serialize};
use umpire_model::{AttemptId, Lapse, Manifest, NotRecorded, Outcome, Perturbed, Spending};
use umpire_stats::{Rate, Tally, median};
use umpire_store::{InstanceFacts, Run, Status};

use crate::robustness::robustness;
use crate::wording::count;
use crate::{ReportError, Robustness};

pub const SUMMARY_VERSION: u32 = 1;

/// A run, counted. Every planned attempt is in it, whether it ran or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub version: u32,
    pub manifest: Manifest,
    /// In the manifest's order. Plain attempts only.
    pub agents: Vec<AgentSummary>,
    /// Agent by agent, instance by instance, trial by trial.
    pub attempts: Vec<AttemptSummary>,
    /// Perturbed attempts against plain ones; empty if nothing was perturbed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub robustness: Vec<Robustness>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentSummary {
    pub name: String,
    pub kind: String,
    pub rate: Rate,
    pub outcomes: Tally,
    /// Over attempts that ended by the agent's doing, not by the harness's.
    pub median_steps: Option<f64>,
    pub median_seconds: Option<f64>,
    /// On models, in all tries of all attempts, perturbed ones too: it was spent.
    #[serde(default, skip_serializing_if = "Spending::is_nothing")]
    pub spending: Spending,
    /// By dimension, then by value; within a dimension the slices add up to all attempts.
    pub slices: Vec<Slice>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    pub by: Dimension,
    pub value: String,
    pub rate: Rate,
    pub outcomes: Tally,
}

/// What attempts are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    Site,
    Category,
    Difficulty,
    Kind,
    State,
    Hint,
    Level,
}

impl Dimension {
    pub const ALL: [Self; 7] =
        [Self::Site, Self::Category, Self::Difficulty, Self::Kind, Self::State, Self::Hint, Self::Level];

    pub fn title(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Category => "category",
            Self::Difficulty => "difficulty",
            Self::Kind => "kind of task",
            Self::State => "initial state",
            Self::Hint => "navigation hint",
            Self::Level => "ambiguity level",
        }
    }

    /// An instance is in exactly one slice of a dimension; one over several sites is a slice of its own.
    pub fn value_of(self, instance: &InstanceFacts) -> String {
        match self {
            Self::Site => instance.sites.join(" + "),
            Self::Category => instance.category.clone(),
            Self::Difficulty => instance.difficulty.as_str().to_owned(),
            Self::Kind => instance.kind.as_str().to_owned(),
            Self::State => instance.state.clone().unwrap_or_else(|| "as it is".to_owned()),
            Self::Hint => if instance.with_hint { "with" } else { "without" }.to_owned(),
            Self::Level => instance.level.map_or_else(|| "none".to_owned(), |level| level.to_string()),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptSummary {
    pub id: AttemptId,
    /// None while it has not run, was interrupted, or waits for its verdict.
    pub outcome: Option<Outcome>,
    /// The verdict's sentence, or why there is none.
    pub reason: String,
    pub tries: u32,
    pub steps: Option<u32>,
    /// Steps that used up the budget.
    pub counted: Option<u32>,
    pub seconds: Option<f64>,
    /// On models, in all tries.
    #[serde(default, skip_serializing_if = "Spending::is_nothing")]
    pub spending: Spending,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perturbation: Option<Perturbed>,
    /// What the perturbation talked the agent into.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lapses: Vec<Lapse>,
}

impl Summary {
    /// Slices worth showing: a dimension with one value says nothing that the headline does not.
    pub fn telling_dimensions(&self) -> Vec<(Dimension, Vec<String>)> {
        let Some(agent) = self.agents.first() else { return Vec::new() };
        Dimension::ALL
            .into_iter()
            .map(|by| {
                (by, agent.slices.iter().filter(|s| s.by == by).map(|s| s.value.clone()).collect::<Vec<_>>())
            })
            .filter(|(_, values)| values.len() > 1)
            .collect()
    }

    /// Attempts without an outcome yet.
    pub fn open(&self) -> usize {
        self.attempts.iter().filter(|attempt| attempt.outcome.is_none()).count()
    }

    /// What is to be said of attempts without an outcome.
    pub fn open_in_words(&self) -> Option<String> {
        let open = self.open();
        let why = match self.manifest.imported {
            Some(_) => "imported and not judged",
            None => "the run is not complete",
        };
        (open > 0).then(|| format!("{} without an outcome: {why}", count(open, "attempt")))
    }

    /// Attempts at instances as they are; the headline is about these.
    pub fn plain(&self) -> usize {
        self.attempts.iter().filter(|attempt| attempt.perturbation.is_none()).count()
    }

    /// How the attempts come about: `2 agents × 8 instances × 1 trial = 16 attempts, and 32 perturbed`.
    pub fn arithmetic(&self) -> String {
        let manifest = &self.manifest;
        let per_instance = (manifest.agents.len() * manifest.trials as usize).max(1);
        let plain = self.plain();
        let mut words = format!(
            "{} × {} × {} = {}",
            count(manifest.agents.len(), "agent"),
            count(plain / per_instance, "instance"),
            count(manifest.trials as usize, "trial"),
            count(plain, "attempt"),
        );
        if self.attempts.len() > plain {
            let _ = write!(words, ", and {} perturbed", self.attempts.len() - plain);
        }
        words
    }
}

impl AgentSummary {
    /// The headline. A rate of attempts of which none was judged would be a number about nothing.
    pub fn headline(&self) -> Option<f64> {
        self.rate.value().filter(|_| !self.outcomes.outcomes.is_empty())
    }

    pub fn slice(&self, by: Dimension, value: &str) -> Option<&Slice> {
        self.slices.iter().find(|slice| slice.by == by && slice.value == value)
    }
}

/// Counts a run as it is on disk now; a run under way is counted as far as it got.
pub fn summary(run: &Run) -> Result<Summary, ReportError> {
    let instances = run.instances()?;
    let facts = by_id(&instances);
    let planned = run.planned()?;
    let attempts =
        on_all_cores(&planned, |id| attempt_summary(run, id, facts.get(id.instance.as_str()).copied()))?;
    Ok(counted(run.manifest().clone(), attempts, &instances))
}

type Facts<'a> = HashMap<&'a str, &'a InstanceFacts>;

fn by_id(instances: &[InstanceFacts]) -> Facts<'_> {
    instances.iter().map(|instance| (instance.id.as_str(), instance)).collect()
}

/// In the order given. Most of the time goes into opening small files, of which a large run has hundreds of thousands.
pub fn on_all_cores<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(cores).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = items
            .chunks(share)
            .map(|own| scope.spawn(|| own.iter().map(&work).collect::<Result<Vec<R>, _>>()))
            .collect();
        let mut all = Vec::with_capacity(items.len());
        for worker in workers {
            all.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(all)
    })
}

/// Counts attempts, wherever they were read: every planned one, agent by agent.
pub fn counted(manifest: Manifest, attempts: Vec<AttemptSummary>, instances: &[InstanceFacts]) -> Summary {
    let facts = by_id(instances);
    let agents = manifest
        .agents
        .iter()
        .map(|agent| {
            let is_own = |a: &&AttemptSummary| a.id.agent == agent.name && a.perturbation.is_none();
            let own: Vec<&AttemptSummary> = attempts.iter().filter(is_own).collect();
            let outcomes = Tally::of(own.iter().map(|attempt| attempt.outcome));
            let ended = || own.iter().filter(|a| is_by_the_agent(a, manifest.imported.is_some()));
            let all = attempts.iter().filter(|a| a.id.agent == agent.name);
            let spending = all.map(|a| a.spending).sum();
            AgentSummary {
                name: agent.name.clone(),
                kind: agent.kind.clone(),
                rate: outcomes.rate(),
                outcomes,
                median_steps: median(&ended().filter_map(|a| a.steps.map(f64::from)).collect::<Vec<_>>()),
                median_seconds: median(&ended().filter_map(|a| a.seconds).collect::<Vec<_>>()),
                spending,
                slices: slices(&own, &facts),
            }
        })
        .collect();
    let robustness = robustness(&manifest.agents, &manifest.perturbations, &attempts);
    Summary { version: SUMMARY_VERSION, manifest, agents, attempts, robustness }
}

/// Whether how long the attempt took says something about the agent. One recorded elsewhere does without a verdict.
fn is_by_the_agent(attempt: &AttemptSummary, imported: bool) -> bool {
    attempt.outcome.map_or(imported, |outcome| outcome != Outcome::Infra)
}

fn slices(attempts: &[&AttemptSummary], facts: &Facts<'_>) -> Vec<Slice> {
    let mut grouped: BTreeMap<(Dimension, String), Vec<Option<Outcome>>> = BTreeMap::new();
    for attempt in attempts {
        for by in Dimension::ALL {
            let value = facts
                .get(attempt.id.instance.as_str())
                .map_or_else(|| "unknown".to_owned(), |facts| by.value_of(facts));
            grouped.entry((by, value)).or_default().push(attempt.outcome);
        }
    }
    grouped
        .into_iter()
        .map(|((by, value), outcomes)| {
            let outcomes = Tally::of(outcomes);
            Slice { by, value, rate: outcomes.rate(), outcomes }
        })
        .collect()
}

/// One attempt as it is on disk now.
pub fn attempt_summary(
    run: &Run,
    id: &AttemptId,
    facts: Option<&InstanceFacts>,
) -> Result<AttemptSummary, ReportError> {
    let attempt = run.attempt(id);
    let tries = attempt.tries()?;
    let (outcome, reason) = match attempt.status_after(&tries)? {
        Status::NotStarted => (None, "not run yet".to_owned()),
        Status::Interrupted => (None, "interrupted; the same command runs it again".to_owned()),
        Status::Ended { verdict: None, .. } => (None, "ended, not judged yet".to_owned()),
        Status::Ended { verdict: Some(verdict), .. } => (Some(verdict.outcome), verdict.reason),
    };
    let perturbation = facts.and_then(|facts| facts.perturbation.clone());
    let lapses = match perturbation {
        Some(_) => attempt.read()?.lapses(),
        None => Vec::new(),
    };
    let spending = tries.iter().map(|one| one.spending).sum();
    let end = tries.last().and_then(|last| last.end.as_ref());
    Ok(AttemptSummary {
        id: id.clone(),
        outcome,
        reason,
        tries: tries.len() as u32,
        steps: end.map(|end| end.steps),
        counted: end.map(|end| end.counted),
        seconds: end.filter(|_| !run.manifest().lacks(NotRecorded::Times)).map(|end| end.ms as f64 / 1000.0),
        spending,
        perturbation,
        lapses,
    })
}
