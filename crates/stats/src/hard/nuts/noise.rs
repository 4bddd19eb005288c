//! Uniform and normal numbers from the house's generator, the same on every machine.

use umpire_model::Random;

use crate::hard::elementary::functions::ln;

#[derive(Clone, Debug)]
pub struct Noise {
    random: Random,
    spare: Option<f64>,
}

impl Noise {
    pub fn new(random: Random) -> Self {
        Self { random, spare: None }
    }

    /// In 0..1.
    pub fn uniform(&mut self) -> f64 {
        const UNIT: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.random.next_u64() >> 11) as f64 * UNIT
    }

    /// Standard normal, by Marsaglia's polar method.
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square < 1.0 && square > f64::MIN_POSITIVE {
                let stretch = (-2.0 * ln(square) / square).sqrt();
                self.spare = Some(y * stretch);
                return x * stretch;
            }
        }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_have_the_moments_of_normals() {
        let mut noise = Noise::new(Random::new(5));
        let n = 200_000;
        let draws: Vec<f64> = (0..n).map(|_| noise.normal()).collect();
        // Expectations 0, 1, 0, 3, and their standard errors from the next moments: 1, √2, √15, √96 over √n.
        for (power, expected, spread) in [(1, 0.0, 1.0), (2, 1.0, 2_f64), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            let moment = draws.iter().map(|x| x.powi(power)).sum::<f64>() / f64::from(n);
            let error = (moment - expected).abs() / (spread / f64::from(n)).sqrt();
            assert!(error < 4.5, "moment {power} is {moment}");
        }
    }
}
