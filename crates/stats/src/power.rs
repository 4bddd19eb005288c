//! How much more would have to be run to tell two agents apart, if the difference is what it seems to be.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::interval::Z_95;
use crate::macro_rate::success;
use crate::{AttemptRow, Mean};

/// The 80 % point of the standard normal distribution: a test that would miss the difference once in five times.
const Z_POWER: f64 = 0.841_621_233_572_914_3;

/// What a test at 5 % needs in order to see a difference of this size four times in five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Needed {
    /// Templates in all, with as many tasks and trials of each as now.
    pub templates: usize,
    /// Trials of each instance in all, with the templates there are; none if no number of trials is enough, because
    /// templates differ too much among themselves, or if there is one trial only, which does not tell.
    pub trials: Option<usize>,
}

/// From the differences by template, and the pairs of attempts behind them.
pub(crate) fn needed(by_template: &Mean, pairs: &[(&AttemptRow, &AttemptRow)]) -> Option<Needed> {
    let deviation = by_template.deviation?;
    if by_template.value == 0.0 {
        return None;
    }
    let standard = (Z_95 + Z_POWER) / by_template.value.abs();
    let templates = ((standard * deviation).powi(2).ceil() as usize).max(2);
    Some(Needed { templates, trials: trials(by_template, deviation, standard, pairs) })
}

/// The variance between templates is their own and that of the trials they are means of; only the latter shrinks.
fn trials(
    by_template: &Mean,
    deviation: f64,
    standard: f64,
    pairs: &[(&AttemptRow, &AttemptRow)],
) -> Option<usize> {
    let mut instances: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
    for (ours, theirs) in pairs {
        let difference = success(ours) - success(theirs);
        instances.entry((ours.template(), &ours.instance)).or_default().push(difference);
    }
    let mut within: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    let (mut now, mut counted) = (0_usize, 0_usize);
    for ((template, _), differences) in &instances {
        let spread = Mean::of(differences)?.deviation?;
        let (variance, count) = within.entry(template).or_default();
        *variance += spread * spread / differences.len() as f64;
        *count += 1;
        now += differences.len();
        counted += 1;
    }
    let trials_now = now as f64 / counted.max(1) as f64;
    // A template's mean over its instances varies by the mean of their variances over their number.
    let by_trials: f64 = within.values().map(|&(sum, count)| sum / (count * count) as f64).sum::<f64>()
        / within.len().max(1) as f64;
    let own = (deviation * deviation - by_trials).max(0.0);
    let allowed = by_template.units as f64 / (standard * standard);
    (allowed > own).then(|| ((by_trials * trials_now / (allowed - own)).ceil() as usize).max(1))
}

#[cfg(test)]
mod tests {
    use umpire_model::Outcome;

    use super::*;

    fn row(template: &str, trial: u32, passed: bool) -> AttemptRow {
        AttemptRow {
            template: template.to_owned(),
            instance: template.to_owned(),
            trial,
            outcome: Some(if passed { Outcome::Pass } else { Outcome::Fail }),
            ..AttemptRow::default()
        }
    }

    #[test]
    fn the_number_of_templates_is_the_textbook_one() {
        // (1.96 + 0.8416)² · (s/d)²: 7.849 · (0.4/0.1)² = 125.6.
        let mean = Mean { value: 0.1, interval: None, units: 50, deviation: Some(0.4) };
        assert_eq!(needed(&mean, &[]).map(|needed| needed.templates), Some(126));
        let same = Mean { value: 0.0, interval: None, units: 50, deviation: Some(0.4) };
        assert_eq!(needed(&same, &[]), None);
    }

    #[test]
    fn more_trials_help_only_against_their_own_noise() {
        // Two trials of 40 templates: each passes once more than the other's, or not, by chance alone.
        let noisy: Vec<(AttemptRow, AttemptRow)> = (0..40)
            .flat_map(|at| {
                let template = format!("t{at}");
                let first = (row(&template, 1, true), row(&template, 1, false));
                let second = (row(&template, 2, at % 4 == 0), row(&template, 2, at % 4 != 0));
                [first, second]
            })
            .collect();
        let pairs: Vec<(&AttemptRow, &AttemptRow)> = noisy.iter().map(|(a, b)| (a, b)).collect();
        // By template 1 or 0; mean ¼.
        let means: Vec<f64> = (0..40).map(|at| f64::from(u8::from(at % 4 == 0))).collect();
        let mean = Mean::of(&means).expect("templates");
        let found = needed(&mean, &pairs).expect("a difference");
        // Nothing but noise between templates: 7.849 · (within 2 per trial · ¾)/(40 · 1/16) = 4.71.
        assert_eq!(found.trials, Some(5));

        let steady: Vec<(AttemptRow, AttemptRow)> = (0..4)
            .flat_map(|at| {
                let template = format!("t{at}");
                [1, 2].map(|trial| (row(&template, trial, at == 0), row(&template, trial, false)))
            })
            .collect();
        let pairs: Vec<(&AttemptRow, &AttemptRow)> = steady.iter().map(|(a, b)| (a, b)).collect();
        let mean = Mean::of(&[1.0, 0.0, 0.0, 0.0]).expect("templates");
        assert_eq!(needed(&mean, &pairs).and_then(|needed| needed.trials), None, "trials never differ");
    }
}
