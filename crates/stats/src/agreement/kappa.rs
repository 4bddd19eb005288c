use std::collections::BTreeMap;

/// Cohen's κ of two raters over the same items: agreement beyond what their habits alone would bring.
///
/// None without items, and if both always give the same one category: then chance explains everything.
pub fn cohen_kappa<T: Ord + Clone>(pairs: impl IntoIterator<Item = (T, T)>) -> Option<f64> {
    let mut habits: BTreeMap<T, (usize, usize)> = BTreeMap::new();
    let (mut items, mut agreed) = (0_usize, 0_usize);
    for (first, second) in pairs {
        items += 1;
        agreed += usize::from(first == second);
        habits.entry(first).or_default().0 += 1;
        habits.entry(second).or_default().1 += 1;
    }
    if items == 0 {
        return None;
    }
    let n = items as f64;
    let observed = agreed as f64 / n;
    let expected = habits.values().map(|&(a, b)| (a as f64 / n) * (b as f64 / n)).sum::<f64>();
    beyond_chance(observed, expected)
}

/// Fleiss' κ: items in rows, categories in columns, each cell how many raters chose that category for that item.
///
/// Every item needs the same number of raters, at least two; otherwise none (`krippendorff_alpha` allows gaps).
pub fn fleiss_kappa(counts: &[Vec<usize>]) -> Option<f64> {
    let raters = counts.first()?.iter().sum::<usize>();
    let categories = counts.first()?.len();
    let even = counts.iter().all(|row| row.len() == categories && row.iter().sum::<usize>() == raters);
    if raters < 2 || !even {
        return None;
    }
    let (items, n) = (counts.len() as f64, raters as f64);
    let agreement_on = |row: &Vec<usize>| {
        let same = row.iter().map(|&count| count * count.saturating_sub(1)).sum::<usize>();
        same as f64 / (n * (n - 1.0))
    };
    let observed = counts.iter().map(agreement_on).sum::<f64>() / items;
    let expected = (0..categories)
        .map(|category| counts.iter().map(|row| row[category]).sum::<usize>() as f64 / (items * n))
        .map(|habit| habit * habit)
        .sum::<f64>();
    beyond_chance(observed, expected)
}

fn beyond_chance(observed: f64, expected: f64) -> Option<f64> {
    let room = 1.0 - expected;
    (room > 1e-12).then(|| (observed - expected) / room)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fleiss_agrees_with_the_worked_example_in_the_literature() {
        // 10 items, 14 raters, 5 categories: the example by which Fleiss' κ (1971) is usually explained; κ = 0.210.
        let counts = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ]
        .map(|row: [usize; 5]| row.to_vec());
        let kappa = fleiss_kappa(&counts).expect("even table");
        assert!((kappa - 0.210).abs() < 5e-4, "{kappa}");
    }

    #[test]
    fn uneven_tables_have_no_fleiss_kappa() {
        assert_eq!(fleiss_kappa(&[]), None);
        assert_eq!(fleiss_kappa(&[vec![1, 0]]), None, "one rater cannot agree");
        assert_eq!(fleiss_kappa(&[vec![2, 0], vec![1, 2]]), None);
        assert_eq!(fleiss_kappa(&[vec![2, 0], vec![2, 0]]), None, "one category only");
    }

    proptest! {
        #[test]
        fn stays_in_range_and_is_one_for_equals(pairs in proptest::collection::vec((0..4_u8, 0..4_u8), 1..60)) {
            if let Some(kappa) = cohen_kappa(pairs.clone()) {
                prop_assert!((-1.0 - 1e-9..=1.0 + 1e-9).contains(&kappa), "{kappa}");
            }
            if let Some(kappa) = cohen_kappa(pairs.iter().map(|&(first, _)| (first, first))) {
                prop_assert!((kappa - 1.0).abs() < 1e-9);
            }
        }

        #[test]
        fn fleiss_does_not_mind_the_order_of_items(mut ratings in proptest::collection::vec((0..=5_usize, 0..=5_usize), 2..30)) {
            let table = |rows: &[(usize, usize)]| -> Vec<Vec<usize>> {
                rows.iter().map(|&(a, b)| vec![a, b, 10 - a - b]).collect()
            };
            let before = fleiss_kappa(&table(&ratings));
            ratings.reverse();
            let after = fleiss_kappa(&table(&ratings));
            prop_assert!(before.zip(after).is_none_or(|(a, b)| (a - b).abs() < 1e-9));
            prop_assert!(before.is_none_or(|kappa| kappa <= 1.0 + 1e-9));
        }
    }
}
