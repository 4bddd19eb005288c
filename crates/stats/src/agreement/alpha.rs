use std::collections::BTreeMap;

/// Krippendorff's α for nominal data: one list of ratings a unit, of as many raters as happened to rate it.
///
/// A unit with fewer than two ratings pairs with nothing and is left out. None if nothing can be paired, or if only one
/// category occurs: without variation there is nothing to be reliable about.
pub fn krippendorff_alpha<T: Ord>(units: &[Vec<T>]) -> Option<f64> {
    let mut habits: BTreeMap<&T, usize> = BTreeMap::new();
    let (mut ratings, mut disagreement) = (0_usize, 0.0_f64);
    for unit in units.iter().filter(|unit| unit.len() >= 2) {
        let mut given: BTreeMap<&T, usize> = BTreeMap::new();
        for rating in unit {
            *given.entry(rating).or_default() += 1;
            *habits.entry(rating).or_default() += 1;
        }
        let raters = unit.len();
        let pairs = raters * (raters - 1);
        let same = given.values().map(|&count| count * (count - 1)).sum::<usize>();
        disagreement += (pairs - same) as f64 / (raters - 1) as f64;
        ratings += raters;
    }
    if ratings < 2 {
        return None;
    }
    let same = habits.values().map(|&count| count * (count - 1)).sum::<usize>();
    let expected = (ratings * (ratings - 1) - same) as f64 / (ratings - 1) as f64;
    (expected > 0.0).then(|| 1.0 - disagreement / expected)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn agrees_with_krippendorffs_own_example() {
        // K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C: four observers, twelve units,
        // five values, seven ratings missing; nominal α = 0.743.
        let observers = [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
            [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
        ];
        let units: Vec<Vec<u8>> = (0..12)
            .map(|unit| observers.iter().map(|row| row[unit]).filter(|&value| value != 0).collect())
            .collect();
        let alpha = krippendorff_alpha(&units).expect("pairs");
        assert!((alpha - 0.743).abs() < 5e-4, "{alpha}");
    }

    #[test]
    fn nothing_to_pair_or_no_variation_is_none() {
        assert_eq!(krippendorff_alpha::<bool>(&[]), None);
        assert_eq!(krippendorff_alpha(&[vec![true], vec![false]]), None);
        assert_eq!(krippendorff_alpha(&[vec![true, true], vec![true, true]]), None);
    }

    proptest! {
        #[test]
        fn at_most_one_and_blind_to_order(mut units in proptest::collection::vec(proptest::collection::vec(0..3_u8, 0..5), 1..30)) {
            let before = krippendorff_alpha(&units);
            units.reverse();
            for unit in &mut units {
                unit.reverse();
            }
            let after = krippendorff_alpha(&units);
            prop_assert!(before.zip(after).is_none_or(|(a, b)| (a - b).abs() < 1e-9));
            prop_assert!(before.is_none_or(|alpha| alpha <= 1.0 + 1e-9));
        }
    }
}
