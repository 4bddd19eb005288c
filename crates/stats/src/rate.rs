use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use umpire_model::Outcome;

use crate::{Interval, wilson};

/// Attempts by outcome, and those that have none yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Outcomes that occurred; one that did not is absent.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// Planned, but not finished and judged.
    pub open: usize,
}

impl Tally {
    /// Counts planned attempts; `None` is one without an outcome yet.
    pub fn of(outcomes: impl IntoIterator<Item = Option<Outcome>>) -> Self {
        let mut tally = Self::default();
        for outcome in outcomes {
            match outcome {
                Some(outcome) => *tally.outcomes.entry(outcome).or_default() += 1,
                None => tally.open += 1,
            }
        }
        tally
    }

    pub fn count(&self, outcome: Outcome) -> usize {
        self.outcomes.get(&outcome).copied().unwrap_or(0)
    }

    pub fn planned(&self) -> usize {
        self.outcomes.values().sum::<usize>() + self.open
    }

    pub fn rate(&self) -> Rate {
        let (passed, planned) = (self.count(Outcome::Pass), self.planned());
        let unknown = self.count(Outcome::Infra) + self.open;
        let share = |count: usize| if planned == 0 { 0.0 } else { count as f64 / planned as f64 };
        Rate {
            passed,
            planned,
            interval: wilson(passed, planned),
            infra_low: share(passed),
            infra_high: if planned == 0 { 1.0 } else { share(passed + unknown) },
        }
    }
}

/// A success rate with what it needs in order to be read.
///
/// The denominator is every planned attempt: one that the harness lost, or that has not run, is not a success.
/// `infra_low` and `infra_high` say what the rate would be if all of those had failed, or all had passed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    pub passed: usize,
    pub planned: usize,
    /// Wilson, 95 %, of `passed` in `planned`.
    pub interval: Interval,
    pub infra_low: f64,
    pub infra_high: f64,
}

impl Rate {
    /// The headline; none if nothing was planned.
    pub fn value(&self) -> Option<f64> {
        (self.planned > 0).then(|| self.passed as f64 / self.planned as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headline_counts_every_planned_attempt() {
        let outcomes = [
            Some(Outcome::Pass),
            Some(Outcome::Pass),
            Some(Outcome::Fail),
            Some(Outcome::Timeout),
            Some(Outcome::Invalid),
            Some(Outcome::Infra),
            Some(Outcome::Infra),
            None,
        ];
        let tally = Tally::of(outcomes);
        let rate = tally.rate();
        assert_eq!((rate.passed, rate.planned), (2, 8));
        assert_eq!(rate.value(), Some(0.25));
        assert_eq!((rate.infra_low, rate.infra_high), (0.25, 5.0 / 8.0));
        assert_eq!((tally.count(Outcome::Infra), tally.count(Outcome::Budget), tally.open), (2, 0, 1));
    }

    #[test]
    fn nothing_planned_is_no_rate() {
        let rate = Tally::default().rate();
        assert_eq!(rate.value(), None);
        assert_eq!((rate.infra_low, rate.infra_high), (0.0, 1.0));
    }

    #[test]
    fn a_tally_is_readable_json() {
        let tally = Tally::of([Some(Outcome::Pass), None]);
        let json = serde_json::to_string(&tally).expect("plain data");
        assert_eq!(json, r#"{"outcomes":{"pass":1},"open":1}"#);
        assert_eq!(serde_json::from_str::<Tally>(&json).expect("our own"), tally);
    }
}
