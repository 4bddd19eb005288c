//! Whether chains found the same distribution, and how many independent draws theirs are worth.
//!
//! Rank-normalized split R̂ and bulk and tail effective sample sizes, as Vehtari, Gelman, Simpson, Carpenter and Bürkner
//! define them (2021): ranks make them valid for heavy tails, folding shows chains that differ in spread only.

use serde::Serialize;

use super::normal::normal_quantile;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    /// 1 if the chains agree; above 1.01 they do not.
    pub r_hat: f64,
    /// Draws that the middle of the distribution is worth.
    pub ess_bulk: f64,
    /// Draws that its 5 % and 95 % quantiles are worth, whichever is fewer.
    pub ess_tail: f64,
}

impl Diagnosis {
    /// None for fewer than 4 draws a chain, or where nothing varies or something is not a number.
    pub fn of(chains: &[Vec<f64>]) -> Option<Self> {
        let halves = split(chains)?;
        let pooled: Vec<f64> = halves.concat();
        if pooled.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let length = halves[0].len();
        let mut sorted = pooled.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        if sorted.first() == sorted.last() {
            return None;
        }
        let middle = crate::quantile::of_sorted(&sorted, 0.5);
        let folded: Vec<f64> = pooled.iter().map(|value| (value - middle).abs()).collect();
        let by_rank = normal_scores(&pooled);
        let bulk = Moments::of(&by_rank, length);
        let spread = Moments::of(&normal_scores(&folded), length);
        let tail = [0.05, 0.95].map(|q| {
            let edge = crate::quantile::of_sorted(&sorted, q);
            let below: Vec<f64> = pooled.iter().map(|value| f64::from(u8::from(*value <= edge))).collect();
            effective_size(&below, length)
        });
        Some(Self {
            r_hat: bulk.r_hat().max(spread.r_hat()),
            ess_bulk: effective_size(&by_rank, length),
            ess_tail: tail[0].min(tail[1]),
        })
    }
}

/// Each chain as two of equal length, so that one that drifts disagrees with itself.
fn split(chains: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let length = chains.iter().map(Vec::len).min()?;
    let half = length / 2;
    if half < 2 {
        return None;
    }
    Some(
        chains
            .iter()
            .flat_map(|chain| [chain[..half].to_vec(), chain[length - half..length].to_vec()])
            .collect(),
    )
}

/// Values replaced by normal quantiles of their ranks; equal values share the mean of their ranks.
fn normal_scores(values: &[f64]) -> Vec<f64> {
    let n = values.len() as f64;
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let mut scores = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let value = values[order[start] as usize];
        let tied =
            order[start..].iter().take_while(|&&at| values[at as usize].total_cmp(&value).is_eq()).count();
        let rank = f64::midpoint(start as f64 + 1.0, (start + tied) as f64);
        let score = normal_quantile((rank - 0.375) / (n + 0.25));
        for &at in &order[start..start + tied] {
            scores[at as usize] = score;
        }
        start += tied;
    }
    scores
}

/// Variance within chains, and estimated for all.
struct Moments {
    within: f64,
    overall: f64,
}

impl Moments {
    fn of(values: &[f64], length: usize) -> Self {
        let n = length as f64;
        let chains = values.chunks_exact(length);
        let count = chains.len() as f64;
        let means: Vec<f64> = chains.clone().map(mean).collect();
        let within =
            chains.zip(&means).map(|(chain, mean)| squares(chain, *mean) / (n - 1.0)).sum::<f64>() / count;
        let between = squares(&means, mean(&means)) / (count - 1.0);
        Self { within, overall: within * (n - 1.0) / n + between }
    }

    fn r_hat(&self) -> f64 {
        if self.within > 0.0 { (self.overall / self.within).sqrt() } else { f64::INFINITY }
    }
}

