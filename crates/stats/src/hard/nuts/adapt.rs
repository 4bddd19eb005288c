//! What a chain learns while it warms up: its step size and the scale of each coordinate.

use crate::hard::elementary::functions::{exp, ln};

/// Nesterov's dual averaging, with the constants of Hoffman and Gelman: the step size at which steps are worth taking as
/// often as wanted.
pub struct StepSize {
    target: f64,
    centre: f64,
    error: f64,
    log_step: f64,
    log_mean: f64,
    count: f64,
}

impl StepSize {
    pub fn starting_at(step: f64, target: f64) -> Self {
        Self { target, centre: ln(10.0 * step), error: 0.0, log_step: ln(step), log_mean: 0.0, count: 0.0 }
    }

    pub fn learn(&mut self, acceptance: f64) {
        const SHRINKAGE: f64 = 0.05;
        const EARLY: f64 = 10.0;
        const FORGETTING: f64 = 0.75;
        self.count += 1.0;
        let weight = 1.0 / (self.count + EARLY);
        self.error += weight * (self.target - acceptance - self.error);
        self.log_step = self.centre - self.error * self.count.sqrt() / SHRINKAGE;
        let weight = exp(-FORGETTING * ln(self.count));
        self.log_mean += weight * (self.log_step - self.log_mean);
    }

    /// For the next step of the search.
    pub fn now(&self) -> f64 {
        exp(self.log_step)
    }

    /// What the search settled on.
    pub fn settled(&self) -> f64 {
        exp(if self.count > 0.0 { self.log_mean } else { self.log_step })
    }
}

/// Squared scales of the coordinates: √(variance of draws / variance of gradients). For a normal density both say the
/// same, and elsewhere it is the best one can do coordinate by coordinate in the sense of Fisher divergence.
pub struct Scales {
    count: f64,
    positions: Spread,
    gradients: Spread,
}

struct Spread {
    mean: Vec<f64>,
    squares: Vec<f64>,
}

impl Spread {
    fn new(parameters: usize) -> Self {
        Self { mean: vec![0.0; parameters], squares: vec![0.0; parameters] }
    }

    fn learn(&mut self, values: &[f64], count: f64) {
        for ((mean, squares), value) in self.mean.iter_mut().zip(&mut self.squares).zip(values) {
            let before = value - *mean;
            *mean += before / count;
            *squares += before * (value - *mean);
        }
    }
}

impl Scales {
    pub fn new(parameters: usize) -> Self {
        Self { count: 0.0, positions: Spread::new(parameters), gradients: Spread::new(parameters) }
    }

    pub fn learn(&mut self, position: &[f64], gradient: &[f64]) {
        self.count += 1.0;
        self.positions.learn(position, self.count);
        self.gradients.learn(gradient, self.count);
    }

    /// A coordinate that did not move keeps the scale it has.
    pub fn write(&self, squared: &mut [f64]) {
        for ((scale, x), g) in squared.iter_mut().zip(&self.positions.squares).zip(&self.gradients.squares) {
            let found = (x / g).sqrt();
            if found.is_finite() && found > 0.0 {
                *scale = found.clamp(1e-12, 1e12);
            }
        }
    }
}

/// How a warm-up is divided: a start in which the chain only looks for where the mass is, windows of doubling length after
/// each of which the scales are taken anew, and an end in which only the step size is learned.
pub struct Windows {
    pub start: usize,
    pub ends: Vec<usize>,
}

impl Windows {
    pub fn of(warmup: usize) -> Self {
        let start = (warmup / 20).clamp(1, 75);
        let end = warmup.saturating_sub((warmup / 10).clamp(1, 60));
        let mut length = (warmup / 40).max(10);
        let mut ends = Vec::new();
        let mut next = start + length;
        while next < end {
            // A window is not worth closing if the one after it would be shorter than it should be.
            if next + 2 * length > end {
                next = end;
            }
            ends.push(next);
            length *= 2;
            next += length;
        }
        Self { start, ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_double_and_leave_room_for_the_step_size() {
        assert_eq!(Windows::of(1000).ends, [75, 125, 225, 425, 940]);
        assert_eq!(Windows::of(10).ends, Vec::<usize>::new());
        for warmup in 0..400 {
            let ends = Windows::of(warmup).ends;
            assert!(ends.is_sorted_by(|a, b| a < b) && ends.iter().all(|&end| end < warmup), "{ends:?}");
        }
    }

    #[test]
    fn the_step_size_finds_the_acceptance_wanted() {
        // Acceptance falls with the step as e^(−step); 0.8 is met at 0.2231.
        let mut step = StepSize::starting_at(4.0, 0.8);
        for _ in 0..2000 {
            step.learn((-step.now()).exp());
        }
        assert!((step.settled() - 0.2231).abs() < 0.01, "{}", step.settled());
    }

    #[test]
    fn scales_of_a_normal_are_its_own() {
        let mut scales = Scales::new(2);
        // Draws −3, 3 of a normal with variance 9 have gradients 1/3, −1/3; the other coordinate never moves.
        scales.learn(&[-3.0, 1.0], &[1.0 / 3.0, 0.0]);
        scales.learn(&[3.0, 1.0], &[-1.0 / 3.0, 0.0]);
        let mut squared = [1.0, 7.0];
        scales.write(&mut squared);
        assert!((squared[0] - 9.0).abs() < 1e-9);
        assert_eq!(squared[1].to_bits(), 7_f64.to_bits());
    }
}
