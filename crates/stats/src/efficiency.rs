//! What success cost: steps against somebody who did it right, time, tokens, money; and whether "cannot be done" was said
//! after looking.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AttemptRow, Mean, median};

/// One agent's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// Steps over reference steps on attempts that passed (Online-Mind2Web, eq. 2); lower is better.
    pub ratio: Option<Mean>,
    /// Passed, but steps or reference are unknown.
    pub without_reference: usize,
    pub steps_on_success: Option<Mean>,
    pub steps_on_failure: Option<Mean>,
    pub seconds: Option<f64>,
    pub tokens: Option<u64>,
    /// What is known of it; `usd_unknown` attempts spent an amount that nobody knows.
    pub usd: Option<f64>,
    pub usd_unknown: usize,
    pub usd_per_success: Option<f64>,
}

impl Efficiency {
    /// Attempts that the harness lost say nothing about the agent's steps, but what they spent was spent.
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r AttemptRow>) -> Self {
        let rows: Vec<&AttemptRow> = rows.into_iter().collect();
        let passed = || rows.iter().filter(|row| row.passed());
        let ratios: Vec<f64> = passed().filter_map(|row| ratio(row)).collect();
        let steps = |passed: bool| {
            let own = rows.iter().filter(|row| row.is_judged() && row.passed() == passed);
            Mean::of(&own.filter_map(|row| row.steps.map(f64::from)).collect::<Vec<_>>())
        };
        let known = |row: &&&AttemptRow| row.usd.is_some();
        let usd =
            rows.iter().any(|row| known(&row)).then(|| rows.iter().filter_map(|row| row.usd).sum::<f64>());
        let usd_unknown =
            rows.iter().filter(|row| row.usd.is_none() && row.tokens.is_some_and(|t| t > 0)).count();
        let successes = passed().count();
        Self {
            without_reference: successes - ratios.len(),
            ratio: Mean::of(&ratios),
            steps_on_success: steps(true),
            steps_on_failure: steps(false),
            seconds: sum(rows.iter().map(|row| row.seconds)),
            tokens: sum(rows.iter().map(|row| row.tokens)),
            usd,
            usd_unknown,
            usd_per_success: usd
                .filter(|_| successes > 0 && usd_unknown == 0)
                .map(|usd| usd / successes as f64),
        }
    }
}

fn ratio(row: &AttemptRow) -> Option<f64> {
    let reference = row.reference_steps.filter(|steps| *steps > 0)?;
    Some(f64::from(row.steps?) / f64::from(reference))
}

/// None if nothing is known.
fn sum<T: std::iter::Sum>(values: impl Iterator<Item = Option<T>>) -> Option<T> {
    let mut known = values.flatten().peekable();
    known.peek().is_some().then(|| known.sum())
}

/// A task that cannot be done, rightly called so: had the agent looked?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adequacy {
    pub agent: String,
    pub instance: String,
    pub trial: u32,
    /// Steps over the site's median on tasks that can be done and were (R of the verified WebArena).
    pub normalised_steps: f64,
    pub adequate: bool,
}

/// Below this share of a site's usual steps, "it cannot be done" is no finding.
pub const ADEQUATE_FROM: f64 = 0.5;

/// Attempts rightly called impossible, with how far they went; those on a site without a success have no yardstick and
/// are left out. The median of a site is over all agents.
pub fn adequacy(rows: &[AttemptRow], from: f64) -> Vec<Adequacy> {
    let mut usual: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.passed() && !row.impossible) {
        usual.entry(&row.site).or_default().extend(row.steps.map(f64::from));
    }
    let usual: BTreeMap<&str, f64> = usual
        .into_iter()
        .filter_map(|(site, steps)| Some((site, median(&steps).filter(|median| *median > 0.0)?)))
        .collect();
    let credited = rows.iter().filter(|row| row.passed() && row.impossible);
    credited
        .filter_map(|row| {
            let normalised_steps = f64::from(row.steps?) / usual.get(row.site.as_str())?;
            Some(Adequacy {
                agent: row.agent.clone(),
                instance: row.instance.clone(),
                trial: row.trial,
                normalised_steps,
                adequate: normalised_steps >= from,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use umpire_model::Outcome;

    use super::*;

    fn row(outcome: Outcome, steps: u32, reference: Option<u32>) -> AttemptRow {
        AttemptRow {
            site: "shop".to_owned(),
            outcome: Some(outcome),
            steps: Some(steps),
            reference_steps: reference,
            ..AttemptRow::default()
        }
    }

    #[test]
    fn only_successes_are_held_against_the_reference() {
        let rows = [
            row(Outcome::Pass, 6, Some(3)),
            row(Outcome::Pass, 3, Some(3)),
            row(Outcome::Pass, 5, None),
            row(Outcome::Fail, 20, Some(2)),
            row(Outcome::Infra, 1, Some(2)),
        ];
        let found = Efficiency::of(&rows);
        assert_eq!(found.ratio.map(|mean| (mean.value, mean.units)), Some((1.5, 2)));
        assert_eq!(found.without_reference, 1);
        assert_eq!(
            found.steps_on_failure.map(|mean| mean.value),
            Some(20.0),
            "a lost attempt is nobody's failure"
        );
        assert_eq!((found.tokens, found.usd, found.usd_per_success), (None, None, None));
    }

    #[test]
    fn unknown_money_is_not_none_at_all() {
        let spent = |tokens: u64, usd: Option<f64>| AttemptRow {
            tokens: Some(tokens),
            usd,
            ..row(Outcome::Pass, 2, None)
        };
        let all = Efficiency::of(&[spent(10, Some(0.5)), spent(10, Some(1.5))]);
        assert_eq!((all.usd, all.usd_unknown, all.usd_per_success), (Some(2.0), 0, Some(1.0)));
        let some = Efficiency::of(&[spent(10, Some(0.5)), spent(10, None)]);
        assert_eq!((some.usd, some.usd_unknown, some.usd_per_success), (Some(0.5), 1, None));
    }

    #[test]
    fn nothing_found_after_one_look_is_not_adequate() {
        let impossible = |steps| AttemptRow { impossible: true, ..row(Outcome::Pass, steps, None) };
        let rows = [
            row(Outcome::Pass, 4, None),
            row(Outcome::Pass, 6, None),
            row(Outcome::Pass, 8, None),
            row(Outcome::Fail, 90, None),
            impossible(2),
            impossible(3),
        ];
        let found: Vec<(f64, bool)> =
            adequacy(&rows, ADEQUATE_FROM).iter().map(|one| (one.normalised_steps, one.adequate)).collect();
        assert_eq!(found, [(2.0 / 6.0, false), (0.5, true)]);
        assert_eq!(adequacy(&rows[4..], ADEQUATE_FROM), [], "no success to compare with");
    }
}
