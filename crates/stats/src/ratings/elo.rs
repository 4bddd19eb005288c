use umpire_model::Random;

use super::scale::MEAN_RATING;
use super::{Battles, Resampled};

/// Settings of the sequential rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// Points at stake in a battle.
    pub k: f64,
    pub start: f64,
}

impl Default for Elo {
    fn default() -> Self {
        Self { k: 4.0, start: MEAN_RATING }
    }
}

impl Elo {
    /// What one battle changes: for a display that follows the votes as they come in.
    pub fn update(&self, ratings: &mut [f64], a: usize, b: usize, points_of_a: f64) {
        let (of_a, of_b) = (ratings[a], ratings[b]);
        let expected_a = 1.0 / (1.0 + 10.0_f64.powf((of_b - of_a) / 400.0));
        let expected_b = 1.0 / (1.0 + 10.0_f64.powf((of_a - of_b) / 400.0));
        ratings[a] += self.k * (points_of_a - expected_a);
        // After the line above: a model that meets itself gets both.
        ratings[b] += self.k * (1.0 - points_of_a - expected_b);
    }
}

/// Ratings after all battles, one after the other. They depend on the order and favour what came last; for a verdict take
/// [`super::fit`].
pub fn online_elo(battles: &Battles, elo: Elo) -> Vec<f64> {
    in_order(battles, elo, 0..battles.len())
}

fn in_order(battles: &Battles, elo: Elo, order: impl IntoIterator<Item = usize>) -> Vec<f64> {
    let mut ratings = vec![elo.start; battles.models.len()];
    for at in order {
        let (a, b, winner) = battles.row(at);
        elo.update(&mut ratings, a as usize, b as usize, winner.points_of_a());
    }
    ratings
}

/// Elo on battles drawn with replacement, in the order in which they are drawn.
pub fn elo_bootstrap(battles: &Battles, elo: Elo, rounds: usize, seed: u64) -> Resampled {
    let mut random = Random::stream(seed, "bootstrap of Elo");
    let mut samples = vec![Vec::with_capacity(rounds); battles.models.len()];
    for _ in 0..rounds {
        let draws = (0..battles.len()).map(|_| random.below(battles.len()));
        for (of_model, rating) in samples.iter_mut().zip(in_order(battles, elo, draws)) {
            of_model.push(rating);
        }
    }
    Resampled { samples, without_finite_mle: 0 }
}

#[cfg(test)]
mod tests {
    use super::super::Winner;
    use super::*;

    #[test]
    fn equal_models_play_for_half_of_k() {
        let battles: Battles = [("p", "q", Winner::A), ("q", "r", Winner::Tie)].into_iter().collect();
        let ratings = online_elo(&battles, Elo::default());
        assert!((ratings[0] - 1002.0).abs() < 1e-12);
        // q lost 2 points, so a tie with r brings a little back: 4 · (1/2 − 1/(1 + 10^(2/400))).
        let back = 4.0 * (0.5 - 1.0 / (1.0 + 10.0_f64.powf(2.0 / 400.0)));
        assert!((ratings[1] - (998.0 + back)).abs() < 1e-12);
        assert!((ratings.iter().sum::<f64>() - 3000.0).abs() < 1e-9, "points only change hands");
    }

    #[test]
    fn the_same_seed_draws_the_same() {
        let battles: Battles =
            [("p", "q", Winner::A), ("q", "p", Winner::A), ("p", "q", Winner::Tie)].into_iter().collect();
        let draw = |seed| elo_bootstrap(&battles, Elo::default(), 20, seed).samples;
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
