use super::bradley_terry::{log_logistic, logistic};
use super::cholesky::{Symmetric, dot};
use super::scale::{Anchor, MEAN_RATING, POINTS_PER_NAT, shift_to};
use super::{Battles, Connectivity, Pairs, RatingInterval};

/// Numbers beside each battle that may sway a vote whatever the models are worth, such as how much longer A's answer is.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    count: usize,
    /// Row by row, each column with mean 0 and standard deviation 1.
    values: Vec<f64>,
}

impl Features {
    /// From what each side shows, one pair of numbers a feature: (a − b) / (a + b + 1), then standardised. A feature that
    /// never differs stays 0.
    pub fn from_sides<'a>(rows: impl IntoIterator<Item = &'a [(f64, f64)]>, count: usize) -> Self {
        let mut values: Vec<f64> = Vec::new();
        for row in rows {
            values.extend(row.iter().take(count).map(|(a, b)| (a - b) / (a + b + 1.0)));
        }
        let rows = values.len() / count.max(1);
        for column in 0..count {
            let each = || (0..rows).map(|row| values[row * count + column]);
            let mean = each().sum::<f64>() / rows as f64;
            let deviation = (each().map(|value| (value - mean).powi(2)).sum::<f64>() / rows as f64).sqrt();
            for row in 0..rows {
                let value = &mut values[row * count + column];
                *value = if deviation > 0.0 { (*value - mean) / deviation } else { 0.0 };
            }
        }
        Self { count, values }
    }

    fn row(&self, at: usize) -> &[f64] {
        &self.values[at * self.count..(at + 1) * self.count]
    }
}

/// What keeps ratings and coefficients small: half of these times their squares is taken off the log likelihood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// On a rating, in log odds.
    pub ratings: f64,
    pub coefficients: f64,
}

impl Penalty {
    /// As Chatbot Arena's style control: 0.5 on everything, ratings in units of 400 points.
    pub const STYLE_CONTROL: Self =
        Self { ratings: 0.5 / (std::f64::consts::LN_10 * std::f64::consts::LN_10), coefficients: 0.5 };

    /// On coefficients only, as much as `battles` battles weigh: as `arena-rank` does.
    pub fn on_coefficients(battles: usize) -> Self {
        Self { ratings: 0.0, coefficients: battles as f64 }
    }
}

/// How much a battle counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weighting {
    Equal,
    /// 1 / max(battles of its pair, this), scaled to a mean of 1.
    ByPair(f64),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ContextualFit {
    pub ratings: Vec<f64>,
    /// Change of A's log odds with one standard deviation of each feature.
    pub coefficients: Vec<f64>,
    pub intervals: Vec<RatingInterval>,
}

const SMALL_STEP: f64 = 1e-9;
const MOST_STEPS: usize = 100;
/// Per battle, as in the sandwich without features.
const RIDGE: f64 = 1e-5;

/// Bradley–Terry with features: ratings as if both sides had looked alike. `None` if there is no maximum, which a penalty
/// on ratings prevents.
pub fn fit_contextual(
    battles: &Battles,
    features: &Features,
    weighting: Weighting,
    penalty: Penalty,
    anchor: Option<Anchor>,
) -> Option<ContextualFit> {
    let pairs = Pairs::count(battles);
    let connectivity = Connectivity::of(&pairs);
    if penalty.ratings <= 0.0 && !connectivity.has_finite_mle() {
        return None;
    }
    let model = Model {
        battles,
        features,
        weights: weights(battles, &pairs, weighting),
        penalty,
        groups: if penalty.ratings > 0.0 { Vec::new() } else { connectivity.weak },
        models: battles.models.len(),
    };
    let parameters = model.maximise()?;
    let variances = model.variances(&parameters)?;
    let (strengths, coefficients) = parameters.split_at(model.models);
    let mut ratings: Vec<f64> = strengths.iter().map(|s| MEAN_RATING + POINTS_PER_NAT * s).collect();
    shift_to(anchor, &mut ratings);
    let scaled = variances.iter().map(|variance| variance * POINTS_PER_NAT * POINTS_PER_NAT);
    let intervals = ratings.iter().zip(scaled).map(|(&r, v)| RatingInterval::around(r, v)).collect();
    Some(ContextualFit { ratings, coefficients: coefficients.to_vec(), intervals })
}

