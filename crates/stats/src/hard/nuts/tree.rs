//! One trajectory: doubled, forwards or backwards in time, until it turns back on itself.

use std::rc::Rc;

use super::Density;
use super::noise::Noise;
use crate::hard::elementary::functions::{exp, ln};

/// A trajectory of 2¹⁰ steps is as long as one gets.
pub const DEEPEST: usize = 10;
/// An energy that is off by this much means that the steps left the trajectory altogether.
const DIVERGED: f64 = 1000.0;

/// A place on a trajectory.
#[derive(Clone, Debug)]
pub struct Point {
    pub at: Vec<f64>,
    pub gradient: Vec<f64>,
    pub log_density: f64,
    momentum: Vec<f64>,
    velocity: Vec<f64>,
}

impl Point {
    pub fn at_rest(density: &mut impl Density, at: Vec<f64>) -> Self {
        let mut gradient = vec![0.0; at.len()];
        let log_density = density.evaluate(&at, &mut gradient);
        Self { momentum: vec![0.0; at.len()], velocity: vec![0.0; at.len()], at, gradient, log_density }
    }

    /// The same place with a momentum drawn anew.
    pub fn pushed(mut self, squared_scales: &[f64], noise: &mut Noise) -> Self {
        for ((momentum, velocity), squared) in
            self.momentum.iter_mut().zip(&mut self.velocity).zip(squared_scales)
        {
            *momentum = noise.normal() / squared.sqrt();
            *velocity = *momentum * squared;
        }
        self
    }

    pub fn energy(&self) -> f64 {
        0.5 * dot(&self.momentum, &self.velocity) - self.log_density
    }

    /// One leapfrog step.
    pub fn step(&self, density: &mut impl Density, squared_scales: &[f64], step: f64) -> Self {
        let half = 0.5 * step;
        let n = self.at.len();
        let mut momentum: Vec<f64> =
            self.momentum.iter().zip(&self.gradient).map(|(p, g)| p + half * g).collect();
        let at: Vec<f64> = self
            .at
            .iter()
            .zip(&momentum)
            .zip(squared_scales)
            .map(|((x, p), squared)| x + step * squared * p)
            .collect();
        let mut gradient = vec![0.0; n];
        let log_density = density.evaluate(&at, &mut gradient);
        for (p, g) in momentum.iter_mut().zip(&gradient) {
            *p += half * g;
        }
        let velocity = momentum.iter().zip(squared_scales).map(|(p, squared)| p * squared).collect();
        Self { at, gradient, log_density, momentum, velocity }
    }
}

/// What came of a trajectory.
pub struct Walked {
    pub to: Rc<Point>,
    /// Mean probability of accepting its steps one by one, which the step size is learned from.
    pub acceptance: f64,
    pub steps: usize,
    pub diverged: bool,
    pub too_long: bool,
}

/// A part of a trajectory that does not turn back on itself, with the place drawn from it.
struct Tree {
    first: Rc<Point>,
    last: Rc<Point>,
    momenta: Vec<f64>,
    drawn: Rc<Point>,
    log_weight: f64,
}

struct Walk<'a, D> {
    density: &'a mut D,
    squared_scales: &'a [f64],
    step: f64,
    noise: &'a mut Noise,
    energy: f64,
    steps: usize,
    acceptance: f64,
    diverged: bool,
}

/// Draws the next place from a trajectory through `from`, which was pushed already.
pub fn walk<D: Density>(
    density: &mut D,
    squared_scales: &[f64],
    step: f64,
    from: Point,
    noise: &mut Noise,
) -> Walked {
    let energy = from.energy();
    let from = Rc::new(from);
    let mut walk =
        Walk { density, squared_scales, step, noise, energy, steps: 0, acceptance: 0.0, diverged: false };
    let mut tree = Tree {
        first: Rc::clone(&from),
        last: Rc::clone(&from),
        momenta: from.momentum.clone(),
        drawn: from,
        log_weight: 0.0,
    };
    let mut depth = 0;
    let mut goes_on = true;
    while goes_on && depth < DEEPEST {
        let forwards = walk.noise.uniform() < 0.5;
        let edge = Rc::clone(if forwards { &tree.last } else { &tree.first });
        let Some(new) = walk.build(depth, &edge, forwards) else { break };
        depth += 1;
        // In favour of the new half, which is farther from where it began.
        if ln_uniform(walk.noise) < new.log_weight - tree.log_weight {
            tree.drawn = Rc::clone(&new.drawn);
        }
        (tree, goes_on) = joined(tree, new, forwards);
    }
    Walked {
        to: tree.drawn,
        acceptance: walk.acceptance / walk.steps.max(1) as f64,
        steps: walk.steps,
        diverged: walk.diverged,
        too_long: goes_on && depth == DEEPEST,
    }
}

