use std::collections::BTreeMap;

/// How far two groupings of the same things agree, beyond chance: 1 the same groups under any names, 0 as two shufflings.
/// `None` for lists of different or no length.
pub fn adjusted_rand_index(one: &[usize], other: &[usize]) -> Option<f64> {
    if one.len() != other.len() || one.is_empty() {
        return None;
    }
    let mut both: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let (mut ones, mut others): (BTreeMap<usize, usize>, BTreeMap<usize, usize>) = Default::default();
    for (a, b) in one.iter().zip(other) {
        *both.entry((*a, *b)).or_default() += 1;
        *ones.entry(*a).or_default() += 1;
        *others.entry(*b).or_default() += 1;
    }
    let pairs = |count: usize| (count * count.saturating_sub(1)) as f64 / 2.0;
    let together: f64 = both.values().map(|count| pairs(*count)).sum();
    let in_one: f64 = ones.values().map(|count| pairs(*count)).sum();
    let in_other: f64 = others.values().map(|count| pairs(*count)).sum();
    let all = pairs(one.len());
    let expected = if all > 0.0 { in_one * in_other / all } else { 0.0 };
    let most = f64::midpoint(in_one, in_other);
    // Both put everything together, or everything apart: they agree.
    if (most - expected).abs() < 1e-12 {
        return Some(1.0);
    }
    Some((together - expected) / (most - expected))
}

/// The mean over all pairs of groupings; 1 for fewer than two.
pub(crate) fn mean_agreement(groupings: &[Vec<usize>]) -> f64 {
    let mut sum = 0.0;
    let mut count = 0_u32;
    for (at, one) in groupings.iter().enumerate() {
        for other in &groupings[..at] {
            if let Some(index) = adjusted_rand_index(one, other) {
                sum += index;
                count += 1;
            }
        }
    }
    if count == 0 { 1.0 } else { sum / f64::from(count) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_values() {
        let index = |one: &[usize], other: &[usize]| adjusted_rand_index(one, other).expect("same length");
        assert!((index(&[0, 0, 1, 1], &[5, 5, 2, 2]) - 1.0).abs() < 1e-12, "names do not matter");
        // From the definition: pairs together in both 2, in one 3 + 3, in other 2·1 + 3, expected 6·… by hand 0.24…
        let got = index(&[0, 0, 1, 1], &[0, 0, 1, 2]);
        assert!((got - 4.0 / 7.0).abs() < 1e-12, "{got}");
        assert_eq!(adjusted_rand_index(&[0], &[0, 1]), None);
    }

    proptest! {
        #[test]
        fn it_is_symmetric_and_never_above_one(one in proptest::collection::vec(0..4_usize, 2..30), seed in 0..1000_u64) {
            let mut random = umpire_model::Random::new(seed);
            let other: Vec<usize> = one.iter().map(|_| random.below(3)).collect();
            let there = adjusted_rand_index(&one, &other).expect("same length");
            prop_assert!((there - adjusted_rand_index(&other, &one).expect("same length")).abs() < 1e-12);
            prop_assert!(there <= 1.0 + 1e-12);
        }
    }
}
