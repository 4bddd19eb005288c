//! The most probable parameters when scales are known: a quick stand-in for a fit where hundreds are needed.

use std::collections::VecDeque;

use super::nuts::{Density, dot};

/// Corrections that the curvature is remembered by.
const MEMORY: usize = 8;
const MOST_STEPS: usize = 300;
/// The largest slope left, in units in which priors have a curvature of 1.
const FLAT: f64 = 1e-3;

/// Climbs to the top by limited-memory BFGS. With known scales the log density of the model is strictly concave, so there
/// is one top and every start leads there. None if it was not reached.
pub fn mode(density: &mut impl Density, start: &[f64]) -> Option<Vec<f64>> {
    let n = density.parameters();
    let mut at = start.to_vec();
    let mut gradient = vec![0.0; n];
    let mut height = density.evaluate(&at, &mut gradient);
    let mut memory: VecDeque<(Vec<f64>, Vec<f64>, f64)> = VecDeque::new();
    for _ in 0..MOST_STEPS {
        if gradient.iter().all(|slope| slope.abs() < FLAT) {
            return Some(at);
        }
        let direction = uphill(&memory, &gradient);
        let slope = dot(&direction, &gradient);
        let mut step = if memory.is_empty() { 1.0 / dot(&gradient, &gradient).sqrt().max(1.0) } else { 1.0 };
        let (mut next, mut next_gradient) = (vec![0.0; n], vec![0.0; n]);
        // Back towards the start until the gain is a fair part of what the slope promised.
        let next_height = (0..40).find_map(|_| {
            for i in 0..n {
                next[i] = at[i] + step * direction[i];
            }
            let found = density.evaluate(&next, &mut next_gradient);
            let fair = found >= height + 1e-4 * step * slope;
            step *= 0.5;
            fair.then_some(found)
        })?;
        let moved: Vec<f64> = next.iter().zip(&at).map(|(a, b)| a - b).collect();
        let bent: Vec<f64> = gradient.iter().zip(&next_gradient).map(|(a, b)| a - b).collect();
        let curvature = dot(&moved, &bent);
        if curvature > 0.0 {
            memory.push_back((moved, bent, 1.0 / curvature));
            if memory.len() > MEMORY {
                memory.pop_front();
            }
        }
        (at, gradient, height) = (next, next_gradient, next_height);
    }
    None
}

/// The two loops of Nocedal: the gradient times an inverse curvature that fits the remembered steps.
fn uphill(memory: &VecDeque<(Vec<f64>, Vec<f64>, f64)>, gradient: &[f64]) -> Vec<f64> {
    let mut direction = gradient.to_vec();
    let mut shares = Vec::with_capacity(memory.len());
    for (moved, bent, inverse) in memory.iter().rev() {
        let share = inverse * dot(moved, &direction);
        for (d, b) in direction.iter_mut().zip(bent) {
            *d -= share * b;
        }
        shares.push(share);
    }
    if let Some((_, bent, inverse)) = memory.back() {
        let typical = 1.0 / (inverse * dot(bent, bent));
        for d in &mut direction {
            *d *= typical;
        }
    }
    for ((moved, bent, inverse), share) in memory.iter().zip(shares.into_iter().rev()) {
        let back = share - inverse * dot(bent, &direction);
        for (d, m) in direction.iter_mut().zip(moved) {
            *d += back * m;
        }
    }
    direction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_tilted_bowl_is_found() {
        struct Bowl;
        impl Density for Bowl {
            fn parameters(&self) -> usize {
                30
            }
            fn evaluate(&mut self, at: &[f64], gradient: &mut [f64]) -> f64 {
                let mut total = 0.0;
                for i in 0..30 {
                    // Its top is where each is a tenth of its number.
                    let away = at[i] - i as f64 / 10.0;
                    let steep = 1.0 + i as f64 * 10.0;
                    gradient[i] = -steep * away - away.powi(3);
                    total -= 0.5 * steep * away * away + 0.25 * away.powi(4);
                }
                total
            }
        }
        let top = mode(&mut Bowl, &[5.0; 30]).expect("a top");
        assert!(top.iter().enumerate().all(|(i, x)| (x - i as f64 / 10.0).abs() < 2e-3), "{top:?}");
    }
}
