use serde::Serialize;

use super::cholesky::{Cholesky, Symmetric};
use super::scale::{Anchor, MEAN_RATING, POINTS_PER_NAT, shift_to};
use super::warning::{Warning, connectivity_warnings};
use super::{Connectivity, ModelId, Pairs};

/// How a rating was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimate {
    /// The maximum of the likelihood, to the last digits.
    Exact,
    /// The likelihood has no maximum; found as if the model had also tied once with one of mean strength.
    Regularised,
}

/// Ratings of all models, by id.
#[derive(Clone, Debug)]
pub struct Fit {
    pub ratings: Vec<f64>,
    pub estimates: Vec<Estimate>,
    pub connectivity: Connectivity,
    pub warnings: Vec<Warning>,
}

/// Bradley–Terry ratings by maximum likelihood, ties being half a win for each side.
///
/// Every weak component has a mean of 1000 before the anchor moves all. Components without a finite maximum are
/// regularised, and a warning names the models and the reason.
pub fn fit(pairs: &Pairs, weights: Option<&[f64]>, anchor: Option<Anchor>) -> Fit {
    let connectivity = Connectivity::of(pairs);
    let mut strengths = vec![0.0; pairs.models];
    let mut estimates = vec![Estimate::Exact; pairs.models];
    for component in &connectivity.weak {
        let is_strong = connectivity.blocks_of(component).nth(1).is_none();
        let contest = Contest::among(component, pairs, weights);
        let estimate = if is_strong { Estimate::Exact } else { Estimate::Regularised };
        let found = contest.solve(estimate, None);
        for (&model, strength) in component.iter().zip(found) {
            strengths[model as usize] = strength;
            estimates[model as usize] = estimate;
        }
    }
    let mut ratings: Vec<f64> = strengths.iter().map(|s| MEAN_RATING + POINTS_PER_NAT * s).collect();
    shift_to(anchor, &mut ratings);
    let warnings = connectivity_warnings(&connectivity, pairs);
    Fit { ratings, estimates, connectivity, warnings }
}

/// Exact ratings inside every strong block, each with mean 0: what can be said without any assumption where the whole has
/// no finite maximum.
pub fn fit_within_strong_blocks(pairs: &Pairs) -> Vec<Vec<(ModelId, f64)>> {
    let connectivity = Connectivity::of(pairs);
    let blocks = connectivity.strong.iter().map(|block| {
        let found = Contest::among(block, pairs, None).solve(Estimate::Exact, None);
        block.iter().zip(found).map(|(&model, strength)| (model, POINTS_PER_NAT * strength)).collect()
    });
    blocks.collect()
}

/// The pairs among some models, which are numbered from 0 here.
#[derive(Clone)]
pub(crate) struct Contest {
    pub models: usize,
    pub pairs: Vec<Met>,
}

/// Two models with the points each took, weighted.
#[derive(Clone, Copy)]
pub(crate) struct Met {
    pub first: usize,
    pub second: usize,
    pub first_points: f64,
    pub second_points: f64,
}

/// A tie with a model of mean strength, added for every model where a maximum must be forced.
pub(crate) const PRIOR_TIES: f64 = 1.0;

/// Steps below this (in log odds; a millionth of a rating point) end the search: the next would be its square.
const SMALL_STEP: f64 = 1e-8;
/// Newton's method needs under ten; this many mean that rounding keeps it from standing still.
const MOST_STEPS: usize = 100;
/// A step this short cannot overshoot, so the likelihood need not be looked at.
const SAFE_STEP: f64 = 0.5;

impl Contest {
    /// `members` in ascending order; `weights` by the place of a pair in `pairs`.
    pub fn among(members: &[ModelId], pairs: &Pairs, weights: Option<&[f64]>) -> Self {
        let mut place = vec![usize::MAX; pairs.models];
        for (at, &model) in members.iter().enumerate() {
            place[model as usize] = at;
        }
        let met = pairs.pairs.iter().enumerate().filter_map(|(at, pair)| {
            let (first, second) = (place[pair.first as usize], place[pair.second as usize]);
            let weight = weights.map_or(1.0, |weights| weights[at]);
            (first != usize::MAX && second != usize::MAX).then(|| Met {
                first,
                second,
                first_points: weight * pair.first_points(),
                second_points: weight * pair.second_points(),
            })
        });
        Self { models: members.len(), pairs: met.collect() }
    }

