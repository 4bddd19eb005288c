//! How hard a task is: what an average agent would make of it in the usual number of steps of its site.

use super::attempts::Pool;
use super::elementary::functions::{exp, exp_m1, ln};
use super::layout::Family;
use super::posterior::Effects;
use super::steps::{StepBins, reference_steps};

/// Equation 3: the point at which the tasks of each site are compared.
#[derive(Clone, Debug)]
pub struct Reference {
    /// By site.
    pub steps: Vec<f64>,
    bins: Vec<usize>,
}

impl Reference {
    pub fn of(pool: &Pool) -> Self {
        let steps = reference_steps(pool);
        let bins = StepBins::of_budget(pool.budget);
        Self { bins: steps.iter().map(|&steps| bins.bin(steps)).collect(), steps }
    }

    /// The logarithm of the cumulative hazard of an agent with effect 0 that is not out of steps, for every task.
    pub fn log_hazards(&self, pool: &Pool, effects: &Effects) -> Vec<f64> {
        let group = |family: Family, at: usize| effects.groups[family as usize][at];
        let of_site: Vec<f64> = (0..pool.sites.len())
            .map(|site| {
                ln(1.0 + self.steps[site])
                    + effects.intercept
                    + group(Family::Site, site)
                    + group(Family::Bin, self.bins[site])
            })
            .collect();
        pool.tasks
            .iter()
            .zip(&effects.tasks)
            .map(|(task, difficulty)| {
                of_site[task.site] - difficulty
                    + group(Family::Template, task.template)
                    + group(Family::Category, task.category)
            })
            .collect()
    }
}

/// The probability of success with this log hazard.
pub fn success(log_hazard: f64) -> f64 {
    -exp_m1(-exp(log_hazard))
}

/// The log hazard at which success has this probability.
pub fn log_hazard(success: f64) -> f64 {
    (-(-success).ln_1p()).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hazards_and_probabilities_are_two_ways_to_say_the_same() {
        for p in [0.001, 0.2, 0.5, 0.85, 0.999] {
            assert!((success(log_hazard(p)) - p).abs() < 1e-12);
        }
    }
}
