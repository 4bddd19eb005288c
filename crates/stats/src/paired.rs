use serde::{Deserialize, Serialize};

use crate::{Interval, wilson};

/// The same things tried twice, without and with something: how often each passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paired {
    pub both: usize,
    /// Passed without, failed with.
    pub lost: usize,
    /// Failed without, passed with.
    pub gained: usize,
    pub neither: usize,
}

impl Paired {
    /// Counts pairs of (passed without, passed with).
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut counted = Self::default();
        for pair in pairs {
            *match pair {
                (true, true) => &mut counted.both,
                (true, false) => &mut counted.lost,
                (false, true) => &mut counted.gained,
                (false, false) => &mut counted.neither,
            } += 1;
        }
        counted
    }

    pub fn pairs(&self) -> usize {
        self.both + self.lost + self.gained + self.neither
    }

    fn share(&self, passed: usize) -> Option<f64> {
        let pairs = self.pairs();
        (pairs > 0).then(|| passed as f64 / pairs as f64)
    }

    pub fn without(&self) -> Option<f64> {
        self.share(self.both + self.lost)
    }

    pub fn with(&self) -> Option<f64> {
        self.share(self.both + self.gained)
    }

    /// What it changed: negative if fewer passed.
    pub fn difference(&self) -> Option<f64> {
        Some(self.with()? - self.without()?)
    }

    /// 95 % interval of the difference, between -1 and 1: Newcombe's hybrid score interval for paired proportions.
    ///
    /// It joins the Wilson intervals of the two rates and takes their correlation into account, so it neither leaves the
    /// range nor shrinks to a point when no pair differs. No pairs, nothing known.
    pub fn interval(&self) -> Interval {
        let pairs = self.pairs();
        let (Some(without), Some(with)) = (self.without(), self.with()) else {
            return Interval { low: -1.0, high: 1.0 };
        };
        let first = wilson(self.both + self.gained, pairs);
        let second = wilson(self.both + self.lost, pairs);
        let phi = self.correlation();
        let joined = |a: f64, b: f64| (a * a - 2.0 * phi * a * b + b * b).max(0.0).sqrt();
        let difference = with - without;
        Interval {
            low: (difference - joined(with - first.low, second.high - without)).max(-1.0),
            high: (difference + joined(first.high - with, without - second.low)).min(1.0),
        }
    }

    /// Newcombe's φ, with his continuity correction.
    fn correlation(&self) -> f64 {
        let [a, b, c, d] = [self.both, self.gained, self.lost, self.neither].map(|count| count as f64);
        let margins = (a + b) * (c + d) * (a + c) * (b + d);
        if margins == 0.0 {
            return 0.0;
        }
        let agreement = a * d - b * c;
        let half = (a + b + c + d) / 2.0;
        let corrected = if agreement > half { agreement - half } else { agreement.min(0.0) };
        corrected / margins.sqrt()
    }

    /// Exact two-sided p-value of `McNemar`'s test: how likely flips this uneven are if it made no difference.
    pub fn p_value(&self) -> f64 {
        let flips = self.lost + self.gained;
        let fewer = self.lost.min(self.gained);
        // In logarithms, since 2^-flips leaves the range of floats long before runs get that large.
        let mut ways = 0.0_f64;
        let mut tail = 0.0_f64;
        for count in 0..=fewer {
            tail += (ways - flips as f64 * std::f64::consts::LN_2).exp();
            ways += ((flips - count) as f64 / (count + 1) as f64).ln();
        }
        (2.0 * tail).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn paired(both: usize, lost: usize, gained: usize, neither: usize) -> Paired {
        Paired { both, lost, gained, neither }
    }

    #[test]
    fn the_interval_agrees_with_published_values() {
        // Newcombe's interval as worked out in D. G. Altman and others, "Statistics with Confidence" (2000), table 6.2.
        let got = paired(14, 0, 5, 22).interval();
        let rounded = |value: f64| (value * 1e3).round() / 1e3;
        assert_eq!((rounded(got.low), rounded(got.high)), (0.011, 0.226));
    }

    #[test]
    fn the_p_value_is_the_binomial_one() {
        // Worked by hand: twice the lower tail of a fair coin.
        for (lost, gained, p) in
            [(5, 0, 2.0 / 32.0), (6, 1, 16.0 / 128.0), (1, 1, 1.0), (0, 0, 1.0), (0, 10, 2.0 / 1024.0)]
        {
            assert!((paired(3, lost, gained, 3).p_value() - p).abs() < 1e-12, "{lost} {gained}");
        }
        let large = paired(0, 3000, 2000, 0).p_value();
        assert!((0.0..1e-30).contains(&large), "{large}");
    }

    #[test]
    fn nothing_paired_leaves_everything_open() {
        let none = Paired::default();
        assert_eq!((none.difference(), none.interval()), (None, Interval { low: -1.0, high: 1.0 }));
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_difference(both in 0..60_usize, lost in 0..60_usize, gained in 0..60_usize, neither in 1..60_usize) {
            let pairs = paired(both, lost, gained, neither);
            let difference = pairs.difference().unwrap_or_default();
            let Interval { low, high } = pairs.interval();
            prop_assert!(low - 1e-9 <= difference && difference <= high + 1e-9, "{low} {difference} {high}");
            prop_assert!((-1.0..=1.0).contains(&low) && (-1.0..=1.0).contains(&high));
            let mirrored = paired(both, gained, lost, neither).interval();
            prop_assert!((low + mirrored.high).abs() < 1e-9, "without and with may trade places");
        }
    }
}
