//! One chain, from a random start over its warm-up to its draws.

use umpire_model::Random;

use super::adapt::{Scales, StepSize, Windows};
use super::noise::Noise;
use super::tree::{Point, walk};
use super::{Density, NutsSettings};
use crate::hard::elementary::functions::exp;

/// What a chain drew, and how it fared after its warm-up.
#[derive(Clone, Debug)]
pub struct Chain {
    pub parameters: usize,
    /// Draw after draw.
    pub values: Vec<f64>,
    pub divergences: usize,
    /// Trajectories that were still going on when they were cut.
    pub too_long: usize,
    pub step_size: f64,
    /// Evaluations of the gradient, warm-up included.
    pub evaluations: usize,
}

impl Chain {
    pub fn draws(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.parameters)
    }

    #[cfg(test)]
    pub fn column(&self, parameter: usize) -> Vec<f64> {
        self.draws().map(|draw| draw[parameter]).collect()
    }
}

pub fn run_chain(density: &mut impl Density, settings: NutsSettings, random: Random) -> Chain {
    let parameters = density.parameters();
    let mut noise = Noise::new(random);
    let mut squared_scales = vec![1.0; parameters];
    let mut here = start(density, &mut noise);
    let mut evaluations = 1;

    let mut step = usable_step(density, &squared_scales, &here, &mut noise, &mut evaluations);
    let mut size = StepSize::starting_at(step, settings.target);
    let mut scales = Scales::new(parameters);
    let windows = Windows::of(settings.warmup);
    for draw in 0..settings.warmup {
        let from = here.clone().pushed(&squared_scales, &mut noise);
        let walked = walk(density, &squared_scales, size.now(), from, &mut noise);
        evaluations += walked.steps;
        here = walked.to.as_ref().clone();
        size.learn(walked.acceptance);
        if draw >= windows.start {
            scales.learn(&here.at, &here.gradient);
        }
        if windows.ends.contains(&(draw + 1)) {
            scales.write(&mut squared_scales);
            scales = Scales::new(parameters);
            step = usable_step(density, &squared_scales, &here, &mut noise, &mut evaluations);
            size = StepSize::starting_at(step, settings.target);
        }
    }

    let step_size = size.settled();
    let mut chain = Chain {
        parameters,
        values: Vec::with_capacity(settings.draws * parameters),
        divergences: 0,
        too_long: 0,
        step_size,
        evaluations,
    };
    for _ in 0..settings.draws {
        let from = here.clone().pushed(&squared_scales, &mut noise);
        let walked = walk(density, &squared_scales, step_size, from, &mut noise);
        here = walked.to.as_ref().clone();
        chain.values.extend_from_slice(&here.at);
        chain.divergences += usize::from(walked.diverged);
        chain.too_long += usize::from(walked.too_long);
        chain.evaluations += walked.steps;
    }
    chain
}

/// Chains start apart, so that agreeing means something.
fn start(density: &mut impl Density, noise: &mut Noise) -> Point {
    let at = (0..density.parameters()).map(|_| 4.0 * noise.uniform() - 2.0).collect();
    Point::at_rest(density, at)
}

/// A step size, up to a factor of two, at which one step is about as often worth taking as not.
fn usable_step(
    density: &mut impl Density,
    squared_scales: &[f64],
    here: &Point,
    noise: &mut Noise,
    evaluations: &mut usize,
) -> f64 {
    let pushed = here.clone().pushed(squared_scales, noise);
    let energy = pushed.energy();
    let mut acceptable = |step: f64| {
        *evaluations += 1;
        exp(energy - pushed.step(density, squared_scales, step).energy()) > 0.8
    };
    let mut step = 0.5;
    let grow = acceptable(step);
    // Beyond these powers of two there is nothing to find, only a density that is broken.
    for _ in 0..50 {
        let next = if grow { step * 2.0 } else { step / 2.0 };
        if acceptable(next) != grow {
            return if grow { step } else { next };
        }
        step = next;
    }
    step
}