fn weights(battles: &Battles, pairs: &Pairs, weighting: Weighting) -> Vec<f64> {
    let Weighting::ByPair(least) = weighting else { return vec![1.0; battles.len()] };
    let of_pair: Vec<f64> = pairs.pair_weights(least);
    let mut weights: Vec<f64> = battles
        .rows()
        .map(|(a, b, _)| {
            let key = (a.min(b), a.max(b));
            match pairs.pairs.binary_search_by_key(&key, |pair| (pair.first, pair.second)) {
                Ok(at) => of_pair[at],
                // A model against itself.
                Err(_) => 1.0 / least,
            }
        })
        .collect();
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    for weight in &mut weights {
        *weight /= mean;
    }
    weights
}

/// Parameters are the strengths of all models, in log odds, then the coefficients.
struct Model<'a> {
    battles: &'a Battles,
    features: &'a Features,
    weights: Vec<f64>,
    penalty: Penalty,
    /// Groups whose level nothing else pins.
    groups: Vec<Vec<u32>>,
    models: usize,
}

impl Model<'_> {
    fn size(&self) -> usize {
        self.models + self.features.count
    }

    fn odds(&self, parameters: &[f64], at: usize, a: u32, b: u32) -> f64 {
        let (strengths, coefficients) = parameters.split_at(self.models);
        strengths[a as usize] - strengths[b as usize] + dot(self.features.row(at), coefficients)
    }

    fn penalty_of(&self, parameter: usize) -> f64 {
        if parameter < self.models { self.penalty.ratings } else { self.penalty.coefficients }
    }

    /// Adds `value` times the square of a battle's derivatives: +1 for A, −1 for B, and its features.
    fn add_square(&self, matrix: &mut Symmetric, at: usize, a: u32, b: u32, value: f64) {
        let row = self.features.row(at);
        if a != b {
            let (a, b) = (a as usize, b as usize);
            matrix.add(a, a, value);
            matrix.add(b, b, value);
            matrix.add(a, b, -value);
            for (feature, x) in row.iter().enumerate() {
                matrix.add(self.models + feature, a, value * x);
                matrix.add(self.models + feature, b, -value * x);
            }
        }
        for (one, x) in row.iter().enumerate() {
            for (other, y) in row[..=one].iter().enumerate() {
                matrix.add(self.models + one, self.models + other, value * x * y);
            }
        }
    }

    fn likelihood(&self, parameters: &[f64]) -> f64 {
        let votes = self.battles.rows().enumerate().map(|(at, (a, b, winner))| {
            let odds = self.odds(parameters, at, a, b);
            let points = winner.points_of_a();
            self.weights[at] * (points * log_logistic(odds) + (1.0 - points) * log_logistic(-odds))
        });
        let kept_small = parameters.iter().enumerate().map(|(at, value)| self.penalty_of(at) * value * value);
        votes.sum::<f64>() - kept_small.sum::<f64>() / 2.0
    }

    fn maximise(&self) -> Option<Vec<f64>> {
        let size = self.size();
        let mut parameters = vec![0.0; size];
        let mut here = self.likelihood(&parameters);
        for _ in 0..MOST_STEPS {
            let mut matrix = Symmetric::zero(size);
            let mut step = vec![0.0; size];
            for (at, (a, b, winner)) in self.battles.rows().enumerate() {
                let chance = logistic(self.odds(&parameters, at, a, b));
                let surplus = self.weights[at] * (winner.points_of_a() - chance);
                step[a as usize] += surplus;
                step[b as usize] -= surplus;
                for (slope, x) in step[self.models..].iter_mut().zip(self.features.row(at)) {
                    *slope += surplus * x;
                }
                self.add_square(&mut matrix, at, a, b, self.weights[at] * chance * (1.0 - chance));
            }
            for (at, value) in parameters.iter().enumerate() {
                step[at] -= self.penalty_of(at) * value;
                matrix.add(at, at, self.penalty_of(at));
            }
            // A group's level is free. As no slope points along it, making it stiff leaves every step as it is.
            for group in &self.groups {
                for (at, &one) in group.iter().enumerate() {
                    for &other in &group[..=at] {
                        matrix.add(one as usize, other as usize, 1.0);
                    }
                }
            }
            matrix.factor()?.solve(&mut step);
            let mut share = 1.0;
            let there = loop {
                let there: Vec<f64> = parameters.iter().zip(&step).map(|(p, s)| p + share * s).collect();
                let value = self.likelihood(&there);
                if value >= here || share < 1e-6 {
                    here = value;
                    break there;
                }
                share /= 2.0;
            };
            parameters = there;
            if step.iter().all(|part| share * part.abs() < SMALL_STEP) {
                return Some(parameters);
            }
        }
        Some(parameters)
    }

    /// Of the strengths. The squares of scores are those of the penalised likelihood, as far as the penalty on
    /// coefficients enters them.
    fn variances(&self, parameters: &[f64]) -> Option<Vec<f64>> {
        let size = self.size();
        let battles = self.battles.len() as f64;
        let mut information = Symmetric::zero(size);
        let mut scores = Symmetric::zero(size);
        for (at, (a, b, winner)) in self.battles.rows().enumerate() {
            let chance = logistic(self.odds(parameters, at, a, b));
            let score = self.weights[at] * (winner.points_of_a() - chance);
            self.add_square(&mut information, at, a, b, self.weights[at] * chance * (1.0 - chance));
            self.add_square(&mut scores, at, a, b, score * score);
        }
        for at in 0..size {
            information.add(at, at, RIDGE * battles);
        }
        let coefficients = self.models..size;
        for one in coefficients.clone() {
            for other in coefficients.clone().take_while(|other| *other <= one) {
                let penalty = self.penalty.coefficients * self.penalty.coefficients;
                scores.add(one, other, -penalty * parameters[one] * parameters[other] / battles);
            }
        }
        let inverse = information.factor()?.inverse();
        let variance = |row: &Vec<f64>| {
            let half: Vec<f64> =
                (0..size).map(|column| (0..size).map(|k| row[k] * scores.get(k, column)).sum()).collect();
            dot(&half, row).max(0.0)
        };
        Some(inverse.iter().take(self.models).map(variance).collect())
    }
}

