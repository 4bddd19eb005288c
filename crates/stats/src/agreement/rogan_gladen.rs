use serde::Serialize;

use super::{Confusion, Share};
use crate::Interval;
use crate::interval::Z_95;

/// A success rate with the judge's known errors taken out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CorrectedRate {
    pub value: f64,
    /// 95 %, delta method: it knows that the judge's error rates are estimates, too.
    pub interval: Interval,
    /// The correction left 0 to 1 and was cut off there, at the value or at an end of the interval.
    pub clipped: bool,
    /// Attempts the judge counted.
    pub judged: usize,
    /// Attempts with a label from which the judge's errors are known.
    pub calibrated_on: usize,
}

/// Why a rate cannot be corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Uncorrectable {
    NothingJudged,
    /// Nothing that people call a success: how many the judge misses is unknown.
    NoHumanSuccess,
    NoHumanFailure,
    /// Recall and true-negative rate add up to 1 or less: the verdicts carry no information.
    NoBetterThanChance,
}

/// Rogan and Gladen's estimate (1978): `judged` is the judge's success rate on the attempts of interest, `errors` what it
/// did on attempts with labels, which should be others of the same kind.
pub fn rogan_gladen(judged: Share, errors: &Confusion) -> Result<CorrectedRate, Uncorrectable> {
    let seen = judged.value().ok_or(Uncorrectable::NothingJudged)?;
    let (recall, refusal) = (errors.recall(), errors.true_negative_rate());
    let sensitivity = recall.value().ok_or(Uncorrectable::NoHumanSuccess)?;
    let specificity = refusal.value().ok_or(Uncorrectable::NoHumanFailure)?;
    let information = sensitivity + specificity - 1.0;
    if information <= 1e-12 {
        return Err(Uncorrectable::NoBetterThanChance);
    }
    let raw = (seen + specificity - 1.0) / information;
    let value = raw.clamp(0.0, 1.0);
    let binomial = |p: f64, n: usize| p * (1.0 - p) / n as f64;
    let variance = binomial(seen, judged.of)
        + value * value * binomial(sensitivity, recall.of)
        + (1.0 - value) * (1.0 - value) * binomial(specificity, refusal.of);
    let spread = Z_95 * variance.sqrt() / information;
    let (low, high) = (raw - spread, raw + spread);
    Ok(CorrectedRate {
        value,
        interval: Interval { low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) },
        clipped: low < 0.0 || high > 1.0,
        judged: judged.of,
        calibrated_on: errors.total(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn errors(
        true_positive: usize,
        false_positive: usize,
        false_negative: usize,
        true_negative: usize,
    ) -> Confusion {
        Confusion { true_positive, false_positive, false_negative, true_negative }
    }

    #[test]
    fn agrees_with_the_formula_worked_by_hand() {
        // Recall 0.9, true-negative rate 0.8, judged 0.38: (0.38 + 0.8 - 1) / 0.7.
        let corrected = rogan_gladen(Share::new(38, 100), &errors(90, 20, 10, 80)).expect("informative");
        assert!((corrected.value - 0.18 / 0.7).abs() < 1e-12);
        let variance: f64 = 0.38 * 0.62 / 100.0
            + corrected.value.powi(2) * 0.9 * 0.1 / 100.0
            + (1.0 - corrected.value).powi(2) * 0.8 * 0.2 / 100.0;
        let half = 1.959_963_984_540_054 * variance.sqrt() / 0.7;
        assert!((corrected.interval.high - corrected.value - half).abs() < 1e-12);
        assert!(!corrected.clipped);
    }

    #[test]
    fn leaving_the_range_is_cut_off_and_said() {
        let corrected = rogan_gladen(Share::new(5, 100), &errors(90, 20, 10, 80)).expect("informative");
        assert_eq!((corrected.value, corrected.interval.low, corrected.clipped), (0.0, 0.0, true));
    }

    #[test]
    fn a_judge_that_knows_nothing_corrects_nothing() {
        let judged = Share::new(5, 10);
        assert_eq!(rogan_gladen(Share::default(), &errors(1, 0, 0, 1)), Err(Uncorrectable::NothingJudged));
        assert_eq!(rogan_gladen(judged, &errors(0, 1, 0, 9)), Err(Uncorrectable::NoHumanSuccess));
        assert_eq!(rogan_gladen(judged, &errors(9, 0, 1, 0)), Err(Uncorrectable::NoHumanFailure));
        assert_eq!(rogan_gladen(judged, &errors(5, 5, 5, 5)), Err(Uncorrectable::NoBetterThanChance));
    }

    proptest! {
        #[test]
        fn on_its_own_labels_it_gives_back_the_human_rate(a in 1..50_usize, b in 0..50_usize, c in 0..50_usize, d in 1..50_usize) {
            let table = errors(a, b, c, d);
            if let Ok(corrected) = rogan_gladen(table.judge_rate(), &table) {
                let human = table.human_rate().value().unwrap_or_default();
                prop_assert!((corrected.value - human).abs() < 1e-9);
                prop_assert!(corrected.interval.low <= corrected.value && corrected.value <= corrected.interval.high);
            }
        }
    }
}
