use std::collections::BTreeMap;

use umpire_model::Random;

use crate::{Interval, quantile};

/// How a bootstrap is drawn; the same settings give the same interval on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    pub draws: usize,
    pub seed: u64,
}

/// 95 % percentile interval of `statistic`, drawing whole clusters with replacement.
///
/// Attempts at one task are alike: drawing them one by one would pretend that 4 agents × 300 tasks are 1,200 independent
/// observations. Draws on which the statistic is undefined are left out; none if that leaves fewer than half, or if
/// there are fewer than two clusters.
pub fn clustered_bootstrap<K: Ord, T: Copy>(
    items: &[(K, T)],
    settings: Bootstrap,
    statistic: impl Fn(&[T]) -> Option<f64>,
) -> Option<Interval> {
    let mut clusters: BTreeMap<&K, Vec<T>> = BTreeMap::new();
    for (cluster, item) in items {
        clusters.entry(cluster).or_default().push(*item);
    }
    let clusters: Vec<Vec<T>> = clusters.into_values().collect();
    if clusters.len() < 2 {
        return None;
    }
    let mut random = Random::stream(settings.seed, "clustered bootstrap");
    let mut drawn = Vec::with_capacity(items.len());
    let mut values = Vec::with_capacity(settings.draws);
    for _ in 0..settings.draws {
        drawn.clear();
        for _ in 0..clusters.len() {
            drawn.extend_from_slice(&clusters[random.below(clusters.len())]);
        }
        values.extend(statistic(&drawn).filter(|value| value.is_finite()));
    }
    if 2 * values.len() < settings.draws {
        return None;
    }
    Some(Interval { low: quantile(&values, 0.025)?, high: quantile(&values, 0.975)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Bootstrap = Bootstrap { draws: 2000, seed: 7 };

    fn mean(values: &[f64]) -> Option<f64> {
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    #[test]
    fn independent_observations_come_near_the_textbook_interval() {
        // 400 fair coins: 0.5 ± 1.96 · 0.025.
        let items: Vec<(usize, f64)> = (0..400).map(|i| (i, f64::from(u8::from(i % 2 == 0)))).collect();
        let Interval { low, high } = clustered_bootstrap(&items, SETTINGS, mean).expect("clusters");
        assert!((low - 0.451).abs() < 0.01 && (high - 0.549).abs() < 0.01, "{low} {high}");
    }

    #[test]
    fn copies_of_the_same_observation_add_nothing() {
        let alone: Vec<(usize, f64)> = (0..100).map(|i| (i, f64::from(u8::from(i % 2 == 0)))).collect();
        let copied: Vec<(usize, f64)> = alone.iter().flat_map(|&item| [item; 5]).collect();
        let here = clustered_bootstrap(&alone, SETTINGS, mean).expect("clusters");
        let there = clustered_bootstrap(&copied, SETTINGS, mean).expect("clusters");
        assert!((here.low - there.low).abs() < 1e-12 && (here.high - there.high).abs() < 1e-12);
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let items: Vec<(usize, f64)> = (0..50).map(|i| (i / 2, (i % 7) as f64)).collect();
        let draw = |seed| clustered_bootstrap(&items, Bootstrap { draws: 500, seed }, mean);
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_eq!(clustered_bootstrap(&items[..1], SETTINGS, mean), None);
        assert_eq!(clustered_bootstrap(&items, SETTINGS, |_| None), None);
    }
}