#[cfg(test)]
mod tests {
    use umpire_model::Random;

    use super::super::multinomial::uniform;
    use super::super::{Winner, fit};
    use super::*;

    #[test]
    fn features_are_relative_and_standardised() {
        let rows = [[(3.0, 1.0)], [(1.0, 3.0)]];
        let features = Features::from_sides(rows.iter().map(<[(f64, f64); 1]>::as_slice), 1);
        assert_eq!(features.values, [1.0, -1.0], "±2/5 over a deviation of 2/5");
        let same = [[(2.0, 2.0)], [(5.0, 5.0)]];
        let features = Features::from_sides(same.iter().map(<[(f64, f64); 1]>::as_slice), 1);
        assert_eq!(features.values, [0.0, 0.0]);
    }

    #[test]
    fn a_taste_for_length_is_told_from_strength() {
        // Two equal models; p is usually longer, and the longer answer wins three times of four.
        let mut random = Random::new(9);
        let mut battles = Battles::default();
        let mut sides = Vec::new();
        for _ in 0..4000 {
            let p_is_longer = uniform(&mut random) < 0.8;
            let p_wins = (uniform(&mut random) < 0.75) == p_is_longer;
            battles.push("p", "q", if p_wins { Winner::A } else { Winner::B });
            sides.push([if p_is_longer { (300.0, 100.0) } else { (100.0, 300.0) }]);
        }
        let features = Features::from_sides(sides.iter().map(<[(f64, f64); 1]>::as_slice), 1);
        let plain = fit(&Pairs::count(&battles), None, None);
        assert!(plain.ratings[0] - plain.ratings[1] > 80.0, "{:?}", plain.ratings);
        let penalty = Penalty::STYLE_CONTROL;
        let found = fit_contextual(&battles, &features, Weighting::Equal, penalty, None).expect("a maximum");
        assert!(found.coefficients[0] > 0.5, "{:?}", found.coefficients);
        // What is left of the lead is what the mean of the feature, taken out by standardising, stands for.
        let lead = found.ratings[0] - found.ratings[1];
        assert!(lead > 0.0 && lead < plain.ratings[0] - plain.ratings[1] + 80.0);
    }

    #[test]
    fn without_features_it_is_the_plain_fit() {
        let rows =
            [("p", "q", Winner::A), ("q", "r", Winner::A), ("r", "p", Winner::A), ("p", "q", Winner::Tie)];
        let battles: Battles = rows.into_iter().collect();
        let features = Features::from_sides(rows.iter().map(|_| [].as_slice()), 0);
        let penalty = Penalty::on_coefficients(4);
        let found = fit_contextual(&battles, &features, Weighting::Equal, penalty, None).expect("a maximum");
        let plain = fit(&Pairs::count(&battles), None, None);
        for (got, wanted) in found.ratings.iter().zip(plain.ratings) {
            assert!((got - wanted).abs() < 1e-8);
        }
        let one_way: Battles = [("p", "q", Winner::A)].into_iter().collect();
        let features = Features::from_sides([[].as_slice()], 0);
        assert_eq!(fit_contextual(&one_way, &features, Weighting::Equal, penalty, None), None);
    }
}
