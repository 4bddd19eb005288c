//! The No-U-Turn sampler: draws from a density that is known up to a constant, from its gradient.
//!
//! Hoffman and Gelman's sampler (2014) with the draw within a trajectory by weight and the turning test by summed momenta
//! (Betancourt 2017). Each coordinate's scale is learned in windows from draws and gradients together, which needs fewer
//! of them than draws alone. Why not a library: see `docs/hard-subset.md`.

mod adapt;
mod chain;
mod noise;
mod tree;

use std::thread;

use umpire_model::Random;

pub use chain::{Chain, run_chain};
pub(super) use noise::Noise;
pub(super) use tree::dot;

/// A log density and its gradient.
pub trait Density {
    fn parameters(&self) -> usize;
    /// The log density up to a constant; overwrites `gradient`.
    fn evaluate(&mut self, at: &[f64], gradient: &mut [f64]) -> f64;
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NutsSettings {
    pub chains: usize,
    /// Draws each chain makes to find its step and scales, which are not counted.
    pub warmup: usize,
    pub draws: usize,
    pub seed: u64,
    /// How often a step should be worth taking: nearer to 1 means smaller steps, and fewer divergences.
    pub target: f64,
}

impl Default for NutsSettings {
    fn default() -> Self {
        Self { chains: 4, warmup: 1000, draws: 1000, seed: 1, target: 0.9 }
    }
}

/// All chains, as many at a time as there are processors. Each has a random stream of its own, so what it draws does not
/// depend on how many run beside it.
pub fn run_chains<D: Density + Clone + Send>(density: &D, settings: NutsSettings) -> Vec<Chain> {
    let at_a_time = thread::available_parallelism().map_or(1, usize::from);
    let run = |chain: usize| {
        let mut density = density.clone();
        move || run_chain(&mut density, settings, Random::stream(settings.seed, &format!("chain {chain}")))
    };
    let mut chains = Vec::with_capacity(settings.chains);
    let all: Vec<usize> = (0..settings.chains).collect();
    for together in all.chunks(at_a_time) {
        thread::scope(|scope| {
            let handles: Vec<_> = together.iter().map(|&chain| scope.spawn(run(chain))).collect();
            for handle in handles {
                chains.push(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
        });
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::super::diagnostics::Diagnosis;
    use super::*;

    /// Independent normals of very different scales around their own number, and two that depend on each other.
    #[derive(Clone)]
    struct Normals;

    const SCALES: [f64; 4] = [0.01, 1.0, 30.0, 1000.0];
    const CORRELATION: f64 = 0.9;

    impl Density for Normals {
        fn parameters(&self) -> usize {
            SCALES.len() + 2
        }

        fn evaluate(&mut self, at: &[f64], gradient: &mut [f64]) -> f64 {
            let mut total = 0.0;
            for (i, scale) in SCALES.iter().enumerate() {
                let away = (at[i] - i as f64) / scale;
                gradient[i] = -away / scale;
                total -= 0.5 * away * away;
            }
            let (x, y) = (at[4], at[5]);
            let precision = 1.0 / (1.0 - CORRELATION * CORRELATION);
            gradient[4] = -precision * (x - CORRELATION * y);
            gradient[5] = -precision * (y - CORRELATION * x);
            total - 0.5 * precision * (x * x - 2.0 * CORRELATION * x * y + y * y)
        }
    }

    fn column(chains: &[Chain], parameter: usize) -> Vec<Vec<f64>> {
        chains.iter().map(|chain| chain.column(parameter)).collect()
    }

    #[test]
    fn moments_of_normals_are_found() {
        let settings = NutsSettings { chains: 4, warmup: 600, draws: 2000, seed: 3, target: 0.9 };
        let chains = run_chains(&Normals, settings);
        assert!(chains.iter().all(|chain| chain.divergences == 0));
        for (parameter, (mean, spread)) in
            [(0.0, 0.01), (1.0, 1.0), (2.0, 30.0), (3.0, 1000.0), (0.0, 1.0), (0.0, 1.0)]
                .into_iter()
                .enumerate()
        {
            let columns = column(&chains, parameter);
            let draws: Vec<f64> = columns.concat();
            let n = draws.len() as f64;
            let found = draws.iter().sum::<f64>() / n;
            let variance = draws.iter().map(|x| (x - found).powi(2)).sum::<f64>() / n;
            let diagnosis = Diagnosis::of(&columns).expect("it varies");
            assert!(diagnosis.r_hat < 1.01, "{parameter}: {diagnosis:?}");
            // Five standard errors of what was drawn, in units of the true spread.
            let error = 5.0 / diagnosis.ess_bulk.sqrt();
            assert!((found - mean).abs() < error * spread, "{parameter}: mean {found} {diagnosis:?}");
            let tail = 5.0 / diagnosis.ess_tail.sqrt();
            assert!(
                (variance.sqrt() / spread - 1.0).abs() < tail,
                "{parameter}: spread {} {tail}",
                variance.sqrt()
            );
        }
        let (x, y) = (column(&chains, 4).concat(), column(&chains, 5).concat());
        let correlation = crate::agreement::pearson(&x, &y).expect("both vary");
        assert!((correlation - CORRELATION).abs() < 0.02, "{correlation}");
    }

    #[test]
    fn a_chain_is_the_same_whoever_runs_beside_it() {
        let settings = NutsSettings { chains: 3, warmup: 50, draws: 20, seed: 9, target: 0.9 };
        let three = run_chains(&Normals, settings);
        let one = run_chains(&Normals, NutsSettings { chains: 1, ..settings });
        assert_eq!(three[0].column(2), one[0].column(2));
        assert_ne!(three[0].column(2), three[1].column(2));
    }

    /// A funnel's neck is too narrow for any one step size: this must be said.
    #[test]
    fn what_cannot_be_walked_is_reported() {
        #[derive(Clone)]
        struct Funnel;
        impl Density for Funnel {
            fn parameters(&self) -> usize {
                10
            }
            fn evaluate(&mut self, at: &[f64], gradient: &mut [f64]) -> f64 {
                let (v, rest) = (at[0], &at[1..]);
                let squares: f64 = rest.iter().map(|x| x * x).sum();
                let precision = (-v).exp();
                gradient[0] = -v / 9.0 + 0.5 * squares * precision - 0.5 * rest.len() as f64;
                for (by, x) in gradient[1..].iter_mut().zip(rest) {
                    *by = -x * precision;
                }
                -v * v / 18.0 - 0.5 * squares * precision - 0.5 * v * rest.len() as f64
            }
        }
        let chains =
            run_chains(&Funnel, NutsSettings { chains: 4, warmup: 300, draws: 500, seed: 1, target: 0.9 });
        let divergences: usize = chains.iter().map(|chain| chain.divergences).sum();
        let diagnosis = Diagnosis::of(&column(&chains, 0)).expect("it varies");
        assert!(divergences > 0 || diagnosis.r_hat > 1.01, "{divergences} {diagnosis:?}");
    }
}
