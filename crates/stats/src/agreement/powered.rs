use serde::Serialize;

use crate::Interval;
use crate::interval::Z_95;

/// A success rate from a few labels and many verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PoweredRate {
    pub value: f64,
    /// 95 %.
    pub interval: Interval,
    /// The value or an end of the interval left 0 to 1 and was cut off there.
    pub clipped: bool,
    /// How much the judge was listened to: 0, not at all (only the labels count), to 1.
    pub weight: f64,
    pub labelled: usize,
    pub unlabelled: usize,
}

/// Prediction-powered inference for a mean, with the weight that makes the interval shortest (PPI++: Angelopoulos, Duchi
/// and Zrnic 2023).
///
/// `labelled` are pairs of (what people said, what the judge said), a random sample of the same population as
/// `unlabelled`, where only the judge spoke. The judge's verdicts are averaged over the many and their error is measured
/// on the few, so a poor judge costs width and never truth. None with fewer than two labels.
pub fn powered_rate(labelled: &[(bool, bool)], unlabelled: &[bool]) -> Option<PoweredRate> {
    if labelled.len() < 2 {
        return None;
    }
    let number = |flag: bool| f64::from(u8::from(flag));
    let human: Vec<f64> = labelled.iter().map(|pair| number(pair.0)).collect();
    let judge: Vec<f64> = labelled.iter().map(|pair| number(pair.1)).collect();
    let beyond: Vec<f64> = unlabelled.iter().map(|&verdict| number(verdict)).collect();
    let (few, many) = (labelled.len() as f64, unlabelled.len() as f64);

    let weight = if beyond.is_empty() { 0.0 } else { best_weight(&human, &judge, &beyond) };
    let errors: Vec<f64> = human.iter().zip(&judge).map(|(human, judge)| human - weight * judge).collect();
    let from_verdicts = if beyond.is_empty() { 0.0 } else { weight * mean(&beyond) };
    let raw = from_verdicts + mean(&errors);
    let mut variance = covariance(&errors, &errors) / few;
    if !beyond.is_empty() {
        variance += weight * weight * covariance(&beyond, &beyond) / many;
    }
    let spread = Z_95 * variance.sqrt();
    let (low, high) = (raw - spread, raw + spread);
    Some(PoweredRate {
        value: raw.clamp(0.0, 1.0),
        interval: Interval { low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) },
        clipped: low < 0.0 || high > 1.0,
        weight,
        labelled: labelled.len(),
        unlabelled: unlabelled.len(),
    })
}

fn best_weight(human: &[f64], judge: &[f64], beyond: &[f64]) -> f64 {
    let all: Vec<f64> = judge.iter().chain(beyond).copied().collect();
    let n = all.len() as f64;
    let spread = covariance(&all, &all) * n / (n - 1.0);
    if spread <= 0.0 {
        return 0.0;
    }
    let ratio = human.len() as f64 / beyond.len() as f64;
    (covariance(human, judge) / ((1.0 + ratio) * spread)).clamp(0.0, 1.0)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn covariance(first: &[f64], second: &[f64]) -> f64 {
    let (mean_a, mean_b) = (mean(first), mean(second));
    first.iter().zip(second).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum::<f64>() / first.len() as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn without_verdicts_beyond_the_labels_it_is_the_labels_mean() {
        let rate =
            powered_rate(&[(true, true), (false, true), (true, false), (true, true)], &[]).expect("labels");
        assert_eq!((rate.value, rate.weight, rate.unlabelled), (0.75, 0.0, 0));
        assert_eq!(powered_rate(&[(true, true)], &[true]), None);
    }

    #[test]
    fn a_perfect_judge_makes_the_interval_shorter() {
        let labelled: Vec<(bool, bool)> = (0..40).map(|i| (i % 2 == 0, i % 2 == 0)).collect();
        let many: Vec<bool> = (0..400).map(|i| i % 2 == 0).collect();
        let alone = powered_rate(&labelled, &[]).expect("labels");
        let helped = powered_rate(&labelled, &many).expect("labels");
        let width = |rate: &PoweredRate| rate.interval.high - rate.interval.low;
        assert!(width(&helped) < 0.5 * width(&alone), "{helped:?} {alone:?}");
    }

    proptest! {
        #[test]
        fn stays_in_range(
            labelled in proptest::collection::vec(any::<(bool, bool)>(), 2..40),
            unlabelled in proptest::collection::vec(any::<bool>(), 0..80),
        ) {
            let rate = powered_rate(&labelled, &unlabelled).expect("labels");
            prop_assert!((0.0..=1.0).contains(&rate.weight));
            prop_assert!(0.0 <= rate.interval.low && rate.interval.low <= rate.value);
            prop_assert!(rate.value <= rate.interval.high && rate.interval.high <= 1.0);
        }
    }
}
