use super::RatingInterval;

/// 1 + how many models are clearly better, that is have an interval wholly above this one's. Models that cannot be told
/// apart share a rank.
pub fn ranks_by_overlap(intervals: &[RatingInterval]) -> Vec<usize> {
    let mut lower_ends: Vec<f64> = intervals.iter().map(|interval| interval.low).collect();
    lower_ends.sort_by(f64::total_cmp);
    let above = |high: f64| lower_ends.len() - lower_ends.partition_point(|low| *low <= high);
    intervals.iter().map(|interval| 1 + above(interval.high)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clearly_better_models_count() {
        let interval = |low, high| RatingInterval { low, high, variance: 0.0 };
        let intervals =
            [interval(10.0, 20.0), interval(15.0, 30.0), interval(25.0, 40.0), interval(20.0, 20.0)];
        assert_eq!(ranks_by_overlap(&intervals), [2, 1, 1, 2]);
        assert!(ranks_by_overlap(&[]).is_empty());
    }
}