impl<D: Density> Walk<'_, D> {
    /// 2^`depth` steps from an edge of the trajectory; none if they turn back or diverge.
    fn build(&mut self, depth: usize, from: &Point, forwards: bool) -> Option<Tree> {
        if depth == 0 {
            return self.one_step(from, forwards);
        }
        let mut near = self.build(depth - 1, from, forwards)?;
        let edge = Rc::clone(if forwards { &near.last } else { &near.first });
        let far = self.build(depth - 1, &edge, forwards)?;
        let whole = log_sum(near.log_weight, far.log_weight);
        if ln_uniform(self.noise) < far.log_weight - whole {
            near.drawn = Rc::clone(&far.drawn);
        }
        let (tree, goes_on) = joined(near, far, forwards);
        goes_on.then_some(tree)
    }

    fn one_step(&mut self, from: &Point, forwards: bool) -> Option<Tree> {
        let signed = if forwards { self.step } else { -self.step };
        let point = Rc::new(from.step(self.density, self.squared_scales, signed));
        let gained = self.energy - point.energy();
        self.steps += 1;
        if gained.is_nan() || gained < -DIVERGED {
            self.diverged = true;
            return None;
        }
        self.acceptance += if gained >= 0.0 { 1.0 } else { exp(gained) };
        Some(Tree {
            first: Rc::clone(&point),
            last: Rc::clone(&point),
            momenta: point.momentum.clone(),
            drawn: point,
            log_weight: gained,
        })
    }
}

/// Both as one with the first's drawn place, and whether it goes on without turning back: neither as a whole nor where
/// the two meet.
fn joined(near: Tree, far: Tree, forwards: bool) -> (Tree, bool) {
    let drawn = Rc::clone(&near.drawn);
    let log_weight = log_sum(near.log_weight, far.log_weight);
    let (early, late) = if forwards { (near, far) } else { (far, near) };
    // Of two single places the whole says it all.
    let single = Rc::ptr_eq(&early.first, &early.last) && Rc::ptr_eq(&late.first, &late.last);
    let goes_on = single
        || moves_along(&early.first.velocity, &late.first.velocity, &early.momenta, &late.first.momentum)
            && moves_along(&early.last.velocity, &late.last.velocity, &late.momenta, &early.last.momentum);
    let mut momenta = early.momenta;
    for (sum, more) in momenta.iter_mut().zip(&late.momenta) {
        *sum += more;
    }
    let goes_on = goes_on && moves_along(&early.first.velocity, &late.last.velocity, &momenta, &[]);
    (Tree { first: early.first, last: late.last, momenta, drawn, log_weight }, goes_on)
}

/// Whether both velocities point along the sum of momenta, to which one more may be added.
fn moves_along(first: &[f64], last: &[f64], momenta: &[f64], more: &[f64]) -> bool {
    let mut along = [dot(first, momenta), dot(last, momenta)];
    if !more.is_empty() {
        along[0] += dot(first, more);
        along[1] += dot(last, more);
    }
    along[0] > 0.0 && along[1] > 0.0
}

/// In eight sums, so that one addition need not wait for the last; always in the same order.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7])) + rest
}

fn log_sum(a: f64, b: f64) -> f64 {
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    large + ln(1.0 + exp(small - large))
}

/// The logarithm of a number from 0 to 1.
fn ln_uniform(noise: &mut Noise) -> f64 {
    ln(1.0 - noise.uniform())
}
