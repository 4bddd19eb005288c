//! Whether what worked once works again: pass@k, pass^k, and instances that pass on some trials only.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AttemptRow, Mean};

/// Success over `k` trials of the same instance, as WebSP-Eval defines it, without bias for any number of trials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    pub k: usize,
    /// Passes at least once in `k` trials (pass@k); intervals over instances.
    pub once: Mean,
    /// Passes every one of `k` trials (pass^k).
    pub always: Mean,
}

/// How one agent's instances behaved over their trials.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reliabilities {
    /// From 1 to the largest number of trials that any instance has; an instance with fewer than `k` is not in `k`.
    pub curve: Vec<Reliability>,
    pub always_passed: usize,
    pub never_passed: usize,
    /// Passed on some trials and failed on others.
    pub flaky: Vec<String>,
}

impl Reliabilities {
    /// Of one agent's rows. A trial that the harness lost is no success.
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r AttemptRow>) -> Self {
        let mut instances: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for row in rows {
            let (passed, trials) = instances.entry(&row.instance).or_default();
            *passed += usize::from(row.passed());
            *trials += 1;
        }
        let most = instances.values().map(|(_, trials)| *trials).max().unwrap_or(0);
        let curve = (1..=most).filter_map(|k| {
            let tried = || instances.values().filter(move |(_, trials)| *trials >= k);
            let once: Vec<f64> = tried().map(|&(c, n)| 1.0 - chosen(n - c, n, k)).collect();
            let always: Vec<f64> = tried().map(|&(c, n)| chosen(c, n, k)).collect();
            Some(Reliability { k, once: Mean::of(&once)?, always: Mean::of(&always)? })
        });
        let repeated = || instances.iter().filter(|(_, (_, trials))| *trials > 1);
        Self {
            curve: curve.collect(),
            always_passed: repeated().filter(|(_, (c, n))| c == n).count(),
            never_passed: repeated().filter(|(_, (c, _))| *c == 0).count(),
            flaky: repeated()
                .filter(|(_, (c, n))| (1..*n).contains(c))
                .map(|(id, _)| (*id).to_owned())
                .collect(),
        }
    }
}

/// The share of all choices of `k` of `n` that lie within `c` of them: C(c, k) / C(n, k).
fn chosen(c: usize, n: usize, k: usize) -> f64 {
    (0..k).map(|i| c.saturating_sub(i) as f64 / (n - i) as f64).product()
}

#[cfg(test)]
mod tests {
    use umpire_model::Outcome;

    use super::*;

    fn trials(instance: &str, passed: &[bool]) -> Vec<AttemptRow> {
        let outcome = |passed| Some(if passed { Outcome::Pass } else { Outcome::Fail });
        let row = |&passed: &bool| AttemptRow {
            instance: instance.to_owned(),
            outcome: outcome(passed),
            ..AttemptRow::default()
        };
        passed.iter().map(row).collect()
    }

    #[test]
    fn pass_at_k_and_pass_hat_k_by_hand() {
        // c = 2 of n = 3: pass@2 = 1 − C(1,2)/C(3,2) = 1, pass^2 = C(2,2)/C(3,2) = 1/3, pass^3 = 0.
        // c = 1 of n = 3: pass@2 = 1 − C(2,2)/C(3,2) = 2/3, pass^2 = 0.
        let rows = [trials("a", &[true, true, false]), trials("b", &[false, true, false])].concat();
        let found = Reliabilities::of(&rows);
        let values: Vec<(f64, f64)> = found.curve.iter().map(|r| (r.once.value, r.always.value)).collect();
        for (got, wanted) in values.iter().zip([(0.5, 0.5), (5.0 / 6.0, 1.0 / 6.0), (1.0, 0.0)]) {
            assert!((got.0 - wanted.0).abs() < 1e-12 && (got.1 - wanted.1).abs() < 1e-12, "{values:?}");
        }
        assert_eq!(found.flaky, ["a", "b"]);
    }

    #[test]
    fn an_instance_with_too_few_trials_is_left_out_of_larger_k() {
        let rows = [trials("a", &[true, true]), trials("b", &[false])].concat();
        let found = Reliabilities::of(&rows);
        assert_eq!((found.curve[0].once.units, found.curve[1].once.units), (2, 1));
        assert_eq!((found.always_passed, found.never_passed, found.flaky.len()), (1, 0, 0));
        assert_eq!(Reliabilities::of(&[]), Reliabilities::default());
    }
}
