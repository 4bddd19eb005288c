use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Interval;
use crate::interval::Z_95;

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

/// κ with its large-sample 95 % interval (Fleiss, Cohen and Everitt 1969).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kappa {
    pub value: f64,
    pub interval: Interval,
    pub items: usize,
}

impl Kappa {
    pub fn of<T: Ord + Clone>(pairs: &[(T, T)]) -> Option<Self> {
        let value = cohen_kappa(pairs.iter().cloned())?;
        let n = pairs.len() as f64;
        let share = |count: usize| count as f64 / n;
        let mut cells: BTreeMap<(&T, &T), usize> = BTreeMap::new();
        let (mut first, mut second): (BTreeMap<&T, usize>, BTreeMap<&T, usize>) = Default::default();
        for (a, b) in pairs {
            *cells.entry((a, b)).or_default() += 1;
            *first.entry(a).or_default() += 1;
            *second.entry(b).or_default() += 1;
        }
        let habit =
            |habits: &BTreeMap<&T, usize>, category: &T| share(habits.get(category).copied().unwrap_or(0));
        let expected: f64 = first.keys().map(|c| habit(&first, c) * habit(&second, c)).sum();
        let mut variance = -(value - expected * (1.0 - value)).powi(2);
        for ((a, b), count) in cells {
            variance += if a == b {
                share(count) * (1.0 - (habit(&first, a) + habit(&second, a)) * (1.0 - value)).powi(2)
            } else {
                share(count) * ((1.0 - value) * (habit(&first, b) + habit(&second, a))).powi(2)
            };
        }
        let error = variance.max(0.0).sqrt() / ((1.0 - expected) * n.sqrt());
        let (low, high) = (value - Z_95 * error, value + Z_95 * error);
        Some(Self { value, interval: Interval { low, high }, items: pairs.len() })
    }

    /// One κ over several strata, such as sites: each counts by its items. Strata are independent, so their errors add up
    /// as squares.
    pub fn weighted(strata: &[Self]) -> Option<Self> {
        let items: usize = strata.iter().map(|stratum| stratum.items).sum();
        if items == 0 {
            return None;
        }
        let weight = |stratum: &Self| stratum.items as f64 / items as f64;
        let value = strata.iter().map(|stratum| weight(stratum) * stratum.value).sum();
        let half = |stratum: &Self| weight(stratum) * (stratum.interval.high - stratum.value);
        let spread = strata.iter().map(|stratum| half(stratum).powi(2)).sum::<f64>().sqrt();
        Some(Self { value, interval: Interval { low: value - spread, high: value + spread }, items })
    }
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
    fn the_interval_is_that_of_the_two_by_two_formula_worked_by_hand() {
        // 20 both yes, 15 both no, 5 yes-no, 10 no-yes: agreement .7, chance .5 · .6 + .5 · .4 = .5, so κ is .4.
        let cell = |pair: (bool, bool), count: usize| vec![pair; count];
        let pairs = [
            cell((true, true), 20),
            cell((true, false), 5),
            cell((false, true), 10),
            cell((false, false), 15),
        ]
        .concat();
        let kappa = Kappa::of(&pairs).expect("both categories");
        // Agreements .4 · (1 − 1.1 · .6)² + .3 · (1 − .9 · .6)² = .10972; disagreements .1 · (.6 · (.6 + .5))² for yes-no and
        // .2 · (.6 · (.4 + .5))² for no-yes, .10188; less (.4 − .5 · .6)²: the root of .2016 over .5 · √50 is .127.
        assert!((kappa.value - 0.4).abs() < 1e-12, "{kappa:?}");
        assert!((kappa.interval.high - 0.4 - 1.96 * 0.127).abs() < 2e-4, "{kappa:?}");
    }

    #[test]
    fn strata_count_by_their_items() {
        let stratum = |value: f64, half: f64, items| Kappa {
            value,
            interval: Interval { low: value - half, high: value + half },
            items,
        };
        let all = Kappa::weighted(&[stratum(0.8, 0.1, 30), stratum(0.4, 0.2, 10)]).expect("items");
        assert!((all.value - 0.7).abs() < 1e-12 && all.items == 40);
        assert!((all.interval.high - 0.7 - (0.075_f64.powi(2) + 0.05_f64.powi(2)).sqrt()).abs() < 1e-12);
        assert_eq!(Kappa::weighted(&[]), None);
    }

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
