//! Correlations. Each is none if the lists differ in length, hold fewer than two values, hold anything that is not a
//! number, or if one of them does not vary.

fn comparable(first: &[f64], second: &[f64]) -> bool {
    first.len() == second.len()
        && first.len() >= 2
        && first.iter().chain(second).all(|value| value.is_finite())
}

/// Pearson's r: how far the two lie on a line.
pub fn pearson(first: &[f64], second: &[f64]) -> Option<f64> {
    if !comparable(first, second) {
        return None;
    }
    let n = first.len() as f64;
    let (mean_a, mean_b) = (first.iter().sum::<f64>() / n, second.iter().sum::<f64>() / n);
    let (mut together, mut spread_a, mut spread_b) = (0.0, 0.0, 0.0);
    for (a, b) in first.iter().zip(second) {
        let (a, b) = (a - mean_a, b - mean_b);
        together += a * b;
        spread_a += a * a;
        spread_b += b * b;
    }
    // A list whose mean is not exact in floating point has a spread of rounding errors only.
    let constant = |values: &[f64]| values.iter().all(|value| direction(*value, values[0]) == 0);
    if constant(first) || constant(second) || spread_a == 0.0 || spread_b == 0.0 {
        return None;
    }
    Some((together / spread_a.sqrt() / spread_b.sqrt()).clamp(-1.0, 1.0))
}

/// Spearman's ρ; values that tie share the mean of their ranks.
pub fn spearman(first: &[f64], second: &[f64]) -> Option<f64> {
    comparable(first, second).then(|| pearson(&mean_ranks(first), &mean_ranks(second))).flatten()
}

/// Kendall's τ-b: pairs in the same order against pairs in the opposite one, with his correction for ties.
pub fn kendall_tau_b(first: &[f64], second: &[f64]) -> Option<f64> {
    if !comparable(first, second) {
        return None;
    }
    let (mut balance, mut apart_a, mut apart_b) = (0_i64, 0_i64, 0_i64);
    for i in 0..first.len() {
        for j in 0..i {
            let a = direction(first[i], first[j]);
            let b = direction(second[i], second[j]);
            balance += a * b;
            apart_a += a.abs();
            apart_b += b.abs();
        }
    }
    (apart_a > 0 && apart_b > 0).then(|| balance as f64 / (apart_a as f64).sqrt() / (apart_b as f64).sqrt())
}

/// 1 if the first is larger, -1 if it is smaller, 0 for equals.
pub(super) fn direction(first: f64, second: f64) -> i64 {
    i64::from(first > second) - i64::from(first < second)
}

fn mean_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let tied =
            order[start..].iter().take_while(|&&at| direction(values[at], values[order[start]]) == 0).count();
        let mean = f64::midpoint(start as f64 + 1.0, (start + tied) as f64);
        for &at in &order[start..start + tied] {
            ranks[at] = mean;
        }
        start += tied;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ties_share_the_mean_of_their_ranks() {
        assert_eq!(mean_ranks(&[0.3, 0.1, 0.3, 0.9]), [2.5, 1.0, 2.5, 4.0]);
        assert_eq!(mean_ranks(&[-0.0, 0.0]), [1.5, 1.5], "the two zeros are equal");
    }

    #[test]
    fn what_does_not_vary_correlates_with_nothing() {
        for statistic in [pearson, spearman, kendall_tau_b] {
            assert_eq!(statistic(&[0.1, 0.1, 0.1], &[1.0, 2.0, 3.0]), None);
            assert_eq!(statistic(&[1.0], &[1.0]), None);
            assert_eq!(statistic(&[1.0, f64::NAN], &[1.0, 2.0]), None);
            assert_eq!(statistic(&[1.0, 2.0], &[1.0, 2.0, 3.0]), None);
        }
    }

    proptest! {
        #[test]
        fn bounded_symmetric_and_turned_by_a_sign(pairs in proptest::collection::vec((-5..5_i32, -5..5_i32), 2..40)) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let turned: Vec<f64> = b.iter().map(|value| -value).collect();
            for statistic in [pearson, spearman, kendall_tau_b] {
                let here = statistic(&a, &b);
                prop_assert!(here.is_none_or(|value| (-1.0 - 1e-9..=1.0 + 1e-9).contains(&value)));
                prop_assert!(here.zip(statistic(&b, &a)).is_none_or(|(x, y)| (x - y).abs() < 1e-9));
                prop_assert!(here.zip(statistic(&a, &turned)).is_none_or(|(x, y)| (x + y).abs() < 1e-9));
                prop_assert!(statistic(&a, &a).is_none_or(|value| (value - 1.0).abs() < 1e-9));
            }
        }
    }
}
