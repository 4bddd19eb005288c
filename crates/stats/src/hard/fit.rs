//! The model fitted: what is known about agents, sites and tasks, and whether the chains can be believed.

use std::thread;

use serde::Serialize;

use super::attempts::Pool;
use super::diagnostics::Diagnosis;
use super::hardness::{Reference, log_hazard, success};
use super::layout::Family;
use super::nuts::{Chain, NutsSettings, run_chains};
use super::posterior::{Effects, Posterior};
use super::steps::StepBins;
use crate::{Interval, quantile};

/// What the draws say about one number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub name: String,
    pub median: f64,
    /// 95 % of the draws.
    pub interval: Interval,
    pub spread: f64,
    /// None where nothing varies.
    pub diagnosis: Option<Diagnosis>,
}

/// How the chains fared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Health {
    pub chains: usize,
    pub draws: usize,
    pub warmup: usize,
    /// The largest over all effects and all tasks' reference successes, and whose it is.
    pub r_hat: f64,
    pub r_hat_of: String,
    pub ess_bulk: f64,
    pub ess_bulk_of: String,
    pub ess_tail: f64,
    pub ess_tail_of: String,
    /// How many numbers were looked at.
    pub diagnosed: usize,
    pub divergences: usize,
    /// Trajectories that were cut at their greatest length.
    pub too_long: usize,
    pub step_sizes: Vec<f64>,
    /// Evaluations of the gradient, warm-up included.
    pub evaluations: usize,
}

impl Health {
    /// The paper's own condition for believing the draws.
    pub fn is_good(&self) -> bool {
        self.r_hat <= 1.01 && self.divergences == 0
    }
}

/// What the chains drew, before anything is made of it.
pub struct Draws {
    posterior: Posterior,
    chains: Vec<Chain>,
    settings: NutsSettings,
}

impl Draws {
    pub fn sample(pool: &Pool, settings: NutsSettings) -> Self {
        let posterior = Posterior::of(pool);
        let chains = run_chains(&posterior, settings);
        Self { posterior, chains, settings }
    }
}

#[derive(Clone, Debug)]
pub struct Fit {
    pub agents: Vec<Estimate>,
    pub sites: Vec<Estimate>,
    pub bins: Vec<Estimate>,
    pub intercept: Estimate,
    pub exhausted: Estimate,
    /// Of site, template, category and step bin effects.
    pub scales: Vec<Estimate>,
    pub reference_steps: Vec<f64>,
    pub health: Health,
    /// Reference log hazards: draw by draw for one task after the other.
    hazards: Vec<Vec<f64>>,
    /// Medians of them, as probabilities.
    successes: Vec<f64>,
}

impl Fit {
    pub fn of(pool: &Pool, settings: NutsSettings) -> Self {
        Self::from_draws(pool, Draws::sample(pool, settings))
    }

    pub fn from_draws(pool: &Pool, draws: Draws) -> Self {
        let Draws { mut posterior, chains, settings } = draws;
        let reference = Reference::of(pool);
        let names = Names::of(pool);
        let mut columns = vec![Vec::with_capacity(settings.chains * settings.draws); names.0.len()];
        for draw in chains.iter().flat_map(Chain::draws) {
            let effects = posterior.effects(draw);
            let hazards = reference.log_hazards(pool, effects);
            let values = in_order(effects).chain(hazards);
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(value);
            }
        }
        let diagnoses = diagnosed(&columns, settings.draws);
        let health = health(&names, &diagnoses, &chains, settings);
        let hazards = columns.split_off(columns.len() - pool.tasks.len());
        let one = |at: usize, name: &str| estimate(name.to_owned(), &columns[at], diagnoses[at]);
        let some = |from: usize, names: &[String]| -> Vec<Estimate> {
            names.iter().enumerate().map(|(at, name)| one(from + at, name)).collect()
        };
        let agents_at = 2 + Family::ALL.len();
        let sites_at = agents_at + pool.agents.len();
        let bins_at = sites_at + pool.sites.len() + pool.templates.len() + pool.categories.len();
        let middle = |draws: &Vec<f64>| success(quantile(draws, 0.5).unwrap_or(f64::NAN));
        Self {
            intercept: one(0, "intercept"),
            exhausted: one(1, "exhausted"),
            scales: some(2, &Family::ALL.map(|family| family.name().to_owned())),
            agents: some(agents_at, &pool.agents),
            sites: some(sites_at, &pool.sites),
            bins: some(bins_at, &StepBins::of_budget(pool.budget).labels()),
            reference_steps: reference.steps,
            health,
            successes: hazards.iter().map(middle).collect(),
            hazards,
        }
    }

    /// Median reference success of each task.
    pub fn reference_successes(&self) -> &[f64] {
        &self.successes
    }

    /// Equation 4: for each task, the probability that an average agent's success is at most `threshold`.
    pub fn hardness(&self, threshold: f64) -> Vec<f64> {
        let edge = log_hazard(threshold);
        self.hazards
            .iter()
            .map(|draws| draws.iter().filter(|&&hazard| hazard <= edge).count() as f64 / draws.len() as f64)
            .collect()
    }

    /// The medians of the scales, by family.
    pub(super) fn typical_scales(&self) -> [f64; 4] {
        std::array::from_fn(|family| self.scales[family].median)
    }
}

