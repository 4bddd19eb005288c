//! How likely it is that nothing is wrong.

use statrs::distribution::{Binomial, ContinuousCDF as _, DiscreteCDF as _, Normal};
use umpire_stats::holm;

/// The chance of at least `hits` in `trials`.
pub(super) fn at_least(hits: usize, trials: usize, chance: f64) -> f64 {
    if hits == 0 {
        return 1.0;
    }
    Binomial::new(chance.clamp(0.0, 1.0), trials as u64).map_or(1.0, |binomial| binomial.sf(hits as u64 - 1))
}

/// The chance of as few or as many hits, in either direction.
pub(super) fn as_extreme(hits: usize, trials: usize, chance: f64) -> f64 {
    let high = at_least(hits, trials, chance);
    let low = at_least(trials - hits, trials, 1.0 - chance);
    (2.0 * high.min(low)).min(1.0)
}

/// The chance of a standard normal value at least this far from 0.
pub(super) fn beyond(z: f64) -> f64 {
    2.0 * Normal::standard().sf(z.abs())
}

/// A bound on the chance that Σ wₖXₖYₖ ≥ `sum` for independent standard normal X and Y, by Chernoff: such products have
/// fatter tails than a normal distribution, and a normal approximation would accuse too many.
pub(super) fn products_at_least(weights: &[f64], sum: f64) -> f64 {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if sum <= 0.0 || largest <= 0.0 {
        return 1.0;
    }
    let log_bound = |tilt: f64| {
        let spread: f64 = weights.iter().map(|weight| (-(weight * tilt).powi(2)).ln_1p()).sum();
        -tilt * sum - spread / 2.0
    };
    // The best tilt lies below 1 / largest; a fine grid is near enough for a bound, which holds at every tilt.
    let best = (1..200).map(|step| log_bound(f64::from(step) / 200.0 / largest)).fold(0.0, f64::min);
    best.exp()
}

/// The tests that hold after Holm's correction, with −log₁₀ of the corrected p-value.
pub(super) fn significant<T>(tests: Vec<(T, f64)>, alpha: f64) -> Vec<(T, f64)> {
    let adjusted = holm(&tests.iter().map(|(_, p)| *p).collect::<Vec<_>>());
    let found = tests.into_iter().zip(adjusted).filter(|(_, p)| *p < alpha);
    found.map(|((about, _), p)| (about, -p.max(1e-300).log10())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_tails_of_coins() {
        // 2⁻¹⁰ for ten heads; both tails twice that.
        assert!((at_least(10, 10, 0.5) - 1.0 / 1024.0).abs() < 1e-12);
        assert!((as_extreme(0, 10, 0.5) - 2.0 / 1024.0).abs() < 1e-12);
        assert!((as_extreme(5, 10, 0.5) - 1.0).abs() < 1e-12);
        assert!((at_least(0, 3, 0.2) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_bound_on_products_is_one() {
        let mut random = umpire_model::Random::new(4);
        let mut normal =
            || (0..12).map(|_| random.below(1 << 30) as f64 / f64::from(1 << 30)).sum::<f64>() - 6.0;
        let weights = [1.0, 0.5, 0.5, 0.25];
        for sum in [1.0, 2.5, 4.0] {
            let draws = 20_000;
            let hits = (0..draws)
                .filter(|_| weights.iter().map(|weight| weight * normal() * normal()).sum::<f64>() >= sum)
                .count();
            let (share, bound) = (hits as f64 / f64::from(draws), products_at_least(&weights, sum));
            assert!(share <= bound && bound < 1.0, "{sum}: {share} {bound}");
        }
    }
}
