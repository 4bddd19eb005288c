use super::cholesky::Symmetric;
use super::scale::POINTS_PER_NAT;
use super::{Fit, Pairs};

/// What is known of all strengths together: a normal distribution around the fit, in log odds.
///
/// Its precision is 1/τ² on the diagonal, τ being how far strengths are thought to spread before anybody has voted, and
/// for each pair (i, j) with n battles n·p(1−p)·(eᵢ−eⱼ)(eᵢ−eⱼ)ᵀ, p being the chance of i to win.
#[derive(Clone, Debug)]
pub struct StrengthPosterior {
    strengths: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

/// The difference of two strengths, in log odds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrengthGap {
    pub mean: f64,
    pub variance: f64,
}

impl StrengthPosterior {
    /// `prior_spread` is τ, in log odds.
    pub fn of(pairs: &Pairs, fit: &Fit, prior_spread: f64) -> Self {
        let strengths: Vec<f64> = fit.ratings.iter().map(|rating| rating / POINTS_PER_NAT).collect();
        let mut precision = Symmetric::zero(pairs.models);
        for model in 0..pairs.models {
            precision.add(model, model, 1.0 / (prior_spread * prior_spread));
        }
        for pair in &pairs.pairs {
            let (first, second) = (pair.first as usize, pair.second as usize);
            let chance = logistic(strengths[first] - strengths[second]);
            let weight = pair.battles() * chance * (1.0 - chance);
            precision.add(first, first, weight);
            precision.add(second, second, weight);
            precision.add(second, first, -weight);
        }
        let unknown = |model: usize| {
            let mut row = vec![0.0; pairs.models];
            row[model] = prior_spread * prior_spread;
            row
        };
        let covariance = match precision.factor() {
            Some(factor) => factor.inverse(),
            None => (0..pairs.models).map(unknown).collect(),
        };
        Self { strengths, covariance }
    }

    pub fn gap(&self, one: usize, other: usize) -> StrengthGap {
        let variance =
            self.covariance[one][one] + self.covariance[other][other] - 2.0 * self.covariance[one][other];
        StrengthGap { mean: self.strengths[one] - self.strengths[other], variance: variance.max(0.0) }
    }

    /// The mean variance of all differences between two models: how little is known, in one number.
    pub fn mean_gap_variance(&self) -> f64 {
        let models = self.strengths.len();
        let gaps = (0..models).flat_map(|one| (0..one).map(move |other| (one, other)));
        let (sum, count) = gaps.fold((0.0, 0.0), |(sum, count), (one, other)| {
            (sum + self.gap(one, other).variance, count + 1.0)
        });
        if count > 0.0 { sum / count } else { 0.0 }
    }
}

impl StrengthGap {
    /// How much one more vote on the pair is expected to lower the entropy of all strengths, in nats.
    ///
    /// A vote speaks of nothing but the difference x of the two, so this is the mutual information of vote and difference,
    /// `H(E[σ(x)]) − E[H(σ(x))]` with H the entropy of a coin, x ~ N(mean, variance). It grows with what is not known and
    /// shrinks with what is foreseeable.
    pub fn information_of_a_vote(self) -> f64 {
        let spread = self.variance.sqrt();
        let (mut chance, mut noise, mut mass) = (0.0, 0.0, 0.0);
        // Simpson's rule over ±6 standard deviations, where the integrands are smooth.
        let steps = 64_usize;
        for step in 0..=steps {
            let z = -6.0 + 12.0 * step as f64 / steps as f64;
            let edge = if step == 0 || step == steps {
                1.0
            } else if step % 2 == 1 {
                4.0
            } else {
                2.0
            };
            let weight = edge * (-z * z / 2.0).exp();
            let win = logistic(self.mean + spread * z);
            chance += weight * win;
            noise += weight * entropy(win);
            mass += weight;
        }
        (entropy(chance / mass) - noise / mass).max(0.0)
    }
}

fn entropy(chance: f64) -> f64 {
    let part = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
    part(chance) + part(1.0 - chance)
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::super::{Battles, Winner, fit};
    use super::*;

    fn posterior(rows: &[(&str, &str, Winner)]) -> StrengthPosterior {
        let pairs = Pairs::count(&rows.iter().copied().collect::<Battles>());
        StrengthPosterior::of(&pairs, &fit(&pairs, None, None), 1.0)
    }

    #[test]
    fn a_vote_tells_more_the_less_is_known_and_the_closer_the_two_are() {
        let information = |mean: f64, variance: f64| StrengthGap { mean, variance }.information_of_a_vote();
        for mean in [0.0, 0.5, 1.0, 2.0] {
            let grown: Vec<f64> = [0.01, 0.1, 0.5, 1.0, 2.0].map(|var| information(mean, var)).to_vec();
            assert!(grown.is_sorted(), "{grown:?}");
        }
        for variance in [0.05, 0.5, 2.0] {
            let shrunk: Vec<f64> = [0.0, 0.5, 1.0, 2.0, 4.0].map(|mean| information(mean, variance)).to_vec();
            assert!(shrunk.is_sorted_by(|one, other| one >= other), "{shrunk:?}");
        }
        assert!(information(1.0, 0.0).abs() < 1e-12, "nothing is left to learn");
    }

    #[test]
    fn little_variance_makes_it_half_the_relative_cut_in_variance() {
        // For a narrow distribution the gain is that of linear regression: ½ ln(1 + p(1−p)·variance).
        for (mean, variance) in [(0.0, 0.01), (0.7, 0.02), (-1.5, 0.005)] {
            let chance = logistic(mean);
            let wanted = 0.5 * (chance * (1.0 - chance) * variance).ln_1p();
            let got = StrengthGap { mean, variance }.information_of_a_vote();
            assert!((got / wanted - 1.0).abs() < 0.02, "{got} {wanted}");
        }
    }

    #[test]
    fn battles_narrow_the_gap_of_those_who_fought_and_of_those_who_met_them() {
        let even = [("p", "q", Winner::A), ("p", "q", Winner::B)].repeat(20);
        let mut rows = even;
        rows.push(("q", "r", Winner::Tie));
        rows.push(("r", "s", Winner::Tie));
        let posterior = posterior(&rows);
        let spread = |one, other| posterior.gap(one, other).variance;
        assert!(spread(0, 1) < spread(1, 2) && spread(1, 2) < spread(0, 3));
        // n·p(1−p) = 10 on a prior of variance 2 for a difference: 1 / (1/2 + 10), a little less by the other links.
        assert!((spread(0, 1) - 1.0 / 10.5).abs() < 0.002, "{}", spread(0, 1));
        assert!(posterior.mean_gap_variance() > spread(0, 1));
    }
}
