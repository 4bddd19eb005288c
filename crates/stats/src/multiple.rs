//! Several tests at once: the more one asks, the likelier something looks significant by chance.

/// Holm's step-down correction: the chance that any of the true null hypotheses is rejected stays below the level.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let order = ascending(p_values);
    let mut adjusted = vec![0.0; count];
    let mut largest = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        largest = largest.max((count - rank) as f64 * p_values[at]).min(1.0);
        adjusted[at] = largest;
    }
    adjusted
}

/// Benjamini and Hochberg's correction: of what is called significant, the expected share that is not stays below the
/// level.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let mut adjusted = vec![0.0; count];
    let mut smallest = 1.0_f64;
    for (rank, &at) in ascending(p_values).iter().enumerate().rev() {
        smallest = smallest.min(count as f64 / (rank + 1) as f64 * p_values[at]);
        adjusted[at] = smallest;
    }
    adjusted
}

fn ascending(p_values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: &[f64], wanted: &[f64]) {
        assert!(
            got.len() == wanted.len() && got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12),
            "{got:?}"
        );
    }

    #[test]
    fn worked_by_hand() {
        // Sorted .01 .02 .03 .04, times 4 3 2 1 is .04 .06 .06 .04; each at least its predecessor.
        close(&holm(&[0.03, 0.01, 0.04, 0.02]), &[0.06, 0.04, 0.06, 0.06]);
        // Times 4/1 4/2 4/3 4/4 is .04 each.
        close(&benjamini_hochberg(&[0.03, 0.01, 0.04, 0.02]), &[0.04, 0.04, 0.04, 0.04]);
        close(&holm(&[0.9, 0.8]), &[1.0, 1.0]);
        close(&benjamini_hochberg(&[0.9, 0.001]), &[0.9, 0.002]);
        close(&holm(&[]), &[]);
    }
}
