//! Means of a few units, with Student's interval: the interval the verified WebArena reports over templates.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF as _, StudentsT};

use crate::Interval;

/// A mean in which each unit counts once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    pub value: f64,
    /// 95 %; none for a single unit. It is not cut at 0 and 1, so that its half-width can be read off it.
    pub interval: Option<Interval>,
    pub units: usize,
    /// Between units, with one degree of freedom less than there are.
    pub deviation: Option<f64>,
}

impl Mean {
    pub fn of(values: &[f64]) -> Option<Self> {
        let units = values.len();
        if units == 0 {
            return None;
        }
        let value = values.iter().sum::<f64>() / units as f64;
        let deviation = (units > 1).then(|| {
            let squares: f64 = values.iter().map(|unit| (unit - value).powi(2)).sum();
            (squares / (units - 1) as f64).sqrt()
        });
        let interval = deviation.map(|deviation| around(value, deviation / (units as f64).sqrt(), units - 1));
        Some(Self { value, interval, units, deviation })
    }

    /// Two-sided p-value of the mean being 0; none for a single unit.
    pub fn p_value(&self) -> Option<f64> {
        let error = self.deviation? / (self.units as f64).sqrt();
        if error == 0.0 {
            return Some(if self.value == 0.0 { 1.0 } else { 0.0 });
        }
        Some(2.0 * student(self.units - 1)?.sf((self.value / error).abs()))
    }
}

/// `value` ± t · `error`, 95 %.
pub(crate) fn around(value: f64, error: f64, freedom: usize) -> Interval {
    let spread = t_975(freedom) * error;
    Interval { low: value - spread, high: value + spread }
}

/// The 97.5 % point of Student's distribution; without a degree of freedom nothing is known.
pub(crate) fn t_975(freedom: usize) -> f64 {
    student(freedom).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975))
}

fn student(freedom: usize) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom as f64).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_are_those_of_printed_tables() {
        for (freedom, point) in [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (190, 1.973)]
        {
            assert!((t_975(freedom) - point).abs() < 5e-4, "{freedom}: {}", t_975(freedom));
        }
    }

    #[test]
    fn a_mean_of_a_few_units_worked_by_hand() {
        // Mean 0.5; squares .25 + 0 + .25 over 2 = .25, so the deviation is .5; 4.303 · .5 / √3 = 1.242.
        let mean = Mean::of(&[0.0, 0.5, 1.0]).expect("units");
        let Interval { low, high } = mean.interval.expect("three units");
        assert_eq!((mean.value, mean.deviation, mean.units), (0.5, Some(0.5), 3));
        assert!((low + 0.742).abs() < 1e-3 && (high - 1.742).abs() < 1e-3, "{low} {high}");
        // t = √3 on two degrees of freedom: p = 1 − 1.732 / √(2 + 3) = 0.2254.
        assert!((mean.p_value().expect("three units") - 0.2254).abs() < 1e-4);
    }

    #[test]
    fn one_unit_has_no_interval_and_none_has_no_mean() {
        assert_eq!(Mean::of(&[]), None);
        let one = Mean::of(&[0.25]).expect("a unit");
        assert_eq!((one.interval, one.p_value()), (None, None));
        let same = Mean::of(&[1.0, 1.0]).expect("units");
        assert_eq!((same.interval, same.p_value()), (Some(Interval { low: 1.0, high: 1.0 }), Some(0.0)));
    }
}
