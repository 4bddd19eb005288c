//! How much of a subset is owed to the agents that happened to be there.

use std::thread;

use serde::Serialize;
use umpire_model::Random;

use super::attempts::{Pool, Row};
use super::fit::Fit;
use super::hardness::{Reference, success};
use super::mode::mode;
use super::nuts::{Density as _, NutsSettings};
use super::posterior::Posterior;
use super::select::{Policy, Scores, overlap, select};
use super::validate::tau_between;
use crate::Bootstrap;
use crate::{Interval, quantile};

/// Subsets selected anew from agents drawn with replacement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stability {
    /// Mean overlap with the subset that the same quick rule selects from all agents: tasks in both over tasks in either.
    pub overlap: f64,
    /// 95 % of the replicates.
    pub interval: Interval,
    /// Tasks of the subset that are in at least 80 % of the replicates.
    pub steady: usize,
    pub subset: usize,
    pub replicates: usize,
    /// Replicates left out because their fit did not settle, or drew too few agents.
    pub unsettled: usize,
}

/// The subset without one of the agents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftOut {
    pub agent: String,
    /// With the subset from all agents.
    pub overlap: f64,
    /// Between the rankings that the two subsets give of all agents, the one left out included.
    pub tau: Option<f64>,
    pub r_hat: f64,
    pub divergences: usize,
}

/// Each replicate draws agents with replacement, finds the most probable effects with the fit's median scales, and selects
/// by reference success. Attempts of one agent stay together, because what an agent is good at is what differs.
pub fn stability(pool: &Pool, fit: &Fit, policy: Policy, settings: Bootstrap) -> Option<Stability> {
    let scales = fit.typical_scales();
    let original = quick_subset(pool, scales, policy, None)?;
    let mut random = Random::stream(settings.seed, "stability");
    let agents = pool.agents.len();
    let drawn: Vec<Vec<usize>> =
        (0..settings.draws).map(|_| (0..agents).map(|_| random.below(agents)).collect()).collect();
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let selected: Vec<Option<Vec<usize>>> = thread::scope(|scope| {
        let handles: Vec<_> = drawn
            .chunks(drawn.len().div_ceil(workers).max(1))
            .map(|part| {
                scope.spawn(move || {
                    let one = |drawn: &Vec<usize>| {
                        quick_subset(&resampled(pool, drawn), scales, policy, Some(pool))
                    };
                    part.iter().map(one).collect::<Vec<_>>()
                })
            })
            .collect();
        let joined = handles.into_iter().map(thread::ScopedJoinHandle::join);
        joined.flat_map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let settled: Vec<Vec<usize>> = selected.into_iter().flatten().collect();
    let overlaps: Vec<f64> = settled.iter().map(|subset| overlap(subset, &original)).collect();
    let steady = original
        .iter()
        .filter(|task| 5 * settled.iter().filter(|subset| subset.contains(task)).count() >= 4 * settled.len())
        .count();
    Some(Stability {
        overlap: overlaps.iter().sum::<f64>() / overlaps.len() as f64,
        interval: Interval { low: quantile(&overlaps, 0.025)?, high: quantile(&overlaps, 0.975)? },
        steady,
        subset: original.len(),
        replicates: settled.len(),
        unsettled: settings.draws - settled.len(),
    })
}

/// Every copy of an agent that was drawn more than once is an agent of its own.
fn resampled(pool: &Pool, drawn: &[usize]) -> Pool {
    let names =
        drawn.iter().enumerate().map(|(copy, &agent)| format!("{} {copy}", pool.agents[agent])).collect();
    let rows = drawn.iter().enumerate().flat_map(|(copy, &agent)| {
        pool.rows.iter().filter(move |row| row.agent == agent).map(move |row| Row { agent: copy, ..*row })
    });
    pool.with_rows(names, rows.collect())
}

/// `eligible` is the pool that says which tasks enough agents attempted, where it is not the one fitted.
fn quick_subset(
    pool: &Pool,
    scales: [f64; 4],
    policy: Policy,
    eligible: Option<&Pool>,
) -> Option<Vec<usize>> {
    let success = quick_successes(pool, scales)?;
    // One order, so that the hardest are those with the least success.
    let hardness = success.iter().map(|success| 1.0 - success).collect();
    Some(select(eligible.unwrap_or(pool), &Scores { hardness, success }, policy).tasks)
}

/// Reference successes at the most probable effects with these scales.
pub(super) fn quick_successes(pool: &Pool, scales: [f64; 4]) -> Option<Vec<f64>> {
    let mut posterior = Posterior::of(pool).with_scales(scales);
    let start = vec![0.0; posterior.parameters()];
    let top = mode(&mut posterior, &start)?;
    let hazards = Reference::of(pool).log_hazards(pool, posterior.effects(&top));
    Some(hazards.into_iter().map(success).collect())
}

/// Fits and selects again without each agent in turn: a fixed subset ranks the other agents the same whoever is left out,
/// so only a new one tells anything.
pub fn leave_one_out(pool: &Pool, subset: &[usize], policy: Policy, settings: NutsSettings) -> Vec<LeftOut> {
    if pool.agents.len() < 3 {
        return Vec::new();
    }
    (0..pool.agents.len())
        .map(|agent| {
            let without = pool.without_agent(agent);
            let fit = Fit::of(&without, settings);
            let needed = policy.agents.min(without.agents.len());
            let selection =
                select(&without, &Scores::of(&fit, policy.hard), Policy { agents: needed, ..policy });
            LeftOut {
                agent: pool.agents[agent].clone(),
                overlap: overlap(&selection.tasks, subset),
                tau: tau_between(pool, &selection.tasks, subset),
                r_hat: fit.health.r_hat,
                divergences: fit.health.divergences,
            }
        })
        .collect()
}