    /// Strengths in log odds, with mean 0.
    pub fn solve(&self, estimate: Estimate, start: Option<&[f64]>) -> Vec<f64> {
        let prior = if estimate == Estimate::Regularised { PRIOR_TIES } else { 0.0 };
        // Only differences matter, so without a prior the last model stays where it is.
        let free = if prior > 0.0 { self.models } else { self.models.saturating_sub(1) };
        let mut strengths = start.map_or_else(|| vec![0.0; self.models], <[f64]>::to_vec);
        let mut gradient = vec![0.0; self.models];
        let mut matrix = Symmetric::zero(free);
        for _ in 0..MOST_STEPS {
            if free == 0 {
                break;
            }
            self.slopes(prior, &strengths, &mut gradient, &mut matrix);
            let Some(factor) = matrix.factor() else { break };
            factor.solve(&mut gradient[..free]);
            let step = self.walk(prior, &mut strengths, &gradient[..free]);
            matrix = Cholesky::into_matrix(factor);
            if step < SMALL_STEP {
                break;
            }
        }
        let mean = strengths.iter().sum::<f64>() / self.models.max(1) as f64;
        for strength in &mut strengths {
            *strength -= mean;
        }
        strengths
    }

    /// First and (negative) second derivatives of the log likelihood.
    fn slopes(&self, prior: f64, strengths: &[f64], gradient: &mut [f64], matrix: &mut Symmetric) {
        gradient.fill(0.0);
        matrix.clear();
        let free = matrix.size;
        for met in &self.pairs {
            let battles = met.first_points + met.second_points;
            let chance = logistic(strengths[met.first] - strengths[met.second]);
            let surplus = met.first_points - battles * chance;
            let information = battles * chance * (1.0 - chance);
            gradient[met.first] += surplus;
            gradient[met.second] -= surplus;
            if met.first < free {
                matrix.add(met.first, met.first, information);
            }
            if met.second < free {
                matrix.add(met.second, met.second, information);
                if met.first < free {
                    matrix.add(met.second, met.first, -information);
                }
            }
        }
        if prior > 0.0 {
            for (model, &strength) in strengths.iter().enumerate() {
                let chance = logistic(strength);
                gradient[model] += prior * (0.5 - chance);
                matrix.add(model, model, prior * chance * (1.0 - chance));
            }
        }
    }

    /// Takes a step, or as much of it as does not lead downhill; returns its length.
    fn walk(&self, prior: f64, strengths: &mut [f64], step: &[f64]) -> f64 {
        let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        let mut share = 1.0;
        if longest > SAFE_STEP {
            let here = self.likelihood(prior, strengths);
            let mut there = strengths.to_vec();
            while share > 1e-6 {
                for (new, (old, part)) in there.iter_mut().zip(strengths.iter().zip(step)) {
                    *new = old + share * part;
                }
                if self.likelihood(prior, &there) >= here {
                    break;
                }
                share /= 2.0;
            }
        }
        for (strength, part) in strengths.iter_mut().zip(step) {
            *strength += share * part;
        }
        share * longest
    }

    fn likelihood(&self, prior: f64, strengths: &[f64]) -> f64 {
        let votes: f64 = self
            .pairs
            .iter()
            .map(|met| {
                let gap = strengths[met.first] - strengths[met.second];
                met.first_points * log_logistic(gap) + met.second_points * log_logistic(-gap)
            })
            .sum();
        let ties = strengths.iter().map(|&s| 0.5 * (log_logistic(s) + log_logistic(-s)));
        votes + if prior > 0.0 { prior * ties.sum::<f64>() } else { 0.0 }
    }

    /// Whether there is a finite maximum: points were taken in both directions between any two parts.
    pub fn is_strong(&self) -> bool {
        let mut beat = BitMatrix::new(self.models);
        let mut lost_to = BitMatrix::new(self.models);
        for met in &self.pairs {
            if met.first_points > 0.0 {
                beat.set(met.first, met.second);
                lost_to.set(met.second, met.first);
            }
            if met.second_points > 0.0 {
                beat.set(met.second, met.first);
                lost_to.set(met.first, met.second);
            }
        }
        beat.reaches_all() && lost_to.reaches_all()
    }
}