/// All effects in one order, which [`Names`] follows.
fn in_order(effects: &Effects) -> impl Iterator<Item = f64> {
    [effects.intercept, effects.exhausted]
        .into_iter()
        .chain(effects.scales)
        .chain(effects.agents.iter().copied())
        .chain(effects.groups.iter().flatten().copied())
        .chain(effects.tasks.iter().copied())
}

struct Names(Vec<String>);

impl Names {
    fn of(pool: &Pool) -> Self {
        let bins = StepBins::of_budget(pool.budget);
        let mut names = vec!["intercept".to_owned(), "exhausted".to_owned()];
        names.extend(Family::ALL.map(|family| format!("scale of {} effects", family.name())));
        names.extend(pool.agents.iter().map(|agent| format!("agent {agent}")));
        names.extend(pool.sites.iter().map(|site| format!("site {site}")));
        names.extend(pool.templates.iter().map(|template| format!("template {template}")));
        names.extend(
            pool.categories
                .iter()
                .map(|(site, category)| format!("category {}/{category}", pool.sites[*site])),
        );
        names.extend(bins.labels().iter().map(|label| format!("steps {label}")));
        names.extend(pool.tasks.iter().map(|task| format!("difficulty of task {}", task.name)));
        names.extend(pool.tasks.iter().map(|task| format!("reference success of task {}", task.name)));
        Self(names)
    }
}

/// On all processors: with the ranks it takes as long as some of the sampling.
fn diagnosed(columns: &[Vec<f64>], draws: usize) -> Vec<Option<Diagnosis>> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let share = columns.len().div_ceil(workers).max(1);
    let one = |column: &Vec<f64>| {
        let chains: Vec<Vec<f64>> = column.chunks(draws.max(1)).map(<[f64]>::to_vec).collect();
        Diagnosis::of(&chains)
    };
    thread::scope(|scope| {
        let handles: Vec<_> = columns
            .chunks(share)
            .map(|columns| scope.spawn(move || columns.iter().map(one).collect::<Vec<_>>()))
            .collect();
        let joined = handles.into_iter().map(thread::ScopedJoinHandle::join);
        joined.flat_map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

fn health(
    names: &Names,
    diagnoses: &[Option<Diagnosis>],
    chains: &[Chain],
    settings: NutsSettings,
) -> Health {
    // Smallest first; a number that is none counts as worst.
    let worst = |badness: fn(&Diagnosis) -> f64| {
        let known =
            diagnoses.iter().zip(&names.0).filter_map(|(found, name)| Some((badness(found.as_ref()?), name)));
        known
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map_or((f64::NAN, String::new()), |(bad, name)| (bad, name.clone()))
    };
    let (r_hat, r_hat_of) = worst(|found| found.r_hat);
    let (ess_bulk, ess_bulk_of) = worst(|found| -found.ess_bulk);
    let (ess_tail, ess_tail_of) = worst(|found| -found.ess_tail);
    Health {
        chains: settings.chains,
        draws: settings.draws,
        warmup: settings.warmup,
        r_hat,
        r_hat_of,
        ess_bulk: -ess_bulk,
        ess_bulk_of,
        ess_tail: -ess_tail,
        ess_tail_of,
        diagnosed: diagnoses.iter().flatten().count(),
        divergences: chains.iter().map(|chain| chain.divergences).sum(),
        too_long: chains.iter().map(|chain| chain.too_long).sum(),
        step_sizes: chains.iter().map(|chain| chain.step_size).collect(),
        evaluations: chains.iter().map(|chain| chain.evaluations).sum(),
    }
}

fn estimate(name: String, draws: &[f64], diagnosis: Option<Diagnosis>) -> Estimate {
    let mut sorted = draws.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = |q| crate::quantile::of_sorted(&sorted, q);
    let mean = draws.iter().sum::<f64>() / draws.len() as f64;
    let variance = draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum::<f64>() / draws.len() as f64;
    Estimate {
        name,
        median: at(0.5),
        interval: Interval { low: at(0.025), high: at(0.975) },
        spread: variance.sqrt(),
        diagnosis,
    }
}
