use serde::Serialize;

use super::bradley_terry::{PRIOR_TIES, logistic};
use super::cholesky::{Symmetric, dot};
use super::scale::{MEAN_RATING, POINTS_PER_NAT};
use super::{Estimate, Fit, Pairs};
use crate::interval::Z_95;

/// A 95 % interval of a rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingInterval {
    pub low: f64,
    pub high: f64,
    pub variance: f64,
}

impl RatingInterval {
    pub(crate) fn around(rating: f64, variance: f64) -> Self {
        let reach = Z_95 * variance.sqrt();
        Self { low: rating - reach, high: rating + reach, variance }
    }
}

/// Keeps the information matrix invertible; per battle, or in all where battles are weighted.
const RIDGE: f64 = 1e-5;

/// Intervals at the maximum by the sandwich formula: they hold even where the votes are noisier than the model thinks.
///
/// Where there is no maximum, votes that all went one way show no noise at all, and the formula would call a single
/// battle certain; the curvature of the regularised likelihood is used there.
pub fn sandwich_intervals(pairs: &Pairs, weights: Option<&[f64]>, fit: &Fit) -> Vec<RatingInterval> {
    let variances = variances(pairs, weights, fit);
    fit.ratings.iter().zip(variances).map(|(&rating, var)| RatingInterval::around(rating, var)).collect()
}

fn variances(pairs: &Pairs, weights: Option<&[f64]>, fit: &Fit) -> Vec<f64> {
    let n = pairs.models;
    let mut information = Symmetric::zero(n);
    let mut scores = Symmetric::zero(n);
    let ridge = RIDGE * if weights.is_some() { 1.0 } else { pairs.battles };
    for (model, level) in levels(fit).into_iter().enumerate() {
        if fit.estimates[model] == Estimate::Exact {
            information.add(model, model, ridge);
        } else {
            let chance = logistic((fit.ratings[model] - level) / POINTS_PER_NAT);
            information.add(model, model, PRIOR_TIES * chance * (1.0 - chance));
            scores.add(model, model, PRIOR_TIES * chance * (1.0 - chance));
        }
    }
    for (at, pair) in pairs.pairs.iter().enumerate() {
        let (first, second) = (pair.first as usize, pair.second as usize);
        let weight = weights.map_or(1.0, |weights| weights[at]);
        let chance = logistic((fit.ratings[first] - fit.ratings[second]) / POINTS_PER_NAT);
        let curvature = weight * pair.battles() * chance * (1.0 - chance);
        let square = |points: f64| (points - chance) * (points - chance);
        let spread = if fit.estimates[first] == Estimate::Exact {
            let squares =
                pair.first_wins * square(1.0) + pair.second_wins * square(0.0) + pair.halves() * square(0.5);
            weight * weight * squares
        } else {
            curvature
        };
        for (matrix, value) in [(&mut information, curvature), (&mut scores, spread)] {
            matrix.add(first, first, value);
            matrix.add(second, second, value);
            matrix.add(second, first, -value);
        }
    }
    let Some(factor) = information.factor() else { return vec![f64::INFINITY; n] };
    let inverse = factor.inverse();
    let score_rows: Vec<Vec<f64>> =
        (0..n).map(|row| (0..n).map(|column| scores.get(row, column)).collect()).collect();
    let covariances = |row: usize| -> Vec<f64> {
        let half: Vec<f64> = score_rows.iter().map(|scores| dot(&inverse[row], scores)).collect();
        inverse.iter().map(|column| dot(&half, column)).collect()
    };
    let rows: Vec<Vec<f64>> = (0..n).map(covariances).collect();
    let mut variances: Vec<f64> = rows.iter().enumerate().map(|(at, row)| row[at].max(0.0)).collect();
    for component in &fit.connectivity.weak {
        if fit.estimates[component[0] as usize] == Estimate::Regularised {
            // The mean of the group is 1000 by definition: how far the made-up ties pin it is no uncertainty.
            let size = component.len() as f64;
            let mean_of = |model: u32| -> f64 {
                component.iter().map(|&other| rows[model as usize][other as usize]).sum::<f64>() / size
            };
            let of_all = component.iter().map(|&model| mean_of(model)).sum::<f64>() / size;
            for &model in component {
                let at = model as usize;
                variances[at] = (rows[at][at] - 2.0 * mean_of(model) + of_all).max(0.0);
            }
        }
    }
    variances.iter().map(|variance| variance * POINTS_PER_NAT * POINTS_PER_NAT).collect()
}

/// The mean rating of each model's component, which an anchor may have moved.
fn levels(fit: &Fit) -> Vec<f64> {
    let mut levels = vec![MEAN_RATING; fit.ratings.len()];
    for component in &fit.connectivity.weak {
        let sum: f64 = component.iter().map(|&model| fit.ratings[model as usize]).sum();
        for &model in component {
            levels[model as usize] = sum / component.len() as f64;
        }
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::super::{Anchor, Battles, Winner, fit};
    use super::*;

    #[test]
    fn two_models_have_the_interval_of_a_proportion() {
        // 60 of 100: the log odds have variance 1 / (n·p·(1−p)); each model moves by half of them.
        let battles: Battles =
            (0..100).map(|n| ("p", "q", if n < 60 { Winner::A } else { Winner::B })).collect();
        let pairs = Pairs::count(&battles);
        let found = sandwich_intervals(&pairs, None, &fit(&pairs, None, None));
        let wanted = POINTS_PER_NAT * POINTS_PER_NAT / (100.0 * 0.6 * 0.4) / 4.0;
        // The ridge takes off 2 · 1e-5 · 100 / (2 · 100 · 0.24) of it.
        assert!((found[0].variance / wanted - 1.0).abs() < 1e-4, "{found:?} {wanted}");
        assert!((found[0].high - found[0].low - 2.0 * 1.96 * wanted.sqrt()).abs() < 0.1);
    }

    #[test]
    fn one_battle_is_not_certainty() {
        let battles: Battles = [("p", "q", Winner::A)].into_iter().collect();
        let pairs = Pairs::count(&battles);
        for anchor in [None, Some(Anchor { model: 0, rating: 1500.0 })] {
            let fit = fit(&pairs, None, anchor);
            let found = sandwich_intervals(&pairs, None, &fit);
            assert!(found.iter().all(|interval| interval.high - interval.low > 300.0), "{found:?}");
            assert!(found[0].low < fit.ratings[1], "the winner may still be the weaker: {found:?}");
        }
    }
}