/// Edges as bits: a bootstrap asks a thousand times, and on a hundred models a row is two words.
struct BitMatrix {
    size: usize,
    words: usize,
    bits: Vec<u64>,
}

impl BitMatrix {
    fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self { size, words, bits: vec![0; size * words] }
    }

    fn set(&mut self, from: usize, to: usize) {
        self.bits[from * self.words + to / 64] |= 1 << (to % 64);
    }

    /// Whether one can go everywhere from the first.
    fn reaches_all(&self) -> bool {
        let mut seen = vec![0_u64; self.words];
        let mut open = Vec::with_capacity(self.size);
        if let Some(first) = seen.first_mut() {
            *first = 1;
            open.push(0);
        }
        let mut count = open.len();
        while let Some(at) = open.pop() {
            let row = &self.bits[at * self.words..(at + 1) * self.words];
            for (word, (edges, seen)) in row.iter().zip(&mut seen).enumerate() {
                let mut new = edges & !*seen;
                *seen |= new;
                while new != 0 {
                    open.push(word * 64 + new.trailing_zeros() as usize);
                    count += 1;
                    new &= new - 1;
                }
            }
        }
        count == self.size
    }
}

/// The chance to win at these log odds.
pub(crate) fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// Its logarithm, without overflow at either end.
pub(crate) fn log_logistic(odds: f64) -> f64 {
    odds.min(0.0) - (-odds.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Battles, Winner};
    use super::*;

    fn ratings(rows: &[(&str, &str, Winner)]) -> Fit {
        fit(&Pairs::count(&rows.iter().copied().collect::<Battles>()), None, None)
    }

    #[test]
    fn three_wins_of_four_are_odds_of_three() {
        let won = ("p", "q", Winner::A);
        let fit = ratings(&[won, won, won, ("p", "q", Winner::B)]);
        // 400 · log10(3) = 190.848…, half of it up and half of it down.
        let half = 200.0 * 3.0_f64.log10();
        assert!((fit.ratings[0] - (1000.0 + half)).abs() < 1e-9, "{:?}", fit.ratings);
        assert!((fit.ratings[1] - (1000.0 - half)).abs() < 1e-9);
        assert!(fit.warnings.is_empty());
    }

    #[test]
    fn the_anchor_takes_all_others_along() {
        let battles: Battles =
            [("p", "q", Winner::A), ("p", "q", Winner::B), ("p", "q", Winner::A)].into_iter().collect();
        let pairs = Pairs::count(&battles);
        let anchored = fit(&pairs, None, Some(Anchor { model: 1, rating: 1114.0 }));
        let free = fit(&pairs, None, None);
        assert!((anchored.ratings[1] - 1114.0).abs() < 1e-12);
        let gap = |fit: &Fit| fit.ratings[0] - fit.ratings[1];
        assert!((gap(&anchored) - gap(&free)).abs() < 1e-9);
    }

    #[test]
    fn who_never_lost_gets_a_finite_rating_and_a_warning() {
        let fit = ratings(&[("top", "p", Winner::A), ("p", "q", Winner::A), ("q", "p", Winner::A)]);
        assert!(fit.ratings.iter().all(|rating| rating.is_finite()));
        assert!(fit.ratings[0] > fit.ratings[1] && fit.ratings[0] < 1500.0, "{:?}", fit.ratings);
        assert_eq!(fit.estimates, [Estimate::Regularised; 3]);
        assert_eq!(fit.warnings.len(), 1);
        let blocks = fit_within_strong_blocks(&Pairs::count(
            &[("top", "p", Winner::A), ("p", "q", Winner::A), ("q", "p", Winner::A)].into_iter().collect(),
        ));
        assert_eq!(blocks.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        assert!(blocks.iter().flatten().all(|(_, rating)| rating.abs() < 1e-9));
    }

    #[test]
    fn a_step_too_far_is_taken_back() {
        // 999 : 1 and 1 : 999 in a chain of twelve, where a full first step would overshoot.
        let names: Vec<String> = (0..12).map(|id| format!("m{id:02}")).collect();
        let rows = names.windows(2).flat_map(|two| {
            (0..1000).map(|n| (&*two[0], &*two[1], if n == 0 { Winner::B } else { Winner::A }))
        });
        let fit = fit(&Pairs::count(&rows.collect()), None, None);
        for two in fit.ratings.windows(2) {
            assert!((two[0] - two[1] - 400.0 * 999.0_f64.log10()).abs() < 1e-6, "{:?}", fit.ratings);
        }
    }

    #[test]
    fn strength_of_connection_is_seen_beyond_one_word_of_bits() {
        let ring = |size: usize, broken: bool| Contest {
            models: size,
            pairs: (0..size - usize::from(broken))
                .map(|at| Met { first: at, second: (at + 1) % size, first_points: 1.0, second_points: 0.0 })
                .collect(),
        };
        for size in [2, 63, 64, 65, 200] {
            assert!(ring(size, false).is_strong(), "{size}");
            assert!(!ring(size, true).is_strong(), "{size}");
        }
    }

    fn rows() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
        proptest::collection::vec((0..5_usize, 0..5_usize, 0..4_usize), 1..60)
    }

    fn table(rows: &[(usize, usize, usize)]) -> Battles {
        const NAMES: [&str; 5] = ["p", "q", "r", "s", "t"];
        const WINNERS: [Winner; 4] = [Winner::A, Winner::B, Winner::Tie, Winner::BothBad];
        rows.iter().map(|&(a, b, winner)| (NAMES[a], NAMES[b], WINNERS[winner])).collect()
    }

    fn by_name(battles: &Battles) -> std::collections::BTreeMap<String, f64> {
        let fit = fit(&Pairs::count(battles), None, None);
        battles.models.names().map(str::to_owned).zip(fit.ratings).collect()
    }

    fn same(one: &std::collections::BTreeMap<String, f64>, other: &std::collections::BTreeMap<String, f64>) {
        assert_eq!(one.len(), other.len());
        for (name, rating) in one {
            assert!((rating - other[name]).abs() < 1e-6, "{name}: {rating} and {}", other[name]);
        }
    }

    proptest! {
        #[test]
        fn the_order_of_rows_is_nothing(rows in rows(), turn in 0..60_usize) {
            let mut turned = rows.clone();
            turned.rotate_left(turn % rows.len());
            turned.reverse();
            same(&by_name(&table(&rows)), &by_name(&table(&turned)));
        }

        #[test]
        fn sides_may_be_swapped(rows in rows()) {
            let swapped: Vec<_> =
                rows.iter().map(|&(a, b, winner)| (b, a, [1, 0, 2, 3][winner])).collect();
            same(&by_name(&table(&rows)), &by_name(&table(&swapped)));
        }

        #[test]
        fn losing_everything_instead_mirrors_all_ratings(rows in rows()) {
            let mirrored: Vec<_> =
                rows.iter().map(|&(a, b, winner)| (a, b, [1, 0, 2, 3][winner])).collect();
            let (here, there) = (by_name(&table(&rows)), by_name(&table(&mirrored)));
            for (name, rating) in &here {
                assert!((rating + there[name] - 2000.0).abs() < 1e-6);
            }
        }

        #[test]
        fn every_exact_model_is_expected_to_take_the_points_it_took(rows in rows()) {
            let pairs = Pairs::count(&table(&rows));
            let fit = fit(&pairs, None, None);
            let mut surplus = vec![0.0; pairs.models];
            for pair in &pairs.pairs {
                let gap = fit.ratings[pair.first as usize] - fit.ratings[pair.second as usize];
                let expected = pair.battles() / (1.0 + 10.0_f64.powf(-gap / 400.0));
                surplus[pair.first as usize] += pair.first_points() - expected;
                surplus[pair.second as usize] -= pair.first_points() - expected;
            }
            for (surplus, estimate) in surplus.iter().zip(&fit.estimates) {
                prop_assert!(*estimate == Estimate::Regularised || surplus.abs() < 1e-8, "{surplus}");
            }
        }
    }
}
