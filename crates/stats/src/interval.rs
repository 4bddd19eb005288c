use serde::{Deserialize, Serialize};

/// Two-sided 97.5 % point of the standard normal distribution: the `z` of a 95 % interval.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// A range of proportions, both ends within 0 and 1, or of differences between them, within -1 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Wilson's score interval at 95 % for `passed` of `total`.
///
/// Unlike the textbook `p ± z·se` it stays inside 0 and 1 and does not shrink to a point at 0 % or 100 %, which is
/// where small suites often are. Nothing tried means nothing known: the whole range.
pub fn wilson(passed: usize, total: usize) -> Interval {
    if total == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let passed = passed.min(total);
    let n = total as f64;
    let p = passed as f64 / n;
    let z2 = Z_95 * Z_95;
    let centre = p + z2 / (2.0 * n);
    let spread = Z_95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // At the edges the formula gives exactly 0 and 1; floating point misses them by a hair.
    Interval {
        low: if passed == 0 { 0.0 } else { ((centre - spread) / scale).max(0.0) },
        high: if passed == total { 1.0 } else { ((centre + spread) / scale).min(1.0) },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn agrees_with_published_values() {
        // The first four: R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
        // Medicine 17 (1998), table I, method 3 (score, no continuity correction), four decimals.
        // The last: 8 of 10, the usual worked example, also what R's `prop.test(8, 10, correct = FALSE)` prints.
        for (passed, total, low, high, digits) in [
            (81, 263, 0.2553, 0.3662, 1e4),
            (15, 148, 0.0624, 0.1605, 1e4),
            (0, 20, 0.0000, 0.1611, 1e4),
            (1, 29, 0.0061, 0.1718, 1e4),
            (8, 10, 0.490, 0.943, 1e3),
        ] {
            let got = wilson(passed, total);
            let rounded = |value: f64| (value * digits).round() / digits;
            assert_eq!((rounded(got.low), rounded(got.high)), (low, high), "{passed}/{total}");
        }
    }

    #[test]
    fn nothing_tried_leaves_everything_open() {
        assert_eq!(wilson(0, 0), Interval { low: 0.0, high: 1.0 });
    }

    proptest! {
        #[test]
        fn holds_the_proportion_and_stays_in_range(total in 1..5000_usize, share in 0.0..=1.0_f64) {
            let passed = ((total as f64) * share) as usize;
            let Interval { low, high } = wilson(passed, total);
            let p = passed as f64 / total as f64;
            prop_assert!((0.0..=p).contains(&low) && (p..=1.0).contains(&high), "{low} {p} {high}");
        }

        #[test]
        fn failing_instead_of_passing_mirrors_it(total in 1..5000_usize, share in 0.0..=1.0_f64) {
            let passed = ((total as f64) * share) as usize;
            let (here, there) = (wilson(passed, total), wilson(total - passed, total));
            prop_assert!((here.low - (1.0 - there.high)).abs() < 1e-12);
        }
    }
}
