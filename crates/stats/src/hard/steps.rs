//! Steps as the model sees them: in bins, and the number at which tasks of a site are compared.

use super::attempts::Pool;
use crate::quantile;

/// Equal bins up to the budget; the paper leaves their edges open.
const BINS: usize = 6;
/// With fewer successes their median is not trusted.
const ENOUGH_SUCCESSES: usize = 30;

/// The bins of a budget: `(0, w]`, `(w, 2w]`, …
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepBins {
    width: f64,
    count: usize,
}

impl StepBins {
    pub fn of_budget(budget: u32) -> Self {
        let count = BINS.min(budget as usize).max(1);
        Self { width: f64::from(budget) / count as f64, count }
    }

    pub fn count(self) -> usize {
        self.count
    }

    /// Which steps are in each bin, e.g. `6–10`.
    pub fn labels(self) -> Vec<String> {
        let edge = |bin: usize| (self.width * bin as f64).floor();
        (0..self.count).map(|bin| format!("{}–{}", edge(bin) + 1.0, edge(bin + 1))).collect()
    }

    pub fn bin(self, steps: f64) -> usize {
        ((steps / self.width).ceil() as usize).clamp(1, self.count) - 1
    }
}

/// The steps at which tasks of each site are compared: the median of its successes, or the 60th percentile of all its
/// attempts where successes are few; not above the 95th percentile of all, and at least 1.
pub fn reference_steps(pool: &Pool) -> Vec<f64> {
    let of_site = |site: usize, only_successes: bool| -> Vec<f64> {
        pool.rows
            .iter()
            .filter(|row| pool.tasks[row.task].site == site && (row.success || !only_successes))
            .map(|row| f64::from(row.steps))
            .collect()
    };
    (0..pool.sites.len())
        .map(|site| {
            let (all, successes) = (of_site(site, false), of_site(site, true));
            let typical = if successes.len() >= ENOUGH_SUCCESSES {
                quantile(&successes, 0.5)
            } else {
                quantile(&all, 0.6)
            };
            let most = quantile(&all, 0.95).unwrap_or(1.0);
            typical.unwrap_or(1.0).min(most).max(1.0)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::attempts::{Attempt, PoolSettings};
    use super::*;

    #[test]
    fn every_step_has_a_bin() {
        let bins = StepBins::of_budget(30);
        let edges: Vec<usize> = [1.0, 5.0, 5.5, 6.0, 25.0, 26.0, 30.0].map(|steps| bins.bin(steps)).to_vec();
        assert_eq!(edges, [0, 0, 1, 1, 4, 5, 5]);
        assert_eq!(bins.labels(), ["1–5", "6–10", "11–15", "16–20", "21–25", "26–30"]);
        assert_eq!(StepBins::of_budget(3).count(), 3);
        assert_eq!(StepBins::of_budget(1).bin(1.0), 0);
    }

    #[test]
    fn the_median_of_successes_or_what_most_attempts_took() {
        let attempts: Vec<Attempt> = (0..140_u32)
            .map(|i| Attempt {
                agent: format!("agent {}", i % 2),
                task: format!("task {}", i / 2),
                sites: vec![if i < 100 { "many".to_owned() } else { "few".to_owned() }],
                template: String::new(),
                category: String::new(),
                // Successes take 4 or 5 steps on the one site, and 1 on the other, where there are only 10 of them.
                steps: match (i < 100, i % 4 == 0) {
                    (true, true) => {
                        if i % 8 == 0 {
                            4
                        } else {
                            5
                        }
                    }
                    (false, true) => 1,
                    _ => 20,
                },
                success: i % 4 == 0 || i == 1,
                exhausted: None,
            })
            .collect();
        let pool = Pool::new(&attempts, &PoolSettings::default()).expect("a pool");
        assert_eq!(pool.sites, ["few", "many"]);
        // 26 successes on the one with 100 attempts are too few as well.
        assert_eq!(reference_steps(&pool), [20.0, 20.0]);
        let more: Vec<Attempt> = (0..8)
            .map(|i| Attempt {
                agent: "agent 3".to_owned(),
                task: format!("task {i}"),
                steps: 4,
                success: true,
                ..attempts[0].clone()
            })
            .collect();
        let pool = Pool::new(&[attempts, more].concat(), &PoolSettings::default()).expect("a pool");
        assert_eq!(reference_steps(&pool), [20.0, 4.0]);
    }
}