/// The number of draws over the integrated autocorrelation time, summed as Geyer does: in pairs, while these are positive,
/// and never growing.
fn effective_size(values: &[f64], length: usize) -> f64 {
    let moments = Moments::of(values, length);
    let total = values.len() as f64;
    if moments.overall <= 0.0 {
        // An indicator that never changes says nothing against its quantile.
        return total;
    }
    let centred: Vec<Vec<f64>> = values
        .chunks_exact(length)
        .map(|chain| {
            let mean = mean(chain);
            chain.iter().map(|value| value - mean).collect()
        })
        .collect();
    let n = length as f64;
    let correlation = |lag: usize| {
        let covariance = centred
            .iter()
            .map(|chain| chain.iter().zip(&chain[lag..]).map(|(a, b)| a * b).sum::<f64>() / n)
            .sum::<f64>()
            / centred.len() as f64;
        1.0 - (moments.within * (n - 1.0) / n - covariance) / moments.overall
    };
    let mut time = -1.0;
    let mut smallest = f64::INFINITY;
    for lag in (0..length - 1).step_by(2) {
        let even = if lag == 0 { 1.0 } else { correlation(lag) };
        let pair = even + correlation(lag + 1);
        if pair <= 0.0 {
            break;
        }
        smallest = smallest.min(pair);
        time += 2.0 * smallest;
    }
    total / time.max(1.0 / total.log10())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn squares(values: &[f64], mean: f64) -> f64 {
    values.iter().map(|value| (value - mean) * (value - mean)).sum()
}

#[cfg(test)]
mod tests {
    use umpire_model::Random;

    use super::super::nuts::Noise;
    use super::*;

    /// Autoregressive chains with this correlation from draw to draw; stationary from the start.
    fn chains(correlation: f64, shift: f64, stretch: f64) -> Vec<Vec<f64>> {
        (0..4)
            .map(|chain| {
                let mut noise = Noise::new(Random::stream(11, &format!("{chain}")));
                let mut x = noise.normal();
                let (shift, stretch) = if chain == 0 { (shift, stretch) } else { (0.0, 1.0) };
                (0..2000)
                    .map(|_| {
                        x = correlation * x + (1.0 - correlation * correlation).sqrt() * noise.normal();
                        x * stretch + shift
                    })
                    .collect()
            })
            .collect()
    }

    #[test]
    fn effective_sizes_are_those_of_theory() {
        // Of N draws with correlation r from one to the next, N (1 − r) / (1 + r) are left.
        for correlation in [0.0, 0.5, 0.8] {
            let diagnosis = Diagnosis::of(&chains(correlation, 0.0, 1.0)).expect("it varies");
            let theory = 8000.0 * (1.0 - correlation) / (1.0 + correlation);
            assert!(
                (diagnosis.ess_bulk / theory - 1.0).abs() < 0.15,
                "{correlation}: {diagnosis:?} {theory}"
            );
            assert!(diagnosis.r_hat < 1.01, "{diagnosis:?}");
        }
        let alternating = Diagnosis::of(&chains(-0.5, 0.0, 1.0)).expect("it varies");
        assert!(alternating.ess_bulk > 16_000.0, "draws that alternate are worth more: {alternating:?}");
    }

    #[test]
    fn chains_that_differ_in_place_or_spread_are_told() {
        assert!(Diagnosis::of(&chains(0.0, 0.5, 1.0)).expect("it varies").r_hat > 1.01);
        assert!(Diagnosis::of(&chains(0.0, 0.0, 2.0)).expect("it varies").r_hat > 1.01);
        let drifting: Vec<Vec<f64>> = chains(0.0, 0.0, 1.0)
            .iter()
            .map(|chain| chain.iter().enumerate().map(|(i, x)| x + i as f64 / 2000.0).collect())
            .collect();
        assert!(Diagnosis::of(&drifting).expect("it varies").r_hat > 1.01);
    }

    #[test]
    fn what_says_nothing_has_no_diagnosis() {
        assert_eq!(Diagnosis::of(&[]), None);
        assert_eq!(Diagnosis::of(&[vec![1.0; 100]]), None);
        assert_eq!(Diagnosis::of(&[vec![1.0, 2.0, 3.0]]), None);
        assert_eq!(Diagnosis::of(&[vec![1.0, f64::NAN, 3.0, 4.0]]), None);
    }
}
