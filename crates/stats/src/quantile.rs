/// The `q`-quantile (0 to 1) of `values`, interpolated between neighbours; none for no values.
///
/// This is the definition most software uses by default: number 7 of Hyndman and Fan (1996).
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    (!sorted.is_empty()).then(|| of_sorted(&sorted, q))
}

/// The quantile of values that are finite, sorted, and at least one.
pub(crate) fn of_sorted(sorted: &[f64], q: f64) -> f64 {
    let last = sorted.len() - 1;
    let position = q.clamp(0.0, 1.0) * last as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (position - below as f64)
}

pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition() {
        // Worked by hand from Hyndman and Fan's type 7: position q·(n−1) from 0, linear in between.
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(&values, 0.25), Some(1.75));
        assert_eq!(quantile(&values, 0.75), Some(3.25));
        assert_eq!(median(&values), Some(2.5));
        assert_eq!(median(&[7.0, 1.0, 3.0]), Some(3.0));
        assert_eq!((quantile(&values, 0.0), quantile(&values, 1.0)), (Some(1.0), Some(4.0)));
    }

    #[test]
    fn odd_input_is_no_panic() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[f64::NAN, 2.0]), Some(2.0));
        assert_eq!(quantile(&[1.0, 2.0], 7.0), Some(2.0));
    }
}
