//! Whether a subset still says about agents what the whole pool says.

use std::collections::BTreeSet;

use serde::Serialize;
use umpire_model::Random;

use super::attempts::Pool;
use crate::Bootstrap;
use crate::agreement::kendall_tau_b;
use crate::{Interval, quantile};

/// The paper's conditions for calling a subset stable.
pub const LEAST_TAU: f64 = 0.90;
pub const MOST_DRIFT: f64 = 0.06;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// Success rate of each agent over its attempts in the pool, and in the subset; none without an attempt.
    pub agents: Vec<AgentRates>,
    /// Kendall's τ-b between the two rankings of agents.
    pub tau: Option<Checked>,
    /// Mean absolute difference between the two rates.
    pub drift: Option<Checked>,
    pub replicates: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentRates {
    pub agent: String,
    pub pool: Option<f64>,
    pub subset: Option<f64>,
}

/// A figure with what resampling makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Checked {
    pub value: f64,
    /// 95 % of the replicates; none if half of them or more had no value.
    pub interval: Option<Interval>,
    pub threshold: f64,
    /// Share of replicates that meet the threshold.
    pub met: f64,
}

/// Draws whole templates with replacement: tasks of one template are alike.
pub fn validate(pool: &Pool, subset: &[usize], settings: Bootstrap) -> Validation {
    let subset: BTreeSet<usize> = subset.iter().copied().collect();
    let mut of_template = vec![Tallies::new(pool.agents.len()); pool.templates.len()];
    for row in &pool.rows {
        let template = pool.tasks[row.task].template;
        of_template[template].add(row.agent, row.success, subset.contains(&row.task));
    }
    let mut all = Tallies::new(pool.agents.len());
    for template in &of_template {
        all.join(template);
    }
    let mut random = Random::stream(settings.seed, "validation");
    let replicates: Vec<Tallies> = (0..settings.draws)
        .map(|_| {
            let mut drawn = Tallies::new(pool.agents.len());
            for _ in 0..of_template.len() {
                drawn.join(&of_template[random.below(of_template.len())]);
            }
            drawn
        })
        .collect();
    let checked = |figure: fn(&Tallies) -> Option<f64>, threshold: f64, meets: fn(f64, f64) -> bool| {
        let values: Vec<f64> = replicates.iter().filter_map(figure).collect();
        let enough = 2 * values.len() > settings.draws;
        let ends = enough.then(|| quantile(&values, 0.025).zip(quantile(&values, 0.975))).flatten();
        let met = values.iter().filter(|&&value| meets(value, threshold)).count();
        Some(Checked {
            value: figure(&all)?,
            interval: ends.map(|(low, high)| Interval { low, high }),
            threshold,
            met: if values.is_empty() { 0.0 } else { met as f64 / values.len() as f64 },
        })
    };
    let agents = pool.agents.iter().enumerate();
    Validation {
        agents: agents
            .map(|(at, agent)| AgentRates {
                agent: agent.clone(),
                pool: rate(all.pool[at]),
                subset: rate(all.subset[at]),
            })
            .collect(),
        tau: checked(Tallies::tau, LEAST_TAU, |value, least| value >= least - 1e-12),
        drift: checked(Tallies::drift, MOST_DRIFT, |value, most| value <= most),
        replicates: settings.draws,
    }
}

/// Successes and attempts of each agent.
#[derive(Clone)]
struct Tallies {
    pool: Vec<(f64, f64)>,
    subset: Vec<(f64, f64)>,
}

impl Tallies {
    fn new(agents: usize) -> Self {
        Self { pool: vec![(0.0, 0.0); agents], subset: vec![(0.0, 0.0); agents] }
    }

    fn add(&mut self, agent: usize, success: bool, in_subset: bool) {
        let success = f64::from(u8::from(success));
        for tally in
            [Some(&mut self.pool[agent]), in_subset.then_some(&mut self.subset[agent])].into_iter().flatten()
        {
            *tally = (tally.0 + success, tally.1 + 1.0);
        }
    }

    fn join(&mut self, other: &Self) {
        let sides = [(&mut self.pool, &other.pool), (&mut self.subset, &other.subset)];
        for (mine, theirs) in sides {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
            }
        }
    }

    /// Rates of the agents that have attempts on both sides.
    fn rates(&self) -> (Vec<f64>, Vec<f64>) {
        self.pool.iter().zip(&self.subset).filter_map(|(a, b)| rate(*a).zip(rate(*b))).unzip()
    }

    fn tau(&self) -> Option<f64> {
        let (pool, subset) = self.rates();
        kendall_tau_b(&pool, &subset)
    }

    fn drift(&self) -> Option<f64> {
        let (pool, subset) = self.rates();
        let differences = pool.iter().zip(&subset).map(|(a, b)| (a - b).abs());
        (!pool.is_empty()).then(|| differences.sum::<f64>() / pool.len() as f64)
    }
}

fn rate((successes, attempts): (f64, f64)) -> Option<f64> {
    (attempts > 0.0).then(|| successes / attempts)
}

/// Kendall's τ-b between the agents' rates in two subsets of one pool.
pub(super) fn tau_between(pool: &Pool, first: &[usize], second: &[usize]) -> Option<f64> {
    let rates = |subset: &[usize]| {
        let mut tallies = Tallies::new(pool.agents.len());
        for row in &pool.rows {
            tallies.add(row.agent, row.success, subset.contains(&row.task));
        }
        tallies.subset.into_iter().map(rate).collect::<Option<Vec<f64>>>()
    };
    kendall_tau_b(&rates(first)?, &rates(second)?)
}

#[cfg(test)]
mod tests {
    use super::super::attempts::{Attempt, PoolSettings};
    use super::*;

    /// Three agents that succeed at the first 2, 4 and 6 of 8 tasks, each of a template of its own.
    fn pool() -> Pool {
        let attempts: Vec<Attempt> = (0..24_usize)
            .map(|i| Attempt {
                agent: format!("agent {}", i % 3),
                task: format!("{}", i / 3),
                sites: vec!["shop".to_owned()],
                template: format!("{}", i / 3),
                category: "all".to_owned(),
                steps: 5,
                success: i / 3 < 2 * (i % 3 + 1),
                exhausted: None,
            })
            .collect();
        Pool::new(&attempts, &PoolSettings::default()).expect("a pool")
    }

    #[test]
    fn figures_worked_by_hand() {
        let pool = pool();
        let settings = Bootstrap { draws: 400, seed: 1 };
        // Tasks 2 to 7: rates 0, 2/6, 4/6 instead of 2/8, 4/8, 6/8; the order stays.
        let validation = validate(&pool, &[2, 3, 4, 5, 6, 7], settings);
        assert_eq!(validation.agents[2].pool, Some(0.75));
        let (tau, drift) = (validation.tau.expect("τ"), validation.drift.expect("drift"));
        assert!((tau.value - 1.0).abs() < 1e-12);
        assert!((drift.value - (0.25 + 1.0 / 6.0 + 1.0 / 12.0) / 3.0).abs() < 1e-12);
        assert!(
            drift.met < 0.5 && drift.interval.is_some_and(|i| i.low < drift.value && drift.value < i.high)
        );
        // The whole pool as its own subset drifts in no replicate.
        let whole = validate(&pool, &(0..8).collect::<Vec<_>>(), settings);
        assert_eq!(whole.drift.map(|drift| (drift.value, drift.met)), Some((0.0, 1.0)));
        // Tasks that all fail at do not rank anybody.
        assert_eq!(validate(&pool, &[6, 7], settings).tau, None);
        assert_eq!(validate(&pool, &[], settings).drift, None);
    }
}
